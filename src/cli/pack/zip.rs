//! ZIP archives of crates: stored entries in the order of their names and of one date, so that the
//! same files give the same bytes. Compressed entries are not read, so that no archive unpacks to
//! more than its own size.

use std::io::{Cursor, Read, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipArchive, ZipWriter};

use super::Files;

/// An archive of these files.
pub fn write(files: &Files) -> Result<Vec<u8>, ZipError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // 1 January 1980, the first day that the format has.
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .last_modified_time(DateTime::default());
    for (name, bytes) in files {
        archive.start_file(name.as_str(), options)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The files of an archive; folders are left out.
pub fn read(archive: &[u8]) -> Result<Files, String> {
    let length = archive.len() as u64;
    let refused = |error: ZipError| format!("cut off, damaged or no ZIP archive: {error}");
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(refused)?;
    let (mut files, mut declared) = (Files::new(), 0_u64);
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).map_err(refused)?;
        if file.is_dir() {
            continue;
        }
        let name = file.name().to_owned();
        // An archive must not write outside of the folder that it is unpacked into.
        let enclosed = file.enclosed_name();
        let is_enclosed = enclosed.is_some_and(|it| it.to_str() == Some(&*name));
        if !is_enclosed || name.contains('\\') {
            return Err(format!("{name:?}: a name that leads out of the archive"));
        }
        let size = file.size();
        declared = declared.saturating_add(size);
        if declared > length {
            return Err(format!(
                "its files declare {declared} bytes; expected at most its own {length}"
            ));
        }
        let mut bytes = Vec::new();
        // One byte more than it declares shows that it has more.
        let read = (&mut file).take(size + 1).read_to_end(&mut bytes);
        read.map_err(|error| format!("{name}: damaged: {error}"))?;
        if bytes.len() as u64 != size {
            return Err(format!(
                "{name}: damaged: not the {size} bytes that are declared"
            ));
        }
        files.insert(name, bytes);
    }
    Ok(files)
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

    /// Some kilobytes must not become gigabytes.
    #[test]
    fn an_archive_that_declares_more_than_it_has_is_refused() {
        let mut archive = write(&files()).expect("small");
        // The sizes of `b/c.txt`, stored, in the directory at the end: what it declares is doubled.
        let entry = archive.windows(7).rposition(|it| it == b"b/c.txt");
        let sizes = entry.expect("its entry") - 46 + 20;
        let twice = 32_000_u32.to_le_bytes();
        archive[sizes..sizes + 4].copy_from_slice(&twice);
        archive[sizes + 4..sizes + 8].copy_from_slice(&twice);
        assert!(read(&archive).is_err());
        let deflated = archive.windows(7).rposition(|it| it == b"b/c.txt");
        archive[deflated.expect("its entry") - 46 + 10] = 8;
        assert!(read(&archive).is_err(), "deflated");
    }

    #[test]
    fn what_is_written_is_read_and_a_damaged_archive_is_refused() {
        let archive = write(&files()).expect("small");
        assert_eq!(read(&archive).expect("whole"), files());
        for end in 0..archive.len() - 1 {
            assert!(read(&archive[..end]).is_err(), "cut off at {end}");
        }
        let stored = archive
            .windows(5)
            .position(|it| it == b".mdx\x50")
            .expect("a stored file");
        let mut damaged = archive.clone();
        damaged[stored + 3] = b'y';
        assert!(read(&damaged).expect_err("damaged").contains("damaged: "));
        for name in ["../a", "/a", "a/../../b", "a\\b"] {
            let outside = Files::from([(name.to_owned(), Vec::new())]);
            let reason = read(&write(&outside).expect("small")).expect_err(name);
            assert!(reason.contains("leads out of the archive"), "{reason}");
        }
    }
}
