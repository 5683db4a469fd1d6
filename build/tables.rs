//! What is around the solver and can reach a row: how outcomes become tables, and the versions of
//! the packages that compute and write them.

use std::collections::BTreeSet;

/// Raised when other code outside of the solver had made wrong rows: then all results are old.
const ROWS: u32 = 1;

/// How outcomes become the columns of tables.
pub const TABLES: [&str; 4] = [
    "src/experiment/store/schema.rs",
    "src/experiment/store/table.rs",
    "src/experiment/store/table/key.rs",
    "src/experiment/store/table/joined.rs",
];

/// The packages that write tables.
const WRITERS: [&str; 3] = ["polars", "polars-parquet", "zstd"];

/// [`ROWS`]; the lines of these files but for comments, blank lines and indentation; and of each
/// package that the solver needs, or that writes tables, its name, version and checksum in
/// Cargo.lock.
pub fn lines(tables: &[String], lock: &str) -> String {
    let code = tables.iter().flat_map(|text| text.lines()).map(str::trim);
    let code = code.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let code = code.map(|line| format!("{line}\n")).collect::<String>();
    format!("rows {ROWS}\n{code}{}", packages(lock))
}

fn packages(lock: &str) -> String {
    let packages = || lock.split("[[package]]\n");
    let is_of = |package: &&str, name: &str| package.starts_with(&format!("name = \"{name}\"\n"));
    let needed = |package: &str| -> Vec<String> {
        let lines = package.lines().filter_map(|line| line.strip_prefix(" \""));
        // `name` or `name version`.
        let names = lines.filter_map(|line| line.split([' ', '"']).next());
        names.map(str::to_owned).collect()
    };
    let mut found: BTreeSet<&str> = packages()
        .filter(|package| WRITERS.iter().any(|name| is_of(package, name)))
        .collect();
    let solver = packages().find(|package| is_of(package, "reines-solver"));
    let mut waiting = solver.map(needed).unwrap_or_default();
    // The solver's tests need it: a workspace's Cargo.lock says so, and a package's does not.
    waiting.push("rayon".to_owned());
    while let Some(name) = waiting.pop() {
        for package in packages().filter(|package| is_of(package, &name)) {
            if found.insert(package) {
                waiting.extend(needed(package));
            }
        }
    }
    // Not what it needs itself: that depends on which features others turn on.
    let is_named = |line: &&str| {
        ["name = ", "version = ", "checksum = "]
            .iter()
            .any(|key| line.starts_with(key))
    };
    let lines = found
        .iter()
        .flat_map(|package| package.lines().filter(is_named));
    lines.map(|line| format!("{line}\n")).collect()
}
