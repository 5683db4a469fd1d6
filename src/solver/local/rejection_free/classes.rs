//! Which sites are in which class, kept up to date around each change.

use crate::solver::board::{Cell, Direction, Directions};
use crate::solver::local::configuration::{Configuration, Move, State};
use crate::solver::local::rule::{Class, LocalRule};

/// In place of a site's number where there is none.
const NO_SITE: u16 = u16::MAX;

/// The class of every site of a configuration, and the sites of every class.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    /// By site.
    class: Box<[Class]>,
    /// By site: its place in the list of its class.
    place: Box<[u16]>,
    /// Members of the classes that are not idle, in no particular order.
    open: Vec<u16>,
    dangerous: Vec<u16>,
    contested: Vec<u16>,
    surroundings: Box<[Surroundings]>,
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

impl Counts {
    /// A number that differs between most counts that follow each other (multiplicative hashing; Knuth, volume 3, section 6.4).
    #[inline]
    pub fn hash(self) -> u64 {
        let key = u64::from(self.open) | u64::from(self.dangerous) << 16 | u64::from(self.contested) << 32;
        key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
    }
}

impl Classes {
    pub fn new<R: LocalRule>(rule: &R, x: &Configuration) -> Self {
        let n_sites = rule.n_sites() as usize;
        let list = || Vec::with_capacity(n_sites);
        let mut classes = Self {
            class: vec![Class::Idle; n_sites].into(),
            place: vec![0; n_sites].into(),
            open: list(),
            dangerous: list(),
            contested: list(),
            surroundings: surroundings(rule, x),
        };
        for number in 0..n_sites as u16 {
            classes.reconsider(number, rule, x);
        }
        classes
    }

    #[inline]
    pub fn counts(&self) -> Counts {
        let len = |list: &Vec<u16>| list.len() as u16;
        Counts { open: len(&self.open), dangerous: len(&self.dangerous), contested: len(&self.contested) }
    }

    /// The sites of a class that is not idle.
    #[inline]
    pub fn members(&self, class: Class) -> &[u16] {
        match class {
            Class::Idle => &[],
            Class::Open => &self.open,
            Class::Dangerous => &self.dangerous,
            Class::Contested => &self.contested,
        }
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
        let around = &self.surroundings[cell.index()];
        let shown = before.shows().difference(now.shows());
        let safe = before.safe_from().difference(now.safe_from()).intersection(around.queens);
        let (seen, looks) = (around.seen, around.looks);
        for direction in shown.union(safe.opposite()).iter() {
            self.reconsider(seen[direction as usize], rule, x);
        }
        if before.threatened() != now.threatened() {
            let mut last = NO_SITE;
            for number in looks {
                if number != last {
                    self.reconsider(number, rule, x);
                    last = number;
                }
            }
        }
    }

    /// Puts a site into the class that it has now.
    #[inline]
    pub fn reconsider<R: LocalRule>(&mut self, number: u16, rule: &R, x: &Configuration) {
        if number != NO_SITE {
            self.assign(number, rule.class(x, rule.site(u64::from(number))));
        }
    }

    #[inline]
    fn assign(&mut self, number: u16, class: Class) {
        let before = std::mem::replace(&mut self.class[usize::from(number)], class);
        if before == class {
            return;
        }
        let place = self.place[usize::from(number)];
        if let Some(list) = self.list(before) {
            list.swap_remove(usize::from(place));
            if let Some(&moved) = list.get(usize::from(place)) {
                self.place[usize::from(moved)] = place;
            }
        }
        if let Some(list) = self.list(class) {
            let place = list.len() as u16;
            list.push(number);
            self.place[usize::from(number)] = place;
        }
    }

    #[inline]
    fn list(&mut self, class: Class) -> Option<&mut Vec<u16>> {
        match class {
            Class::Idle => None,
            Class::Open => Some(&mut self.open),
            Class::Dangerous => Some(&mut self.dangerous),
            Class::Contested => Some(&mut self.contested),
        }
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
