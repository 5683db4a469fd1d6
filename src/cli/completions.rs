//! `reines completions`: a script that completes the command line in a shell.

use std::collections::BTreeSet;
use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;

use super::Common;
use super::terminal;
use crate::solver::ALGORITHMS;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  reines completions bash > ~/.local/share/bash-completion/completions/reines")]
pub struct Args {
    shell: Shell,
}

pub fn run(args: &Args, _: &Common) -> anyhow::Result<u8> {
    let mut program = with_values(super::program());
    // Into memory first: the generator panics when a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "reines", &mut script);
    terminal::out().write_all(&script)?;
    Ok(0)
}

/// The command line with the words that a shell can offer: it reads them from this script alone, so
/// that names of experiments come as files, and of code versions `reference` and `latest`.
fn with_values(mut program: Command) -> Command {
    let variants = ALGORITHMS.iter().filter_map(|it| it.variants());
    let variants: BTreeSet<String> = variants.flat_map(|it| it.all()).collect();
    // They live as long as the process, which ends with this command.
    let variants: Vec<&str> = variants.into_iter().map(|it| &*it.leak()).collect();
    let versions = vec!["reference", "latest"];
    for (command, argument, words) in [
        ("solve", "variant", variants.clone()),
        ("replay", "variant", variants),
        ("diff", "a", versions.clone()),
        ("diff", "b", versions),
    ] {
        let parser = PossibleValuesParser::new(words);
        let with_words = |it: Arg| it.value_parser(parser);
        program = program.mut_subcommand(command, |it| it.mut_arg(argument, with_words));
    }
    program
}
