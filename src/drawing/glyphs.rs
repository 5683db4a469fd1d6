//! What is drawn on a cell, each a shape of its own, so that a drawing can be read without colour.
//! A cell is [`CELL`] units wide; every glyph is drawn as if its cell began at (0, 0). Here are the
//! crown, the ring of threatened queens, the arrowheads of true, false and missing signals, their
//! colours, and the number of several queens on a cell.

use crate::solver::board::Direction;
use crate::theme::palette;

/// Width and height of a cell.
pub const CELL: usize = 100;

pub use crate::theme::palette::{DARK, INK, PAPER};

/// A true signal.
pub const TRUE: &str = palette::BLUE;
/// A false signal.
pub const FALSE: &str = palette::VERMILION;
/// An arrow.
pub const ARROW: &str = palette::GREEN;

/// A shape that drawings use again and again. Its name is the id of its definition, after the
/// picture's prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    /// One queen.
    Queen,
    /// Several queens; their number is a text at ([`COUNT_X`], [`COUNT_Y`]).
    Queens,
    /// A ring around threatened queens.
    Ring,
    /// A true signal from this direction.
    True(Direction),
    /// A false signal from this direction.
    False(Direction),
    /// A signal from this direction that would be true and is not there.
    Missing(Direction),
}

/// The horizontal middle of the number of queens.
pub const COUNT_X: usize = 66;
/// Base line of the number of queens.
pub const COUNT_Y: usize = 61;
/// Size of the number of queens.
pub const COUNT_SIZE: usize = 32;

/// A crown of five points over its base, 52 units wide.
const CROWN: &str =
    "M34 62 24 39 37 46 36 30 45 42 50 26 55 42 64 30 63 46 76 39 66 62zM33 65h34v6h-34z";

impl Glyph {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let signals = Direction::ALL.map(|d| [Self::True(d), Self::False(d), Self::Missing(d)]);
        [Self::Queen, Self::Queens, Self::Ring]
            .into_iter()
            .chain(signals.into_iter().flatten())
    }

    /// `queen`, `queens`, `ring`, `true-NW`, `false-NW`, `missing-NW` …
    pub fn name(self) -> String {
        match self {
            Self::Queen => "queen".to_owned(),
            Self::Queens => "queens".to_owned(),
            Self::Ring => "ring".to_owned(),
            Self::True(direction) => format!("true-{direction:?}"),
            Self::False(direction) => format!("false-{direction:?}"),
            Self::Missing(direction) => format!("missing-{direction:?}"),
        }
    }

    /// Returns its definition, for `<defs>`. Queens are larger where no signals are drawn beside
    /// them (`large`).
    pub fn definition(self, ids: &str, large: bool) -> String {
        let id = format!("id=\"{ids}{}\"", self.name());
        let crown = |transform: &str| {
            format!("<path {id} class=\"queen\" fill=\"{INK}\" {transform}d=\"{CROWN}\"/>")
        };
        let (radius, width) = if large { (41, 5) } else { (31, 4) };
        match self {
            Self::Queen if large => crown("transform=\"translate(-17 -16) scale(1.35)\" "),
            Self::Queen => crown(""),
            Self::Queens => crown("transform=\"translate(8 19) scale(.6)\" "),
            Self::Ring => format!(
                "<circle {id} class=\"threatened\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"{width}\" cx=\"50\" cy=\"50\" r=\"{radius}\"/>"
            ),
            Self::True(direction) => format!(
                "<path {id} class=\"true\" fill=\"{TRUE}\" d=\"{}z\"/>",
                arrowhead(direction, [2, 17], 15)
            ),
            Self::False(direction) => format!(
                "<path {id} class=\"false\" fill=\"{PAPER}\" stroke=\"{FALSE}\" stroke-width=\"4\" d=\"{}z\"/>",
                arrowhead(direction, [4, 18], 14)
            ),
            Self::Missing(direction) => format!(
                "<path {id} class=\"missing\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\" stroke-dasharray=\"4 3\" d=\"{}z\"/>",
                arrowhead(direction, [3, 17], 14)
            ),
        }
    }
}

/// An arrowhead at the cell's edge on the side that it comes from: its base `edge` and its tip
/// `tip` units inside, `half` units to either side.
fn arrowhead(direction: Direction, [edge, tip]: [i32; 2], half: i32) -> String {
    let (dx, dy) = direction.step();
    // Along a diagonal a unit of length is 0.7 of each coordinate; the base is where its ends are
    // as far inside as that of the others.
    let [edge, tip, half] = if dx != 0 && dy != 0 {
        [
            edge + half * 7 / 10,
            edge + half * 7 / 10 + (tip - edge) * 7 / 10,
            half * 7 / 10,
        ]
    } else {
        [edge, tip, half]
    };
    let at = |depth: i32, aside: i32| {
        let along = |step: i32, depth: i32| match step {
            -1 => depth,
            1 => CELL as i32 - depth,
            _ => CELL as i32 / 2,
        };
        format!(
            "{} {}",
            along(dx, depth) - dy * aside,
            along(dy, depth) + dx * aside
        )
    };
    format!("M{} {} {}", at(edge, half), at(edge, -half), at(tip, 0))
}
