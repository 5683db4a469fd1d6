//! `reines demo`: pages to begin with.

use std::path::PathBuf;

use super::{output, replay, terminal};
use crate::drawing::read;
use crate::html::{document, escaped};
use crate::replay::page;

/// Write pages to begin with: three runs, a trap, and the rule live
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  reines demo        then open demo/index.html in a browser")]
pub struct Args {
    /// Where the pages go [default: demo, whose pages are overwritten]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Write over pages that are there
    #[arg(long)]
    force: bool,
}

/// The runs that are played: the name of the page, what it shows, and the options of `replay`.
const RUNS: [(&str, &str, &str); 4] = [
    (
        "small",
        "Too little risk (ε = 0.001): the queens wait most of the time.",
        "--epsilon 0.001",
    ),
    (
        "best",
        "Near the best ε (0.01): about as many moves, in an eighth of the time.",
        "--epsilon 0.01 --trial 1",
    ),
    (
        "large",
        "Too much risk (ε = 0.03): the queens come to solutions and leave them again.",
        "--epsilon 0.03 --trial 4",
    ),
    (
        "trap",
        "A trap for the cell rule (figure 7): with η = 0 the queens do not leave it. In the \
         page, set η to 0.1 and run again.",
        "--algorithm cell --n 6 --epsilon 0.01 --eta 0 --cutoff 20000",
    ),
];

/// Where the trap begins, with true signals.
const TRAP: &str = "....Q.\nQ.....\n.Q....\n...Q..\n.....Q\n..Q...\n";

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let folder = args.folder.clone().unwrap_or("demo".into());
    let index_file = folder.join("index.html");
    output::refuse_existing(&index_file, args.force || args.folder.is_none())?;
    let mut pages = vec![("live", page::live())];
    for (name, _, options) in RUNS {
        let mut scene = replay::parsed(options)?;
        if name == "trap" {
            let drawn = read::positions(TRAP).expect("a drawing").remove(0);
            scene.start = drawn.position.with_true_signals().configuration();
        }
        pages.push((name, replay::page_of(scene)?));
    }
    pages.push(("index", index()));
    for (name, text) in &pages {
        output::replace(&folder.join(format!("{name}.html")), text.as_bytes())?;
    }
    terminal::print([format!("Open {} in a browser.", index_file.display())])?;
    Ok(0)
}

/// The start page.
fn index() -> String {
    let title = "Queens that see only their neighbours";
    let item = |(name, words, _): (&str, &str, &str)| {
        let words = escaped(words);
        format!("<li><a href=\"{name}.html\">{name}</a>: {words}</li>\n")
    };
    let runs: String = RUNS.map(item).concat();
    let live = "the rule runs in the page. Choose n, ε and a start, and race to the end.";
    let body = format!(
        "<main>\n<h1>{title}</h1>\n<p>Eight queens stand on a chessboard and see nothing but \
         signals of their neighbouring cells. A threatened queen moves to a cell that looks safe, \
         or, with the small probability ε, takes a risk. Press <kbd>Space</kbd> in a page to \
         play.</p>\n<ul>\n{runs}{}</ul>\n</main>\n",
        item(("live", live, ""))
    );
    let style =
        "main { max-width: 42rem; margin: 0 auto; padding: 1rem; } a { color: var(--accent); }\n";
    document(title, style, &body)
}
