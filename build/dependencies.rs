//! The packages that can reach a result: the dependencies of Cargo.toml but for those of
//! [`parts::OUTSIDE`](super::parts::OUTSIDE), and in Cargo.lock what they need.

use std::collections::{BTreeMap, BTreeSet};

use super::parts::OUTSIDE;

/// A package of Cargo.lock.
#[derive(Default)]
struct Package {
    /// `name version`.
    id: String,
    checksum: String,
    /// Each a `name`, or a `name version` where there are several.
    needs: Vec<String>,
}

/// The requirements of Cargo.toml (version and features), then `name version checksum` of each
/// package that they need, each list sorted. Packages that only the build, the tests or the figures
/// need are not among them.
///
/// # Errors
/// A dependency that is not written in one line, or that Cargo.lock does not have.
pub fn lines(manifest: &str, lock: &str) -> Result<Vec<String>, String> {
    let packages = packages(lock);
    let (mut lines, mut waiting, mut found) = (Vec::new(), Vec::new(), BTreeSet::new());
    let section = manifest
        .lines()
        .skip_while(|line| line.trim() != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    for line in section {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, value) = line
            .split_once(" = ")
            .filter(|(_, value)| value.starts_with('"') || value.ends_with('}'))
            .ok_or_else(|| {
                format!("Cargo.toml: {line}: allowed is one line for each dependency")
            })?;
        if !OUTSIDE.contains(&name) {
            lines.push(format!("{name} = {value}"));
            waiting.push(name.to_owned());
        }
    }
    lines.sort();
    while let Some(need) = waiting.pop() {
        let several = format!("{need} ");
        let package = packages
            .get(&need)
            .or_else(|| packages.values().find(|it| it.id.starts_with(&several)))
            .ok_or_else(|| format!("Cargo.lock: there is no package {need}"))?;
        if found.insert(format!("{} {}", package.id, package.checksum)) {
            waiting.extend(package.needs.iter().cloned());
        }
    }
    lines.extend(found);
    Ok(lines)
}

/// By `name version`.
fn packages(lock: &str) -> BTreeMap<String, Package> {
    let mut packages = BTreeMap::new();
    for block in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(key));
            line.map_or("", |line| line.trim_matches([' ', '=', '"']))
        };
        let needs = block
            .lines()
            .filter_map(|line| Some(line.strip_prefix(" \"")?.trim_end_matches("\",").to_owned()));
        let package = Package {
            id: format!("{} {}", value("name"), value("version")),
            checksum: value("checksum").to_owned(),
            needs: needs.collect(),
        };
        packages.insert(package.id.clone(), package);
    }
    packages
}
