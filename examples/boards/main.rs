//! Draws the boards of docs/rules.md from their text files:
//!
//! ```text
//! cargo run --release --example boards
//! ```
//!
//! It writes `docs/boards/*.svg`. `tests/paper.rs` holds the files there against the texts.

mod pictures;

use std::{fs, io};

fn main() -> io::Result<()> {
    for (name, svg) in pictures::all() {
        fs::write(pictures::folder().join(name), svg)?;
    }
    Ok(())
}
