//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Begins the name of a file that is not whole yet.
pub(super) const UNFINISHED: &str = ".partial-";

/// Writes `bytes` to `path` so that a reader, a crash or a full disk leaves the old file or the new
/// one, never a part: a temporary name in the same folder, synced, renamed, and the folder synced.
///
/// # Errors
/// Any of the file system's; `path` is then as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// [`write()`] of what is not in memory all at once.
///
/// # Errors
/// Any of the file system's, and of `fill`; `path` is then as it was.
pub fn write_with(path: &Path, fill: impl FnOnce(&mut Staged) -> io::Result<()>) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut file = Staged::in_folder(folder)?;
    fill(&mut file)?;
    file.seal()?.publish(path)
}

/// A file in the making, under a temporary name in the folder where it will be; dropped, it leaves
/// nothing.
#[derive(Debug)]
pub struct Staged {
    file: BufWriter<NamedTempFile>,
    hasher: blake3::Hasher,
    failure: Option<io::Error>,
}

/// A file whose bytes are on the disk, still under its temporary name.
#[derive(Debug)]
pub struct Sealed {
    file: NamedTempFile,
    checksum: String,
}

impl Staged {
    /// # Errors
    /// A folder that cannot be written.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        let file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .permissions(permissions())
            .tempfile_in(folder)?;
        Ok(Self {
            file: BufWriter::new(file),
            hasher: blake3::Hasher::new(),
            failure: None,
        })
    }

    /// The first write that failed: clearer than what an encoder makes of it.
    pub fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Ends the file and waits until the disk has it.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn seal(self) -> io::Result<Sealed> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        Ok(Sealed {
            file,
            checksum: self.hasher.finalize().to_hex().to_string(),
        })
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self
            .file
            .write(bytes)
            .inspect_err(|error| note(&mut self.failure, error))?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file
            .flush()
            .inspect_err(|error| note(&mut self.failure, error))
    }
}

impl Sealed {
    /// BLAKE3 of the bytes, 64 hexadecimal digits.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// Gives the file its name, which may replace an older file.
    ///
    /// # Errors
    /// Any of the file system's; `path` is then as it was.
    pub fn publish(self, path: &Path) -> io::Result<()> {
        self.file.persist(path)?;
        sync_folder(
            path.parent()
                .filter(|folder| !folder.as_os_str().is_empty())
                .unwrap_or(Path::new(".")),
        )
    }
}

/// Makes a folder and those above it, so that a power cut leaves either none or one that can be
/// found.
///
/// # Errors
/// Any of the file system's.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let above = path.parent().unwrap_or(Path::new(""));
    make_folder(above)?;
    match fs::create_dir(path) {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(io::ErrorKind::NotADirectory.into())
        }
        made => made,
    }?;
    sync_folder(if above.as_os_str().is_empty() {
        Path::new(".")
    } else {
        above
    })
}

/// Keeps the first error, without the temporary name, which would only confuse. A write that a
/// signal interrupted is tried again by its caller, and has not failed.
fn note(failure: &mut Option<io::Error>, error: &io::Error) {
    if error.kind() == io::ErrorKind::Interrupted {
        return;
    }
    failure.get_or_insert_with(|| {
        error
            .raw_os_error()
            .map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
    });
}

/// Removes what a killed process had begun to write into `folder`. No other process may be writing
/// there.
///
/// # Errors
/// Any of the file system's.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Those of a file made by `File::create`: other users read results too.
fn permissions() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_file_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_not_published_leaves_nothing_and_what_was_killed_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        Staged::in_folder(folder.path())
            .unwrap()
            .write_all(b"begun")
            .unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(folder.path().join(".partial-abc"), b"of a killed process").unwrap();
        fs::write(folder.path().join("kept"), b"").unwrap();
        remove_unfinished(folder.path()).unwrap();
        let left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["kept"]);
    }

    #[test]
    fn a_sealed_file_has_its_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = Staged::in_folder(folder.path()).unwrap();
        file.write_all(b"one ").unwrap();
        file.write_all(b"two").unwrap();
        let file = file.seal().unwrap();
        assert_eq!(file.checksum(), blake3::hash(b"one two").to_hex().as_str());
    }

    /// A signal that comes during a write: the write is tried again, and the file is whole.
    #[test]
    fn an_interrupted_write_is_no_failure() {
        let mut failure = None;
        note(&mut failure, &io::ErrorKind::Interrupted.into());
        assert!(failure.is_none());
        note(&mut failure, &io::Error::from_raw_os_error(28));
        note(&mut failure, &io::Error::from_raw_os_error(5));
        let first = failure.and_then(|error| error.raw_os_error());
        assert_eq!(first, Some(28));
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("missing/a"), b"").is_err());
    }
}
