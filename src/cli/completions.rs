//! `reines completions`: a script that completes the command line in a shell.

use std::io;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::solver::ALGORITHMS;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  reines completions bash > ~/.local/share/bash-completion/completions/reines"
)]
pub struct Args {
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // Into memory first: the generator panics when its output is closed under it.
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut with_values(super::Cli::command()),
        "reines",
        &mut script,
    );
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}

/// The command line with the words that a shell can offer: it reads them from this script alone, so
/// that names of experiments come as files, and of code versions `reference` and `latest`.
fn with_values(program: Command) -> Command {
    let algorithms: Vec<&str> = ALGORITHMS.iter().map(|it| it.name()).collect();
    let variants = ALGORITHMS.iter().filter_map(|it| it.variants());
    let mut variants: Vec<String> = variants.flat_map(|it| it.all()).collect();
    variants.sort();
    variants.dedup();
    let runs = ["reference", "latest"].map(str::to_owned).to_vec();
    let mut program = program;
    for (command, argument, words) in [
        (
            "solve",
            "algorithm",
            algorithms.iter().map(|&it| it.to_owned()).collect(),
        ),
        (
            "replay",
            "algorithm",
            algorithms.iter().map(|&it| it.to_owned()).collect(),
        ),
        ("solve", "variant", variants.clone()),
        ("replay", "variant", variants),
        (
            "report",
            "format",
            ["svg", "png", "pdf"].map(str::to_owned).to_vec(),
        ),
        ("diff", "a", runs.clone()),
        ("diff", "b", runs),
    ] {
        let words: Vec<String> = words;
        // They live as long as the process, which ends with this command.
        let words: Vec<&'static str> = words.into_iter().map(|it| &*it.leak()).collect();
        program = program.mut_subcommand(command, |it| {
            it.mut_arg(argument, |it| {
                it.value_parser(PossibleValuesParser::new(words))
            })
        });
    }
    program
}
