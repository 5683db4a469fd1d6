//! Which sites are in which class, kept up to date around each change.

use super::looks::{Behind, Look, Looks, OwnSites};
use super::partition::{Partition, Site};
use crate::solver::board::{Cell, Direction, Directions};
use crate::solver::local::configuration::{Configuration, Move, State};
use crate::solver::local::rule::{self, Class, LocalRule};

/// The class of every site of a configuration, and the sites of every class.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    partition: Partition,
    looks: Looks,
    /// By [`Cell::index`]: where a neighbour has a queen.
    queens: Box<[Directions]>,
}

/// Numbers of sites in the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub open: u32,
    pub dangerous: u32,
    pub contested: u32,
}

impl Classes {
    pub fn new<R: LocalRule>(rule: &R, x: &Configuration) -> Self {
        let site = |site| {
            Site::new(
                rule::stale(rule, x, site),
                rule.class_of_moves(x, site),
                manned(rule, x, site),
            )
        };
        Self {
            partition: Partition::new(
                (0..rule.n_sites())
                    .map(|number| site(rule.site(number)))
                    .collect(),
            ),
            looks: Looks::new(rule, x.board()),
            queens: queens(x),
        }
    }

    #[inline]
    pub fn counts(&self) -> Counts {
        let [open, dangerous, contested] = [Class::Open, Class::Dangerous, Class::Contested]
            .map(|class| self.partition.len(class));
        Counts {
            open,
            dangerous,
            contested,
        }
    }

    /// The number of sites in a class.
    pub fn len(&self, class: Class) -> u32 {
        self.partition.len(class)
    }

    /// The site at this place in the list of a class.
    #[inline]
    pub fn member(&self, class: Class, place: u32) -> u16 {
        self.partition.member(class, place)
    }

    /// How likely an update of the site is to move a queen, if nothing is stale.
    #[inline]
    pub fn moves(&self, number: u16) -> Class {
        self.partition.sites[usize::from(number)].moves
    }

    /// Whether an update of the site may do more than write signals.
    #[inline]
    pub fn may_move<R: LocalRule>(&self, number: u16) -> bool {
        let site = self.partition.sites[usize::from(number)];
        if R::SIGNALS_FIRST {
            site.manned
        } else {
            site.moves != Class::Idle
        }
    }

    /// Writes the signals of a site as an update does that moves no queen: every stale one is
    /// flipped.
    #[inline]
    pub fn flip_stale<R: LocalRule>(&mut self, number: u16, rule: &R, x: &mut Configuration) {
        let Site { stale, moves, .. } = self.partition.sites[usize::from(number)];
        if !stale.is_power_of_two() {
            return self.flip_several(number, stale, rule, x);
        }
        let look = self.looks.of::<R>(number, stale.trailing_zeros() as usize);
        if self.flip(look, x) {
            return self.stale_flipped_beside_moves(number, stale, rule, x);
        }
        self.partition.sites[usize::from(number)].stale = 0;
        let Behind { site: behind, bit } = look.behind;
        let bit = if x[look.cell].queens == 0 { bit } else { 0 };
        let site = &mut self.partition.sites[usize::from(behind)];
        let was_stale = site.stale != 0;
        site.stale ^= bit;
        let is_stale = site.stale != 0;
        if was_stale != is_stale {
            if site.moves == Class::Idle && moves == Class::Idle {
                if is_stale {
                    return self.partition.replace(number, behind);
                }
                self.partition.retire(behind);
            } else {
                self.partition.put(behind);
            }
        }
        if moves == Class::Idle {
            self.partition.retire(number)
        } else {
            self.partition.put(number)
        }
    }

    /// The same, whatever the number of stale signals.
    #[cold]
    fn flip_several<R: LocalRule>(
        &mut self,
        number: u16,
        stale: u8,
        rule: &R,
        x: &mut Configuration,
    ) {
        // The last one first: so the states in between are those that `Undoing` comes through.
        let mut concerns_moves = false;
        let mut rest = stale;
        while rest != 0 {
            let place = 7 ^ rest.leading_zeros();
            rest ^= 1_u8.rotate_left(place);
            concerns_moves |= self.flip(self.looks.of::<R>(number, place as usize), x);
        }
        if concerns_moves {
            return self.stale_flipped_beside_moves(number, stale, rule, x);
        }
        for place in places(stale) {
            self.pass_on(self.looks.of::<R>(number, place), x);
        }
        self.partition.sites[usize::from(number)].stale = 0;
        self.partition.put(number);
    }

