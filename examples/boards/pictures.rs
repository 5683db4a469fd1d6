//! The pictures of docs/boards, each made from a grid there.

use std::fs;
use std::path::{Path, PathBuf};

use reines::drawing::{Arrow, Coordinates, Picture, Position, read};
use reines::solver::board::{Direction, Directions};

/// The signals of a picture.
#[derive(Clone, Copy)]
enum Signals {
    NotGiven,
    True,
    Only(&'static [Signal]),
}

/// A signal, and the cell that carries it.
type Signal = (Coordinates, Direction);

/// A picture: its name, its grid and its signals.
type Row = (&'static str, &'static str, Signals);

/// The cells 1 and 2 of the figures 2 to 4: b3 and c3.
pub const CELLS: [Coordinates; 2] = [Coordinates { x: 1, y: 2 }, Coordinates { x: 2, y: 2 }];

const PICTURES: [Row; 8] = [
    ("figure-1", "figure-1", Signals::NotGiven),
    (
        "figure-2-before",
        "figure-2-before",
        Signals::Only(&[(CELLS[0], Direction::N)]),
    ),
    (
        "figure-2-after",
        "figure-2-after",
        Signals::Only(&[(CELLS[0], Direction::N), (CELLS[0], Direction::E)]),
    ),
    (
        "figure-3-before",
        "figure-3",
        Signals::Only(&[(CELLS[0], Direction::W)]),
    ),
    (
        "figure-3-after",
        "figure-3",
        Signals::Only(&[(CELLS[0], Direction::W), (CELLS[1], Direction::W)]),
    ),
    (
        "figure-4-before",
        "figure-4",
        Signals::Only(&[(CELLS[0], Direction::E)]),
    ),
    ("figure-4-after", "figure-4", Signals::Only(&[])),
    ("figure-7", "figure-7", Signals::True),
];

/// The folder of grids and pictures.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards")
}

/// The name and the bytes of each picture.
pub fn all() -> Vec<(String, String)> {
    let file = |row: &Row| (format!("{}.svg", row.0), picture(row.0).to_svg());
    PICTURES.iter().map(file).collect()
}

/// The picture of this name.
pub fn picture(name: &str) -> Picture {
    let row = PICTURES.iter().find(|row| row.0 == name);
    let (_, grid, signals) = row.expect("a picture");
    let text = fs::read_to_string(folder().join(format!("{grid}.txt")));
    let position = read::position(grid, &text.expect("a file of the docs")).expect("a grid");
    let mut picture = Picture::new(with_signals(position, *signals));
    if name == "figure-2-before" {
        let [from, to] = CELLS;
        picture.arrows.push(Arrow { from, to });
    }
    picture
}

fn with_signals(position: Position, signals: Signals) -> Position {
    let given = match signals {
        Signals::NotGiven => return position,
        Signals::True => return position.with_true_signals(),
        Signals::Only(given) => given,
    };
    let carried = |cell| {
        let its = given.iter().filter(|signal| signal.0 == cell);
        its.fold(Directions::NONE, |all, signal| all.with(signal.1, true))
    };
    let carried: Vec<Directions> = position.cells().map(carried).collect();
    position.with_signals(carried)
}
