//! What makes a result old: the code version of a run, made of the parts of the solver that its
//! plan uses, and of how their outcomes become tables. src/solver/build.rs says which file counts
//! for which, build/tables.rs what else counts; docs/inside.md has the encoding. Here are the words
//! `changed: engine, local` of a result of other code, and what of two versions counts as the same
//! code.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use itertools::Itertools;

use super::plan::Plan;
use super::program::{self, PART};
use super::store::atomic::checksum;
use crate::solver::{self, Algorithm};

/// The part that every result depends on.
pub const ENGINE: &str = "engine";

/// Part → 8 hex digits of a BLAKE3 over its sources.
pub type PartHashes = BTreeMap<String, String>;

/// How the code that made a run compares with this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// The same, as far as it can reach the run's rows.
    Present,
    /// The parts that differ, sorted; `package` stands for the package's version.
    Changed(Vec<String>),
    /// Some other code whose parts are not known: that of an unfinished run.
    Other,
}

impl Code {
    /// ` (changed: engine, local)`; empty where nothing is known to differ.
    pub fn in_brackets(&self) -> String {
        match self {
            Self::Changed(parts) => format!(" (changed: {})", parts.join(", ")),
            Self::Present | Self::Other => String::new(),
        }
    }
}

/// The hash of a part of this program, and the other parts that it uses, but for the engine.
type Present = (String, Vec<&'static str>);

/// The parts as the solver's build writes them: `hash name used used …`, `;` between them.
static PRESENT: LazyLock<BTreeMap<&str, Present>> = LazyLock::new(|| {
    let part = |line: &'static str| {
        let mut words = line.split(' ');
        let hash = words.next()?;
        let name = words.next()?;
        let hash = if name == ENGINE {
            engine(hash, env!("REINES_TABLES"))
        } else {
            hash.to_owned()
        };
        Some((name, (hash, words.collect())))
    };
    solver::PARTS.split(';').filter_map(part).collect()
});

/// Package version and hash of the engine: what `reines -V` prints.
pub static PROGRAM: LazyLock<String> =
    LazyLock::new(|| format!("{}-{}", env!("CARGO_PKG_VERSION"), hash(ENGINE)));

/// The hash of the engine, made of that of the solver's own and of what is around it.
fn engine(solver: &str, tables: &str) -> String {
    let text = format!("solver {solver}\ntables {tables}\n");
    checksum(text.as_bytes())[..8].to_owned()
}

impl Plan {
    /// The parts that the plan's rows depend on.
    pub fn parts(&self) -> PartHashes {
        let names = self.points.iter().map(|planned| &planned.point.algorithm);
        let algorithms = names.unique().map(|name| self.programs.algorithm(name));
        algorithms.flat_map(present_of).collect()
    }

    /// Package version and 8 hex digits over [`Plan::parts`].
    pub fn code_version(&self) -> String {
        code_version(env!("CARGO_PKG_VERSION"), &self.parts())
    }
}

/// The code version of runs of an algorithm alone.
pub fn of_algorithm(name: &str) -> String {
    let algorithm = solver::algorithm(name);
    code_version(env!("CARGO_PKG_VERSION"), &present_of(algorithm))
}

/// True if a run with these parts has the engine of this program.
pub fn has_this_engine(parts: &PartHashes) -> bool {
    parts.get(ENGINE).is_some_and(|its| its == hash(ENGINE))
}

/// What keeps the rows of this algorithm in a run of `code_version` with these parts from being
/// those that this program would make, as in [`Code::Changed`]; empty where nothing does.
pub fn changed_of(
    algorithm: Option<&'static Algorithm>,
    code_version: &str,
    parts: &PartHashes,
) -> Vec<String> {
    changed(&present_of(algorithm), code_version, parts)
}

/// Compares the code of a complete run with this program.
pub fn compare(code_version: &str, parts: &PartHashes) -> Code {
    let present = parts.iter().filter_map(|(name, own)| {
        let hash = match name.strip_prefix(PART) {
            None => hash(name).to_owned(),
            Some(program) => program_hash(program, own)?,
        };
        Some((name.clone(), hash))
    });
    let changed = changed(&present.collect(), code_version, parts);
    if changed.is_empty() {
        return Code::Present;
    }
    Code::Changed(changed)
}

/// The version that a program of this name has now, by the specs that were read: that of a run
/// where one of them has it, too. `None` where no present spec with such a program was read: then
/// nothing is known of it.
fn program_hash(name: &str, of_run: &str) -> Option<String> {
    let versions = program::present_versions(name);
    let same = versions.iter().find(|version| *version == of_run);
    same.or(versions.last()).cloned()
}

