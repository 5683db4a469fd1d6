//! `reines man`: manual pages of all commands.

use std::path::PathBuf;

use clap_mangen::Man;

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

pub fn run(args: &Args) -> anyhow::Result<u8> {
    // The names of commands live as long as the process.
    let program = super::program();
    let mut pages = vec![("reines".to_owned(), program.clone())];
    for command in program.get_subcommands() {
        let name = format!("reines-{}", command.get_name());
        pages.push((name.clone(), command.clone().name(&*name.leak())));
    }
    for (name, command) in pages {
        let file = args.folder.join(format!("{name}.1"));
        // Without a date, so that the same program writes the same bytes.
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        output::replace(&file, &page)?;
        terminal::print([file.display().to_string()])?;
    }
    Ok(0)
}
