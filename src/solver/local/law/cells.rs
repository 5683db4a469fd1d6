//! The cases of rules on cells: with one neighbour that is not empty, the neighbour in every state
//! and the cell in some, and the cell in every state and the neighbour in some; and drawn boards,
//! in the middle, at the edge and in the corner.

use super::cases::{Cases, KINDS, N_STATES, drawn, kind, site, state};
use super::sheet::Sheet;
use crate::board::{Board, Direction, Directions};
use crate::local::configuration::{CellState, Cells as _};
use crate::local::sites::LocalRule as _;
use crate::local::sites::cells::OnCells;
use crate::rng::{Generator, RandomSource as _};

/// The side of the boards.
const SIDE: usize = 3;

/// What the states of the one are while the other has all.
const SOME: usize = 3 * 4;

/// Blocks of cases with one neighbour: the direction of the neighbour, which of the two has all
/// states, and the state of the other.
const WITH_ONE: usize = 8 * 2 * SOME;

/// Blocks of drawn cases, and the number of cases in each.
const DRAWN: usize = 20;
const DRAWN_EACH: usize = 500;

/// The kinds of sites among the drawn cases, by the number of neighbours: 3, 5 and 8.
const PLACES: [&str; 3] = ["in the corner", "at the edge", "in the middle"];

/// Names of directions, in their order.
const NAMES: [&str; 8] = [
    "northwest",
    "north",
    "northeast",
    "west",
    "east",
    "southwest",
    "south",
    "southeast",
];

/// Some states of a cell: 0, 1 or 2 queens with no signal, that from a direction, that from the
/// opposite one, and all signals.
fn some(number: usize, direction: Direction) -> CellState {
    let signals = [
        Directions::NONE,
        Directions::only(direction),
        Directions::only(direction.opposite()),
        Directions::ALL,
    ];
    CellState {
        queens: (number / signals.len()) as u8,
        signals: signals[number % signals.len()],
    }
}

impl Cases for OnCells {
    const BLOCKS: usize = WITH_ONE + DRAWN;
    const FIRST_DRAWN: usize = WITH_ONE;

    fn groups() -> Vec<String> {
        let mut groups = Vec::new();
        for name in NAMES {
            let kinds = KINDS.iter();
            groups.extend(kinds.map(|kind| format!("{kind}, one neighbour in the {name}")));
        }
        for place in PLACES {
            let queens = ["no queen", "one queen", "two queens"].into_iter();
            groups.extend(queens.map(|queens| format!("{queens}, {place}")));
        }
        groups
    }

    fn side(_: usize) -> usize {
        SIDE
    }

    fn visit(&self, block: usize, visit: &mut dyn FnMut(&Sheet, Self::Site, usize)) {
        let board = Board::new(SIDE);
        if block >= WITH_ONE {
            return self.visit_drawn(block, visit);
        }
        let direction = Direction::ALL[block / (2 * SOME)];
        let number = block % SOME;
        let is_own_any = block / SOME % 2 == 1;
        let cell = board.cell(1, 1);
        let neighbour = board.neighbour(cell, direction);
        let Some(site) = site(self, &[cell]) else {
            return;
        };
        let mut sheet = Sheet::empty(board);
        let fixed = some(number, direction);
        for any in (0..N_STATES).map(state) {
            let (own, other) = if is_own_any {
                (any, fixed)
            } else {
                (fixed, any)
            };
            sheet.put(cell, own);
            sheet.put(neighbour, other);
            visit(&sheet, site, direction as usize * KINDS.len() + kind(own));
        }
    }
}

impl OnCells {
    fn visit_drawn(
        &self,
        block: usize,
        visit: &mut dyn FnMut(&Sheet, <Self as crate::local::sites::LocalRule>::Site, usize),
    ) {
        let board = Board::new(SIDE);
        let mut random = Generator::of(format!("reines/law/cells/{block}").as_bytes());
        for _ in 0..DRAWN_EACH {
            let sheet = drawn(board, &mut random);
            // Every second one is in the middle.
            let middle = self.n_sites() / 2;
            let any = random.below(self.n_sites());
            let number = if random.below(2) == 0 { middle } else { any };
            let site = self.site(number);
            let place = match board.directions(site.cell).len() {
                3 => 0,
                5 => 1,
                _ => 2,
            };
            let queens = usize::from(sheet.state(site.cell).queens.min(2));
            visit(&sheet, site, NAMES.len() * KINDS.len() + place * 3 + queens);
        }
    }
}
