//! The hash of each part of the sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::parts::{CHOICE, ENGINE, NOTHING, PARTS, Row};
use super::tokens;

/// A part of the sources.
#[derive(Debug, Default)]
pub struct Part {
    text: String,
    /// The other parts that it uses; without the engine.
    pub uses: &'static [&'static str],
}

/// The parts by their names.
pub type Parts = BTreeMap<&'static str, Part>;

impl Part {
    /// Lines, each after its length in bytes: the file's name, the number of its tokens, and these.
    fn add(&mut self, file: &str, texts: &[String]) {
        let head = [file.to_owned(), texts.len().to_string()];
        for text in head.iter().chain(texts) {
            self.text += &format!("{} {text}\n", text.len());
        }
    }

    /// 8 hex digits of the BLAKE3 over its files, in the order of their names.
    pub fn hash(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex()[..8].to_owned()
    }
}

/// The parts of files of these tokens.
pub fn parts(files: &BTreeMap<String, Vec<String>>) -> Parts {
    let mut parts = Parts::new();
    for (file, texts) in files {
        let (name, _, uses) = part_of(file);
        if ![CHOICE, NOTHING].contains(name) {
            let part = parts.entry(name).or_default();
            part.add(file, texts);
            part.uses = uses;
        }
    }
    parts
}

/// The row of [`PARTS`] that a file counts for: that of the file itself or of the nearest folder
/// around it that has one, else the engine's.
pub fn part_of(file: &str) -> &'static Row {
    const REST: Row = (ENGINE, &[], &[]);
    let mut path = Some(file.trim_end_matches(".rs"));
    while let Some(inside) = path {
        if let Some(row) = PARTS.iter().find(|row| row.1.contains(&inside)) {
            return row;
        }
        path = inside.rsplit_once('/').map(|(folder, _)| folder);
    }
    &REST
}

/// The tokens of every file of Rust in the solver's folder `root`, but for those that cannot reach
/// a row and those that only tests compile; refuses files that bring in what would not count.
pub fn files(root: &Path) -> Result<BTreeMap<String, Vec<String>>, String> {
    let (mut files, mut tests) = (BTreeMap::new(), Vec::new());
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let failed = |error| format!("{folder}: {error}");
        for entry in fs::read_dir(root.join(&folder)).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let name = format!("{folder}{}", name.to_string_lossy());
            if root.join(&name).is_dir() {
                folders.push(format!("{name}/"));
            } else if name.ends_with(".rs") && part_of(&name).0 != NOTHING {
                let failed = |error| format!("{name}: {error}");
                let text =
                    fs::read_to_string(root.join(&name)).map_err(|it| failed(it.to_string()))?;
                let (texts, own_tests) = tokens::of(&text).map_err(failed)?;
                // The modules of lib.rs lie beside it, those of another file in its folder.
                let around = match name.trim_end_matches(".rs") {
                    "lib" => String::new(),
                    file => format!("{file}/"),
                };
                let ends =
                    |module: String| ["/", ".rs"].map(|end| format!("{around}{module}{end}"));
                tests.extend(own_tests.into_iter().flat_map(ends));
                files.insert(name, texts);
            }
        }
    }
    files.retain(|file, _| !tests.iter().any(|test| file.starts_with(test)));
    Ok(files)
}
