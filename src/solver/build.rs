//! Hashes the code of each part of the solver, on which results depend (`reines_solver::PARTS`).
//! Decided here: which files are of which part, what does not count (comments, blank lines, tests),
//! and which part uses which others: hence which results a change of code makes old.

use std::{collections::BTreeMap, fs};

/// The parts, each the file and the folder of its name, and those that they use besides the engine,
/// which is all the rest. No result depends on the last three: they choose, or no part names them.
pub const PARTS: &str =
    "local;synchronous local;factor;exact;cp;min_conflicts;registry;dynamics;density";

fn main() {
    println!("cargo:rerun-if-changed=.");
    println!("cargo:rustc-env=REINES_PARTS={}", parts(&files(".")));
    println!("cargo:rustc-env=REINES_SOLVER_STAMP={}", stamp("."));
}

/// BLAKE3 over the paths, lengths and bytes of the package's files (`stamp` of src/cli/sources.rs,
/// which a package of its own cannot use).
fn stamp(root: &str) -> String {
    let mut files = BTreeMap::new();
    let mut names = vec![String::new()];
    while let Some(name) = names.pop() {
        let path = format!("{root}{name}");
        let Ok(entries) = fs::read_dir(&path) else {
            files.insert(name[1..].to_owned(), fs::read(&path).expect(&path));
            continue;
        };
        for entry in entries {
            let entry = entry.expect(&path).file_name();
            let entry = entry.to_string_lossy();
            let is_of_editor = entry.starts_with(['.', '#']) || entry.ends_with(['~', '#']);
            if !is_of_editor {
                names.push(format!("{name}/{entry}"));
            }
        }
    }
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in files {
        hasher.update(format!("{name} {}\n", bytes.len()).as_bytes());
        hasher.update(&bytes);
    }
    hasher.finalize().to_hex().to_string()
}

/// The code of every file below a folder but for files of tests and this one.
pub fn files(root: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut names = vec![String::new()];
    while let Some(name) = names.pop() {
        let path = format!("{root}{name}");
        if name.ends_with(".rs") && name != "/build.rs" {
            let text = fs::read_to_string(&path).expect(&path);
            files.insert(name[1..].to_owned(), code(&path, &text));
        }
        for entry in fs::read_dir(&path).into_iter().flatten() {
            let entry = entry.expect(&path).file_name();
            names.push(format!("{name}/{}", entry.display()));
        }
        names.retain(|name| !name.ends_with("/tests") && !name.ends_with("/tests.rs"));
    }
    files
}

/// The lines of a file but for blank ones, comments and `mod tests`, which takes out no others.
pub fn code(file: &str, text: &str) -> String {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let lines = text.lines().filter(is_code);
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    let without_files_of_tests = lines
        .replace("#[cfg(test)]\nmod tests;\n", "")
        .replace("#[cfg(test)]\npub(super) mod tests;\n", "");
    let inline = without_files_of_tests.split_once("#[cfg(test)]\nmod tests {");
    let (code, tests) = inline.unwrap_or((&without_files_of_tests, "\n}\n"));
    let is_last = tests.find("\n}\n") == Some(tests.len() - 3);
    assert!(is_last, "{file}: code behind `mod tests {{ … }}`");
    let refused = ["mod tests", "include!", "include_", "path = \""];
    let refused = refused.into_iter().find(|word| code.contains(word));
    assert_eq!(refused, None, "{file}: brings in what does not count");
    code.to_owned()
}

/// `hash name used used …` of each part, `;` between them.
pub fn parts(files: &BTreeMap<String, String>) -> String {
    let mut parts = BTreeMap::<&str, blake3::Hasher>::new();
    for (file, code) in files {
        let top = file.split(['/', '.']).next();
        let row = PARTS.split(';').find(|row| row.split(' ').next() == top);
        let part = parts.entry(row.unwrap_or("engine")).or_default();
        part.update(format!("{file} {}\n{code}", code.len()).as_bytes());
    }
    let row = |(row, it): (_, &blake3::Hasher)| format!("{:.8} {row}", it.finalize().to_hex());
    parts.iter().map(row).collect::<Vec<_>>().join(";")
}
