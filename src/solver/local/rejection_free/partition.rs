//! Sites by class. The position of a site in the list of its class decides which site a draw takes,
//! so it is a part of the stream.

#[cfg(doc)]
use crate::local::sites;
use crate::local::sites::{Class, LocalRule};

/// What an update of a site would do, and the position of the site in the lists.
#[derive(Debug, Clone, Copy)]
#[repr(align(8))]
pub(super) struct ListedSite {
    /// [`sites::stale`].
    pub stale: u8,
    /// [`LocalRule::class_of_moves`]: the class while nothing is stale.
    pub moves: Class,
    /// There is a queen on a cell whose signals the update writes, and it may move even if `moves`
    /// says idle: its signals are written before. Always false under a rule without
    /// [`LocalRule::SIGNALS_FIRST`].
    pub has_queen: bool,
    /// The class in whose list the site is, and its position there.
    listed: Class,
    position: u16,
}

impl ListedSite {
    /// A site that is in no list yet.
    pub fn new(stale: u8, moves: Class, has_queen: bool) -> Self {
        Self {
            stale,
            moves,
            has_queen,
            listed: Class::Idle,
            position: 0,
        }
    }

    /// True if an update of the site may do more than write signals.
    #[inline]
    pub fn may_move<R: LocalRule>(self) -> bool {
        if R::SIGNALS_FIRST {
            self.has_queen
        } else {
            self.moves != Class::Idle
        }
    }

    /// The class of the site: open with a stale signal, else that of the moves.
    #[inline]
    pub fn class(self) -> Class {
        if self.stale != 0 {
            Class::Open
        } else {
            self.moves
        }
    }
}

/// A partition of the sites into classes, from which a member is drawn at once. Idle sites are
/// never drawn and are in no list.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    pub sites: Box<[ListedSite]>,
    /// The sites in the list of each class, by position and class; the first [`Partition::len`]
    /// positions are used. Their order is a part of the trial: draws refer to it.
    lists: Box<[[u16; Class::COUNT]]>,
    lens: [u32; Class::COUNT],
}

impl Partition {
    pub fn new(sites: Box<[ListedSite]>) -> Self {
        let lists = vec![[0; Class::COUNT]; sites.len()].into();
        let mut partition = Self {
            sites,
            lists,
            lens: [0; Class::COUNT],
        };
        for number in 0..partition.sites.len() {
            partition.put(number as u16);
        }
        partition
    }

    /// The number of sites in a class that is not idle.
    ///
    /// A separate load for each number avoids a store-forwarding stall: a read of the whole array
    /// would wait for the single writes just before it.
    #[inline]
    pub fn len(&self, class: Class) -> u32 {
        self.lens[class as usize]
    }

    /// The site at this position in the list of a class.
    #[inline]
    pub fn member(&self, class: Class, position: u32) -> u16 {
        self.lists[position as usize][class as usize]
    }

    /// Puts a site into the list of the class that it has now. The plain way of
    /// [`Partition::replace`] and [`Partition::retire`], which save 10 to 13 % of the time.
    #[inline]
    pub fn put(&mut self, number: u16) {
        let site = self.sites[usize::from(number)];
        if site.class() != site.listed {
            self.transfer(number, site.class());
        }
    }

    #[inline(never)]
    fn transfer(&mut self, number: u16, class: Class) {
        let ListedSite {
            listed, position, ..
        } = self.sites[usize::from(number)];
        if listed != Class::Idle {
            self.close(position, listed);
        }
        let site = &mut self.sites[usize::from(number)];
        site.listed = class;
        if class != Class::Idle {
            let len = &mut self.lens[class as usize];
            self.lists[*len as usize][class as usize] = number;
            site.position = *len as u16;
            *len += 1;
        }
    }

    /// An open site becomes idle, and `other`, which was idle, is open now: as if `other` had
    /// joined, last of all, before the first left.
    #[inline]
    pub fn replace(&mut self, number: u16, other: u16) {
        let position = self.sites[usize::from(number)].position;
        self.sites[usize::from(number)].listed = Class::Idle;
        self.lists[usize::from(position)][Class::Open as usize] = other;
        let other = &mut self.sites[usize::from(other)];
        (other.listed, other.position) = (Class::Open, position);
    }

    /// An open site becomes idle.
    #[inline]
    pub fn retire(&mut self, number: u16) {
        let position = self.sites[usize::from(number)].position;
        self.close(position, Class::Open);
        self.sites[usize::from(number)].listed = Class::Idle;
    }

    /// Moves the last site of the list to the position of the site that leaves.
    #[inline]
    fn close(&mut self, position: u16, class: Class) {
        let len = &mut self.lens[class as usize];
        *len -= 1;
        let last = self.lists[*len as usize][class as usize];
        self.lists[usize::from(position)][class as usize] = last;
        self.sites[usize::from(last)].position = position;
    }
}
