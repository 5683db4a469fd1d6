//! Hashes the sources of the solver, part by part: what its results depend on. A manifest names the
//! hashes (`reines_solver::PARTS`).

mod parts;
mod sources;
mod tokens;

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=.");
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it for build scripts");
    let files = sources::files(&PathBuf::from(root));
    let parts = sources::parts(&files.unwrap_or_else(|error| panic!("code version: {error}")));
    // `name hash used used …` of each part, `;` between them.
    let line = |(name, part): (&&str, &sources::Part)| {
        let used = part.uses.iter().map(|used| format!(" {used}"));
        format!("{name} {}{}", part.hash(), used.collect::<String>())
    };
    let lines: Vec<String> = parts.iter().map(line).collect();
    println!("cargo:rustc-env=REINES_PARTS={}", lines.join(";"));
}
