//! Files whose bytes are compared with a checksum before anything makes use of them.
//!
//! A file is read once from its beginning to its end and compared with its checksum. What is read
//! of it later, some pieces at a time, is compared block by block with what was read then: a file
//! that is changed or cut meanwhile is an error and no table. Nothing is mapped into memory, where
//! a read that fails could only kill the process.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StoreError;

/// Bytes that are compared together.
const BLOCK: usize = 1 << 16;

/// A file that has the checksum that it should have.
#[derive(Debug)]
pub struct CheckedFile {
    pub path: PathBuf,
    file: File,
    pub known: Known,
}

/// What a file was when its checksum was compared.
#[derive(Debug, Clone)]
pub struct Known {
    /// The hash of each [`BLOCK`] of the file, the last of which may be shorter.
    blocks: Arc<[blake3::Hash]>,
    length: u64,
}

impl CheckedFile {
    /// Reads the file at `path` to its end.
    ///
    /// # Errors
    /// A file that cannot be read, of which nothing is known then; one with another checksum.
    pub fn open(path: &Path, expected: &str) -> Result<Self, StoreError> {
        let (found, file) = Self::read(path).map_err(StoreError::io(path))?;
        if found == expected {
            return Ok(file);
        }
        Err(StoreError::Checksum {
            path: path.into(),
            expected: expected.into(),
            found,
        })
    }

    /// A file whose checksum was compared before.
    pub fn reopen(path: &Path, known: Known) -> Result<Self, StoreError> {
        Ok(Self {
            path: path.into(),
            file: File::open(path).map_err(StoreError::io(path))?,
            known,
        })
    }

    fn read(path: &Path) -> io::Result<(String, Self)> {
        let mut file = File::open(path)?;
        let (mut hasher, mut blocks, mut length) = (blake3::Hasher::new(), Vec::new(), 0);
        let mut block = Vec::with_capacity(BLOCK);
        while (&mut file).take(BLOCK as u64).read_to_end(&mut block)? > 0 {
            hasher.update(&block);
            blocks.push(blake3::hash(&block));
            length += block.len() as u64;
            block.clear();
        }
        let known = Known {
            blocks: blocks.into(),
            length,
        };
        let path = path.into();
        let checked = Self { path, file, known };
        Ok((hasher.finalize().to_hex().to_string(), checked))
    }

    pub fn length(&self) -> u64 {
        self.known.length
    }

    /// A buffer as long as the file, in which the bytes in `ranges` are the file's; the rest is
    /// memory that is never touched, and so not allocated.
    ///
    /// # Errors
    /// Bytes that cannot be read, or are others than before.
    pub fn in_place(&self, ranges: &[Range<u64>]) -> Result<Vec<u8>, StoreError> {
        let length = self.length();
        let mut whole = vec![0; in_memory(length)];
        for range in ranges {
            let range = range.start.min(length)..range.end.min(length);
            self.read_blocks(&range, &mut whole)
                .map_err(StoreError::io(&self.path))?;
        }
        Ok(whole)
    }

    /// Reads the blocks that hold `range` at their offsets in `whole`.
    fn read_blocks(&self, range: &Range<u64>, whole: &mut [u8]) -> io::Result<()> {
        let blocks = in_memory(range.start) / BLOCK..in_memory(range.end).div_ceil(BLOCK);
        for number in blocks {
            let from = number * BLOCK;
            let to = (from + BLOCK).min(whole.len());
            let block = &mut whole[from..to];
            self.file.read_exact_at(block, from as u64)?;
            if self.known.blocks.get(number) != Some(&blake3::hash(block)) {
                let reason = "the file was changed while it was read";
                return Err(io::Error::other(reason));
            }
        }
        Ok(())
    }
}

/// An offset in a file that is no longer than what memory can address.
fn in_memory(offset: u64) -> usize {
    usize::try_from(offset).expect("files are no longer than 2^64 bytes, nor is memory")
}

/// The text of a small file.
///
/// # Errors
/// A file that cannot be read, has more than `most` bytes, or is no UTF-8.
pub fn read_small(path: &Path, most: u64) -> Result<String, StoreError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(StoreError::io(path))?;
    if bytes.len() as u64 > most {
        let reason = format!("it is larger than {most} bytes; expected what this program writes");
        return Err(StoreError::format(path, reason));
    }
    String::from_utf8(bytes).map_err(|_| StoreError::format(path, "not UTF-8"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What is cut or changed after it was compared is no table and kills no process.
    #[test]
    fn a_file_that_is_changed_while_it_is_read_is_an_error() {
        let folder = tempfile::tempdir().expect("the system has a temporary folder");
        let (path, mut bytes) = (folder.path().join("a"), vec![7; 2 * BLOCK + 100]);
        fs::write(&path, &bytes).expect("the folder can be written");
        let file = CheckedFile::open(&path, blake3::hash(&bytes).to_hex().as_str());
        let file = file.expect("it has its checksum");
        let range = BLOCK as u64 + 5..BLOCK as u64 + 6;
        let read = |range: &Range<u64>| file.in_place(std::slice::from_ref(range)).is_ok();
        assert!(read(&range));
        bytes[BLOCK + 99] ^= 1;
        fs::write(&path, &bytes).expect("it can be written");
        assert!(!read(&range) && read(&(0..10)), "not changed there");
        fs::write(&path, &bytes[..BLOCK]).expect("it can be written");
        assert!(!read(&range), "cut");
    }
}
