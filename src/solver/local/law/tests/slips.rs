//! Rules with one change each: of `update`, or of a function on which a faster dynamics rests.

use super::super::cases::Cases;
use super::super::{Law, Sheet, of};
use crate::Point;
use crate::board::{Board, Cell, Direction, Directions, Pair};
use crate::local::certainty::Certainty;
use crate::local::configuration::{CellState, Cells, Move};
use crate::local::lanes::{Kernel, Layout};
use crate::local::rules::{OnCells, OnPairs};
use crate::local::sites::cells::{CellSite, destination, heard, omega};
use crate::local::sites::{Class, LocalRule};
use crate::rng::{Chance, Generator, RandomSource};

/// Gives a list of changes its functions: `law_of(change)` is the law of the rule with it.
macro_rules! slips {
    ($(#[$doc:meta])* $Slip:ident, $Slipped:ident, $law:ident: $($name:ident)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $Slip {
            $($name),*
        }

        impl $Slip {
            const ALL: &[Self] = &[$(Self::$name),*];
        }

        pub fn $law(slip: $Slip) -> Law {
            match slip {
                $($Slip::$name => of::<$Slipped<{ $Slip::$name as u8 }>>("")),*
            }
        }
    };
}

slips! {
    /// Changes of the pair rule: of its update up to `Direction`, without effect on its law up to
    /// `Turned`, of what other dynamics rest on after that.
    PairSlip, SlippedPairs, law_of_pairs:
    BothMove OneCoin CoinTwice SafeGoOwn SharedStays SignalsFirst ThirdCase Kept Edge OneState
    CoinsSwapped IdleCoin Turned
    Classes Masks Closed Coins Before
}

/// The changes of the update, and words of the groups of states that each touches.
pub const OF_PAIRS: [(PairSlip, &[&str]); 10] = [
    (
        PairSlip::BothMove,
        &["threatened queen, threatened queen", "edge"],
    ),
    (
        PairSlip::OneCoin,
        &["threatened queen, threatened queen", "edge"],
    ),
    (PairSlip::CoinTwice, &["threatened queen", "edge"]),
    (
        PairSlip::SafeGoOwn,
        &[
            "threatened queen, signals",
            "signals alone, threatened",
            "edge",
        ],
    ),
    (PairSlip::SharedStays, &["threatened queen", "edge"]),
    (PairSlip::SignalsFirst, &["queen", "edge"]),
    (PairSlip::ThirdCase, &["threatened queen", "edge"]),
    (PairSlip::Kept, &["signals alone", "queen", "edge"]),
    (PairSlip::Edge, &["edge"]),
    (
        PairSlip::OneState,
        &["northwest-southeast: signals alone, threatened queen"],
    ),
];

/// The same rule, written otherwise.
pub const REWRITTEN_PAIRS: [PairSlip; 3] =
    [PairSlip::CoinsSwapped, PairSlip::IdleCoin, PairSlip::Turned];

slips! {
    /// Changes of the cell rule: of its update up to `OneState`, then without effect on its law.
    CellSlip, SlippedCells, law_of_cells:
    SharedStays SignalsLast TieByOrder Seven SafeGoOwn CoinTwice Occupied Kept Edge OneState
    EtaLast IdleCoin
}

/// The changes of the update.
pub const OF_CELLS: [CellSlip; 10] = {
    use CellSlip::*;
    [
        SharedStays,
        SignalsLast,
        TieByOrder,
        Seven,
        SafeGoOwn,
        CoinTwice,
        Occupied,
        Kept,
        Edge,
        OneState,
    ]
};

/// The same rule, written otherwise.
pub const REWRITTEN_CELLS: [CellSlip; 2] = [CellSlip::EtaLast, CellSlip::IdleCoin];

#[derive(Debug, Clone)]
pub struct SlippedPairs<const SLIP: u8>(OnPairs);

#[derive(Debug, Clone)]
pub struct SlippedCells<const SLIP: u8>(OnCells);

/// The queen's move from a to b, by the states before.
fn queen(x: &impl Cells, [from, to]: [Cell; 2], side: Direction, is_certain: bool) -> Move {
    Move {
        from,
        to,
        side,
        is_safe: x.state(to).safe_go(side),
        is_certain,
    }
}

impl<const SLIP: u8> SlippedPairs<SLIP> {
    const SLIP: PairSlip = PairSlip::ALL[SLIP as usize];

    fn is_certain(&self, from: CellState, to: CellState, side: Direction) -> bool {
        let is_safe = self.0.certainty.is_certain(from, to, side);
        is_safe && (Self::SLIP != PairSlip::SafeGoOwn || to.signals.is_empty())
    }

