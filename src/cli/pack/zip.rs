//! ZIP archives of crates: stored entries in the order of their names and of one date, so that the
//! same files give the same bytes. Read are deflated ones too, as earlier releases packed them.

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
    let refused = |error: ZipError| format!("cut off, damaged or no ZIP archive: {error}");
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(refused)?;
    let mut files = Files::new();
    for place in 0..archive.len() {
        let mut file = archive.by_index(place).map_err(refused)?;
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
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(|error| format!("{name}: damaged: {error}"))?;
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