fn changed(present: &PartHashes, code_version: &str, parts: &PartHashes) -> Vec<String> {
    let package = code_version.rsplit_once('-').map(|(package, _)| package);
    let is_other = package != Some(env!("CARGO_PKG_VERSION"));
    let other = is_other.then(|| "package".to_owned());
    let changed = present
        .iter()
        .filter(|(name, hash)| parts.get(*name) != Some(*hash));
    let changed = changed.map(|(name, _)| name.clone());
    changed.chain(other).sorted().dedup().collect()
}

/// The parts that both have, and that differ.
pub fn differing(a: &PartHashes, b: &PartHashes) -> Vec<String> {
    let differs =
        |(name, hash): &(&String, &String)| b.get(*name).is_some_and(|other| other != *hash);
    let differing = a.iter().filter(differs);
    differing.map(|(name, _)| name.clone()).collect()
}

/// The code version of these parts: 8 hex digits of the BLAKE3 over the line `reines code 1` and
/// a line `name hash` for each, sorted.
fn code_version(package: &str, parts: &PartHashes) -> String {
    let lines = parts.iter().map(|(name, hash)| format!("{name} {hash}\n"));
    let text = lines.fold("reines code 1\n".to_owned(), |text, line| text + &line);
    format!("{package}-{}", &checksum(text.as_bytes())[..8])
}

/// Every part that trials of this algorithm depend on, with its hash in this program.
fn present_of(algorithm: Option<&'static Algorithm>) -> PartHashes {
    let mut parts = PartHashes::new();
    parts.insert(ENGINE.to_owned(), hash(ENGINE).to_owned());
    let Some(algorithm) = algorithm else {
        return parts;
    };
    let own = match algorithm.part {
        "" => algorithm.name,
        part => part,
    };
    let used = PRESENT.get(own).map_or(&[][..], |(_, uses)| uses);
    for name in used {
        parts.insert((*name).to_owned(), hash(name).to_owned());
    }
    let version = match algorithm.version {
        "" => hash(own).to_owned(),
        version => version.to_owned(),
    };
    parts.insert(own.to_owned(), version);
    parts
}

/// BLAKE3 over the file of the running program, of which an algorithm of another package is a part:
/// changed code has another one. Empty where the file cannot be read.
static RUNNING: LazyLock<String> = LazyLock::new(|| {
    let file = std::env::current_exe().and_then(std::fs::read);
    file.map_or_else(|_| String::new(), |bytes| checksum(&bytes)[..8].to_owned())
});

/// The part's hash in this program, or the version of an algorithm of another package, where it has
/// none that of the running program; `gone` where it is not among the sources any more.
fn hash(part: &str) -> &'static str {
    let version = || match solver::algorithm(part)?.version {
        "" => Some(RUNNING.as_str()),
        version => Some(version),
    };
    let own = PRESENT.get(part).map(|(hash, _)| hash.as_str());
    let hash = own.or_else(version).filter(|hash| !hash.is_empty());
    hash.unwrap_or("gone")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(pairs: &[(&str, &str)]) -> PartHashes {
        let owned = |&(name, hash): &(&str, &str)| (name.to_owned(), hash.to_owned());
        pairs.iter().map(owned).collect()
    }

    /// The code version here is that of docs/inside.md: `printf 'reines code 1\nengine 00000001\n…'
    /// | b3sum`.
    #[test]
    fn the_code_version_can_be_made_by_hand() {
        let parts = parts(&[
            ("synchronous", "00000003"),
            ("engine", "00000001"),
            ("local", "00000002"),
        ]);
        assert_eq!(code_version("0.1.0", &parts), "0.1.0-493f1009");
        assert_eq!(engine("00000004", "00000005"), "ffce253d");
    }

    /// tests/code_version.rs has those that a run shows.
    #[test]
    fn another_package_and_a_part_that_is_gone_differ() {
        let engine = (ENGINE, hash(ENGINE));
        let of_now = parts(&[engine]);
        let of_then = parts(&[engine, ("old-rule", "00000000")]);
        let named = |names: &[&str]| Code::Changed(names.iter().map(ToString::to_string).collect());
        assert_eq!(compare(&PROGRAM, &of_now), Code::Present);
        assert_eq!(compare(&PROGRAM, &of_then), named(&["old-rule"]));
        let both = named(&["old-rule", "package"]);
        assert_eq!(compare("0.0.9-12345678", &of_then), both);
        let factor = solver::algorithm("factor");
        let its = present_of(factor);
        assert_eq!(changed_of(factor, "0.0.9-12345678", &its), ["package"]);
    }
}
