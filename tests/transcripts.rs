//! What commands print, to the letter: `tests/transcripts/*.txt`, each run from its beginning in
//! one folder. After a line `$ …`, which a shell runs with the lines `> …` after it, come the lines
//! that it prints, and `[code]` where that is not 0; `RENEW=transcripts` writes them down anew.
//! Lines that begin with `##` stay.
//!
//! A command that newly fails, or newly prints one of [`SUSPECTS`], is not written down, since a
//! transcript of errors that nobody meant tests nothing: `RENEW=transcripts,figures.txt` writes
//! what is meant to fail in `figures.txt`.
//!
//! `$ROOT` is the folder of the sources; what differs from one machine and code to the next has a
//! word in its place: FOLDER for the folder, VERSION for a code version, RELEASE for the version of
//! the package. The code version that ends in 00000000 is that of other code, which a transcript
//! has made itself.

use std::path::Path;
use std::{env, fs, thread};

use crate::program::{Workplace, files_of, name_of, stderr, stdout, text_of};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A command or a remark, and the lines below it.
type Block = (String, String);

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines() {
        if line.starts_with("##") || line.starts_with("$ ") {
            blocks.push((line.to_owned(), String::new()));
            continue;
        }
        let (command, printed) = blocks.last_mut().expect("a command comes first");
        if line.starts_with('>') && printed.is_empty() {
            *command += &format!("\n{line}");
        } else {
            *printed += &format!("{line}\n");
        }
    }
    blocks
}

/// What a line of a transcript prints now.
fn told(place: &Workplace, lines: &str) -> String {
    let Some(command) = lines.strip_prefix("$ ") else {
        return String::new();
    };
    let command = command.replace("\n> ", "\n").replace("\n>", "\n");
    let mut shell = place.tool("/bin/sh");
    // `make test` hands its own options and depth to what it starts.
    shell.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    let output = shell.args(["-c", &command]).env("ROOT", ROOT).output();
    let output = output.expect("there is a shell");
    let mut told = stdout(&output) + &stderr(&output);
    if !told.is_empty() && !told.ends_with('\n') {
        told.push('\n');
    }
    if let Some(code @ 1..) = output.status.code() {
        told += &format!("[{code}]\n");
    }
    let told = told.replace(&*place.path().to_string_lossy(), "FOLDER");
    without_versions(&told)
}

/// The text with a word in place of each code version of this release but 00000000.
fn without_versions(text: &str) -> String {
    let release = concat!(env!("CARGO_PKG_VERSION"), "-");
    let mut pieces = text.split(release);
    let mut left = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_version = |digits: &&str| {
            digits.bytes().all(|digit| digit.is_ascii_hexdigit()) && *digits != "00000000"
        };
        match piece.get(..8).filter(is_version) {
            Some(_) => left.extend(["VERSION", &piece[8..]]),
            None => left.extend(["RELEASE-", piece]),
        }
    }
    left
}

/// What a command prints that tries something that is no longer there.
const SUSPECTS: [&str; 2] = ["unknown key", "No such file"];

/// What is suspect in what a command prints now and did not print before.
fn newly_suspect(before: &str, now: &str) -> Option<String> {
    let is_new = |suspect: &&&str| now.contains(**suspect) && !before.contains(**suspect);
    if let Some(suspect) = SUSPECTS.iter().find(is_new) {
        return Some(format!("{suspect:?}"));
    }

    let code = |text: &str| {
        let last = text.lines().next_back().unwrap_or_default();
        let digits = last.strip_prefix('[')?.strip_suffix(']')?;
        digits.parse::<u8>().ok()
    };
    let has_failed_before = code(before).is_some();
    let now = code(now).filter(|_| !has_failed_before)?;
    Some(format!("exit code {now}"))
}

/// The value of `RENEW` after `transcripts`, if that is what it renews: the transcripts that may
/// newly have what is suspect.
fn renewed() -> Option<Vec<String>> {
    let value = env::var("RENEW").ok()?;
    let mut words = value.split(',');
    let is_of_transcripts = words.next() == Some("transcripts");
    is_of_transcripts.then(|| words.map(str::to_owned).collect())
}

/// Writes a transcript down anew, unless something in it is newly suspect and not named.
fn renew(path: &Path, (told, expected): (&[Block], &[Block]), named: &[String]) -> Option<String> {
    let name = name_of(path);
    let both = told.iter().zip(expected);
    let suspects = both.filter_map(|((command, now), (_, before))| {
        let what = newly_suspect(before, now)?;
        Some(format!("{name}: {command}\nnewly has {what}:\n{now}"))
    });
    let suspects: Vec<String> = suspects.collect();
    if !suspects.is_empty() && !named.contains(&name) {
        let advice = format!("(RENEW=transcripts,{name} writes it down if it is meant)\n");
        return Some(suspects.join("\n") + &advice);
    }

    let blocks = told.iter();
    let text: String = blocks.map(|it| format!("{}\n{}", it.0, it.1)).collect();
    fs::write(path, text).expect("writable");
    None
}

/// The first command of a transcript that prints something else, and both.
fn differing(path: &Path) -> Option<String> {
    let expected = blocks(&text_of(path));
    let place = Workplace::new();
    let told = expected
        .iter()
        .map(|(line, _)| (line.clone(), told(&place, line)));
    let told: Vec<Block> = told.collect();
    if let Some(named) = renewed() {
        return renew(path, (&told, &expected), &named);
    }
    let mut both = told.into_iter().zip(expected);
    let ((line, told), (_, expected)) = both.find(|(told, expected)| told != expected)?;
    let name = name_of(path);
    Some(format!(
        "{name}: {line}\nprints\n{told}and should print\n{expected}"
    ))
}

#[test]
fn every_command_prints_what_is_written_down() {
    let folder = Path::new(ROOT).join("tests/transcripts");
    let paths = files_of(&folder, ".txt");
    assert!(paths.len() > 5, "{paths:?}");
    // All at once: they wait for programs and disks.
    let differing: Vec<String> = thread::scope(|scope| {
        let running = paths.iter().map(|path| scope.spawn(|| differing(path)));
        let running: Vec<_> = running.collect();
        let ended = running.into_iter().map(|it| it.join().expect("no panic"));
        ended.flatten().collect()
    });
    assert!(
        differing.is_empty(),
        "\n{}(RENEW=transcripts writes them anew)",
        differing.join("\n")
    );
}

/// By hand: an error that was there, one that was not, a code that was another one, and one that
/// was 0.
#[test]
fn a_transcript_does_not_take_new_errors_unseen() {
    let gone = "error: a.toml:3:1: divide: unknown key; expected one of x, y\n[2]\n";
    for (before, now, expected) in [
        ("", "3\n", None),
        (gone, gone, None),
        ("figures/a.svg\n", gone, Some("\"unknown key\"")),
        (
            "figures/a.svg\n",
            "figures/b.svg\n[1]\n",
            Some("exit code 1"),
        ),
        (
            "[2]\n",
            "grep: a: No such file or directory\n[2]\n",
            Some("\"No such file\""),
        ),
        ("not drawn\n[1]\n", "not drawn\n[2]\n", None),
        ("n [2]\n", "n [3]\n", None),
    ] {
        let found = newly_suspect(before, now);
        assert_eq!(found.as_deref(), expected, "{now}");
    }
}
