//! Bakes into the program what a manifest says of the code that made a result: the code version,
//! the commit and the compiler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let root = PathBuf::from(
        env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts"),
    );
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=Cargo.toml");
    println!("cargo:rerun-if-changed=Cargo.lock");
    println!("cargo:rustc-env=REINES_CODE_HASH={}", code_hash(&root));
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

/// The first 8 hex digits of a BLAKE3 over every file that can reach a result, as (length, path,
/// length, bytes) in path order: the same with and without git.
fn code_hash(root: &Path) -> String {
    // The rule that decides how many trials a sequential point has stands with the statistics.
    let mut files = ["Cargo.lock", "src/analysis/sequential.rs"]
        .map(PathBuf::from)
        .to_vec();
    for room in ["src/solver", "src/experiment"] {
        files.push(format!("{room}.rs").into());
        list(root, Path::new(room), &mut files);
    }
    let mut named: Vec<(String, PathBuf)> = files
        .into_iter()
        .map(|file| (file.to_string_lossy().replace('\\', "/"), root.join(file)))
        .collect();
    named.sort();
    let mut hasher = blake3::Hasher::new();
    for (name, path) in named {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for field in [name.as_bytes(), &bytes] {
            hasher.update(&(field.len() as u64).to_le_bytes());
            hasher.update(field);
        }
    }
    hasher.finalize().to_hex()[..8].to_owned()
}

fn list(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(root.join(folder))
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            list(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
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
            "build.rs",
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