    /// MOVE(a → b).
    fn leaves(
        &self,
        from: CellState,
        to: CellState,
        side: Direction,
        random: &mut impl RandomSource,
    ) -> bool {
        let is_threatened = match Self::SLIP {
            PairSlip::SharedStays => from.threatened() && from.queens == 1,
            PairSlip::ThirdCase => from.queens == 0 || from.threatened(),
            _ => from.threatened(),
        };
        let is_certain = from.queens > 0 && self.is_certain(from, to, side);
        let mut coin = || {
            let coin = random.flip(self.epsilon());
            coin && (Self::SLIP != PairSlip::CoinTwice || random.flip(self.epsilon()))
        };
        is_threatened && (is_certain || coin())
    }

    /// Both of MOVE(a → b) and MOVE(b → a).
    fn both_leave(
        &self,
        [a, b]: [CellState; 2],
        pair: Pair,
        random: &mut impl RandomSource,
    ) -> [bool; 2] {
        if Self::SLIP == PairSlip::CoinsSwapped {
            let of_b = self.leaves(b, a, pair.from_b, random);
            return [self.leaves(a, b, pair.from_a, random), of_b];
        }
        if Self::SLIP == PairSlip::IdleCoin {
            random.flip(Chance::new(0.3));
            random.below(5);
        }
        let of_a = self.leaves(a, b, pair.from_a, random);
        let needs_coin = !self.is_certain(a, b, pair.from_a) && !self.is_certain(b, a, pair.from_b);
        if Self::SLIP == PairSlip::OneCoin && a.threatened() && b.threatened() && needs_coin {
            return [of_a, of_a];
        }
        [of_a, self.leaves(b, a, pair.from_b, random)]
    }

    fn write_signals(x: &mut impl Cells, pair: Pair) {
        let (of_a, of_b) = (x.state(pair.a), x.state(pair.b));
        let mut signals_of_a = of_a.signals.taking(pair.from_b, of_b.shows());
        let signals_of_b = of_b.signals.taking(pair.from_a, of_a.shows());
        if Self::SLIP == PairSlip::Kept {
            signals_of_a = signals_of_a.union(of_a.signals);
        }
        let is_edge = x.board().directions(pair.b) != Directions::ALL;
        x.set_signals(pair.a, signals_of_a);
        if !(Self::SLIP == PairSlip::Edge && is_edge && pair.from_a == Direction::W) {
            x.set_signals(pair.b, signals_of_b);
        }
    }
}

impl<const SLIP: u8> LocalRule for SlippedPairs<SLIP> {
    type Site = Pair;
    type SignalCells = [Cell; 2];

    const DEPENDENCIES: usize = 2;
    const SIGNALS_FIRST: bool = false;

    fn at(point: &Point, board: Board) -> Self {
        Self(OnPairs::at(point, board))
    }

    fn sites_on(board: Board) -> u64 {
        OnPairs::sites_on(board)
    }

    fn sites(&self) -> &[Pair] {
        self.0.sites()
    }

    fn signal_cells(&self, pair: Pair) -> [Cell; 2] {
        self.0.signal_cells(pair)
    }

    fn dependencies(&self, pair: Pair) -> impl IntoIterator<Item = (Cell, Direction)> {
        [(pair.b, pair.from_a), (pair.a, pair.from_b)]
    }

    fn update(
        &self,
        x: &mut impl Cells,
        pair: Pair,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let pair = if Self::SLIP == PairSlip::Turned {
            crate::local::tests::samples::swapped(pair)
        } else {
            pair
        };
        let states = [x.state(pair.a), x.state(pair.b)];
        if Self::SLIP == PairSlip::SignalsFirst {
            Self::write_signals(x, pair);
        }
        let [of_a, of_b] = [x.state(pair.a), x.state(pair.b)];
        let both = self.both_leave([of_a, of_b], pair, random);
        let is_one_state = pair.from_a == Direction::NW
            && states[0].queens == 0
            && states[0].signals.bits() == 0b101_1010
            && states[1].queens == 2
            && states[1].signals.bits() == 0b1100_0001;
        let (from_a, from_b) = match both {
            [true, false] => (true, false),
            [false, true] => (false, !(Self::SLIP == PairSlip::OneState && is_one_state)),
            [true, true] => (Self::SLIP == PairSlip::BothMove, false),
            [false, false] => (false, false),
        };
        // The third case as printed: there is no queen that could move.
        let (from_a, from_b) = (from_a && of_a.queens > 0, from_b && of_b.queens > 0);
        let moved = if from_a {
            let is_certain = self.is_certain(of_a, of_b, pair.from_a);
            Some(queen(x, [pair.a, pair.b], pair.from_a, is_certain))
        } else if from_b {
            let is_certain = self.is_certain(of_b, of_a, pair.from_b);
            Some(queen(x, [pair.b, pair.a], pair.from_b, is_certain))
        } else {
            None
        };
        if let Some(moved) = moved {
            x.move_queen(moved.from, moved.to);
        }
        if Self::SLIP != PairSlip::SignalsFirst {
            Self::write_signals(x, pair);
        }
        moved
    }

