//! `reines completions`: a script that completes the command line in a shell.

use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

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
        &mut super::Cli::command(),
        "reines",
        &mut script,
    );
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}
