//! `reines built-from`: whether this program was built of the sources in a folder. Cargo takes
//! sources that are older than its last build as built, also where that was one of other sources in
//! the same build folder; make and `diff --rev` ask the program itself. Its exit code for other
//! sources (3) is here; what counts as the sources is in `sources.rs`.

use std::env;
use std::path::{Path, PathBuf};

use super::sources;
use super::terminal::optional_message;
use super::user_files::refused;
use crate::solver;

/// See whether this program was built of the sources in a folder (0), or of others (3)
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub struct BuiltFromArgs {
    folder: PathBuf,
    /// Say nothing
    #[arg(long, short)]
    quiet: bool,
}

const OTHER_SOURCES: u8 = 3;

pub fn run(args: &BuiltFromArgs) -> anyhow::Result<u8> {
    if is_built_from(&args.folder)? {
        return Ok(0);
    }
    let program = env::current_exe()?;
    let folder = args.folder.canonicalize()?;
    optional_message!(
        "error: {} was not built of the sources in {}; expected the program of these sources",
        program.display(),
        folder.display()
    );
    Ok(OTHER_SOURCES)
}

/// True if the sources below a folder have the bytes that this program was built of.
pub fn is_built_from(folder: &Path) -> anyhow::Result<bool> {
    let files = sources::read(folder).map_err(|error| refused(folder, error))?;
    let is_own = sources::stamp(&files) == env!("REINES_STAMP");
    Ok(is_own && sources::solver_stamp(&files) == solver::STAMP)
}
