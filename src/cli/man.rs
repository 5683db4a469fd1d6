//! `reines man`: manual pages of all commands.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use super::Common;
use crate::cli::{output, terminal};

/// Write manual pages of all commands into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  reines man ~/.local/share/man/man1 && man reines-run

Older pages of the same names are replaced.")]
pub struct Args {
    /// The folder, which is made if need be
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: &Args, _: &Common) -> anyhow::Result<u8> {
    output::refuse_file(&args.folder)?;
    let folder = args.folder.display().to_string();
    fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(super::program(), &args.folder))
        .with_context(|| folder.clone())?;
    terminal::print([format!("{folder}/reines.1, and a page for each command")])?;
    Ok(0)
}
