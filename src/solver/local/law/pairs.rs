//! The cases of rules on pairs: all states of both cells in each of the four orientations, in the
//! middle of a board without anything else; and drawn boards, of which each pair is at an edge or
//! in a corner.

use super::cases::{Cases, KINDS, N_STATES, drawn, kind, site, state};
use super::sheet::Sheet;
use crate::board::Board;
use crate::local::configuration::Cells as _;
use crate::local::sites::LocalRule as _;
use crate::local::sites::pairs::OnPairs;
use crate::rng::{Generator, RandomSource as _};

/// The orientations: their names, and both cells on a board of side 4, that in the west, or else
/// in the north, first.
const ORIENTATIONS: [(&str, [(usize, usize); 2]); 4] = [
    ("west-east", [(1, 1), (2, 1)]),
    ("north-south", [(1, 1), (1, 2)]),
    ("northwest-southeast", [(1, 1), (2, 2)]),
    ("southwest-northeast", [(1, 2), (2, 1)]),
];

/// Blocks of cases in the middle: one for each orientation and each state of the first cell.
const IN_THE_MIDDLE: usize = ORIENTATIONS.len() * N_STATES;

/// Blocks of drawn cases, and the number of cases in each.
const DRAWN: usize = 20;
const DRAWN_EACH: usize = 500;

/// The group of the drawn cases, behind those in the middle.
const AT_THE_EDGE: usize = ORIENTATIONS.len() * KINDS.len() * KINDS.len();

impl Cases for OnPairs {
    const BLOCKS: usize = IN_THE_MIDDLE + DRAWN;
    const FIRST_DRAWN: usize = IN_THE_MIDDLE;

    fn groups() -> Vec<String> {
        let mut groups = Vec::new();
        for (orientation, _) in ORIENTATIONS {
            for first in KINDS {
                let seconds = KINDS.iter();
                groups.extend(seconds.map(|second| format!("{orientation}: {first}, {second}")));
            }
        }
        groups.push("at the edge and in the corner".to_owned());
        groups
    }

    fn side(block: usize) -> usize {
        if block < IN_THE_MIDDLE { 4 } else { 3 }
    }

    fn visit(&self, block: usize, visit: &mut dyn FnMut(&Sheet, Self::Site, usize)) {
        let board = Board::new(Self::side(block));
        if block >= IN_THE_MIDDLE {
            let mut random = Generator::of(format!("reines/law/pairs/{block}").as_bytes());
            for _ in 0..DRAWN_EACH {
                let sheet = drawn(board, &mut random);
                let pair = self.site(random.below(self.n_sites()));
                visit(&sheet, pair, AT_THE_EDGE);
            }
            return;
        }
        let orientation = block / N_STATES;
        let first = state(block % N_STATES);
        let cells = ORIENTATIONS[orientation].1.map(|(x, y)| board.cell(x, y));
        let Some(pair) = site(self, &cells) else {
            return;
        };
        let mut sheet = Sheet::empty(board);
        sheet.put(cells[0], first);
        let group = (orientation * KINDS.len() + kind(first)) * KINDS.len();
        for second in (0..N_STATES).map(state) {
            sheet.put_inside(cells[1], second);
            debug_assert_eq!(sheet.state(cells[1]), second);
            visit(&sheet, pair, group + kind(second));
        }
    }
}
