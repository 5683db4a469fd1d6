//! `reines demo`: pages to begin with.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use super::Common;
use super::{output, replay, terminal};
use crate::drawing::read;
use crate::html::document;
use crate::replay::page;

/// Write pages to begin with: three runs, a trap, and the rule live
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  reines demo        then open demo/index.html in a browser")]
pub struct Args {
    /// The folder of the pages
    #[arg(value_name = "FOLDER", default_value = "demo")]
    folder: PathBuf,
    /// Write over pages that are there
    #[arg(long)]
    force: bool,
}

/// The body of the start page, with a link to each other page.
const INDEX: &str = include_str!("demo/index.html");

const STYLE: &str =
    "main { max-width: 42rem; margin: 0 auto; padding: 1rem; } a { color: var(--accent); }\n";

/// The runs that are played: the name of the page, and the options of `replay`.
const RUNS: [(&str, &str); 4] = [
    ("small", "--epsilon 0.001"),
    ("best", "--epsilon 0.01 --trial 1"),
    ("large", "--epsilon 0.03 --trial 4"),
    (
        "trap",
        "--algorithm cell --n 6 --epsilon 0.01 --eta 0 --cutoff 20000",
    ),
];

/// The position in which the trap begins, with true signals.
const TRAP: &str = "....Q.\nQ.....\n.Q....\n...Q..\n.....Q\n..Q...\n";

pub fn run(args: &Args, _: &Common) -> anyhow::Result<u8> {
    let folder = &args.folder;
    output::refuse_file(folder)?;
    let file = |name: &str| folder.join(format!("{name}.html"));
    for name in ["live", "index"].into_iter().chain(RUNS.map(|run| run.0)) {
        if folder.is_dir() {
            output::check(&file(name), args.force)?;
        }
    }
    let mut pages = vec![("live", page::live())];
    for (name, options) in RUNS {
        let mut scene = replay::parsed(options)?;
        if name == "trap" {
            let drawn = read::drawing(TRAP).expect("a drawing");
            scene.start = drawn.position.with_true_signals().configuration();
        }
        pages.push((name, replay::page_of(scene)?));
    }
    let title = "Queens that see only their neighbours";
    pages.push(("index", document(title, STYLE, INDEX)));
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, text) in &pages {
        output::write(&file(name), text.as_bytes(), args.force)?;
    }
    terminal::print_remarks([format!("Open {} in a browser.", file("index").display())])?;
    Ok(0)
}
