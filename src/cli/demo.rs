//! `reines demo`: pages to begin with.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::asked::UPDATES;
use super::replay::{self, Asked};
use super::{output, terminal};
use crate::drawing::read;
use crate::html::{document, escaped};
use crate::replay::log::Window;
use crate::replay::page;
use crate::solver::{Dynamics, Point, Value};

/// Write pages to begin with: three runs, a trap, and the rule live
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  reines demo        then open demo/index.html in a browser")]
pub struct Args {
    /// Where the pages go; those of an earlier demo are overwritten
    #[arg(value_name = "FOLDER", default_value = "demo")]
    folder: PathBuf,
}

/// A run that is played: its file, what it shows, and which trial of seed 1 it is.
struct Shown {
    file: &'static str,
    words: &'static str,
    rule: &'static str,
    values: &'static [(&'static str, f64)],
    trial: u32,
    cutoff: u64,
    /// A drawing, with true signals.
    start: Option<&'static str>,
}

const RUNS: [Shown; 4] = [
    Shown {
        file: "small.html",
        words: "Too little risk (ε = 0.001): the queens wait most of the time.",
        rule: "pair",
        values: &[("epsilon", 0.001)],
        trial: 0,
        cutoff: UPDATES,
        start: None,
    },
    Shown {
        file: "best.html",
        words: "Near the best ε (0.01): about as many moves, in an eighth of the time.",
        rule: "pair",
        values: &[("epsilon", 0.01)],
        trial: 1,
        cutoff: UPDATES,
        start: None,
    },
    Shown {
        file: "large.html",
        words: "Too much risk (ε = 0.03): the queens come to solutions and leave them again.",
        rule: "pair",
        values: &[("epsilon", 0.03)],
        trial: 4,
        cutoff: UPDATES,
        start: None,
    },
    Shown {
        file: "trap.html",
        words: "A trap for the cell rule (figure 7): with η = 0 the queens do not leave it. In the \
                page, set η to 0.1 and run again.",
        rule: "cell",
        values: &[("epsilon", 0.01), ("eta", 0.0)],
        trial: 0,
        cutoff: 20_000,
        start: Some("....Q.\nQ.....\n.Q....\n...Q..\n.....Q\n..Q...\n"),
    },
];

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut pages = vec![("live.html", page::live())];
    for shown in &RUNS {
        pages.push((shown.file, played(shown)?));
    }
    pages.push(("index.html", index()));
    let folder = &args.folder;
    for (name, text) in &pages {
        output::replace(&folder.join(name), text.as_bytes())?;
    }
    let index = folder.join("index.html");
    writeln!(terminal::out(), "Open {} in a browser.", index.display())?;
    Ok(ExitCode::SUCCESS)
}

fn played(shown: &Shown) -> anyhow::Result<String> {
    let start = shown.start.map(|text| {
        let drawn = read::position(text).expect("a drawing");
        drawn.position.with_true_signals()
    });
    let side = start.as_ref().map_or(8, |it| it.side() as u64);
    let values = shown.values.iter();
    let values = values.map(|&(name, value)| (name, Value::real(value)));
    let values = values.chain([("n", Value::Integer(side))]);
    replay::page_of(
        &Asked {
            point: Point::new(shown.rule, values),
            seed: 1,
            trial: shown.trial,
            cutoff: shown.cutoff,
            // The dynamics of the runs that a page makes itself.
            dynamics: Dynamics::Stepwise,
            start: start.and_then(|it| it.configuration()),
            stored: None,
        },
        Window::ALL,
    )
}

/// The start page.
fn index() -> String {
    let title = "Queens that see only their neighbours";
    let item = |file: &str, words: &str| {
        let name = file.trim_end_matches(".html");
        let words = escaped(words);
        format!("<li><a href=\"{file}\">{name}</a>: {words}</li>\n")
    };
    let runs: String = RUNS.iter().map(|it| item(it.file, it.words)).collect();
    let live = "the rule runs in the page. Choose n, ε and a start, and race to the end.";
    let body = format!(
        "<main>\n<h1>{title}</h1>\n<p>Eight queens stand on a chessboard and see nothing but \
         signals of their neighbouring cells. A threatened queen moves to a cell that looks safe, \
         or, with the small probability ε, takes a risk. Press <kbd>Space</kbd> in a page to \
         play.</p>\n<ul>\n{runs}{}</ul>\n</main>\n",
        item("live.html", live)
    );
    let style =
        "main { max-width: 42rem; margin: 0 auto; padding: 1rem; } a { color: var(--accent); }\n";
    document(title, style, &body)
}
