//! Bakes into the program what a manifest says of the code that made a result: the hash of what is
//! around the solver and can reach a row, the commit and the compiler; and a stamp of all sources,
//! by which make sees that cargo has built them and not others.

#[path = "../src/cli/sources.rs"]
mod sources;
mod tables;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sources::SOURCES;

fn main() {
    let root = PathBuf::from(
        env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts"),
    );
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    // As `strip = "symbols"` does, which Cargo leaves out where a package has a profile of its own.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-link-arg-bins=-Wl,--strip-all");
    }
    let read = |name: &str| {
        let text = fs::read_to_string(root.join(name));
        text.unwrap_or_else(|error| panic!("code version: {name}: {error}"))
    };
    let lines = tables::lines(&tables::TABLES.map(read), &read("Cargo.lock"));
    let tables = blake3::hash(lines.as_bytes()).to_hex()[..8].to_owned();
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let rustc = output(&rustc, &["--version"], &root).unwrap_or_default();
    let (commit, dirty) = commit(&root).unwrap_or_default();
    let files = sources::read(&root).unwrap_or_else(|error| panic!("sources: {error}"));
    for (name, value) in [
        ("STAMP", sources::stamp(&files)),
        ("SOURCES", sources::row_sources(&files)),
        ("TABLES", tables),
        ("TARGET", env::var("TARGET").unwrap_or_default()),
        ("RUSTC", rustc),
        ("COMMIT", commit),
        ("DIRTY", dirty.to_string()),
    ] {
        println!("cargo:rustc-env=REINES_{name}={value}");
    }
}

/// The commit checked out here and whether what is built differs from it; nothing outside a git
/// checkout of this package.
fn commit(root: &Path) -> Option<(String, bool)> {
    let git = |words: &[&str]| output("git", words, root);
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if fs::canonicalize(top).ok()? != fs::canonicalize(root).ok()? {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(&["rev-parse", "--git-path", file])?);
        // A file that is not there would make every build start over.
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let changes = git(&[&["status", "--porcelain", "--"], &SOURCES[..]].concat())?;
    Some((git(&["rev-parse", "HEAD"])?, !changes.is_empty()))
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(folder).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}
