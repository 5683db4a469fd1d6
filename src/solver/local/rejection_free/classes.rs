//! Which sites are in which class, kept up to date around each change.

use crate::solver::board::{Cell, Direction, Directions};
use crate::solver::local::configuration::{Configuration, Move, State};
use crate::solver::local::rule::{Class, LocalRule};

/// In place of a site's number where there is none.
const NO_SITE: u16 = u16::MAX;

/// The class of every site of a configuration, and the sites of every class.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    partition: Partition,
    /// By [`Cell::index`].
    surroundings: Box<[Surroundings]>,
}

/// Sites by class. A site changes its class in a few steps without a branch, whatever the two classes are.
#[derive(Debug, Clone)]
struct Partition {
    /// By site: its class, and its place in the list of that class.
    members: Box<[(Class, u16)]>,
    /// By class, the first [`Partition::lens`] places: its sites, in no particular order.
    lists: [Box<[u16]>; Class::COUNT],
    lens: [u16; Class::COUNT],
}

/// What lies around a cell.
#[derive(Debug, Clone, Copy)]
struct Surroundings {
    /// By direction: the site at which the cell looks that way.
    looks: [u16; 8],
    /// By direction: the site at which a neighbour looks that way and sees the cell.
    seen: [u16; 8],
    /// Where a neighbour has a queen.
    queens: Directions,
}

/// Numbers of sites in the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub open: u16,
    pub dangerous: u16,
    pub contested: u16,
}

impl Classes {
    pub fn new<R: LocalRule>(rule: &R, x: &Configuration) -> Self {
        let partition = Partition::new(rule.n_sites() as usize, |number| rule.class(x, rule.site(number as u64)));
        Self { partition, surroundings: surroundings(rule, x) }
    }

    #[inline]
    pub fn counts(&self) -> Counts {
        let [_, open, dangerous, contested] = self.partition.lens;
        Counts { open, dangerous, contested }
    }

    /// The sites of a class.
    #[inline]
    pub fn members(&self, class: Class) -> &[u16] {
        &self.partition.lists[class as usize][..usize::from(self.partition.lens[class as usize])]
    }

    /// Takes note of a queen's move. Comes before [`Classes::changed`] for the cells it concerns.
    #[cold]
    pub fn queen_moved(&mut self, queen: Move, x: &Configuration) {
        for cell in [queen.from, queen.to] {
            for direction in Direction::ALL {
                let neighbour = x.board().neighbour(cell, direction.opposite());
                let around = &mut self.surroundings[neighbour.index()].queens;
                *around = around.with(direction, x[cell].queens >= 1);
            }
        }
    }

    /// Takes note that the state of `cell` is no longer what it was `before`.
    ///
    /// The class of a site depends on the cell in three ways: what the cell shows to a neighbour that looks at it, whether it is safe for
    /// a queen beside it, and whether a queen on it is threatened. The signals on the cell itself are the updated site's own business.
    #[inline]
    pub fn changed<R: LocalRule>(&mut self, cell: Cell, before: State, rule: &R, x: &Configuration) {
        let now = x[cell];
        if now == before {
            return;
        }
        let Self { partition, surroundings } = self;
        let around = &surroundings[cell.index()];
        let shown = before.shows().difference(now.shows());
        for direction in shown.iter() {
            partition.reconsider(around.seen[direction as usize], rule, x);
        }
        let safe = before.safe_from().difference(now.safe_from());
        if !safe.is_empty() {
            for direction in safe.intersection(around.queens).iter() {
                partition.reconsider(around.seen[direction.opposite() as usize], rule, x);
            }
        }
        if before.threatened() != now.threatened() {
            let mut last = NO_SITE;
            for number in around.looks {
                if number != last {
                    partition.reconsider(number, rule, x);
                    last = number;
                }
            }
        }
    }

    /// Puts a site into the class that it has now.
    #[inline]
    pub fn reconsider<R: LocalRule>(&mut self, number: u16, rule: &R, x: &Configuration) {
        self.partition.reconsider(number, rule, x);
    }
}

impl Partition {
    fn new(n_sites: usize, class: impl Fn(usize) -> Class) -> Self {
        let lists = std::array::from_fn(|_| vec![0; n_sites].into());
        let mut partition = Self { members: vec![(Class::Idle, 0); n_sites].into(), lists, lens: [0; Class::COUNT] };
        for number in 0..n_sites {
            partition.join(number as u16, class(number));
        }
        partition
    }

    #[inline]
    fn reconsider<R: LocalRule>(&mut self, number: u16, rule: &R, x: &Configuration) {
        if number != NO_SITE {
            let class = rule.class(x, rule.site(u64::from(number)));
            if class != self.members[usize::from(number)].0 {
                self.leave(number);
                self.join(number, class);
            }
        }
    }

    /// The last of the list takes the place of the site that leaves.
    #[inline]
    fn leave(&mut self, number: u16) {
        let (class, place) = self.members[usize::from(number)];
        let (list, len) = (&mut self.lists[class as usize], &mut self.lens[class as usize]);
        *len -= 1;
        let last = list[usize::from(*len)];
        list[usize::from(place)] = last;
        self.members[usize::from(last)].1 = place;
    }

    #[inline]
    fn join(&mut self, number: u16, class: Class) {
        let len = &mut self.lens[class as usize];
        self.lists[class as usize][usize::from(*len)] = number;
        self.members[usize::from(number)] = (class, *len);
        *len += 1;
    }
}

fn surroundings<R: LocalRule>(rule: &R, x: &Configuration) -> Box<[Surroundings]> {
    let board = x.board();
    let nothing = Surroundings { looks: [NO_SITE; 8], seen: [NO_SITE; 8], queens: Directions::NONE };
    let mut surroundings = vec![nothing; board.n_places()];
    for number in 0..rule.n_sites() {
        for (cell, direction) in rule.looks(rule.site(number)) {
            let neighbour = board.neighbour(cell, direction);
            let here = &mut surroundings[cell.index()];
            here.looks[direction as usize] = number as u16;
            here.queens = here.queens.with(direction, x[neighbour].queens >= 1);
            surroundings[neighbour.index()].seen[direction as usize] = number as u16;
        }
    }
    surroundings.into()
}
