//! Files that are damaged, missing or from another time: one clear message each, and nothing is
//! lost.

use std::fs;
use std::path::{Path, PathBuf};

use reines::experiment::store::folder::RunFolder;

use crate::program::{Workplace, stderr, stdout, write_manifest};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.05\neta = 0.1\ntrials = 40\ncutoff = 50_000\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

pub fn workplace() -> Workplace {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    workplace
}

/// A run of which two parts are saved, 60 of its 80 trials; returns its folder.
pub fn begin(workplace: &Workplace) -> PathBuf {
    let name = workplace.runs("whole", "a")[0]
        .file_name()
        .expect("a run folder has a name")
        .to_owned();
    let folder = workplace.path().join("results/a").join(name);
    let records = workplace.records("whole", "a");
    let locked = RunFolder::at(&folder)
        .lock()
        .expect("nobody else runs this plan");
    let (mut parts, _) = locked
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    for batch in [&records[..30], &records[30..60]] {
        parts
            .save(&mut batch.to_vec())
            .expect("the part can be saved");
    }
    folder
}

pub fn first_part(run: &Path) -> PathBuf {
    let mut parts: Vec<PathBuf> = fs::read_dir(run.join("parts"))
        .expect("there are parts")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    parts.sort();
    parts.swap_remove(0)
}

pub fn flip(path: &Path, place: usize) {
    let mut bytes = fs::read(path).expect("the file can be read");
    bytes[place] ^= 0x10;
    fs::write(path, bytes).expect("the file can be written");
}

fn cut(path: &Path, length: usize) {
    let bytes = fs::read(path).expect("the file can be read");
    fs::write(path, &bytes[..length]).expect("the file can be written");
}

