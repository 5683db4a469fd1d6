//! The hash of each part of the sources, and which parts it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::dependencies;
use super::imports;
use super::parts::{CHOOSING, ENGINE, OUTSIDE, PARTS};
use super::tokens::Tokens;

/// A part of the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// 8 hex digits of a BLAKE3 over the names and tokens of its files.
    pub hash: String,
    /// The other parts that its files use, and those that these use; without the engine.
    pub uses: BTreeSet<String>,
}

/// The parts of the sources in the folder `root`.
///
/// # Errors
/// A file that cannot be read; sources from which it does not follow what a result depends on, with
/// the file and what is allowed.
pub fn parts(root: &Path) -> Result<BTreeMap<String, Part>, String> {
    let mut names = Vec::new();
    list(root, "src", &mut names)?;
    names.sort();
    refuse_shared_names(names.iter().map(String::as_str))?;
    let files = files(root, &names)?;
    let mut pieces: BTreeMap<String, Vec<(&str, Vec<String>)>> = BTreeMap::new();
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, (part, mut texts)) in files {
        for (child, piece) in take_entries(name, &mut texts) {
            pieces.entry(child).or_default().push((name, piece));
        }
        let used = used_parts(name, &part, &texts, &names)?;
        uses.entry(part.clone()).or_default().extend(used);
        pieces.entry(part).or_default().push((name, texts));
    }
    let dependencies = dependencies::lines(
        &read(&root.join("Cargo.toml"))?,
        &read(&root.join("Cargo.lock"))?,
    )?;
    let engine = pieces.entry(ENGINE.to_owned()).or_default();
    engine.push(("Cargo.lock", dependencies));
    let part = |(name, pieces): (String, Vec<_>)| {
        let part = Part {
            hash: hash(&pieces),
            uses: all_used(&name, &uses),
        };
        (name, part)
    };
    Ok(pieces.into_iter().map(part).collect())
}

/// The part that a file counts for; `None` where it counts for nothing.
pub fn part_of(file: &str) -> Option<String> {
    fit(file).map(|(_, part)| part)
}

/// The line of [`PARTS`] that fits a file best, and the part's name.
fn fit(file: &str) -> Option<(&'static str, String)> {
    let stem = file.strip_suffix(".rs")?;
    let rest = |path: &str| match stem.strip_prefix(path)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    };
    let fits = |&(path, part): &(&'static str, &str)| match path.strip_suffix("/*") {
        None => rest(path).map(|_| (path, part.to_owned())),
        Some(list) => {
            let module = rest(list)?.split('/').next()?;
            let name = part.replace('*', &module.replace('_', "-"));
            (!module.is_empty()).then_some((path, name))
        }
    };
    PARTS
        .iter()
        .filter_map(fits)
        .max_by_key(|(path, _)| path.len())
}

/// Every file that counts, with its part and its tokens, but for files that only tests compile.
fn files<'a>(
    root: &Path,
    names: &'a [String],
) -> Result<BTreeMap<&'a str, (String, Vec<String>)>, String> {
    let (mut files, mut for_tests) = (BTreeMap::new(), Vec::new());
    for name in names {
        let Some(part) = part_of(name) else { continue };
        let tokens = Tokens::of(&read(&root.join(name))?);
        let tokens = tokens.map_err(|error| format!("{name}: {error}"))?;
        for module in tokens.test_modules {
            let path = [imports::module(name), module].concat().join("/");
            for_tests.push(format!("src/{path}"));
        }
        files.insert(name.as_str(), (part, tokens.texts));
    }
    let is_for_tests = |name: &str| {
        let stem = name.trim_end_matches(".rs");
        let within = |module: &String| {
            stem == module
                || stem
                    .strip_prefix(module)
                    .is_some_and(|it| it.starts_with('/'))
        };
        for_tests.iter().any(within)
    };
    files.retain(|name, _| !is_for_tests(name));
    Ok(files)
}

/// Two lists of [`PARTS`], or a list and a line of it, must not name a part alike.
fn refuse_shared_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut origins: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    for name in names {
        let Some((path, part)) = fit(name) else {
            continue;
        };
        let origin = if path.ends_with('*') { path } else { "" };
        let (first, other) = *origins.entry(part.clone()).or_insert((origin, name));
        if first != origin {
            return Err(format!(
                "{name}: counts for the part {part}, and so does {other}; allowed is another name"
            ));
        }
    }
    Ok(())
}

