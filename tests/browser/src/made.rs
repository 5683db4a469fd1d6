//! The files that are looked at, made by `reines`: the program that the variable `REINES` names.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{env, fs};

use tempfile::TempDir;

/// The repository.
pub fn root() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("tests/browser is in it")
}

/// Runs `reines` in the repository, with the words of a text.
///
/// # Panics
/// Where it does not start.
pub fn reines(arguments: &str) -> Output {
    let program = env::var("REINES").expect("REINES names the program");
    let mut command = Command::new(program);
    let command = command
        .current_dir(root())
        .args(arguments.split_whitespace());
    let output = command.output();
    output.unwrap_or_else(|error| panic!("reines {arguments}: {error}"))
}

/// What it prints where it is to succeed.
///
/// # Panics
/// Where it does not.
pub fn printed(arguments: &str) -> String {
    let output = reines(arguments);
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "reines {arguments}: {words}");
    String::from_utf8(output.stdout).expect("text")
}

/// The folder of the page and of its pictures.
pub fn pages() -> PathBuf {
    root().join("target/browser/pages")
}

/// The page of the reference results, made once for all tests.
pub fn page() -> &'static Path {
    static PAGE: LazyLock<PathBuf> = LazyLock::new(|| {
        fs::create_dir_all(pages()).expect("a folder of the build");
        let folder = fs::read_dir(root().join("experiments")).expect("a folder");
        let names = folder.map(|entry| entry.expect("readable").file_name());
        let names = names.map(|name| format!("experiments/{}", name.to_string_lossy()));
        let mut specs: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
        specs.sort();
        let options = "--quiet --force --results results/reference";
        let files = "--figures target/browser/pages/figures --html target/browser/pages/index.html";
        printed(&format!("report {options} {files} {}", specs.join(" ")));
        pages().join("index.html")
    });
    &PAGE
}

/// A folder with one replay in it.
pub struct Replay {
    folder: TempDir,
}

impl Replay {
    /// A replay of the trial that these arguments name.
    ///
    /// # Panics
    /// Where there is no such trial.
    pub fn of(arguments: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let made = Self { folder };
        printed(&format!(
            "replay --output {} {arguments}",
            made.file().display()
        ));
        made
    }

    /// The page.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("replay.html")
    }
}
