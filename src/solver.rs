//! The algorithms, and the types that all of them share. Free of files, TOML and clocks.
//!
//! # Adding an algorithm
//! One file with a type that implements [`Algorithm`], its `mod` line, and one line in the list of
//! [`registry`]; for an exhaustive method see [`exact`], for a branching heuristic
//! [`cp::heuristic`], for a local rule [`local`].

pub mod algorithm;
pub mod board;
pub(crate) mod construction;
pub mod control;
pub mod course;
pub mod cp;
pub mod density;
pub mod dynamics;
pub mod exact;
pub mod factor;
pub mod goal;
pub mod local;
pub mod outcome;
pub(crate) mod placement;
pub mod point;
pub mod registry;
pub mod rng;
pub mod synchronous;
pub(crate) mod tally;
pub mod variants;

pub use self::algorithm::{Algorithm, Job, Lanes};
pub use self::control::{Control, Gauge, Interrupted, SEATS, TrialSource};
pub use self::course::{Course, Observation, QueenMove, Recording};
pub use self::dynamics::{Dynamics, DynamicsChoice};
pub use self::outcome::{Column, Ending, Outcome};
pub use self::point::{Axis, AxisValues, Domain, Point, Value};
pub use self::registry::{ALGORITHMS, algorithm, symbol};

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Folders in which each file, or file and folder of one name, is one algorithm's own. What two
    /// of them need is outside.
    const APART: [&[&str]; 3] = [
        &["solver", "cp", "branching"],
        &["solver", "exact", "methods"],
        &["solver", "local", "rules"],
    ];

    #[test]
    fn no_algorithm_imports_from_another() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut n_files = 0;
        for folder in APART {
            for file in files(&sources.join(folder.join("/"))) {
                let module = file.strip_prefix(&sources).expect("below the sources");
                let module = module.with_extension("");
                let module: Vec<&str> = module.iter().filter_map(|name| name.to_str()).collect();
                let code = fs::read_to_string(&file).expect("a readable file");
                assert_eq!(
                    imports_of_others(&code, &module, folder),
                    [] as [String; 0],
                    "{}: what two algorithms need belongs outside of this folder",
                    file.display()
                );
                n_files += 1;
            }
        }
        assert!(n_files > 15, "the folders are where they were");
    }

    #[test]
    fn an_import_of_another_is_seen() {
        let of_fill = |code| {
            let module = ["solver", "exact", "methods", "fill"];
            imports_of_others(code, &module, &module[..3])
        };
        for other in [
            "use super::attacks::attacked;",
            "use super::{attacks, super::Search};",
            "use crate::solver::exact::{methods::attacks::attacked, Search};",
            "fn f() { super::attacks::g() }",
            "use super::METHODS;",
            "use super::*;",
            "#[cfg(test)]\nmod tests {\n    use super::super::attacks;\n}",
        ] {
            assert_eq!(of_fill(other).len(), 1, "{other}");
        }
        for own in [
            "use super::super::Search;",
            "use crate::solver::exact::{Search, attack::{self, attacked as seen}};",
            "pub(super) use self::part::Part; fn f() { crate::solver::exact::methods::fill::g() }",
            "// as super::attacks does",
            "#[cfg(test)]\nmod tests {\n    use super::*;\n}",
        ] {
            assert_eq!(of_fill(own), [] as [String; 0], "{own}");
        }
    }

    /// The source files below `folder`; none where it does not exist.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let paths = entries.map(|entry| entry.expect("a readable folder").path());
        paths
            .flat_map(|path| {
                if path.is_dir() {
                    files(&path)
                } else {
                    vec![path]
                }
            })
            .collect()
    }

    /// The paths in the `code` of `module` that lead into `folder`, but not to the module itself or
    /// below it.
    fn imports_of_others(code: &str, module: &[&str], folder: &[&str]) -> Vec<String> {
        let (code, tests) = code
            .split_once("#[cfg(test)]\nmod tests {")
            .unwrap_or((code, ""));
        let inside = [module, &["tests"]].concat();
        let paths = paths(code, module).into_iter().chain(paths(tests, &inside));
        let own = &module[..=folder.len()];
        paths
            .filter(|path| path.starts_with(folder) && !path.starts_with(own))
            .map(|path| path.join("::"))
            .collect()
    }

    /// Every path in `code` that begins with `crate`, `self` or `super`, from the root of the crate
    /// on.
    fn paths<'a>(code: &'a str, module: &[&'a str]) -> Vec<Vec<&'a str>> {
        let code: Vec<&str> = code
            .lines()
            .filter_map(|line| line.split("//").next())
            .collect();
        let mut words: Vec<&str> = Vec::new();
        for line in code {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let mut rest = line.trim_start();
            while let Some(first) = rest.chars().next() {
                let end = if is_name(first) {
                    rest.find(|c| !is_name(c)).unwrap_or(rest.len())
                } else if rest.starts_with("::") {
                    2
                } else {
                    first.len_utf8()
                };
                words.push(&rest[..end]);
                rest = rest[end..].trim_start();
            }
        }
        let mut found = Vec::new();
        let mut rest = &words[..];
        while let Some((word, after)) = rest.split_first() {
            // Not `pub(super)`, not a value `self`.
            let leads_on = after.first() == Some(&"::");
            rest = match *word {
                _ if !leads_on => after,
                "crate" => leaves(after, Vec::new(), &mut found),
                "self" => leaves(after, module.to_vec(), &mut found),
                "super" => leaves(after, module[..module.len() - 1].to_vec(), &mut found),
                _ => after,
            };
        }
        found
    }

    /// Adds the paths that continue `path`, and returns what follows them.
    fn leaves<'c, 'a>(
        mut rest: &'c [&'a str],
        mut path: Vec<&'a str>,
        found: &mut Vec<Vec<&'a str>>,
    ) -> &'c [&'a str] {
        while let ["::", next, after @ ..] = rest {
            rest = after;
            match *next {
                "super" => _ = path.pop(),
                "{" => {
                    while let [first, after @ ..] = rest {
                        rest = match *first {
                            "}" => return after,
                            "," => after,
                            // As if the item were a path of its own.
                            "self" => leaves(after, path.clone(), found),
                            "super" => leaves(after, path[..path.len() - 1].to_vec(), found),
                            name => leaves(after, [&path[..], &[name]].concat(), found),
                        };
                        if let ["as", _, after @ ..] = rest {
                            rest = after;
                        }
                    }
                    return rest;
                }
                name => path.push(name),
            }
        }
        found.push(path);
        rest
    }
}
