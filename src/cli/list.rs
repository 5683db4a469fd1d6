//! `reines list`: what there is to run, to draw and to read.

mod experiments;
mod registries;

use crate::cli::{named, terminal};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::Value;

/// List experiments and results, or the algorithms, or the kinds of figures
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines list                   experiments and their results, a line each
  reines list epsilon           one in full: its runs, their code versions
  reines list --algorithms      what a spec may name, with axes and columns
  reines list --sizes           what each run takes on the disk; `reines prune`
                                removes old ones")]
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
    /// With the size of each run on the disk
    #[arg(long)]
    sizes: bool,
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

/// What the flags ask for.
#[derive(Serialize)]
struct Listed {
    #[serde(skip_serializing_if = "Option::is_none")]
    experiments: Option<Vec<experiments::Listed>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithms: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Vec<Value>>,
}

/// Prints what the flags ask for; experiments and results without a flag.
///
/// # Errors
/// A results folder that cannot be read; what the writing says.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let listed = Listed {
        experiments: (!args.algorithms && !args.figures)
            .then(|| experiments::list(&args.experiments, &args.results, args.sizes, &args.named))
            .transpose()?,
        algorithms: args.algorithms.then(registries::algorithms),
        figures: args.figures.then(registries::figures),
    };
    let mut out = terminal::out();
    if args.json {
        writeln!(out, "{}", terminal::json(&listed)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(listed) = &listed.experiments {
        if args.named.is_empty() && !args.sizes {
            experiments::write_lines(&mut out, listed)?;
        } else {
            experiments::write(&mut out, listed)?;
        }
    }
    if args.algorithms {
        registries::write_algorithms(&mut out)?;
    }
    if args.figures {
        registries::write_figures(&mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}
