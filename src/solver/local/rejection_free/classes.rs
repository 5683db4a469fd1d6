//! Which sites are in which class, kept up to date around each change.

use super::partition::Partition;
use crate::solver::board::{Board, Cell, Direction, Directions};
use crate::solver::local::configuration::{Configuration, Move, State};
use crate::solver::local::rule::{self, Class, LocalRule};

/// The class of every site of a configuration, and the sites of every class.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    partition: Partition,
    /// By site.
    signals: Box<[Signals]>,
    /// By site and bit of [`Signals::stale`], [`LocalRule::LOOKS`] for each site.
    looks: Box<[Look]>,
    /// By [`Cell::index`].
    surroundings: Box<[Surroundings]>,
}

/// What an update of a site would do about signals.
#[derive(Debug, Clone, Copy, Default)]
struct Signals {
    /// [`rule::stale`].
    stale: u8,
    /// There is a queen on a cell that looks at this site, so that an update may do more than write signals.
    manned: bool,
}

/// A look of a site, and the look that depends on it.
#[derive(Debug, Clone, Copy)]
struct Look {
    cell: Cell,
    direction: Direction,
    behind: Behind,
}

/// The look of the cell behind in the same direction: it sees the signal that the first look writes.
#[derive(Debug, Clone, Copy)]
struct Behind {
    site: u16,
    /// Its bit in [`Signals::stale`] of the site; 0 where there is no such cell (and the site is any).
    bit: u8,
}

/// In place of a look where there is no cell.
const NOBODY: Behind = Behind { site: 0, bit: 0 };

/// What lies around a cell.
#[derive(Debug, Clone, Copy)]
struct Surroundings {
    /// By direction: the look of the neighbour that looks that way and sees the cell.
    seen: [Behind; 8],
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
        let surroundings = surroundings(rule, x);
        Self {
            partition: Partition::new(&sites().map(|site| rule::class(rule, x, site)).collect::<Vec<_>>()),
            signals: sites().map(|site| Signals { stale: rule::stale(rule, x, site), manned: manned(rule, x, site) }).collect(),
            looks: looks(rule, x.board(), &surroundings),
            surroundings,
        }
    }

    #[inline]
    pub fn counts(&self) -> Counts {
        let [_, open, dangerous, contested] = self.partition.lens();
        Counts { open, dangerous, contested }
    }

    /// The sites of a class.
    #[inline]
    pub fn members(&self, class: Class) -> &[u16] {
        self.partition.members(class)
    }

    /// Whether an update of the site may do more than write signals.
    #[inline]
    pub fn is_manned(&self, number: u16) -> bool {
        self.signals[usize::from(number)].manned
    }

    /// Writes the signals of a site as an update would that moves no queen: every stale one is flipped.
    #[inline]
    pub fn flip_stale<R: LocalRule>(&self, number: u16, x: &mut Configuration) {
        for place in Directions::from_bits(self.signals[usize::from(number)].stale).iter() {
            let Look { cell, direction, .. } = self.looks[usize::from(number) * R::LOOKS + place as usize];
            x.set_signals(cell, x[cell].signals.difference(Directions::only(direction)));
        }
    }

    /// Takes note that the stale signals of a site have been flipped, and nothing else.
    #[inline]
    pub fn stale_flipped<R: LocalRule>(&mut self, number: u16, rule: &R, x: &Configuration) {
        let stale = std::mem::take(&mut self.signals[usize::from(number)].stale);
        let mut undone: Option<(Cell, State)> = None;
        for place in Directions::from_bits(stale).iter() {
            let Look { cell, direction, behind } = self.looks[usize::from(number) * R::LOOKS + place as usize];
            if x[cell].queens == 0 {
                self.seen_changed(behind, rule, x);
            }
            // Looks of one cell follow each other: from its state now back to the one before, flip by flip.
            let after = undone.filter(|&(last, _)| last == cell).map_or(x[cell], |(_, state)| state);
            let before = State { signals: after.signals.difference(Directions::only(direction)), ..after };
            self.attend(cell, before, after, rule, x);
            undone = Some((cell, before));
        }
        self.reconsider(number, rule, x);
    }

    /// Takes note of an update of a site that moved a queen, and before which its [`LocalRule::signal_cells`] were in these states.
    #[cold]
    pub fn queen_moved<R: LocalRule>(&mut self, number: u16, before: [State; 2], queen: Move, rule: &R, x: &Configuration) {
        let site = rule.site(u64::from(number));
        for cell in [queen.from, queen.to] {
            self.occupation_changed(cell, rule, x);
        }
        for (place, cell) in rule.signal_cells(site).into_iter().enumerate() {
            self.changed(cell, before[place], rule, x);
        }
        // The cell that a queen has reached need not be one whose signals the update could change.
        if rule.signal_cells(site).into_iter().all(|cell| cell != queen.to) {
            self.changed(queen.to, State { queens: x[queen.to].queens - 1, ..x[queen.to] }, rule, x);
        }
        // A rule that writes signals before it moves the queen leaves some of them stale.
        self.signals[usize::from(number)].stale = rule::stale(rule, x, site);
        self.reconsider(number, rule, x);
    }

    fn occupation_changed<R: LocalRule>(&mut self, cell: Cell, rule: &R, x: &Configuration) {
        for direction in Direction::ALL {
            let neighbour = x.board().neighbour(cell, direction.opposite());
            let around = &mut self.surroundings[neighbour.index()].queens;
            *around = around.with(direction, x[cell].queens >= 1);
            let own = self.surroundings[neighbour.index()].seen[direction.opposite() as usize];
            if own.bit != 0 {
                self.signals[usize::from(own.site)].manned = manned(rule, x, rule.site(u64::from(own.site)));
            }
        }
    }

    /// Takes note that the state of `cell` is no longer what it was `before`, apart from the looks of the cell itself.
    fn changed<R: LocalRule>(&mut self, cell: Cell, before: State, rule: &R, x: &Configuration) {
        for direction in before.shows().difference(x[cell].shows()).iter() {
            self.seen_changed(self.surroundings[cell.index()].seen[direction as usize], rule, x);
        }
        self.attend(cell, before, x[cell], rule, x);
    }

    /// Takes note that a look sees what it did not see, or the other way round.
    #[inline]
    fn seen_changed<R: LocalRule>(&mut self, Behind { site, bit }: Behind, rule: &R, x: &Configuration) {
        let stale = &mut self.signals[usize::from(site)].stale;
        let was_stale = *stale != 0;
        *stale ^= bit;
        if (*stale != 0) != was_stale {
            self.reconsider(site, rule, x);
        }
    }

    /// The moves that depend on a cell: those of queens beside it, if it has become safe or dangerous for them, and those of queens on it,
    /// if they have become threatened or are no longer.
    #[inline]
    fn attend<R: LocalRule>(&mut self, cell: Cell, before: State, now: State, rule: &R, x: &Configuration) {
        let safety = before.safe_from().difference(now.safe_from()).intersection(self.surroundings[cell.index()].queens);
        if !safety.is_empty() {
            self.safety_changed(cell, safety, rule, x);
        }
        if before.threatened() != now.threatened() {
            self.threat_changed(cell, rule, x);
        }
    }

    fn safety_changed<R: LocalRule>(&mut self, cell: Cell, directions: Directions, rule: &R, x: &Configuration) {
        for direction in directions.iter() {
            self.reconsider(self.surroundings[cell.index()].seen[direction.opposite() as usize].site, rule, x);
        }
    }

    fn threat_changed<R: LocalRule>(&mut self, cell: Cell, rule: &R, x: &Configuration) {
        let mut last = None;
        for direction in Direction::ALL {
            let own = self.surroundings[x.board().neighbour(cell, direction).index()].seen[direction as usize];
            if own.bit != 0 && last != Some(own.site) {
                self.reconsider(own.site, rule, x);
                last = Some(own.site);
            }
        }
    }

    /// Puts a site into the class that it has now.
    #[inline]
    fn reconsider<R: LocalRule>(&mut self, number: u16, rule: &R, x: &Configuration) {
        let Signals { stale, manned } = self.signals[usize::from(number)];
        let class = if stale != 0 {
            Class::Open
        } else if manned {
            rule.class_of_moves(x, rule.site(u64::from(number)))
        } else {
            Class::Idle
        };
        self.partition.set(number, class);
    }
}

