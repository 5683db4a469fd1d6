//! `reines completions`: a script that completes the command line in a shell.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::terminal;
use crate::solver::ALGORITHMS;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  reines completions bash > ~/.local/share/bash-completion/completions/reines")]
pub struct Args {
    shell: Shell,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut program = with_values(super::program());
    // Into memory first: the generator panics when a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "reines", &mut script);
    terminal::out().write_all(&script)?;
    Ok(0)
}

/// The command line with the words that a shell can offer: it reads them from this script alone, so
/// that names of experiments come as files, and of code versions `reference` and `latest`.
fn with_values(program: Command) -> Command {
    let names: Vec<String> = ALGORITHMS.iter().map(|it| it.name().to_owned()).collect();
    let variants = ALGORITHMS.iter().filter_map(|it| it.variants());
    let variants: BTreeSet<String> = variants.flat_map(|it| it.all()).collect();
    let variants: Vec<String> = variants.into_iter().collect();
    let words = |words: &[&str]| words.iter().map(|&it| it.to_owned()).collect();
    let arguments: [(&str, &str, Vec<String>); 7] = [
        ("solve", "algorithm", names.clone()),
        ("replay", "algorithm", names),
        ("solve", "variant", variants.clone()),
        ("replay", "variant", variants),
        ("report", "format", words(&["svg", "png", "pdf"])),
        ("diff", "a", words(&["reference", "latest"])),
        ("diff", "b", words(&["reference", "latest"])),
    ];
    arguments
        .into_iter()
        .fold(program, |program, (command, argument, words)| {
            // They live as long as the process, which ends with this command.
            let words: Vec<&'static str> = words.into_iter().map(|it| &*it.leak()).collect();
            let parser = PossibleValuesParser::new(words);
            program.mut_subcommand(command, |it| {
                it.mut_arg(argument, |it| it.value_parser(parser))
            })
        })
}