    /// The same without a short cut.
    #[cfg(test)]
    pub fn flip_stale_plainly<R: LocalRule>(
        &mut self,
        number: u16,
        rule: &R,
        x: &mut Configuration,
    ) {
        let stale = self.partition.sites[usize::from(number)].stale;
        places(stale).for_each(|place| _ = self.flip(self.looks.of::<R>(number, place), x));
        self.stale_flipped_beside_moves(number, stale, rule, x);
    }

    /// Flips a signal; tells whether what some queen may do depends on it.
    #[inline]
    fn flip(&self, Look { cell, signal, .. }: Look, x: &mut Configuration) -> bool {
        let before = x[cell];
        let after = State {
            signals: before.signals.difference(signal),
            ..before
        };
        x.set_signals(cell, after.signals);
        self.concerns_moves(Change {
            cell,
            before,
            after,
        })
    }

    /// Takes note that a signal has been flipped on which no move depends.
    #[inline]
    fn pass_on(
        &mut self,
        Look {
            cell,
            behind: Behind { site, bit },
            ..
        }: Look,
        x: &Configuration,
    ) {
        self.partition.sites[usize::from(site)].stale ^= if x[cell].queens == 0 { bit } else { 0 };
        self.partition.put(site);
    }

    /// Takes note that the stale signals of a site have been flipped where the moves of some queen
    /// depend on them.
    #[cold]
    fn stale_flipped_beside_moves<R: LocalRule>(
        &mut self,
        number: u16,
        stale: u8,
        rule: &R,
        x: &Configuration,
    ) {
        self.partition.sites[usize::from(number)].stale = 0;
        let mut undoing = Undoing::default();
        for place in places(stale) {
            let look = self.looks.of::<R>(number, place);
            let flip = undoing.back(look, x);
            if flip.after.queens == 0 {
                self.seen_changed(look.behind, rule, x);
            }
            self.attend(flip, Directions::NONE, rule, x);
        }
        self.reconsider(number, rule, x);
    }

    /// Takes note of an update of a site that moved a queen, and before which its
    /// [`LocalRule::signal_cells`] were in these states.
    #[cold]
    pub fn queen_moved<R: LocalRule>(
        &mut self,
        number: u16,
        before: [State; 2],
        queen: Move,
        rule: &R,
        x: &Configuration,
    ) {
        let site = rule.site(u64::from(number));
        for cell in [queen.from, queen.to] {
            self.occupation_changed(cell, rule, x);
        }
        for (place, cell) in rule.signal_cells(site).into_iter().enumerate() {
            self.changed(cell, before[place], rule, x);
        }
        // The cell that a queen has reached need not be one whose signals the update could change.
        if rule
            .signal_cells(site)
            .into_iter()
            .all(|cell| cell != queen.to)
        {
            self.changed(
                queen.to,
                State {
                    queens: x[queen.to].queens - 1,
                    ..x[queen.to]
                },
                rule,
                x,
            );
        }
        // A rule that writes signals before it moves the queen leaves some of them stale.
        self.partition.sites[usize::from(number)].stale = rule::stale(rule, x, site);
        self.reconsider(number, rule, x);
    }

    fn occupation_changed<R: LocalRule>(&mut self, cell: Cell, rule: &R, x: &Configuration) {
        for direction in Direction::ALL {
            let around = &mut self.queens[x.board().neighbour(cell, direction.opposite()).index()];
            *around = around.with(direction, x[cell].queens >= 1);
        }
        let OwnSites {
            sites, directions, ..
        } = self.looks.own(cell);
        for site in directions
            .iter()
            .map(|direction| sites[direction as usize])
            .filter(|_| R::SIGNALS_FIRST)
        {
            self.partition.sites[usize::from(site)].manned =
                manned(rule, x, rule.site(u64::from(site)));
        }
    }

    /// Takes note that the state of `cell` is no longer what it was `before`, apart from the looks
    /// of the cell itself.
    fn changed<R: LocalRule>(&mut self, cell: Cell, before: State, rule: &R, x: &Configuration) {
        let mut considered = Directions::NONE;
        for direction in before.shows().difference(x[cell].shows()).iter() {
            if self.seen_changed(self.looks.seeing(cell, direction), rule, x) {
                considered = considered.union(Directions::only(direction));
            }
        }
        self.attend(
            Change {
                cell,
                before,
                after: x[cell],
            },
            considered,
            rule,
            x,
        );
    }

