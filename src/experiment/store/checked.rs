//! Files whose bytes are compared with a checksum before anything makes use of them. Nothing is
//! mapped into memory, where a read that fails could only kill the process.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::StoreError;
use crate::experiment::provenance::{FileSeal, checksum};

/// All bytes of the file at `path`, which are those of its seal.
///
/// # Errors
/// A file that cannot be read, of which nothing is known then; one that is no regular file, of
/// another length, or with another checksum.
pub fn read(path: &Path, seal: &FileSeal) -> Result<Vec<u8>, StoreError> {
    let (mut file, length) = open(path)?;
    if let Some(expected) = seal.bytes.filter(|bytes| *bytes != length) {
        let reason =
            format!("{length} bytes; expected {expected}: the file is damaged and was not read");
        return Err(StoreError::format(path, reason));
    }
    let bytes = read_up_to(&mut file, length).map_err(StoreError::io(path))?;
    let found = checksum(&bytes);
    if found == seal.blake3 {
        return Ok(bytes);
    }
    Err(StoreError::Checksum {
        path: path.into(),
        expected: seal.blake3.clone(),
        found,
    })
}

/// The text of a small file.
///
/// # Errors
/// A file that cannot be read, is no regular file, has more than `most` bytes, or is no UTF-8.
pub fn read_small(path: &Path, most: u64) -> Result<String, StoreError> {
    let (mut file, length) = open(path)?;
    if length > most {
        let reason = format!("it is larger than {most} bytes; expected what this program writes");
        return Err(StoreError::format(path, reason));
    }
    let bytes = read_up_to(&mut file, length).map_err(StoreError::io(path))?;
    String::from_utf8(bytes).map_err(|_| StoreError::format(path, "not UTF-8"))
}

/// The largest file that this program writes, by far: a longer one is no table of a run.
const MOST: u64 = 1 << 33;

/// Opens a regular file. Anything else might never end, and a pipe would already wait here.
fn open(path: &Path) -> Result<(File, u64), StoreError> {
    let metadata = path.metadata().map_err(StoreError::io(path))?;
    if !metadata.is_file() {
        let reason = "it is no regular file; expected one: the file is damaged and was not read";
        return Err(StoreError::format(path, reason));
    }
    let length = metadata.len();
    if length > MOST {
        let reason = format!("it has {length} bytes; expected at most {MOST}");
        return Err(StoreError::format(path, reason));
    }
    Ok((File::open(path).map_err(StoreError::io(path))?, length))
}

/// The bytes of a file that had this length, and no more than one beyond.
fn read_up_to(file: &mut File, length: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(length + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
