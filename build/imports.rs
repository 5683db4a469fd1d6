//! Which files of the sources a file uses, by the paths that it names.

use std::collections::{BTreeMap, BTreeSet};

/// The module of a file: `src/solver/local/cell.rs` → `solver`, `local`, `cell`.
pub fn module(file: &str) -> Vec<String> {
    let stem = file.trim_start_matches("src/").trim_end_matches(".rs");
    let names = stem
        .split('/')
        .filter(|name| !["lib", "mod"].contains(name));
    names.map(str::to_owned).collect()
}

/// The other files in which the paths of a file end: paths that begin with `crate`, `self`,
/// `super`, a module of the file, or a name that it imports. A path to what a module imports from
/// elsewhere ends in that module, whose own paths lead on.
pub fn used_files(file: &str, texts: &[String], files: &[String]) -> BTreeSet<String> {
    let modules: BTreeMap<Vec<String>, &str> = files
        .iter()
        .map(|name| (module(name), name.as_str()))
        .collect();
    let here = module(file);
    let paths = paths(texts);
    let mut imported: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in paths.iter().filter(|path| path.is_import) {
        let Some(target) = path.resolve(&here, &modules, &BTreeMap::new()) else {
            continue;
        };
        if path.ends_in_star() {
            let children = modules.keys().filter(|it| it.starts_with(&target));
            let direct = children.filter(|it| it.len() == target.len() + 1);
            imported.extend(direct.map(|it| (it[target.len()].clone(), it.clone())));
        }
        imported.insert(path.alias.clone(), target);
    }
    let ends = paths
        .iter()
        .filter_map(|path| path.resolve(&here, &modules, &imported));
    let file_of = |end: Vec<String>| {
        (0..=end.len())
            .rev()
            .find_map(|length| modules.get(&end[..length]))
            .map(|name| (*name).to_owned())
    };
    ends.filter_map(file_of)
        .filter(|name| name != file)
        .collect()
}

/// A path as it is written.
#[derive(Debug)]
struct Path {
    names: Vec<String>,
    /// What its end is called in the file: the last name, or the one after `as`.
    alias: String,
    is_import: bool,
    /// The modules of the file that it lies in.
    within: Vec<String>,
}

impl Path {
    fn ends_in_star(&self) -> bool {
        self.names.last().is_some_and(|name| name == "*")
    }

    /// The path from the root; `None` where it leads out of the package, or begins with a name of
    /// the file's own.
    fn resolve(
        &self,
        file: &[String],
        modules: &BTreeMap<Vec<String>, &str>,
        imported: &BTreeMap<String, Vec<String>>,
    ) -> Option<Vec<String>> {
        let mut here = [file, &self.within].concat();
        let (first, rest) = self.names.split_first()?;
        let mut path = match first.as_str() {
            "crate" => Vec::new(),
            "self" => here,
            "super" => {
                here.pop();
                here
            }
            name => {
                here.push(name.to_owned());
                let child = modules.contains_key(&here).then_some(here);
                child.or_else(|| imported.get(name).cloned())?
            }
        };
        for name in rest {
            match name.as_str() {
                "super" => drop(path.pop()),
                "self" | "*" => {}
                name => path.push(name.to_owned()),
            }
        }
        Some(path)
    }
}

/// Every path of two names or more.
fn paths(texts: &[String]) -> Vec<Path> {
    let (mut paths, mut modules, mut depth, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while at < texts.len() {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| texts[at].as_str());
        let is_start = is_name(&texts[at]) && !before(1).ends_with("::");
        if is_start && texts.get(at + 1).is_some_and(|text| text.starts_with("::")) {
            let within: Vec<String> = modules
                .iter()
                .map(|(_, name): &(_, String)| name.clone())
                .collect();
            let is_import = before(1) == "use";
            let mut found = Vec::new();
            at = tree(texts, at, &[], &mut found);
            paths.extend(found.into_iter().map(|(names, alias)| Path {
                names,
                alias,
                is_import,
                within: within.clone(),
            }));
            continue;
        }
        match texts[at].as_str() {
            "{" => {
                depth += 1;
                if before(2) == "mod" {
                    modules.push((depth, before(1).to_owned()));
                }
            }
            "}" => {
                modules.retain(|(its, _)| *its != depth);
                depth -= 1;
            }
            _ => {}
        }
        at += 1;
    }
    paths
}

/// Reads a path, or the tree of paths of a `use`, from `at` on; adds each with its alias to `found`
/// and returns where it ends.
fn tree(
    texts: &[String],
    mut at: usize,
    before: &[String],
    found: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let text = |at: usize| texts.get(at).map_or("", String::as_str);
    let mut names = before.to_vec();
    while is_name(text(at)) {
        names.push(text(at).to_owned());
        at += 1;
        match text(at) {
            "::" => at += 1,
            "::*" => {
                names.push("*".to_owned());
                at += 1;
            }
            _ => break,
        }
    }
    if text(at) == "{" && text(at - 1) == "::" {
        at += 1;
        while !["}", ""].contains(&text(at)) {
            at = tree(texts, at, &names, found).max(at + 1);
        }
        return at + 1;
    }
    let mut alias = names.iter().rev().find(|name| *name != "self").cloned();
    if text(at) == "as" {
        alias = Some(text(at + 1).to_owned());
        at += 2;
    }
    if names.len() > before.len() {
        found.push((names, alias.unwrap_or_default()));
    }
    at
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
