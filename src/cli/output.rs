//! Files that a command writes because its user names them: no other file is ever lost by that.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use itertools::Itertools;

use super::Refused;
use crate::experiment::store::atomic::{self, Staged};
use crate::experiment::store::folder::{LOCK, MANIFEST};

/// Refuses a file that cannot be written or must not be, before the work begins: one that is there
/// unless it may be overwritten (`force`), a file of a run or a TOML file even so, and one in a
/// folder that is not there or cannot be written.
pub fn check(file: &Path, force: bool) -> Result<(), Refused> {
    check_existing(file, force)?;
    let folder = atomic::above(file);
    if !folder.is_dir() {
        let reason = format!("the folder {} is not there", folder.display());
        return Err(refused(file, reason));
    }
    if atomic::is_passed_through(file) {
        return Ok(());
    }
    let tried = Staged::in_folder(atomic::above(&atomic::real_path(file)));
    tried.map(drop).map_err(|error| refused(file, error))
}

/// The part of [`check`] that asks whether something is lost.
pub fn check_existing(file: &Path, force: bool) -> Result<(), Refused> {
    // What cannot be asked for will be seen when it is written.
    let Ok(found) = file.symlink_metadata() else {
        return Ok(());
    };
    if atomic::is_passed_through(file) {
        return Ok(());
    }
    let file_behind = atomic::real_path(file);
    if found.is_symlink() && !file_behind.exists() {
        return Err(refused(
            file,
            "it is a symbolic link to what is not there; expected a file",
        ));
    }
    if file_behind.is_dir() {
        return Err(refused(file, "it is a folder; expected a file"));
    }
    if !force {
        return Err(refused(file, "it exists; --force overwrites it"));
    }
    if let Some(run) = run_around(&file_behind) {
        let reason = format!(
            "it is a file of the run {}, which no command overwrites; expected another file",
            run.display()
        );
        return Err(refused(file, reason));
    }
    if file_behind.extension().is_some_and(|it| it == "toml") {
        let reason = "it is a TOML file, as specs are, which --force does not overwrite; expected another file";
        return Err(refused(file, reason));
    }
    Ok(())
}

/// The folder of the run that a file belongs to, if any: at most a folder of parts lies
/// between them.
fn run_around(file: &Path) -> Option<&Path> {
    let is_run = |folder: &&Path| [MANIFEST, LOCK].iter().any(|it| folder.join(it).is_file());
    file.ancestors().skip(1).take(4).find(is_run)
}

/// Refuses what is to be a folder and is a file.
pub fn refuse_file(folder: &Path) -> Result<(), Refused> {
    match folder.is_file() {
        true => Err(refused(folder, "it is a file; expected a folder")),
        false => Ok(()),
    }
}

/// An error of the input, about a file or a folder.
pub fn refused(path: &Path, reason: impl ToString) -> Refused {
    Refused::of_file(&path.display().to_string(), reason.to_string())
}

/// The ending of a file's name, which is one of those that are allowed.
pub fn ending(file: &Path, allowed: &[&'static str]) -> Result<&'static str, Refused> {
    let own = file.extension().and_then(|it| it.to_str());
    let found = allowed.iter().copied().find(|it| own == Some(it));
    let words = || allowed.iter().map(|it| format!("*.{it}")).join(" or ");
    found.ok_or_else(|| refused(file, format!("expected a file {}", words())))
}

/// Writes a whole file or none, over another one only with `force`; into a device or a pipe, and
/// into the file to which a link leads.
pub fn write(file: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    write_with(file, force, |writer| Ok(writer.write_all(bytes)?))
}

/// The same of what is not in memory all at once.
pub fn write_with(
    file: &Path,
    force: bool,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    check(file, force)?;
    let failed = |error: io::Error| match error.kind() {
        // Since it was checked, another process has made it.
        io::ErrorKind::AlreadyExists => refused(file, "it exists; --force overwrites it").into(),
        _ => anyhow::Error::from(error).context(file.display().to_string()),
    };
    if atomic::is_passed_through(file) {
        let device = File::options().write(true).open(file);
        return fill(&mut device.map_err(failed)?);
    }
    let path = atomic::real_path(file);
    let mut staged = Staged::in_folder(atomic::above(&path)).map_err(failed)?;
    let filled = fill(&mut staged);
    if let Some(failure) = staged.take_failure() {
        return Err(failed(failure));
    }
    filled?;
    let sealed = staged.seal().map_err(failed)?;
    let published = match force {
        true => sealed.publish(&path),
        false => sealed.publish_new(&path),
    };
    published.map_err(failed)
}

/// The same, over another file too.
pub fn replace(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write(file, bytes, true)
}
