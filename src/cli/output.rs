//! Files that a command reads or writes because its user names them: no other file is ever lost by
//! that.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Refused;
use crate::experiment::store::atomic::{self, Staged};
use crate::experiment::store::folder::{MANIFEST, RunFolder, SPEC};

/// Refuses a file that cannot be written or must not be, before the work begins: one that is there
/// unless it may be overwritten (`force`), a file of a run or a TOML file even so, and one in a
/// folder that is not there or cannot be written.
pub fn check(file: &Path, force: bool) -> Result<(), Refused> {
    if is_stdout(file) {
        return Ok(());
    }
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

/// True for `-`, which stands for standard output.
pub fn is_stdout(file: &Path) -> bool {
    file.as_os_str() == "-"
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
    if !file_behind.is_file() {
        return Err(refused(file, "it is no regular file; expected a file"));
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

/// The folder of the run that a file belongs to, if any, wherever that folder was copied to: at
/// most a folder of parts lies between them.
fn run_around(file: &Path) -> Option<&Path> {
    let has_both = |folder: &Path| [MANIFEST, SPEC].iter().all(|it| folder.join(it).is_file());
    let is_run = |folder: &&Path| RunFolder::at(*folder).is_named() || has_both(folder);
    file.ancestors().skip(1).take(4).find(is_run)
}

/// Refuses two outputs of one command that are one file.
pub fn refuse_twins<'p>(files: impl IntoIterator<Item = &'p Path>) -> Result<(), Refused> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for file in files
        .into_iter()
        .filter(|it| !atomic::is_passed_through(it))
    {
        if let Some(other) = seen.insert(atomic::real_path(file), file) {
            let reason = format!(
                "this command writes it as {}, too; expected another file",
                other.display()
            );
            return Err(refused(file, reason));
        }
    }
    Ok(())
}

/// Refuses a figure's file that must not be written: its user has named the folder alone, so that
/// neither a device nor a pipe is meant.
pub fn check_figure(file: &Path) -> Result<(), Refused> {
    match atomic::is_passed_through(file) {
        true => Err(refused(file, "it is no regular file; expected a file")),
        false => check_existing(file, true),
    }
}

/// Refuses what is to be a folder and is a file.
pub fn refuse_file(folder: &Path) -> Result<(), Refused> {
    match folder.is_file() {
        true => Err(refused(folder, "it is a file; expected a folder")),
        false => Ok(()),
    }
}

/// The text of a file, or of standard input for `-`, without a byte order mark.
pub fn text(file: &Path) -> Result<String, Refused> {
    let text = match file.as_os_str() == "-" {
        true => io::read_to_string(io::stdin()),
        false => fs::read_to_string(file),
    };
    let text = text.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => refused(file, "not UTF-8; expected a text"),
        _ => refused(file, error),
    })?;
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(&text).to_owned())
}

/// An error of the input, about a file or a folder.
pub fn refused(path: &Path, reason: impl ToString) -> Refused {
    Refused::of_file(&path.display().to_string(), reason.to_string())
}

/// The ending of a file's name, which is one of those that are allowed.
pub fn ending(file: &Path, allowed: &[&'static str]) -> Result<&'static str, Refused> {
    let own = file.extension().and_then(|it| it.to_str());
    let found = allowed.iter().copied().find(|it| own == Some(it));
    let names: Vec<String> = allowed.iter().map(|it| format!("*.{it}")).collect();
    found.ok_or_else(|| refused(file, format!("expected a file {}", names.join(" or "))))
}

/// The same of the file to which a link leads; a device or a pipe may have any name.
pub fn real_ending(file: &Path, allowed: &[&'static str]) -> Result<(), Refused> {
    if atomic::is_passed_through(file) || ending(&atomic::real_path(file), allowed).is_ok() {
        return Ok(());
    }
    ending(file, allowed)?;
    let behind = atomic::real_path(file);
    let reason = format!("it leads to {}; expected a file *.html", behind.display());
    Err(refused(file, reason))
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
    if is_stdout(file) {
        // Its reader may have seen enough.
        let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
        return fill(&mut io::stdout()).or_else(|error| match error.downcast_ref() {
            Some(error) if is_closed(error) => Ok(()),
            _ => Err(error),
        });
    }
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