    /// Takes note that a look sees what it did not see, or the other way round; tells whether its
    /// site had to be considered anew.
    #[inline(always)]
    fn seen_changed<R: LocalRule>(
        &mut self,
        Behind { site, bit }: Behind,
        rule: &R,
        x: &Configuration,
    ) -> bool {
        let stale = &mut self.partition.sites[usize::from(site)].stale;
        let was_stale = *stale != 0;
        *stale ^= bit;
        let is_considered = (*stale != 0) != was_stale;
        if is_considered {
            self.reconsider(site, rule, x);
        }
        is_considered
    }

    /// Whether a move depends on the change: one of queens beside the cell, if it has become safe
    /// or dangerous for them, or one of queens on it, if they have become threatened or are no
    /// longer.
    #[inline]
    fn concerns_moves(
        &self,
        Change {
            cell,
            before,
            after,
        }: Change,
    ) -> bool {
        let queens = self.queens[cell.index()];
        before.safety().seen_by(queens) != after.safety().seen_by(queens)
    }

    /// Considers anew the moves that depend on a cell, but for those at the sites of looks in these
    /// directions that see the cell.
    fn attend<R: LocalRule>(
        &mut self,
        Change {
            cell,
            before,
            after,
        }: Change,
        considered: Directions,
        rule: &R,
        x: &Configuration,
    ) {
        let (before, after) = (before.safety(), after.safety());
        let queens = self.queens[cell.index()];
        self.safety_changed(
            cell,
            before
                .safe_from()
                .difference(after.safe_from())
                .intersection(queens),
            rule,
            x,
        );
        if before.threatened() != after.threatened() {
            let OwnSites {
                sites,
                directions,
                seeing,
            } = self.looks.own(cell);
            for direction in directions
                .difference(seeing.intersection(considered.reversed()))
                .iter()
            {
                self.reconsider(sites[direction as usize], rule, x);
            }
        }
    }

    fn safety_changed<R: LocalRule>(
        &mut self,
        cell: Cell,
        directions: Directions,
        rule: &R,
        x: &Configuration,
    ) {
        for direction in directions.iter() {
            self.reconsider(self.looks.seeing(cell, direction.opposite()).site, rule, x);
        }
    }

    /// Puts a site into the class that it has now.
    #[inline(always)]
    fn reconsider<R: LocalRule>(&mut self, number: u16, rule: &R, x: &Configuration) {
        let site = &mut self.partition.sites[usize::from(number)];
        let is_deserted = R::SIGNALS_FIRST && !site.manned;
        site.moves = if is_deserted {
            Class::Idle
        } else {
            rule.class_of_moves(x, rule.site(u64::from(number)))
        };
        self.partition.put(number);
    }
}

/// A change of the state of one cell.
#[derive(Debug, Clone, Copy)]
struct Change {
    cell: Cell,
    before: State,
    after: State,
}

/// Goes back from the state now to the one before, flip by flip; flips of one cell follow each
/// other.
#[derive(Default)]
struct Undoing {
    last: Option<(Cell, State)>,
}

impl Undoing {
    #[inline]
    fn back(&mut self, Look { cell, signal, .. }: Look, x: &Configuration) -> Change {
        let after = self
            .last
            .filter(|&(last, _)| last == cell)
            .map_or(x[cell], |(_, state)| state);
        let before = State {
            signals: after.signals.difference(signal),
            ..after
        };
        self.last = Some((cell, before));
        Change {
            cell,
            before,
            after,
        }
    }
}

/// The bits of [`Site::stale`].
#[inline]
fn places(stale: u8) -> impl Iterator<Item = usize> {
    let mut rest = stale;
    std::iter::from_fn(move || {
        let place = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        place
    })
}

/// [`Site::manned`].
fn manned<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> bool {
    R::SIGNALS_FIRST
        && rule
            .signal_cells(site)
            .into_iter()
            .any(|cell| x[cell].queens >= 1)
}

fn queens(x: &Configuration) -> Box<[Directions]> {
    let mut queens = vec![Directions::NONE; x.board().n_places()];
    for cell in x.board().cells() {
        let is_there = |&direction: &Direction| x[x.board().neighbour(cell, direction)].queens >= 1;
        queens[cell.index()] = Direction::ALL
            .into_iter()
            .filter(is_there)
            .fold(Directions::NONE, |set, d| set.with(d, true));
    }
    queens.into()
}
