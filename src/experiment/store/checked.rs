//! Files whose bytes are compared with a checksum before anything makes use of them.
//!
//! A file is read once from its beginning to its end and compared with its checksum. What is read
//! of it later, some pieces at a time, is compared block by block with what was read then: a file
//! that is changed or cut meanwhile is an error and no table. Nothing is mapped into memory, where
//! a read that fails could only kill the process.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::parts::io_error;
use super::{StoreError, table::Bytes};

/// Bytes that are compared together.
const BLOCK: usize = 1 << 16;

/// A file that has the checksum that it should have.
#[derive(Debug)]
pub struct CheckedFile {
    file: File,
    /// Of each [`BLOCK`] of the file, the last of which may be shorter.
    blocks: Vec<blake3::Hash>,
    length: u64,
}

/// A file that was read to its end and has another checksum: damage, unlike a read that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherChecksum {
    /// BLAKE3 of the file, 64 hexadecimal digits.
    pub found: String,
}

impl CheckedFile {
    /// Reads the file at `path` to its end.
    ///
    /// # Errors
    /// A file that cannot be read, of which nothing is known then.
    pub fn open(path: &Path, expected: &str) -> Result<Result<Self, OtherChecksum>, StoreError> {
        Self::read(path, expected).map_err(io_error(path))
    }

    fn read(path: &Path, expected: &str) -> io::Result<Result<Self, OtherChecksum>> {
        let mut file = File::open(path)?;
        let (mut hasher, mut blocks, mut length) = (blake3::Hasher::new(), Vec::new(), 0);
        let mut block = vec![0; BLOCK];
        loop {
            let filled = fill(&mut file, &mut block)?;
            if filled == 0 {
                break;
            }
            hasher.update(&block[..filled]);
            blocks.push(blake3::hash(&block[..filled]));
            length += filled as u64;
        }
        let found = hasher.finalize().to_hex();
        if found.as_str() != expected {
            let found = found.to_string();
            return Ok(Err(OtherChecksum { found }));
        }
        Ok(Ok(Self {
            file,
            blocks,
            length,
        }))
    }

    /// Reads the blocks that hold `range` into their places in `whole`.
    fn read_blocks(&self, range: &Range<u64>, whole: &mut [u8]) -> io::Result<()> {
        let blocks = place(range.start) / BLOCK..place(range.end).div_ceil(BLOCK);
        for number in blocks {
            let from = number * BLOCK;
            let to = (from + BLOCK).min(whole.len());
            let block = &mut whole[from..to];
            self.file.read_exact_at(block, from as u64)?;
            if self.blocks.get(number) != Some(&blake3::hash(block)) {
                let reason = "the file was changed while it was read";
                return Err(io::Error::other(reason));
            }
        }
        Ok(())
    }
}

impl Bytes for CheckedFile {
    fn length(&self) -> u64 {
        self.length
    }

    /// As long as the file; beside the ranges only memory that is never touched, and so not taken.
    fn in_place(&self, ranges: &[Range<u64>]) -> io::Result<Cow<'_, [u8]>> {
        let mut whole = vec![0; place(self.length)];
        for range in ranges {
            let range = range.start.min(self.length)..range.end.min(self.length);
            self.read_blocks(&range, &mut whole)?;
        }
        Ok(Cow::Owned(whole))
    }
}

/// Reads until the block is full or the file ends.
fn fill(file: &mut File, block: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match file.read(&mut block[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A place in a file that is no longer than what memory can address.
fn place(offset: u64) -> usize {
    usize::try_from(offset).expect("files are no longer than 2^64 bytes, nor is memory")
}

/// The bytes of a small file.
///
/// # Errors
/// A file that cannot be read, or has more than `most` bytes.
pub fn read_small(path: &Path, most: u64) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(io_error(path))?;
    if bytes.len() as u64 > most {
        return Err(StoreError::Format {
            path: path.into(),
            reason: format!("is larger than {most} bytes, and so was not written by this program"),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn written(bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("the system has a temporary folder");
        let path = folder.path().join("a");
        fs::write(&path, bytes).expect("the folder can be written");
        (folder, path)
    }

    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|i| (i * 7 % 251) as u8).collect()
    }

    fn opened(path: &Path, bytes: &[u8]) -> CheckedFile {
        let checksum = blake3::hash(bytes).to_hex();
        let checked = CheckedFile::open(path, &checksum).expect("it can be read");
        checked.expect("it has its checksum")
    }

    #[test]
    fn ranges_are_in_their_places() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17] {
            let bytes = bytes(length);
            let (_folder, path) = written(&bytes);
            let file = opened(&path, &bytes);
            assert_eq!(file.length(), length as u64);
            let last = length as u64;
            for range in [
                0..0,
                0..last,
                last / 2..last,
                last / 3..last / 2,
                0..last + 9,
            ] {
                let whole = file
                    .in_place(std::slice::from_ref(&range))
                    .expect("it is there");
                let [from, to] = [range.start, range.end.min(last)].map(|it| it as usize);
                assert_eq!(whole[from..to], bytes[from..to], "{length} {range:?}");
                assert_eq!(whole.len(), length);
            }
        }
    }

    #[test]
    fn another_checksum_is_damage_and_a_missing_file_is_not() {
        let (folder, path) = written(b"one");
        let two = blake3::hash(b"two").to_hex();
        let damage = CheckedFile::open(&path, &two).expect("it can be read");
        let found = damage.expect_err("another checksum").found;
        assert_eq!(found, blake3::hash(b"one").to_hex().as_str());
        let missing = CheckedFile::open(&folder.path().join("b"), &two);
        assert!(matches!(missing, Err(StoreError::Io { .. })));
    }

    /// What is cut or changed after it was compared is no table and kills no process.
    #[test]
    fn a_file_that_is_changed_while_it_is_read_is_an_error() {
        let bytes = bytes(2 * BLOCK + 100);
        let (_folder, path) = written(&bytes);
        let file = opened(&path, &bytes);
        let range = BLOCK as u64 + 5..BLOCK as u64 + 6;
        let read = |range: &Range<u64>| file.in_place(std::slice::from_ref(range)).is_ok();
        assert!(read(&range));
        let mut changed = bytes.clone();
        changed[BLOCK + 99] ^= 1;
        fs::write(&path, &changed).expect("it can be written");
        assert!(!read(&range), "changed");
        assert!(read(&(0..10)), "not changed there");
        fs::write(&path, &bytes[..BLOCK]).expect("it can be written");
        assert!(!read(&range), "cut");
    }

    #[test]
    fn a_large_file_is_not_read_into_memory() {
        let (_folder, path) = written(b"");
        let file = File::create(&path).expect("it can be made");
        file.set_len(1 << 34).expect("a file with a hole");
        assert!(matches!(
            read_small(&path, 1 << 10),
            Err(StoreError::Format { .. })
        ));
        file.set_len(1 << 10).expect("it can be cut");
        assert_eq!(read_small(&path, 1 << 10).expect("small").len(), 1 << 10);
    }
}
