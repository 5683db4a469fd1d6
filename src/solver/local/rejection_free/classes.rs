//! The class of each site, kept up to date around each change. A class says how likely an update is
//! to change something (`sites.rs`); here is what a move or a written signal changes around it.

use super::PreparedRule;
use super::dependencies::{DependencyReader, SiteDependency};
use super::partition::{ListedSite, Partition};
use super::waiting::ClassCounts;
use crate::bits::ones;
use crate::board::{Cell, Direction, Directions};
use crate::local::configuration::{CellState, Configuration, Move, Neighbourhood};
use crate::local::sites::{self, Class, LocalRule, SIGNAL_CELLS_MAX};

/// The class of every site of a configuration, and the sites of every class.
#[derive(Debug, Clone)]
pub(super) struct SiteClasses {
    pub partition: Partition,
    /// The directions in which a neighbour has a queen, by [`Cell::index`].
    pub queens: Box<[Directions]>,
}

impl SiteClasses {
    /// Everything from scratch: the plain way of all the others, which keep it up to date.
    pub fn new<R: LocalRule>(rule: &R, x: &Configuration) -> Self {
        let listed = |site| {
            ListedSite::new(
                sites::stale(rule, x, site),
                rule.class_of_moves(x, site),
                has_queen(rule, x, site),
            )
        };
        Self {
            partition: Partition::new(
                (0..rule.n_sites())
                    .map(|number| listed(rule.site(number)))
                    .collect(),
            ),
            queens: queens(x),
        }
    }

    #[inline]
    pub fn counts(&self) -> ClassCounts {
        ClassCounts {
            open: self.partition.len(Class::Open),
            dangerous: self.partition.len(Class::Dangerous),
            contested: self.partition.len(Class::Contested),
        }
    }

    /// How likely an update of the site is to move a queen, if nothing is stale.
    #[inline]
    pub fn moves(&self, number: u16) -> Class {
        self.partition.sites[usize::from(number)].moves
    }

    /// True if an update of the site may do more than write signals.
    #[inline]
    pub fn may_move<R: LocalRule>(&self, number: u16) -> bool {
        self.partition.sites[usize::from(number)].may_move::<R>()
    }

    /// Writes the signals of a site as an update does that moves no queen: every stale one is
    /// flipped.
    // What most events come to: a call costs a tenth of the time. The case of one stale signal
    // apart from that of several saves 11 to 24 %.
    #[inline(always)]
    pub fn flip_stale<R: LocalRule>(
        &mut self,
        number: u16,
        prepared: &PreparedRule<R>,
        x: &mut Configuration,
    ) {
        let ListedSite { stale, moves, .. } = self.partition.sites[usize::from(number)];
        if !stale.is_power_of_two() {
            return self.flip_several(number, stale, prepared, x);
        }
        let entry = prepared
            .dependencies
            .of::<R>(number, stale.trailing_zeros() as usize);
        if self.flip(entry, &prepared.rule, x) {
            return self.stale_flipped(number, stale, prepared, x);
        }
        self.partition.sites[usize::from(number)].stale = 0;
        let DependencyReader { site: behind, bit } = entry.behind;
        let bit = if x[entry.cell].queens == 0 { bit } else { 0 };
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
        prepared: &PreparedRule<R>,
        x: &mut Configuration,
    ) {
        // The last one first: so the states in between are those that the way back comes through.
        let mut rest = stale;
        while rest != 0 {
            let bit = 7 ^ rest.leading_zeros();
            rest ^= 1_u8.rotate_left(bit);
            let entry = prepared.dependencies.of::<R>(number, bit as usize);
            self.flip(entry, &prepared.rule, x);
        }
        self.stale_flipped(number, stale, prepared, x);
    }

    /// Flips a signal. Returns whether the moves of some queen depend on it.
    #[inline]
    fn flip<R: LocalRule>(
        &self,
        SiteDependency { cell, signal, .. }: SiteDependency,
        rule: &R,
        x: &mut Configuration,
    ) -> bool {
        let before = x[cell];
        x.set_signals(cell, before.signals.difference(signal));
        let after = x[cell];
        let change = CellChange {
            cell,
            before,
            after,
        };
        !self.concern(change, rule).is_none()
    }

    /// Brings up to date what depends on the stale signals of a site, which have been flipped.
    #[cold]
    fn stale_flipped<R: LocalRule>(
        &mut self,
        number: u16,
        stale: u8,
        prepared: &PreparedRule<R>,
        x: &Configuration,
    ) {
        self.partition.sites[usize::from(number)].stale = 0;
        // Back from the state now to the one before, flip by flip; flips of one cell follow each
        // other.
        let mut last: Option<(Cell, CellState)> = None;
        for bit in ones(stale.into()) {
            let entry = prepared.dependencies.of::<R>(number, bit);
            let cell = entry.cell;
            let known = last.filter(|(flipped, _)| *flipped == cell);
            let after = known.map_or(x[cell], |(_, state)| state);
            let before = CellState {
                signals: after.signals.difference(entry.signal),
                ..after
            };
            last = Some((cell, before));
            if after.queens == 0 {
                self.reading_changed(entry.behind, prepared, x);
            }
            let flip = CellChange {
                cell,
                before,
                after,
            };
            self.reconsider_moves(flip, prepared, x);
        }
        self.reconsider(number, prepared, x);
    }