    fn class_of_moves(&self, x: &impl Cells, pair: Pair) -> Class {
        match self.0.class_of_moves(x, pair) {
            Class::Contested if Self::SLIP == PairSlip::Classes => Class::Dangerous,
            class => class,
        }
    }

    fn certainty(&self) -> &Certainty {
        self.0.certainty()
    }

    fn epsilon(&self) -> Chance {
        self.0.epsilon()
    }

    fn set_epsilon(&mut self, epsilon: Chance) {
        self.0.set_epsilon(epsilon);
    }
}

impl<const SLIP: u8> Cases for SlippedPairs<SLIP> {
    const BLOCKS: usize = OnPairs::BLOCKS;
    const FIRST_DRAWN: usize = OnPairs::FIRST_DRAWN;

    fn groups() -> Vec<String> {
        OnPairs::groups()
    }

    fn side(block: usize) -> usize {
        OnPairs::side(block)
    }

    fn visit(&self, block: usize, visit: &mut dyn FnMut(&Sheet, Pair, usize)) {
        self.0.visit(block, visit);
    }
}

impl<const SLIP: u8> Kernel<4> for SlippedPairs<SLIP> {
    const SITES_PER_CELL: u64 = <OnPairs as Kernel<4>>::SITES_PER_CELL;
    const COINS_BEFORE: u32 =
        <OnPairs as Kernel<4>>::COINS_BEFORE + (SLIP == PairSlip::Before as u8) as u32;

    fn sites_of(mut dependencies: [u64; 8]) -> [u64; 4] {
        if Self::SLIP == PairSlip::Masks {
            dependencies[Direction::NE as usize] = 0;
        }
        OnPairs::sites_of(dependencies)
    }

    fn dependencies_of(sites: [u64; 4]) -> [u64; 8] {
        OnPairs::dependencies_of(sites)
    }

    fn closed(threatened: u64) -> [[u64; 4]; 2] {
        let [one, both] = OnPairs::closed(threatened);
        if Self::SLIP == PairSlip::Closed {
            return [one, [0; 4]];
        }
        [one, both]
    }

    fn place(&self, layout: &Layout, mask: usize, index: u32) -> Pair {
        self.0.place(layout, mask, index)
    }

    fn coins_up_to(&self) -> u64 {
        self.0.coins_up_to()
    }

    fn coins(
        &self,
        x: &impl Cells,
        pair: Pair,
        word: u64,
        generator: &mut Generator,
    ) -> Option<[bool; 2]> {
        let coins = self.0.coins(x, pair, word, generator);
        match coins {
            Some([false, true]) if Self::SLIP == PairSlip::Coins => Some([true, false]),
            coins => coins,
        }
    }
}

impl<const SLIP: u8> SlippedCells<SLIP> {
    const SLIP: CellSlip = CellSlip::ALL[SLIP as usize];

    fn signals(x: &impl Cells, site: CellSite) -> Directions {
        let heard = heard(x, site.cell);
        match Self::SLIP {
            CellSlip::Kept => heard.union(x.state(site.cell).signals),
            CellSlip::Edge if site.neighbours != Directions::ALL => heard.without(Direction::W),
            _ => heard,
        }
    }

    fn destination(
        &self,
        x: &impl Cells,
        site: CellSite,
        random: &mut impl RandomSource,
    ) -> Direction {
        let any = site.neighbours;
        let omega = |d: Direction| {
            let state = x.state(x.board().neighbour(site.cell, d));
            match Self::SLIP {
                CellSlip::Occupied => state.signals.len(),
                _ => omega(state),
            }
        };
        let least = any.iter().map(omega).min().expect("a neighbour");
        let best = any.iter().filter(|&d| omega(d) == least);
        let best = best.fold(Directions::NONE, |all, d| all.with(d, true));
        let draw = |from: Directions, random: &mut _| {
            from.nth(RandomSource::below(random, u64::from(from.len())))
        };
        match Self::SLIP {
            CellSlip::EtaLast => {
                let (of_best, of_any) = (draw(best, random), draw(any, random));
                if random.flip(self.0.eta) {
                    of_any
                } else {
                    of_best
                }
            }
            CellSlip::TieByOrder if !random.flip(self.0.eta) => best.nth(0),
            CellSlip::TieByOrder => draw(any, random),
            CellSlip::Seven if random.flip(self.0.eta) => draw(any.without(Direction::SE), random),
            CellSlip::Seven => draw(best, random),
            CellSlip::Occupied if random.flip(self.0.eta) => draw(any, random),
            CellSlip::Occupied => draw(best, random),
            _ => destination(x, site, self.0.eta, random),
        }
    }
}

