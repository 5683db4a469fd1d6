//! Bakes into the program what a manifest says of the code that made a result: the hash of each
//! part of the sources, the commit and the compiler.

mod dependencies;
mod imports;
mod parts;
mod sources;
mod tokens;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(
        env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts"),
    );
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=Cargo.toml");
    println!("cargo:rerun-if-changed=Cargo.lock");
    let parts = sources::parts(&root).unwrap_or_else(|error| panic!("code version: {error}"));
    println!("cargo:rustc-env=REINES_PARTS={}", in_one_line(&parts));
    println!(
        "cargo:rustc-env=REINES_ENGINE={}",
        parts[parts::ENGINE].hash
    );
    println!(
        "cargo:rustc-env=REINES_TARGET={}",
        env::var("TARGET").unwrap_or_default()
    );
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    println!(
        "cargo:rustc-env=REINES_RUSTC={}",
        output(&rustc, &["--version"], &root).unwrap_or_default()
    );
    let (commit, dirty) = commit(&root).unwrap_or_default();
    println!("cargo:rustc-env=REINES_COMMIT={commit}");
    println!("cargo:rustc-env=REINES_DIRTY={dirty}");
}

/// `name hash used used …` of each part, `;` between them.
fn in_one_line(parts: &BTreeMap<String, sources::Part>) -> String {
    let line = |(name, part): (&String, &sources::Part)| {
        let used = part.uses.iter().map(|used| format!(" {used}"));
        format!("{name} {}{}", part.hash, used.collect::<String>())
    };
    parts.iter().map(line).collect::<Vec<_>>().join(";")
}

/// The commit checked out here and whether what is built differs from it; nothing outside a git
/// checkout of this package.
fn commit(root: &Path) -> Option<(String, bool)> {
    let top = output("git", &["rev-parse", "--show-toplevel"], root)?;
    if fs::canonicalize(top).ok()? != fs::canonicalize(root).ok()? {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        let path = root.join(output("git", &["rev-parse", "--git-path", file], root)?);
        // A file that is not there would make every build start over.
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let commit = output("git", &["rev-parse", "HEAD"], root)?;
    let changes = output(
        "git",
        &[
            "status",
            "--porcelain",
            "--",
            "src",
            "build",
            "Cargo.toml",
            "Cargo.lock",
        ],
        root,
    )?;
    Some((commit, !changes.is_empty()))
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
