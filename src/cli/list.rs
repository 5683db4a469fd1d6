//! `reines list`: what there is to run, to draw and to read.

mod experiments;
mod registries;

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use self::experiments::Listed;
use super::check::Earlier;
use super::text::{aligned, counted};
use super::{named, terminal};
use crate::solver::ALGORITHMS;

/// List experiments and results, algorithms, or kinds of figures
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines list                 experiments, how far each is, and how long it takes
  reines list epsilon         one in full: its runs, their code versions, sizes
  reines list --algorithms    what a spec may name, with axes and columns")]
pub struct Args {
    /// Experiments to list in full, by their names, specs or runs
    #[arg(value_name = "EXPERIMENT")]
    named: Vec<PathBuf>,
    /// List the algorithms that a spec may name, their axes and the columns that they fill
    #[arg(long)]
    algorithms: bool,
    /// List the kinds of figures that a spec may ask for
    #[arg(long)]
    figures: bool,
    /// Where spec files are kept
    #[arg(long, value_name = "DIR", default_value = named::SPECS, hide = true)]
    experiments: PathBuf,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints what the flags ask for; experiments and results without a flag.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (mut lines, mut all) = (Vec::new(), json!({}));
    if !args.algorithms && !args.figures {
        let listed = experiments::list(&args.experiments, &args.results, &args.named)?;
        if args.json {
            all["experiments"] = listed.iter().map(Listed::json).collect();
        } else if listed.is_empty() {
            let look = "`reines list --help` says where it looks";
            lines.push(format!("no experiments and no results here; {look}"));
        } else if args.named.is_empty() {
            let earlier = Earlier::read(&args.results)?;
            let rows: Vec<_> = listed.iter().map(|it| in_short(it, &earlier)).collect();
            lines = aligned(0, usize::MAX, &rows);
        } else {
            lines.extend(listed.iter().flat_map(Listed::lines));
        }
    }
    if args.algorithms {
        all["algorithms"] = ALGORITHMS
            .iter()
            .map(|it| registries::as_json(*it))
            .collect();
        lines.extend(ALGORITHMS.iter().flat_map(|it| registries::in_words(*it)));
    }
    if args.figures {
        all["figures"] = registries::figures();
        lines.extend(registries::figures_in_words());
    }
    if args.json {
        lines = vec![terminal::json(&all)?];
    }
    terminal::print(lines)?;
    Ok(ExitCode::SUCCESS)
}

/// `rules   30 700 trials   reference only   about 2 min 05 s   Pair and cell against n`.
fn in_short(listed: &Listed, earlier: &Earlier) -> Vec<String> {
    let (trials, time, title) = match &listed.planned {
        Some(Ok((spec, plan))) => (
            counted(plan.trials(), "trial"),
            earlier.in_short(plan),
            spec.title.clone().unwrap_or_default(),
        ),
        Some(Err(error)) => (String::new(), String::new(), error.clone()),
        None => Default::default(),
    };
    let name = listed.name.clone();
    vec![name, trials, listed.in_short().to_owned(), time, title]
}
