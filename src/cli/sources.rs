//! The sources of the program as files: a stamp over all their bytes, and one over what of them can
//! reach a row. This file is a module of the build script, too, so that it uses std and blake3
//! alone. Which folders are the sources, and which files can reach a row, is listed here.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The path of each file below the folder of the sources, and its bytes.
pub type Files = BTreeMap<String, Vec<u8>>;

/// What the program is built of.
pub const SOURCES: [&str; 4] = ["src", "build", "Cargo.toml", "Cargo.lock"];

/// The package of the solver, which has a stamp of its own.
const SOLVER: &str = "src/solver/";

/// What of the sources can reach a row: the rules and searches, the plans, the runner and the
/// store, what the command line changes of a plan, what makes all results old, which packages are
/// built in, and how they are compiled. tests/diff_against.rs holds it against what the code
/// version is made of.
const REACH_ROWS: [&str; 8] = [
    "src/solver/",
    "src/experiment/",
    "src/cli/spec_options.rs",
    "src/cli/run.rs",
    "src/cli/trial.rs",
    "build/tables.rs",
    "Cargo.toml",
    "Cargo.lock",
];

/// The files of the sources below `root`.
///
/// # Errors
/// A file or folder that cannot be read.
pub fn read(root: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for name in SOURCES {
        add(root, name, &mut files)?;
    }
    Ok(files)
}

fn add(root: &Path, name: &str, files: &mut Files) -> io::Result<()> {
    let path = root.join(name);
    let failed = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
    if !path.is_dir() {
        files.insert(name.to_owned(), fs::read(path).map_err(failed)?);
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry?.file_name();
        let entry = entry.to_string_lossy();
        // Editors write such files beside those that they edit.
        let is_of_editor = entry.starts_with(['.', '#']) || entry.ends_with(['~', '#']);
        if !is_of_editor {
            add(root, &format!("{name}/{entry}"), files)?;
        }
    }
    Ok(())
}

/// BLAKE3 over the paths, lengths and bytes of all files: 64 hexadecimal digits.
pub fn stamp(files: &Files) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in files {
        hasher.update(format!("{name} {}\n", bytes.len()).as_bytes());
        hasher.update(bytes);
    }
    hasher.finalize().to_hex().to_string()
}

/// The [`stamp`] of the solver's package, with paths below its own folder: as its own build script
/// computes it.
#[allow(dead_code)]
pub fn solver_stamp(files: &Files) -> String {
    let of_solver = files.iter().filter_map(|(name, bytes)| {
        let name = name.strip_prefix(SOLVER)?;
        Some((name.to_owned(), bytes.clone()))
    });
    stamp(&of_solver.collect())
}

/// True for a file that can reach a row.
pub fn reaches_rows(name: &str) -> bool {
    let is_code = [".rs", ".toml", ".lock"]
        .iter()
        .any(|end| name.ends_with(end));
    let is_below = |listed: &str| listed.ends_with('/') && name.starts_with(listed);
    let mut listed = REACH_ROWS.into_iter();
    is_code && listed.any(|listed| name == listed || is_below(listed))
}

/// BLAKE3 over what can reach a row, without comments, blank lines and indentation: 16 hexadecimal
/// digits. The rows of two programs with the same ones are the same.
pub fn row_sources(files: &Files) -> String {
    let code = files
        .iter()
        .filter(|(name, _)| reaches_rows(name))
        .map(|(name, bytes)| {
            let text = String::from_utf8_lossy(bytes);
            let comment = if name.ends_with(".rs") { "//" } else { "#" };
            let lines = text.lines().map(str::trim);
            let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(comment));
            let code: String = lines.map(|line| format!("{line}\n")).collect();
            (name.clone(), code.into_bytes())
        });
    stamp(&code.collect())[..16].to_owned()
}
