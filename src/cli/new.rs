//! `reines new`: a spec to begin with. Its text is in `new/spec.toml`.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::target::SPECS;
use super::{Quiet, terminal, user_files};
use crate::experiment::spec;

/// Write a spec to begin with, as the README has it
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  reines new mine        writes experiments/mine.toml

It runs as it is: reines check mine, reines run mine, reines report mine.")]
pub struct NewArgs {
    /// The name of the experiment
    name: String,
    #[command(flatten)]
    quiet: Quiet,
}

const SPEC: &str = include_str!("new/spec.toml");

pub fn run(args: &NewArgs) -> anyhow::Result<u8> {
    let file = Path::new(SPECS).join(format!("{}.toml", args.name));
    // Refuses what is no name.
    spec::parse(&args.name, &file.display().to_string(), SPEC)?;
    if file.exists() {
        let reason = "it exists; expected the name of a new experiment";
        return Err(user_files::refused(&file, reason).into());
    }
    fs::create_dir_all(SPECS).context(SPECS)?;
    user_files::write(&file, SPEC.as_bytes(), false)?;
    terminal::print_remarks([file.display().to_string()])?;
    Ok(0)
}