fn manned<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> bool {
    rule.signal_cells(site).into_iter().any(|cell| x[cell].queens >= 1)
}

fn surroundings<R: LocalRule>(rule: &R, x: &Configuration) -> Box<[Surroundings]> {
    let board = x.board();
    let nothing = Surroundings { seen: [NOBODY; 8], queens: Directions::NONE };
    let mut surroundings = vec![nothing; board.n_places()];
    for number in 0..rule.n_sites() {
        for (place, (cell, direction)) in rule.looks(rule.site(number)).into_iter().enumerate() {
            let neighbour = board.neighbour(cell, direction);
            let here = &mut surroundings[cell.index()];
            here.queens = here.queens.with(direction, x[neighbour].queens >= 1);
            surroundings[neighbour.index()].seen[direction as usize] = Behind { site: number as u16, bit: 1 << place };
        }
    }
    surroundings.into()
}

fn looks<R: LocalRule>(rule: &R, board: Board, surroundings: &[Surroundings]) -> Box<[Look]> {
    // A site of the edge has fewer looks than others; the places left over belong to bits that are never set.
    let unused = Look { cell: board.cell(0, 0), direction: Direction::NW, behind: NOBODY };
    let mut looks = vec![unused; rule.n_sites() as usize * R::LOOKS];
    for (number, places) in looks.chunks_mut(R::LOOKS).enumerate() {
        for (place, (cell, direction)) in places.iter_mut().zip(rule.looks(rule.site(number as u64))) {
            *place = Look { cell, direction, behind: surroundings[cell.index()].seen[direction as usize] };
        }
    }
    looks.into()
}
