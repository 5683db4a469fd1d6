//! Files that a command writes because its user names them: no other file is ever lost by that.

use std::io;
use std::path::Path;

use super::Refused;
use crate::experiment::store::atomic;

/// Refuses a file that is there, unless it may be overwritten (`force`). For before the work
/// begins.
pub fn refuse_existing(file: &Path, force: bool) -> Result<(), Refused> {
    // What cannot be asked for will be seen when it is written.
    if !force && file.symlink_metadata().is_ok() {
        let reason = "it exists; --force overwrites it";
        return Err(Refused::new(format!("{}: {reason}", file.display())));
    }
    Ok(())
}

/// Writes a whole file or none, over another one only with `force`.
pub fn write(file: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    refuse_existing(file, force)?;
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", file.display()));
    Ok(atomic::write(file, bytes).map_err(named)?)
}