impl<const SLIP: u8> LocalRule for SlippedCells<SLIP> {
    type Site = CellSite;
    type SignalCells = [Cell; 1];

    const DEPENDENCIES: usize = 8;
    const SIGNALS_FIRST: bool = true;

    fn at(point: &Point, board: Board) -> Self {
        Self(OnCells::at(point, board))
    }

    fn sites_on(board: Board) -> u64 {
        OnCells::sites_on(board)
    }

    fn sites(&self) -> &[CellSite] {
        self.0.sites()
    }

    fn signal_cells(&self, site: CellSite) -> [Cell; 1] {
        self.0.signal_cells(site)
    }

    fn dependencies(&self, site: CellSite) -> impl IntoIterator<Item = (Cell, Direction)> {
        let directions = site.neighbours.iter();
        directions.map(move |direction| (site.cell, direction))
    }

    fn update(
        &self,
        x: &mut impl Cells,
        site: CellSite,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let c = site.cell;
        let signals = Self::signals(x, site);
        let before = x.state(c);
        if Self::SLIP != CellSlip::SignalsLast {
            x.set_signals(c, signals);
        }
        if Self::SLIP == CellSlip::IdleCoin {
            random.flip(self.0.eta);
        }
        let own = x.state(c);
        let stays = match Self::SLIP {
            CellSlip::SharedStays => own.queens > 1,
            CellSlip::OneState => before.queens == 1 && before.signals.bits() == 0b1011_0110,
            _ => false,
        };
        let mut moved = None;
        if own.threatened() && !stays {
            let towards = self.destination(x, site, random);
            let (to, side) = (x.board().neighbour(c, towards), towards.opposite());
            let mut is_certain = self.0.certainty.is_certain(own, x.state(to), side);
            if Self::SLIP == CellSlip::SafeGoOwn {
                is_certain &= x.state(to).signals.is_empty();
            }
            let mut coin = || {
                let coin = random.flip(self.epsilon());
                coin && (Self::SLIP != CellSlip::CoinTwice || random.flip(self.epsilon()))
            };
            if is_certain || coin() {
                moved = Some(queen(x, [c, to], side, is_certain));
                x.move_queen(c, to);
            }
        }
        if Self::SLIP == CellSlip::SignalsLast {
            x.set_signals(c, signals);
        }
        moved
    }

    fn class_of_moves(&self, x: &impl Cells, site: CellSite) -> Class {
        self.0.class_of_moves(x, site)
    }

    fn certainty(&self) -> &Certainty {
        self.0.certainty()
    }

    fn epsilon(&self) -> Chance {
        self.0.epsilon()
    }

    fn set_epsilon(&mut self, epsilon: Chance) {
        self.0.set_epsilon(epsilon);
    }
}

impl<const SLIP: u8> Cases for SlippedCells<SLIP> {
    const BLOCKS: usize = OnCells::BLOCKS;
    const FIRST_DRAWN: usize = OnCells::FIRST_DRAWN;

    fn groups() -> Vec<String> {
        OnCells::groups()
    }

    fn side(block: usize) -> usize {
        OnCells::side(block)
    }

    fn visit(&self, block: usize, visit: &mut dyn FnMut(&Sheet, CellSite, usize)) {
        self.0.visit(block, visit);
    }
}

impl<const SLIP: u8> Kernel<1> for SlippedCells<SLIP> {
    const SITES_PER_CELL: u64 = <OnCells as Kernel<1>>::SITES_PER_CELL;
    const COINS_BEFORE: u32 = <OnCells as Kernel<1>>::COINS_BEFORE;

    fn sites_of(dependencies: [u64; 8]) -> [u64; 1] {
        OnCells::sites_of(dependencies)
    }

    fn dependencies_of(sites: [u64; 1]) -> [u64; 8] {
        OnCells::dependencies_of(sites)
    }

    fn closed(threatened: u64) -> [[u64; 1]; 2] {
        OnCells::closed(threatened)
    }

    fn place(&self, layout: &Layout, mask: usize, index: u32) -> CellSite {
        self.0.place(layout, mask, index)
    }
}
