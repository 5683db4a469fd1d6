//! Manifests that are not what a run wrote, with and without a right checksum of their own.

use std::fs;

use polars::prelude::Column;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;

use super::{MANIFEST, TRIALS, complete};
use crate::program::{
    bytes_of, forge, has, stderr, stdout, table, table_bytes, text_of, write_manifest,
};
use crate::spec_fuzz::Damage;

/// Whatever is done to a manifest, reading it ends in a manifest or in one sentence.
#[test]
fn damaged_manifests_end_in_a_manifest_or_in_one_sentence() {
    let place = complete();
    let run = RunFolder::at(place.run("results"));
    let path = run.path().join(MANIFEST);
    let text = text_of(&path);
    let (mut read, mut refused) = (0, 0);
    for case in 1..=crate::spec_fuzz::cases() {
        let mut damage = Damage::new(case);
        let mut damaged = text.clone();
        for _ in 0..=damage.below(3) {
            damaged = damage.apply(&damaged);
        }
        fs::write(&path, &damaged).expect("the file can be written");
        let is_read = run.manifest().is_ok();
        assert!(!is_read || damaged == text, "damaged and read:\n{damaged}");
        // As if it had been written so: what then can be read at all is held against the rest.
        write_manifest(&path, &damaged);
        match CompleteRun::at(run.clone()).and_then(|run| run.points()) {
            Ok(_) => read += 1,
            Err(error) => {
                refused += 1;
                let sentence = error.to_string();
                let is_hidden = |c: char| c.is_control() && c != '\n';
                let is_sane = !sentence.contains(is_hidden) && sentence.chars().count() < 2000;
                assert!(is_sane, "{sentence:?}\n{damaged}");
            }
        }
    }
    let is_fair = read > 0 && refused > crate::spec_fuzz::cases() / 3;
    assert!(
        is_fair,
        "too mild or too harsh: {read} read, {refused} refused"
    );
}

/// A few compressed bytes, or a line of a manifest, can stand for more than fits into memory.
#[test]
fn what_is_larger_than_any_plan_is_refused_before_it_is_read() {
    let place = complete();
    let run = place.run("results");
    let refused = |words: &str| {
        let commands = [
            ("verify", 1),
            ("report a.toml", 2),
            ("export a -o a.csv", 2),
        ];
        for (command, code) in commands {
            has(&place.ends(code, command), words);
        }
    };
    let sound = table(&bytes_of(run.join(TRIALS)));
    let many = sound.slice(0, 1).new_from_index(0, 300_000);
    forge(&run, TRIALS, &table_bytes(many));
    refused("trials.parquet: 300000 rows of ");
    let mut long = sound.clone();
    let cells = vec!["1,".repeat(1_000_000); sound.height()];
    let cells = Column::new("solution".into(), cells);
    long.with_column(cells).expect("as many rows");
    forge(&run, TRIALS, &table_bytes(long));
    refused("each of at most 16384 bytes");
    let manifest = run.join(MANIFEST);
    let text = text_of(&manifest);
    let point = "[[points]]\npoint = \"\"\ntrials = 1\ncensored = 0\n";
    write_manifest(&manifest, &(text.clone() + &point.repeat(100_000)));
    refused("points; expected at most 100000");
    let rows = text
        .lines()
        .find(|it| it.starts_with("rows = "))
        .expect("a key");
    write_manifest(&manifest, &text.replacen(rows, "rows = 40_000_000", 1));
    refused("40000000 trials; expected at most 10000000");
}

/// The name of a folder and the text of a manifest are shown, and do nothing to the terminal.
#[test]
fn hostile_names_are_shown_and_do_nothing() {
    let place = complete();
    let run = place.run("results");
    let text = text_of(run.join(MANIFEST));
    let other = "[files.\"../a\"]\nbytes = 1\nblake3 = \"00\"\n";
    write_manifest(run.join(MANIFEST), &(text.clone() + other));
    has(&place.ends(1, "verify"), "is no file of this folder");
    write_manifest(run.join(MANIFEST), &text);
    let named = run.with_file_name("0.1.0\u{1b}[2J-11111111-22222222");
    fs::rename(&run, &named).expect("it can be renamed");
    let manifest = named.join(MANIFEST);
    for (from, to) in [
        ("0.1.0-", "0.1.0\\u001B[31m-"),
        ("cpu = \"", "cpu = \"<b>\\u009B"),
    ] {
        write_manifest(&manifest, &text_of(&manifest).replacen(from, to, 1));
    }
    for command in [
        "list",
        "list --json",
        "verify results",
        "verify results --json",
        "report",
        "diff results results",
    ] {
        let output = place.reines(command);
        let said = stderr(&output) + &stdout(&output);
        let is_hidden = |c: char| c.is_control() && c != '\n';
        assert!(!said.contains(is_hidden), "{command}: {said:?}");
        assert!(!said.contains("panicked"), "{command}: {said}");
    }
    assert!(!bytes_of(std::path::Path::new(&named).join(TRIALS)).is_empty());
}