    /// Brings everything up to date after an update of a site that moved a queen, and before which
    /// its signal cells were in these states.
    #[cold]
    pub fn queen_moved<R: LocalRule>(
        &mut self,
        number: u16,
        before: [CellState; SIGNAL_CELLS_MAX],
        queen: Move,
        prepared: &PreparedRule<R>,
        x: &Configuration,
    ) {
        let rule = &prepared.rule;
        let site = rule.site(u64::from(number));
        for cell in [queen.from, queen.to] {
            self.occupation_changed(cell, prepared, x);
        }
        let signal_cells = || rule.signal_cells(site).into_iter();
        for (index, cell) in signal_cells().enumerate() {
            self.changed(cell, before[index], prepared, x);
        }
        // The cell that a queen has reached need not be one whose signals the update could change.
        if signal_cells().all(|cell| cell != queen.to) {
            self.changed(
                queen.to,
                CellState {
                    queens: x[queen.to].queens - 1,
                    ..x[queen.to]
                },
                prepared,
                x,
            );
        }
        // A rule that writes signals before it moves the queen leaves some of them stale.
        self.partition.sites[usize::from(number)].stale = sites::stale(rule, x, site);
        self.reconsider(number, prepared, x);
    }

    fn occupation_changed<R: LocalRule>(
        &mut self,
        cell: Cell,
        prepared: &PreparedRule<R>,
        x: &Configuration,
    ) {
        for direction in Direction::ALL {
            let neighbours =
                &mut self.queens[x.board().neighbour(cell, direction.opposite()).index()];
            *neighbours = neighbours.with(direction, x[cell].queens >= 1);
        }
        if !R::SIGNALS_FIRST {
            return;
        }
        let own = prepared.dependencies.own(cell);
        for direction in own.directions.iter() {
            let site = own.sites[direction as usize];
            self.partition.sites[usize::from(site)].has_queen =
                has_queen(&prepared.rule, x, prepared.rule.site(u64::from(site)));
        }
    }

    /// Brings up to date what depends on the state of `cell`, which was `before`; but for what is
    /// stale on the cell itself.
    fn changed<R: LocalRule>(
        &mut self,
        cell: Cell,
        before: CellState,
        prepared: &PreparedRule<R>,
        x: &Configuration,
    ) {
        for direction in before.shows().difference(x[cell].shows()).iter() {
            self.reading_changed(prepared.dependencies.reader(cell, direction), prepared, x);
        }
        self.reconsider_moves(
            CellChange {
                cell,
                before,
                after: x[cell],
            },
            prepared,
            x,
        );
    }

    /// Brings up to date what is stale at the site of a dependency that reads another signal than
    /// before.
    #[inline(always)]
    fn reading_changed<R: LocalRule>(
        &mut self,
        DependencyReader { site, bit }: DependencyReader,
        prepared: &PreparedRule<R>,
        x: &Configuration,
    ) {
        let stale = &mut self.partition.sites[usize::from(site)].stale;
        let was_stale = *stale != 0;
        *stale ^= bit;
        if (*stale != 0) != was_stale {
            self.reconsider(site, prepared, x);
        }
    }

    /// The moves that depend on a change, as the certainty says.
    #[inline]
    fn concern<R: LocalRule>(&self, change: CellChange, rule: &R) -> Neighbourhood {
        let concern = rule.certainty().concern(change.before, change.after);
        concern.among(self.queens[change.cell.index()])
    }

    /// Considers anew the moves that a change concerns.
    fn reconsider_moves<R: LocalRule>(
        &mut self,
        change: CellChange,
        prepared: &PreparedRule<R>,
        x: &Configuration,
    ) {
        let concern = self.concern(change, &prepared.rule);
        let cell = change.cell;
        for direction in concern.directions().iter() {
            let reader = prepared.dependencies.reader(cell, direction.opposite());
            self.reconsider(reader.site, prepared, x);
        }
        if concern.own() {
            let own = prepared.dependencies.own(cell);
            for direction in own.directions.iter() {
                self.reconsider(own.sites[direction as usize], prepared, x);
            }
        }
    }

    /// Puts a site into the class that it has now.
    #[inline(always)]
    fn reconsider<R: LocalRule>(
        &mut self,
        number: u16,
        prepared: &PreparedRule<R>,
        x: &Configuration,
    ) {
        let site = &mut self.partition.sites[usize::from(number)];
        let has_no_queen = R::SIGNALS_FIRST && !site.has_queen;
        site.moves = if has_no_queen {
            Class::Idle
        } else {
            let rule = &prepared.rule;
            rule.class_of_moves(x, rule.site(u64::from(number)))
        };
        self.partition.put(number);
    }
}

/// A change of the state of one cell.
#[derive(Debug, Clone, Copy)]
struct CellChange {
    cell: Cell,
    before: CellState,
    after: CellState,
}

/// [`ListedSite::has_queen`].
fn has_queen<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> bool {
    R::SIGNALS_FIRST
        && rule
            .signal_cells(site)
            .into_iter()
            .any(|cell| x[cell].queens >= 1)
}

fn queens(x: &Configuration) -> Box<[Directions]> {
    let mut queens = vec![Directions::NONE; x.board().n_indices()];
    for cell in x.board().cells() {
        let is_there = |&direction: &Direction| x[x.board().neighbour(cell, direction)].queens >= 1;
        queens[cell.index()] = Direction::ALL
            .into_iter()
            .filter(is_there)
            .fold(Directions::NONE, |set, d| set.with(d, true));
    }
    queens.into()
}
