//! Which sites are in which class, kept up to date around each change.

use crate::solver::board::{Cell, Direction, Directions};
use crate::solver::local::configuration::{Configuration, Move, State};
use crate::solver::local::rule::{self, Class, LocalRule};

/// In place of a site's number where there is none.
const NO_SITE: u16 = u16::MAX;

/// The class of every site of a configuration, and the sites of every class.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    partition: Partition,
    /// By site: [`rule::stale`].
    stale: Box<[u8]>,
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
    /// By direction: the site at which a neighbour looks that way and sees the cell, and the bit of that look.
    seen: [(u16, u8); 8],
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
        let sites = || (0..rule.n_sites()).map(|number| rule.site(number));
        Self {
            partition: Partition::new(&sites().map(|site| rule::class(rule, x, site)).collect::<Vec<_>>()),
            stale: sites().map(|site| rule::stale(rule, x, site)).collect(),
            surroundings: surroundings(rule, x),
        }
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

    /// Takes note of an update of the site of this number, before which its [`LocalRule::signal_cells`] were in these states.
    #[inline]
    pub fn updated<R: LocalRule>(&mut self, number: u16, before: [State; 2], moved: Option<Move>, rule: &R, x: &Configuration) {
        let site = rule.site(u64::from(number));
        if let Some(queen) = moved {
            self.queen_moved(queen, x);
        }
        for (place, cell) in rule.signal_cells(site).into_iter().enumerate() {
            self.changed(cell, before[place], rule, x);
        }
        self.stale[usize::from(number)] = 0;
        if let Some(queen) = moved {
            // The cell that a queen has reached need not be one whose signals the update could change.
            if rule.signal_cells(site).into_iter().all(|cell| cell != queen.to) {
                self.changed(queen.to, State { queens: x[queen.to].queens - 1, ..x[queen.to] }, rule, x);
            }
            // And a rule that writes signals before it moves the queen leaves some stale.
            self.stale[usize::from(number)] = rule::stale(rule, x, site);
        }
        self.reconsider(number, rule, x);
    }

    #[cold]
    fn queen_moved(&mut self, queen: Move, x: &Configuration) {
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
    fn changed<R: LocalRule>(&mut self, cell: Cell, before: State, rule: &R, x: &Configuration) {
        let now = x[cell];
        let around = self.surroundings[cell.index()].queens;
        for direction in before.shows().difference(now.shows()).iter() {
            let (number, look) = self.surroundings[cell.index()].seen[direction as usize];
            if number != NO_SITE {
                let stale = &mut self.stale[usize::from(number)];
                *stale ^= look;
                if *stale == 0 || *stale == look {
                    self.reconsider(number, rule, x);
                }
            }
        }
        let safe = before.safe_from().difference(now.safe_from()).intersection(around);
        if !safe.is_empty() {
            self.safety_changed(cell, safe, rule, x);
        }
        if before.threatened() != now.threatened() {
            self.threat_changed(cell, rule, x);
        }
    }

    /// The cell has become safe, or dangerous, for queens that come from these directions.
    fn safety_changed<R: LocalRule>(&mut self, cell: Cell, directions: Directions, rule: &R, x: &Configuration) {
        for direction in directions.iter() {
            let (number, _) = self.surroundings[cell.index()].seen[direction.opposite() as usize];
            self.reconsider(number, rule, x);
        }
    }

    /// Queens on the cell have become threatened, or are no longer.
    fn threat_changed<R: LocalRule>(&mut self, cell: Cell, rule: &R, x: &Configuration) {
        let mut last = NO_SITE;
        for number in self.surroundings[cell.index()].looks {
            if number != last && number != NO_SITE {
                self.reconsider(number, rule, x);
                last = number;
            }
        }
    }

    /// Puts a site into the class that it has now.
    #[inline]
    fn reconsider<R: LocalRule>(&mut self, number: u16, rule: &R, x: &Configuration) {
        let is_stale = self.stale[usize::from(number)] != 0;
        let class = if is_stale { Class::Open } else { rule.class_of_moves(x, rule.site(u64::from(number))) };
        self.partition.set(number, class);
    }
}

impl Partition {
    /// Of sites with these classes.
    fn new(classes: &[Class]) -> Self {
        let lists = std::array::from_fn(|_| vec![0; classes.len()].into());
        let mut partition = Self { members: vec![(Class::Idle, 0); classes.len()].into(), lists, lens: [0; Class::COUNT] };
        for (number, &class) in classes.iter().enumerate() {
            partition.join(number as u16, class);
        }
        partition
    }

    #[inline]
    fn set(&mut self, number: u16, class: Class) {
        if class != self.members[usize::from(number)].0 {
            self.leave(number);
            self.join(number, class);
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
    let nothing = Surroundings { looks: [NO_SITE; 8], seen: [(NO_SITE, 0); 8], queens: Directions::NONE };
    let mut surroundings = vec![nothing; board.n_places()];
    for number in 0..rule.n_sites() {
        for (place, (cell, direction)) in rule.looks(rule.site(number)).into_iter().enumerate() {
            let neighbour = board.neighbour(cell, direction);
            let here = &mut surroundings[cell.index()];
            here.looks[direction as usize] = number as u16;
            here.queens = here.queens.with(direction, x[neighbour].queens >= 1);
            surroundings[neighbour.index()].seen[direction as usize] = (number as u16, 1 << place);
        }
    }
    surroundings.into()
}
