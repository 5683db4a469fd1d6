//! ZIP archives, as far as a crate needs them: files of at most 4 GB, stored or deflated, with
//! names in order and one date, so that the same files give the same bytes.
//!
//! Not the crate `zip`: it deflates by `flate2`, whose packer any other dependency may replace by
//! switching on a feature, so that the bytes would depend on more than a version in Cargo.toml.
//! Here they are those of the pinned `miniz_oxide`, which packs the replays too.

use std::path::{Component, Path};

use super::Files;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// Bytes of the last record, without a comment.
const END_SIZE: usize = 22;
/// 1 January 1980, the first day that the format has.
const DAY: u16 = 0x0021;
const VERSION: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const LEVEL: u8 = 9;

/// An archive of these files, in the order of their names.
///
/// # Errors
/// In words: a file or an archive of more than 4 GB.
pub fn write(files: &Files) -> Result<Vec<u8>, String> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let packed = miniz_oxide::deflate::compress_to_vec(bytes, LEVEL);
        let smaller = packed.len() < bytes.len();
        let (method, packed) = if smaller {
            (DEFLATED, &packed)
        } else {
            (STORED, bytes)
        };
        let offset = size(name, archive.len())?;
        let mut facts = Vec::new();
        for word in [VERSION, FLAGS, method, 0, DAY] {
            facts.extend(word.to_le_bytes());
        }
        for number in [
            crc32(bytes),
            size(name, packed.len())?,
            size(name, bytes.len())?,
        ] {
            facts.extend(number.to_le_bytes());
        }
        let length = u16::try_from(name.len()).map_err(|_| format!("{name}: too long a name"))?;
        facts.extend(length.to_le_bytes());
        facts.extend(0u16.to_le_bytes());
        archive.extend(LOCAL.to_le_bytes());
        archive.extend(&facts);
        archive.extend(name.as_bytes());
        archive.extend(packed);
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&facts);
        // No comment, first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, length) = (
        size("archive", archive.len())?,
        size("archive", directory.len())?,
    );
    let count = u16::try_from(files.len()).map_err(|_| "too many files".to_owned())?;
    archive.extend(directory);
    archive.extend(END.to_le_bytes());
    archive.extend([0; 4]);
    archive.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    archive.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    archive.extend([0; 2]);
    Ok(archive)
}

/// The files of an archive; folders are left out.
///
/// # Errors
/// In words: no archive, one that is damaged or encrypted, or a name that leads out of it.
pub fn read(archive: &[u8]) -> Result<Files, String> {
    let cut = || "cut off, or no ZIP archive".to_owned();
    let end = archive
        .windows(4)
        .rposition(|it| it == END.to_le_bytes())
        .filter(|end| end + END_SIZE <= archive.len())
        .ok_or_else(cut)?;
    let mut at = number(archive, end + 16).ok_or_else(cut)? as usize;
    let count = word(archive, end + 10).ok_or_else(cut)?;
    let mut files = Files::new();
    for _ in 0..count {
        let is_entry = number(archive, at) == Some(CENTRAL);
        let facts = archive
            .get(at..at + 46)
            .filter(|_| is_entry)
            .ok_or_else(cut)?;
        let half = |place| word(facts, place).unwrap_or_default();
        let whole = |place| number(facts, place).unwrap_or_default();
        let lengths = [28, 30, 32].map(|place| usize::from(half(place)));
        let name = archive.get(at + 46..at + 46 + lengths[0]).ok_or_else(cut)?;
        let name =
            String::from_utf8(name.to_vec()).map_err(|_| "a name is not UTF-8".to_owned())?;
        at += 46 + lengths.iter().sum::<usize>();
        if name.ends_with('/') {
            continue;
        }
        refuse_outside(&name)?;
        if half(8) & 1 != 0 {
            return Err(format!("{name}: encrypted"));
        }
        let local = whole(42) as usize;
        let skipped = [26, 28].map(|place| word(archive, local + place).map(usize::from));
        let [Some(own_name), Some(extra)] = skipped else {
            return Err(cut());
        };
        let start = local + 30 + own_name + extra;
        let packed = archive
            .get(start..start + whole(20) as usize)
            .ok_or_else(cut)?;
        let bytes = match half(10) {
            STORED => packed.to_vec(),
            DEFLATED => {
                let most = whole(24) as usize;
                miniz_oxide::inflate::decompress_to_vec_with_limit(packed, most)
                    .map_err(|_| format!("{name}: damaged"))?
            }
            method => {
                return Err(format!(
                    "{name}: packed by method {method}; allowed are 0 and 8"
                ));
            }
        };
        if crc32(&bytes) != whole(16) {
            return Err(format!("{name}: damaged, another checksum"));
        }
        files.insert(name, bytes);
    }
    Ok(files)
}

/// An archive must not write outside of the folder that it is unpacked into.
fn refuse_outside(name: &str) -> Result<(), String> {
    let mut pieces = Path::new(name).components();
    let is_inside = pieces.all(|it| matches!(it, Component::Normal(_)));
    let is_plain = !name.contains('\\') && !name.contains('\0');
    (is_inside && is_plain)
        .then_some(())
        .ok_or_else(|| format!("{name:?}: a name that leads out of the archive"))
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    let word = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(word.try_into().ok()?))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let number = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(number.try_into().ok()?))
}

fn size(name: &str, size: usize) -> Result<u32, String> {
    u32::try_from(size).map_err(|_| format!("{name}: more than 4 GB, which a crate cannot hold"))
}

/// The remainders of all bytes.
const REMAINDERS: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut value, mut bit) = (byte as u32, 0);
        while bit < 8 {
            value = if value & 1 == 1 {
                0xedb8_8320 ^ (value >> 1)
            } else {
                value >> 1
            };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

/// The checksum of the format: CRC-32 of ISO 3309.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (crc >> 8) ^ REMAINDERS[usize::from(crc as u8 ^ byte)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Files {
        let long = b"the same again, ".repeat(1000);
        let files = [
            ("b/c.txt", long),
            ("a", Vec::new()),
            ("ü.md", b"x".to_vec()),
        ];
        files.map(|(name, bytes)| (name.to_owned(), bytes)).into()
    }

    /// The check value of the algorithm's definition.
    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn what_is_written_is_read_and_always_the_same() {
        let archive = write(&files()).expect("small");
        assert!(archive.len() < 1000, "{}", archive.len());
        assert_eq!(read(&archive).expect("whole"), files());
        assert_eq!(write(&files()).expect("small"), archive);
    }

    #[test]
    fn a_damaged_archive_is_refused() {
        let archive = write(&files()).expect("small");
        for end in 0..archive.len() - 1 {
            assert!(read(&archive[..end]).is_err(), "cut off at {end}");
        }
        let stored = archive
            .windows(5)
            .position(|it| it == b".mdx\x50")
            .expect("a stored file");
        let mut damaged = archive.clone();
        damaged[stored + 3] = b'y';
        assert!(
            read(&damaged)
                .expect_err("damaged")
                .contains("another checksum")
        );
        for name in ["../a", "/a", "a/../../b", "a\\b"] {
            let outside = Files::from([(name.to_owned(), Vec::new())]);
            let reason = read(&write(&outside).expect("small")).expect_err(name);
            assert!(reason.contains("leads out of the archive"), "{reason}");
        }
    }
}
