//! Whether an earlier revision has the code of this program, as far as it can reach the rows of a
//! plan: read from the revision's sources, so that nothing is built where the answer is yes.

#[path = "../../../../build/dependencies.rs"]
mod dependencies;
#[path = "../../../../build/imports.rs"]
mod imports;
#[path = "../../../../build/parts.rs"]
mod parts;
#[path = "../../../../build/sources.rs"]
mod sources;
#[path = "../../../../build/tokens.rs"]
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use self::sources::Part;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::version::Parts;

/// The parts of a revision's sources, hashed as the build of this program hashes its own.
pub struct Code(BTreeMap<String, Part>);

impl Code {
    /// The code in a folder; `None` where it cannot be hashed or is of another package version, so
    /// that every code version is another.
    pub fn of(folder: &Path) -> Option<Self> {
        let is_ours = package_version(folder)? == env!("CARGO_PKG_VERSION");
        let parts = sources::parts(folder).ok().filter(|_| is_ours)?;
        Some(Self(parts))
    }

    /// Whether it has the parts that the plan depends on as this program has them: then the plan
    /// has one code version under both.
    pub fn agrees_on(&self, plan: &Plan) -> bool {
        self.has(&plan.parts())
    }

    /// Whether the run was made by this code.
    pub fn made(&self, run: &Manifest) -> bool {
        let package = run
            .code_version
            .rsplit_once('-')
            .map(|(package, _)| package);
        package == Some(env!("CARGO_PKG_VERSION")) && !run.parts.is_empty() && self.has(&run.parts)
    }

    /// Whether it has these parts so, and they use no other.
    fn has(&self, parts: &Parts) -> bool {
        let is_same = |(name, hash): (&String, &String)| {
            self.0.get(name).is_some_and(|part| {
                part.hash == *hash && part.uses.iter().all(|used| parts.contains_key(used))
            })
        };
        parts.iter().all(is_same)
    }
}

/// Of the package in the folder.
fn package_version(folder: &Path) -> Option<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let manifest: toml::Table = manifest.parse().ok()?;
    let version = manifest.get("package")?.get("version")?.as_str()?;
    Some(version.to_owned())
}
