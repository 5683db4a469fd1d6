//! Files that a command reads or writes because its user names them. Here are the messages of a
//! file that is there, is a folder or belongs to a run, `-` for standard output, the largest text
//! that is read, and `--force`.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context;

use super::Refused;
use super::terminal::Out;
use crate::experiment::spec::MAX_BYTES;
use crate::experiment::store::atomic::{self, Staged};
use crate::experiment::store::folder::RunFolder;

/// Refuses a file that cannot be written or must not be, before the work begins: one that is there
/// unless it may be overwritten (`force`), and one in a run even so.
pub fn check(file: &Path, force: bool) -> Result<(), Refused> {
    if is_stdout(file) {
        return Ok(());
    }
    let folder = atomic::above(file);
    refuse_run(folder)?;
    let reason = if file.is_dir() {
        "it is a folder; expected a file".to_owned()
    } else if !force && file.symlink_metadata().is_ok() {
        "it exists; --force overwrites it".to_owned()
    } else if !folder.is_dir() {
        format!("the folder {} is not there", folder.display())
    } else {
        return Ok(());
    };
    Err(refused(file, reason))
}

/// True for `-`, which stands for standard output, or standard input.
pub fn is_stdout(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Refuses a folder of a run, whose files no other command changes.
pub fn refuse_run(folder: &Path) -> Result<(), Refused> {
    let real = atomic::real_path(folder);
    if real
        .ancestors()
        .any(|ancestor| RunFolder::at(ancestor).is_named())
    {
        let reason = "it is the folder of a run; expected another";
        return Err(refused(folder, reason));
    }
    Ok(())
}

/// Refuses what is to be a folder and is a file.
pub fn refuse_file(folder: &Path) -> Result<(), Refused> {
    if folder.is_file() {
        return Err(refused(folder, "it is a file; expected a folder"));
    }
    Ok(())
}

/// The text of a short file, or of standard input for `-`, without a byte order mark.
pub fn text(file: &Path) -> Result<String, Refused> {
    let mut text = String::new();
    // A device may never end.
    let mut read = |from: &mut dyn Read| from.take(MAX_BYTES + 1).read_to_string(&mut text);
    let read = if is_stdout(file) {
        read(&mut io::stdin())
    } else {
        File::open(file).and_then(|mut it| read(&mut it))
    };
    match read {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(refused(file, "not UTF-8; expected a text"))
        }
        Err(error) => Err(refused(file, error)),
        Ok(length) if length as u64 > MAX_BYTES => {
            let reason = format!("it is larger than {MAX_BYTES} bytes; expected a short text");
            Err(refused(file, reason))
        }
        Ok(_) => Ok(text.strip_prefix('\u{FEFF}').unwrap_or(&text).to_owned()),
    }
}

/// An error of the input, about a file or a folder.
pub fn refused(path: &Path, reason: impl ToString) -> Refused {
    Refused::of_file(&path.display().to_string(), reason.to_string())
}

/// The ending of a file's name, which is one of those that are allowed.
pub fn ending(file: &Path, allowed: &[&'static str]) -> Result<&'static str, Refused> {
    let extension = file.extension().and_then(|extension| extension.to_str());
    let mut endings = allowed.iter().copied();
    let ending = endings.find(|ending| extension == Some(ending));
    let names: Vec<String> = allowed.iter().map(|ending| format!("*.{ending}")).collect();
    ending.ok_or_else(|| refused(file, format!("expected a file {}", names.join(" or "))))
}

/// Writes a whole file or none, over another one only with `force`; into standard output for `-`.
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
    if is_stdout(file) {
        return fill(&mut Out);
    }
    let failed = |error: io::Error| anyhow::Error::from(error).context(file.display().to_string());
    let mut staged = Staged::in_folder(atomic::above(file)).map_err(failed)?;
    fill(&mut staged).with_context(|| file.display().to_string())?;
    staged.publish(file).map_err(failed)
}