/// Takes the lines of its modules out of the tokens of a list: `mod x;` and `x::ENTRY,` for each
/// module x that is a part of its own; returns these with their parts.
fn take_entries(name: &str, texts: &mut Vec<String>) -> Vec<(String, Vec<String>)> {
    let stem = name.trim_end_matches(".rs");
    let is_list = |(path, _): &&(&str, &str)| path.strip_suffix("/*") == Some(stem);
    if PARTS.iter().find(is_list).is_none() {
        return Vec::new();
    }
    let modules: BTreeSet<String> = texts
        .windows(3)
        .filter(|window| window[0] == "mod" && window[2] == ";")
        .map(|window| window[1].clone())
        .collect();
    let (mut entries, mut rest, mut at) = (Vec::new(), Vec::new(), 0);
    while at < texts.len() {
        let entry = modules.iter().find_map(|module| {
            let begins = at == 0 || !texts[at - 1].ends_with("::");
            let length = entry_length(&texts[at..], module).filter(|_| begins)?;
            Some((part_of(&format!("{stem}/{module}.rs"))?, length))
        });
        match entry {
            Some((part, length)) => {
                entries.push((part, texts[at..at + length].to_vec()));
                at += length;
            }
            None => {
                rest.push(texts[at].clone());
                at += 1;
            }
        }
    }
    *texts = rest;
    entries
}

/// How many tokens the line of `module` has with which `texts` begin: `pub mod module;`, or
/// `module::A::B,` with or without `&` before it.
fn entry_length(texts: &[String], module: &str) -> Option<usize> {
    let texts: Vec<&str> = texts.iter().take(32).map(String::as_str).collect();
    let visibility: usize = match texts.as_slice() {
        ["pub", "(", "crate" | "super", ")", ..] => 4,
        ["pub", ..] => 1,
        _ => 0,
    };
    if texts.get(visibility..visibility + 3) == Some(&["mod", module, ";"]) {
        return Some(visibility + 3);
    }
    let start = usize::from(texts.first() == Some(&"&"));
    if texts.get(start..start + 2) != Some(&[module, "::"]) {
        return None;
    }
    let path = texts[start..].iter().position(|text| {
        let is_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        !is_name && *text != "::"
    })?;
    match texts[start + path] {
        "," => Some(start + path + 1),
        ")" | "]" | "}" => Some(start + path),
        _ => None,
    }
}

/// The other parts that a file uses.
fn used_parts(
    name: &str,
    part: &str,
    texts: &[String],
    names: &[String],
) -> Result<BTreeSet<String>, String> {
    if let Some(pair) = texts
        .windows(2)
        .find(|pair| OUTSIDE.contains(&pair[0].as_str()) && pair[1].starts_with("::"))
    {
        return Err(format!(
            "{name}: uses {}, which counts for nothing (OUTSIDE in build/parts.rs)",
            pair[0]
        ));
    }
    let mut used = BTreeSet::new();
    for file in imports::used_files(name, texts, names) {
        match part_of(&file) {
            None => {
                return Err(format!(
                    "{name}: uses {file}, which counts for nothing; allowed are the files of PARTS in build/parts.rs"
                ));
            }
            Some(other) if other == part || other == ENGINE || CHOOSING.contains(&name) => {}
            Some(other) if part == ENGINE => {
                return Err(format!(
                    "{name}: uses {file}, and so every result would depend on the part {other}; allowed are files of the engine"
                ));
            }
            Some(other) => {
                used.insert(other);
            }
        }
    }
    Ok(used)
}

/// What a part uses, and what that uses.
fn all_used(part: &str, uses: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![part]);
    while let Some(next) = waiting.pop() {
        for other in uses.get(next).into_iter().flatten() {
            if other != part && found.insert(other.clone()) {
                waiting.push(other);
            }
        }
    }
    found
}

/// 8 hex digits of a BLAKE3 over each piece, in the order of their names: the name and the tokens,
/// each text after its length in bytes, and the tokens after their number; numbers are 64-bit,
/// little-endian.
fn hash(pieces: &[(&str, Vec<String>)]) -> String {
    let mut hasher = blake3::Hasher::new();
    let number = |hasher: &mut blake3::Hasher, n: usize| {
        hasher.update(&(n as u64).to_le_bytes());
    };
    for (name, texts) in pieces {
        number(&mut hasher, name.len());
        hasher.update(name.as_bytes());
        number(&mut hasher, texts.len());
        for text in texts {
            number(&mut hasher, text.len());
            hasher.update(text.as_bytes());
        }
    }
    hasher.finalize().to_hex()[..8].to_owned()
}

/// Adds the Rust files in `folder` and below.
fn list(root: &Path, folder: &str, names: &mut Vec<String>) -> Result<(), String> {
    let failed = |error| format!("{folder}: {error}");
    for entry in fs::read_dir(root.join(folder)).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(root, &name, names)?;
        } else if name.ends_with(".rs") {
            names.push(name);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
