//! Files that are written whole or not at all, and read within bounds. Here are the temporary names
//! (`.partial-`), the age at which such a file counts as left by a killed process (an hour), what
//! is written to the disk before a name is given, and the largest file that is read.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempPath;

use super::StoreError;

/// The largest file that this program writes, by far: a longer one is no table of a run.
pub const MOST: u64 = 1 << 33;
/// Ends what is said of a damaged file.
pub const UNREAD: &str = "the file is damaged and was not read";
/// Begins the name of a file that is not whole yet.
pub const UNFINISHED: &str = ".partial-";

/// Writes `bytes` to `path` so that a reader, a crash or a full disk leaves the old file or the new
/// one, never a part: a temporary name in the same folder, synced, renamed, and the folder synced.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Staged::in_folder(above(path))?;
    file.write_all(bytes)?;
    file.publish(path)
}

/// The one path of a file or folder, there or not, without the links that lead to it.
pub fn real_path(path: &Path) -> PathBuf {
    // Where the present folder is gone, there is no other path.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (above.canonicalize(), path.strip_prefix(above)) {
            // Joined with nothing, a path would end with a slash.
            return real.components().chain(rest.components()).collect();
        }
    }
    path
}

/// A file in the making, under a temporary name in its folder; dropped, it leaves nothing.
#[derive(Debug)]
pub struct Staged {
    file: BufWriter<File>,
    path: TempPath,
}

impl Staged {
    /// # Errors
    /// A folder that cannot be written.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        const HOUR: Duration = Duration::from_secs(3600);
        // As far as it can: what was left there harms nothing.
        let _ = remove_unfinished(folder, HOUR);
        // The system's error, to which tempfile adds the temporary name: no reader has chosen that,
        // and of some errors, as of too many open files, nothing else is left.
        let mut code = None;
        let open = |path: &Path| {
            let opened = File::options()
                .read(true)
                .write(true)
                .create_new(true)
                .open(path);
            code = opened.as_ref().err().and_then(io::Error::raw_os_error);
            opened
        };
        let file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .make_in(folder, open);
        let file = file.map_err(|error| code.map_or(error, io::Error::from_raw_os_error))?;
        // An error of the file alone has the system's words.
        let (file, path) = file.into_parts();
        // Where there are no locks, its age says that it is in use.
        let _ = file.try_lock_shared();
        Ok(Self {
            file: BufWriter::new(file),
            path,
        })
    }

    /// Ends the file, waits until the disk has it and gives it its name, which may replace an older
    /// file.
    pub fn publish(self, path: &Path) -> io::Result<()> {
        // Open, and so locked, until the file has its name.
        let file = self.file.into_inner();
        let file = file.map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        self.path.persist(path)?;
        sync_folder(above(path))
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Makes a folder and those above it; a power cut leaves none or one that can be found.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    // The present folder and the root have nothing above them, even where the system does not say
    // that they are there.
    let folder = above(path);
    let is_topmost = path.parent().is_none() || path == folder;
    if !is_topmost {
        make_folder(folder)?;
    }
    match fs::create_dir(path) {
        // Another process was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Ok(()),
            // The system does not say what is there.
            Err(unknown) if unknown.kind() != ErrorKind::NotFound => Err(unknown),
            _ => Err(ErrorKind::NotADirectory.into()),
        },
        made => made,
    }?;
    sync_folder(folder)
}

/// The folder in which a file or folder is.
pub fn above(path: &Path) -> &Path {
    let folder = path.parent();
    let named = folder.filter(|folder| !folder.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

/// Removes what killed processes had begun to write into `folder`: files of this age at least, that
/// no process has locked.
pub fn remove_unfinished(folder: &Path, least_age: Duration) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_begun = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        if is_begun && is_left(&entry, least_age) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// True for a file of this age at least that no process has locked; of a link its own age counts.
fn is_left(entry: &DirEntry, least_age: Duration) -> bool {
    // A pipe would wait for a writer.
    if !entry.path().is_file() {
        return false;
    }
    let metadata = entry.metadata();
    let modified = metadata.and_then(|metadata| metadata.modified());
    let age = modified.map(|modified| modified.elapsed().unwrap_or_default());
    let is_free = |file: File| !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    age.is_ok_and(|age| age >= least_age) && File::open(entry.path()).is_ok_and(is_free)
}

/// Writes the names in a folder to the disk, on those file systems that can.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let lacks = |kind| matches!(kind, ErrorKind::InvalidInput | ErrorKind::Unsupported);
    match File::open(folder)?.sync_all() {
        Err(error) if lacks(error.kind()) => Ok(()),
        synced => synced,
    }
}

/// BLAKE3 of a file's bytes, 64 hexadecimal digits. The file is read in pieces, so that one of any
/// size takes little memory.
pub fn checksum_of(path: &Path, most: u64) -> Result<String, StoreError> {
    let (file, length) = open(path, most)?;
    let mut hasher = blake3::Hasher::new();
    let read = io::copy(&mut file.take(length + 1), &mut hasher);
    read.map_err(StoreError::io(path))?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// BLAKE3 of `bytes`, 64 hexadecimal digits.
pub fn checksum(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The text of a file of at most so many bytes.
///
/// # Errors
/// A file that cannot be read, is no regular file, is larger, or is no UTF-8.
pub fn text_of(path: &Path, most: u64) -> Result<String, StoreError> {
    let text = String::from_utf8(bytes_of(path, most)?);
    text.map_err(|_| StoreError::format(path, "not UTF-8"))
}

/// The bytes of a file, of which there are at most so many: as many as it had, and no more than
/// one beyond.
pub fn bytes_of(path: &Path, most: u64) -> Result<Vec<u8>, StoreError> {
    let (file, length) = open(path, most)?;
    let mut bytes = Vec::new();
    let read = file.take(length + 1).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(StoreError::io(path))
}

/// Opens a regular file. Anything else might never end, and a pipe would already wait here.
pub fn open(path: &Path, most: u64) -> Result<(File, u64), StoreError> {
    let metadata = path.metadata().map_err(StoreError::io(path))?;
    if !metadata.is_file() {
        let reason = format!("it is no regular file; expected one: {UNREAD}");
        return Err(StoreError::format(path, reason));
    }
    let length = metadata.len();
    if length > most {
        let reason = format!("it has {length} bytes; expected at most {most}");
        return Err(StoreError::format(path, reason));
    }
    Ok((File::open(path).map_err(StoreError::io(path))?, length))
}