/// Whatever was done to a part: it is named, set aside and kept, and the bytes are right in the
/// end.
fn assert_part_is_set_aside(harm: impl Fn(&Path)) {
    let workplace = workplace();
    let run = begin(&workplace);
    let part = first_part(&run);
    harm(&part);
    let verified = workplace.reines(&["verify-files"]);
    assert_eq!(verified.status.code(), Some(1));
    let name = part
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    assert!(stdout(&verified).contains(&name), "{}", stdout(&verified));
    assert!(part.exists(), "verify-files changes nothing");
    let resumed = stderr(&workplace.succeed(&["run", "a.toml"]));
    assert!(
        resumed.contains(&name) && resumed.contains("set aside"),
        "{resumed}"
    );
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

#[test]
fn a_part_with_a_flipped_byte_is_set_aside() {
    for place in [0, 7, 300] {
        assert_part_is_set_aside(|part| flip(part, place));
    }
}

#[test]
fn a_part_that_was_cut_short_is_set_aside() {
    for length in [0, 3, 500] {
        assert_part_is_set_aside(|part| cut(part, length));
    }
}

/// A part of another plan, moved here by hand, is whole; its rows must not be mixed in.
#[test]
fn a_part_of_another_plan_is_set_aside() {
    let workplace = workplace();
    let run = begin(&workplace);
    workplace.write(
        "b.toml",
        &SPEC.replace("cutoff = 50_000", "cutoff = 60_000"),
    );
    workplace.succeed(&["run", "b.toml", "--results", "other"]);
    let other = RunFolder::at(workplace.path().join("forged"))
        .lock()
        .expect("a new folder");
    let (mut parts, _) = other
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    parts
        .save(&mut workplace.records("other", "b"))
        .expect("the part can be saved");
    let forged = first_part(other.folder().path());
    let name = forged
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .replace("000000-", "000007-");
    fs::copy(&forged, run.join("parts").join(&name)).expect("it can be copied");
    let resumed = stderr(&workplace.succeed(&["run", "a.toml"]));
    assert!(
        resumed.contains(&name) && resumed.contains("not this plan's"),
        "{resumed}"
    );
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

/// A complete run whose manifest was harmed: `run`, `report` and `verify-files` all say what is
/// wrong, and the rows stay.
#[test]
fn a_manifest_that_cannot_be_trusted_is_named_and_nothing_is_overwritten() {
    let newer = |text: String| text.replace("schema = 2", "schema = 99");
    let half = |text: String| text[..text.len() / 2].to_owned();
    let strange = |text: String| text.replace("rows = 80", "rows = -80");
    for (harm, expected) in [
        (
            &newer as &dyn Fn(String) -> String,
            "schema 99; this program reads schemas 1 to 2",
        ),
        (&half, "not a manifest"),
        (&strange, "not a manifest"),
    ] {
        let workplace = workplace();
        let run = workplace.runs("whole", "a")[0].clone();
        let path = run.join("manifest.toml");
        let text = harm(fs::read_to_string(&path).expect("the run is complete"));
        fs::write(&path, &text).expect("the file can be written");
        let before = fs::read(run.join("trials.parquet")).expect("the run is complete");
        for arguments in [
            ["run", "a.toml", "--results", "whole"],
            ["report", "a.toml", "--results", "whole"],
        ] {
            let output = workplace.reines(&arguments);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}");
            assert!(
                stderr(&output).contains("manifest.toml") && stderr(&output).contains(expected),
                "{}",
                stderr(&output)
            );
        }
        let verified = workplace.reines(&["verify-files", "whole"]);
        assert_eq!(verified.status.code(), Some(1));
        assert!(
            stdout(&verified).contains(expected),
            "{}",
            stdout(&verified)
        );
        assert_eq!(
            fs::read(run.join("trials.parquet")).expect("the run is complete"),
            before
        );
        assert_eq!(fs::read_to_string(&path).expect("the file is there"), text);
        // A way on without it, beside it.
        workplace.succeed(&["run", "a.toml", "--results", "whole", "--force"]);
        assert_eq!(
            fs::read(workplace.runs("whole", "a")[1].join("trials.parquet"))
                .expect("the second run is complete"),
            before
        );
        assert!(
            stderr(&workplace.succeed(&["run", "a.toml", "--results", "whole"]))
                .contains("complete already")
        );
        assert!(
            stderr(&workplace.succeed(&["report", "a.toml", "--results", "whole"]))
                .contains("not drawn"),
            "the damaged one is named"
        );
    }
}

#[test]
fn tables_without_a_manifest_are_kept_and_run_again() {
    let workplace = workplace();
    let run = workplace.runs("whole", "a")[0].clone();
    let before = workplace.bytes("whole", "a", "trials.parquet");
    fs::remove_file(run.join("manifest.toml")).expect("the run is complete");
    let again = stderr(&workplace.succeed(&["run", "a.toml", "--results", "whole"]));
    assert!(
        again.contains("trials.parquet") && again.contains("no manifest.toml to check it by"),
        "{again}"
    );
    assert_eq!(workplace.bytes("whole", "a", "trials.parquet"), before);
    assert_eq!(
        workplace.bytes("whole", "a", "trials.parquet.unchecked-1"),
        before
    );
}

#[test]
fn a_killed_merge_leaves_nothing_behind_that_the_next_run_does_not_clear() {
    let workplace = workplace();
    let run = workplace.runs("whole", "a")[0].clone();
    // As after a kill between the manifest and the removal of the parts.
    fs::create_dir(run.join("parts")).expect("it can be made");
    fs::write(run.join("parts/000000-00.parquet"), "left").expect("it can be written");
    fs::write(run.join("lock"), "").expect("it can be written");
    assert!(
        stderr(&workplace.succeed(&["run", "a.toml", "--results", "whole"]))
            .contains("complete already")
    );
    assert_eq!(
        workplace.files("whole", "a"),
        [
            "manifest.toml",
            "spec.toml",
            "timings.parquet",
            "trials.parquet"
        ]
    );
}

#[test]
fn verify_files_finds_every_harmed_file_of_a_complete_run() {
    let workplace = workplace();
    workplace.succeed(&["verify-files", "whole"]);
    for name in ["trials.parquet", "timings.parquet", "spec.toml"] {
        let path = workplace.runs("whole", "a")[0].join(name);
        let before = fs::read(&path).expect("the run is complete");
        flip(&path, before.len() / 2);
        let verified = workplace.reines(&["verify-files", "whole"]);
        assert_eq!(verified.status.code(), Some(1), "{name}");
        let text = stdout(&verified);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.len() == 2 && lines[0].starts_with("DAMAGED") && lines[1].contains(name),
            "{text}"
        );
        fs::write(&path, before).expect("the file can be written");
    }
    workplace.succeed(&["verify-files", "whole"]);
    let moved = workplace.path().join("whole/a/0.0.0-11111111-22222222");
    fs::rename(&workplace.runs("whole", "a")[0], moved).expect("it can be renamed");
    let verified = workplace.reines(&["verify-files", "whole"]);
    assert!(
        stdout(&verified).contains("where that of 0.0.0-11111111 belongs"),
        "{}",
        stdout(&verified)
    );
}

#[test]
fn rerun_repeats_a_run_and_compares_the_bytes() {
    let workplace = workplace();
    let run = workplace.runs("whole", "a")[0].clone();
    let manifest = run.join("manifest.toml").display().to_string();
    let again = workplace.succeed(&["rerun", &manifest, "--quiet"]);
    assert!(
        stdout(&again).contains("same 80 rows, byte for byte"),
        "{}",
        stdout(&again)
    );
    let tree = || crate::program::tree(workplace.path());
    let before = tree();
    workplace.succeed(&["rerun", &run.display().to_string()]);
    assert_eq!(tree(), before, "the repetition is kept nowhere");
    // A manifest of another code version, and of other bytes.
    let text = fs::read_to_string(&manifest).expect("the run is complete");
    let old = text.lines().map(|line| {
        if line.starts_with("code_version") {
            "code_version = \"0.0.0-00000000\""
        } else {
            line
        }
    });
    write_manifest(&manifest, &old.collect::<Vec<_>>().join("\n"));
    assert!(
        stderr(&workplace.succeed(&["rerun", &manifest]))
            .contains("made by code version 0.0.0-00000000")
    );
    flip(&run.join("trials.parquet"), 200);
    let damaged = workplace.reines(&["rerun", &manifest]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(stdout(&damaged).contains("BLAKE3"), "{}", stdout(&damaged));
}
