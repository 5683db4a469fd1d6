//! `reines completions`: a script that completes the command line in a shell. Which shells there
//! are, clap decides.

use std::io::Write;

use clap_complete::Shell;

use super::terminal;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  reines completions bash > ~/.local/share/bash-completion/completions/reines")]
pub struct CompletionsArgs {
    shell: Shell,
}

pub fn run(args: &CompletionsArgs) -> anyhow::Result<u8> {
    // Into memory first: the generator panics when a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::program(), "reines", &mut script);
    terminal::Out.write_all(&script)?;
    Ok(0)
}
