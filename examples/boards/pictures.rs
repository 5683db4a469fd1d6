//! The pictures of docs/boards, each made from a drawing and a list of signals there.

use std::fs;
use std::path::{Path, PathBuf};

use reines::drawing::read;
use reines::drawing::{Arrow, Coordinates, Picture};

/// A picture: its name, its drawing, its signals (a list, or all true ones), and the arrow of a
/// move.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    Option<[&'static str; 2]>,
);

/// The signals that are true.
const TRUE: &str = "true";

const PICTURES: [Row; 8] = [
    ("figure-1", "figure-1", "", None),
    (
        "figure-2-before",
        "figure-2-before",
        "figure-2-before",
        Some(["b3", "c3"]),
    ),
    ("figure-2-after", "figure-2-after", "figure-2-after", None),
    ("figure-3-before", "figure-3", "figure-3-before", None),
    ("figure-3-after", "figure-3", "figure-3-after", None),
    ("figure-4-before", "figure-4", "figure-4-before", None),
    ("figure-4-after", "figure-4", "figure-4-after", None),
    ("figure-7", "figure-7", TRUE, None),
];

/// The folder of drawings, lists of signals and pictures.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards")
}

/// The name and the bytes of each picture.
pub fn all() -> Vec<(String, String)> {
    let picture = |row: &Row| (format!("{}.svg", row.0), picture(row).to_svg());
    PICTURES.iter().map(picture).collect()
}

fn picture((_, drawing, signals, arrow): &Row) -> Picture {
    let text = |name: String| fs::read_to_string(folder().join(&name)).expect("a file of the docs");
    let drawn = read::drawing(&text(format!("{drawing}.txt"))).expect("a drawing");
    let position = match *signals {
        "" => drawn.position,
        TRUE => drawn.position.with_true_signals(),
        list => read::with_signals(drawn.position, &text(format!("{list}.signals")))
            .expect("a list of signals"),
    };
    let side = position.side();
    let arrow = arrow.map(|ends| ends.map(|it| Coordinates::named(it, side).expect("a cell")));
    Picture {
        marks: drawn.marks,
        arrows: arrow
            .map(|[from, to]| Arrow { from, to })
            .into_iter()
            .collect(),
        ..Picture::new(position)
    }
}
