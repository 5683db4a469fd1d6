//! What commands print, to the letter: `tests/transcripts/*.txt`, each run from its beginning in
//! one folder. After a line `$ …`, which a shell runs, come the lines that it prints, and `[code]`
//! where that is not 0; `RENEW=transcripts` writes them down anew. Lines that begin with `#` stay.
//! that is not 0; `RENEW=transcripts` writes them down anew. Lines that begin with `#` stay.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Workplace, name_of, stderr, stdout, text_of};

/// The same transcript with what the commands print now.
fn run_again(text: &str) -> String {
    let place = Workplace::new();
    let program = Path::new(env!("CARGO_BIN_EXE_reines"))
        .parent()
        .expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.display());
    let mut told = String::new();
    for line in text.lines() {
        if line.starts_with(['#', '$']) {
            told += &format!("{line}\n");
        }
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).env("PATH", &path);
        let output = shell
            .current_dir(place.path())
            .output()
            .expect("there is a shell");
        told += &(stdout(&output) + &stderr(&output));
        if let Some(code @ 1..) = output.status.code() {
            told += &format!("[{code}]\n");
        }
    }
    told
}

#[test]
fn every_command_prints_what_is_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let entries = fs::read_dir(folder).expect("they are beside the tests");
    let paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    assert!(!paths.is_empty());
    for path in paths {
        let expected = text_of(&path);
        let told = run_again(&expected);
        if std::env::var("RENEW").is_ok_and(|it| it == "transcripts") {
            fs::write(&path, &told).expect("writable");
            continue;
        }
        let differing = told
            .lines()
            .zip(expected.lines())
            .find(|(told, it)| told != it);
        let name = name_of(&path);
        assert_eq!(
            differing, None,
            "{name}: told, expected (RENEW=transcripts writes it anew)"
        );
        assert_eq!(told.len(), expected.len(), "{name}: {told}");
    }
}
