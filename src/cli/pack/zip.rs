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

/// Bytes that the files of any archive may have,
const MOST_INFLATED: u64 = 1 << 24;
/// and, of a larger archive, how many times its own: tables are compressed already, and text
/// shrinks to a tenth.
const MOST_TIMES: u64 = 64;

/// The files of an archive; folders are left out.
pub fn read(archive: &[u8]) -> Result<Files, String> {
    let length = archive.len() as u64;
    let refused = |error: ZipError| format!("cut off, damaged or no ZIP archive: {error}");
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(refused)?;
    let most = MOST_INFLATED.max(length.saturating_mul(MOST_TIMES));
    let (mut files, mut declared) = (Files::new(), 0_u64);
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
        let size = file.size();
        declared = declared.saturating_add(size);
        if declared > most {
            return Err(format!(
                "its files have more than {most} bytes, too many for an archive of {length}"
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
    fn an_archive_that_inflates_without_measure_is_refused() {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        let options = options.compression_method(zip::CompressionMethod::Deflated);
        archive.start_file("a", options).expect("a new name");
        for _ in 0..40 {
            archive.write_all(&[0; 1 << 20]).expect("memory");
        }
        let archive = archive.finish().expect("memory").into_inner();
        assert!(archive.len() < 1 << 16);
        let reason = read(&archive).expect_err("40 MiB in some kilobytes");
        assert!(reason.contains("too many for an archive of"), "{reason}");
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
