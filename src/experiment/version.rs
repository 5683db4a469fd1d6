//! What makes a result old: the code version of a run, made of the parts of the solver that its
//! plan uses, and of how their outcomes become tables. src/solver/build.rs says which file
//! counts for which, build/tables.rs what else counts; docs/inside.md has the encoding.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use itertools::Itertools;

use super::plan::Plan;
use super::store::atomic::checksum;
use crate::solver;

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
        let (hash, name) = (words.next()?, words.next()?);
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
        let points = self.points.iter();
        let names = points.flat_map(|it| names_of(&it.point.algorithm));
        present(names.chain([ENGINE.to_owned()]))
    }

    /// Package version and 8 hex digits over [`Plan::parts`].
    pub fn code_version(&self) -> String {
        code_version(env!("CARGO_PKG_VERSION"), &self.parts())
    }
}

/// The code version of runs of an algorithm alone.
pub fn of_algorithm(name: &str) -> String {
    code_version(env!("CARGO_PKG_VERSION"), &present(names_of(name)))
}

/// True if a run with these parts has the engine of this program.
pub fn has_this_engine(parts: &PartHashes) -> bool {
    parts.get(ENGINE).is_some_and(|its| its == hash(ENGINE))
}

/// What keeps the rows of this algorithm in a run of `code_version` with these parts from being
/// those that this program would make, as in [`Code::Changed`]; empty where nothing does.
pub fn changed_of(algorithm: &str, code_version: &str, parts: &PartHashes) -> Vec<String> {
    changed(names_of(algorithm), code_version, parts)
}

/// Compares the code of a complete run with this program.
pub fn compare(code_version: &str, parts: &PartHashes) -> Code {
    let changed = changed(parts.keys().cloned(), code_version, parts);
    if changed.is_empty() {
        return Code::Present;
    }
    Code::Changed(changed)
}

fn changed(
    names: impl Iterator<Item = String>,
    code_version: &str,
    parts: &PartHashes,
) -> Vec<String> {
    let package = code_version.rsplit_once('-').map(|(package, _)| package);
    let is_other = package != Some(env!("CARGO_PKG_VERSION"));
    let other = is_other.then(|| "package".to_owned());
    let changed = names.filter(|name| parts.get(name).is_none_or(|its| its != hash(name)));
    changed.chain(other).sorted().dedup().collect()
}

/// The parts that both have, and that differ.
pub fn differing(a: &PartHashes, b: &PartHashes) -> Vec<String> {
    let differs = |(name, hash): &(&String, &String)| b.get(*name).is_some_and(|it| it != *hash);
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

/// Every part that trials of this algorithm depend on.
fn names_of(algorithm: &str) -> impl Iterator<Item = String> {
    let own = solver::algorithm(algorithm).map(|algorithm| match algorithm.part {
        "" => algorithm.name,
        part => part,
    });
    let used = own.and_then(|own| PRESENT.get(own)).map(|(_, uses)| uses);
    let used = used.into_iter().flatten().copied();
    own.into_iter()
        .chain(used)
        .chain([ENGINE])
        .map(str::to_owned)
}

fn present(names: impl IntoIterator<Item = String>) -> PartHashes {
    let with_hash = |name: String| {
        let hash = hash(&name).to_owned();
        (name, hash)
    };
    names.into_iter().map(with_hash).collect()
}

/// The part's hash in this program, or the version of an algorithm of another package; `gone` where
/// it is not among the sources any more.
fn hash(part: &str) -> &'static str {
    let version = || solver::algorithm(part).map(|it| it.version);
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
        let its = present(names_of("factor"));
        assert_eq!(changed_of("factor", "0.0.9-12345678", &its), ["package"]);
    }
}
