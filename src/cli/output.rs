//! Files that a command writes because its user names them: no other file is ever lost by that.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::Refused;
use crate::experiment::store::atomic;

/// Refuses a file that is there, unless it may be overwritten (`force`). For before the work
/// begins.
pub fn refuse_existing(file: &Path, force: bool) -> Result<(), Refused> {
    // What cannot be asked for will be seen when it is written.
    if !force && file.symlink_metadata().is_ok() {
        return Err(refused(file, "it exists; --force overwrites it"));
    }
    Ok(())
}

/// Refuses what is to be a folder and is a file.
pub fn refuse_file(folder: &Path) -> Result<(), Refused> {
    match folder.is_file() {
        true => Err(refused(folder, "it is a file; allowed is a folder")),
        false => Ok(()),
    }
}

/// An error of the input, about a file or a folder.
pub fn refused(path: &Path, reason: impl ToString) -> Refused {
    Refused::of_file(&path.display().to_string(), reason.to_string())
}

/// The ending of a file's name, which is one of those that are allowed.
pub fn ending(file: &Path, allowed: [&'static str; 3]) -> Result<&'static str, Refused> {
    let own = file.extension().and_then(|it| it.to_str());
    let found = allowed.into_iter().find(|it| own == Some(it));
    let [a, b, c] = allowed;
    found.ok_or_else(|| refused(file, format!("allowed is a file *.{a}, *.{b} or *.{c}")))
}

/// Writes a whole file or none, over another one only with `force`, into a folder that is made if
/// need be.
pub fn write(file: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    refuse_existing(file, force)?;
    let name = || file.display().to_string();
    if let Some(folder) = file.parent() {
        refuse_file(folder)?;
        fs::create_dir_all(folder).with_context(name)?;
    }
    atomic::write(file, bytes).with_context(name)
}

/// The same, over another file too.
pub fn replace(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write(file, bytes, true)
}
