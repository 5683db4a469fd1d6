//! The hash of each part of the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::parts::{CHOICE, ENGINE, NOTHING, OUTSIDE, PARTS, Row};
use super::tokens;

/// A part of the sources.
#[derive(Debug, Default)]
pub struct Part {
    text: String,
    /// The other parts that it uses; without the engine.
    pub uses: &'static [&'static str],
}

/// The packages of the program: what their dependencies are.
pub const MANIFESTS: [&str; 2] = ["Cargo.toml", "src/solver/Cargo.toml"];

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

/// The parts of the sources in the folder `root`; refuses files that bring in what would not count.
pub fn parts(root: &Path) -> Result<Parts, String> {
    let manifests = MANIFESTS.map(|manifest| read(root, manifest));
    let manifests = manifests.into_iter().collect::<Result<String, _>>()?;
    of(&files(root)?, &manifests, &read(root, "Cargo.lock")?)
}

/// The parts of files of these tokens, with these texts of the manifests and of Cargo.lock.
pub fn of(
    files: &BTreeMap<String, Vec<String>>,
    manifests: &str,
    lock: &str,
) -> Result<Parts, String> {
    let mut parts = Parts::new();
    for (file, texts) in files {
        if let Some((name, _, uses)) = part_of(file)
            && ![CHOICE, NOTHING].contains(name)
        {
            let part = parts.entry(name).or_default();
            part.add(file, texts);
            part.uses = uses;
        }
    }
    let engine = parts.entry(ENGINE).or_default();
    engine.add("Cargo.lock", &dependencies(manifests, lock)?);
    Ok(parts)
}

/// The row of [`PARTS`] that a file counts for: that of the file itself or of the nearest folder
/// around it that has one.
pub fn part_of(file: &str) -> Option<&'static Row> {
    let mut path = file.strip_suffix(".rs")?;
    loop {
        if let Some(row) = PARTS.iter().find(|row| row.1.contains(&path)) {
            return Some(row);
        }
        path = path.rsplit_once('/')?.0;
    }
}

/// The tokens of every file that a row of [`PARTS`] fits, but for files that only tests compile.
pub fn files(root: &Path) -> Result<BTreeMap<String, Vec<String>>, String> {
    let (mut files, mut tests) = (BTreeMap::new(), Vec::new());
    let mut folders = vec!["src".to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error| format!("{folder}: {error}");
        for entry in fs::read_dir(root.join(&folder)).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let name = format!("{folder}/{}", name.to_string_lossy());
            if root.join(&name).is_dir() {
                folders.push(name);
            } else if part_of(&name).is_some() {
                let (texts, own_tests) =
                    tokens::of(&read(root, &name)?).map_err(|error| format!("{name}: {error}"))?;
                let folder = name.trim_end_matches(".rs");
                let ends =
                    |module: String| ["/", ".rs"].map(|end| format!("{folder}/{module}{end}"));
                tests.extend(own_tests.into_iter().flat_map(ends));
                files.insert(name, texts);
            }
        }
    }
    files.retain(|file, _| !tests.iter().any(|test| file.starts_with(test)));
    Ok(files)
}

/// The lines of the manifests (version and features) but for those of [`OUTSIDE`], and what
/// Cargo.lock says of each package that they need. Refuses a dependency that is not one line of its
/// section.
fn dependencies(manifests: &str, lock: &str) -> Result<Vec<String>, String> {
    let outside: Vec<&str> = OUTSIDE.split(' ').chain(["", "#"]).collect();
    let sections = manifests.split("\n[dependencies]\n").skip(1);
    let lines = sections.flat_map(|it| it.lines().take_while(|line| !line.starts_with('[')));
    let is_entry = |line: &str| line.contains(" = ") && line.ends_with(['"', '}']);
    let is_whole = |line: &&str| line.is_empty() || line.starts_with('#') || is_entry(line);
    let tables = manifests
        .lines()
        .filter(|line| line.starts_with("[dependencies.") || line.starts_with("[target."));
    if let Some(line) = lines
        .clone()
        .filter(|line| !is_whole(line))
        .chain(tables)
        .next()
    {
        return Err(format!(
            "Cargo.toml: {line}: expected one line for each dependency"
        ));
    }
    let lines = lines.filter(|line| !outside.contains(&name(line)));
    let mut texts: BTreeSet<&str> = lines.collect();
    let mut waiting: Vec<&str> = texts.iter().map(|line| name(line)).collect();
    while let Some(needed) = waiting.pop() {
        let first = format!("name = \"{needed}\"\n");
        let packages = lock.split("[[package]]\n");
        for package in packages.filter(|package| package.starts_with(&first)) {
            if texts.insert(package) {
                let needs = package.lines().filter_map(|line| line.strip_prefix(" \""));
                waiting.extend(needs.map(name));
            }
        }
    }
    Ok(texts.into_iter().map(str::to_owned).collect())
}

fn name(line: &str) -> &str {
    line.split([' ', '=', '"']).next().unwrap_or_default()
}

fn read(root: &Path, name: &str) -> Result<String, String> {
    fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
}
