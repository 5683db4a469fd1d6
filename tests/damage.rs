//! Every file that the program reads, harmed in every way, and every command that reads it: the
//! damage is found and named, nothing is made of it or lost, and a way on is left.

mod manifests;

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::program::{
    Workplace, bytes_of, copy_folder, copy_part, files_of, has, lacks, name_of, part_of, stderr,
    tree,
};

/// Every table that a complete run can have, and a figure of each kind of them.
const SPEC: &str = "seed = 1\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 6\ncutoff = 200_000\n\
    [sweep.series]\nat = [0, 10, 100, 1000]\n\
    [[sweep]]\nalgorithm = \"lines\"\nn = [4, 5, 6]\ncutoff = 1e9\nrepeats = 2\n\
    [[figure]]\nkind = \"time-course\"\n[[figure]]\nkind = \"run-time-vs-n\"\n";

/// The files of a complete run.
const MANIFEST: &str = "manifest.toml";
const STORED_SPEC: &str = "spec.toml";
const TRIALS: &str = "trials.parquet";
const TIMINGS: &str = "timings.parquet";
const SERIES: &str = "series.parquet";
const ALL: &[&str] = &[MANIFEST, STORED_SPEC, TRIALS, TIMINGS, SERIES];
const ROWS: &[&str] = &[TRIALS, SERIES];

/// Commands, and what each reads of the run in `results/`.
const READERS: [(&str, &[&str]); 6] = [
    ("report a.toml", ALL),
    ("report", ALL),
    ("verify", ALL),
    ("diff results other", ALL),
    ("export a -o a.csv", &[MANIFEST, STORED_SPEC, TRIALS]),
    (
        "replay results/a algorithm=pair n=5 epsilon=0.05 --seed 1 --trial 2",
        &[MANIFEST, STORED_SPEC, TRIALS],
    ),
];

/// What the commands would make.
const MADE: [&str; 3] = ["figures", "a.csv", "replay.html"];

/// A complete run in `results/`, the same in `other/`, and one of another seed in `foreign/`.
fn complete() -> Workplace {
    let place = Workplace::with(SPEC);
    place.succeed("run a.toml -q");
    let [results, other] = ["results", "other"].map(|it| place.path().join(it));
    copy_folder(&results, &other);
    place.write("b.toml", &SPEC.replace("seed = 1", "seed = 2"));
    place.succeed("run b.toml -q --results foreign");
    place
}

/// What may happen to a file whose bytes are these; `None`: it is gone.
fn harms(sound: &[u8], foreign: Vec<u8>) -> Vec<(String, Option<Vec<u8>>)> {
    let flipped = |place: usize| {
        let mut bytes = sound.to_vec();
        bytes[place] ^= 0x10;
        (format!("byte {place} flipped"), Some(bytes))
    };
    let cut = |length: usize| (format!("cut to {length}"), Some(sound[..length].to_vec()));
    let end = sound.len();
    vec![
        flipped(end / 2),
        flipped(end - 10),
        cut(0),
        cut(end / 2),
        ("gone".to_owned(), None),
        ("of another run".to_owned(), Some(foreign)),
    ]
}

fn harm(path: &Path, bytes: Option<&[u8]>) {
    match bytes {
        Some(bytes) => fs::write(path, bytes).expect("it can be written"),
        None => fs::remove_file(path).expect("it is there"),
    }
}

/// Refused with exit code 2 and a sentence that names the file; nothing is made or changed.
fn assert_refused(place: &Workplace, command: &str, named: &str) {
    let before = tree(&place.path().join("results"));
    // Whether something is damaged is what `verify` is asked.
    let code = if command == "verify" { 1 } else { 2 };
    let said = place.ends(code, command);
    has(&said, named);
    assert_eq!(tree(&place.path().join("results")), before, "{command}");
    for made in MADE {
        let is_made = place.path().join(made).exists();
        assert!(!is_made, "{command} makes {made} with a harmed {named}");
    }
}

/// A grown spec takes nothing of what is harmed, says so, and has the rows of a fresh one. Where
/// times alone are harmed it has the 12 trials of the rule; the searches are timed anew.
fn assert_not_taken_over(place: &Workplace, named: &str) {
    let said = stderr(&place.succeed("run grown.toml"));
    let is_there = place.run("results").join(MANIFEST).exists();
    if named == TIMINGS {
        has(&said, "12 trials taken over from results/a/");
    } else {
        lacks(&said, "trials taken over from results/a/");
    }
    // Without a manifest it is no run that could be taken over.
    if is_there && named != TIMINGS {
        has(&said, "not taken over");
        has(&said, named);
    }
    for table in ROWS {
        let [own, fresh] = ["results", "fresh"].map(|it| place.bytes(it, "grown", table));
        assert!(own == fresh, "{named}: {table}");
    }
}

/// What is wrong is kept under another name, and what is missing runs again: the rows are those of
/// a run that nothing happened to.
fn assert_run_anew(place: &Workplace, ready: &Workplace, file: &str) {
    let run = place.run("results");
    let was_there = run.join(file).exists();
    let said = stderr(&place.succeed("run a.toml"));
    has(&said, file);
    has(&said, "set aside as results/a/");
    let kept = run.with_file_name(format!("{}.damaged-1", name_of(&run)));
    assert!(kept.join(MANIFEST).exists() && kept.join(file).exists() == was_there);
    let files = |run: &Path| files_of(run, "").into_iter().map(|it| name_of(&it));
    assert!(files(&run).eq(ready.files("results", "a")), "{file}");
    for table in ROWS {
        let sound = ready.bytes("results", "a", table);
        assert!(bytes_of(run.join(table)) == sound, "{file}: {table}");
    }
    // Nobody takes the harmed one for a run.
    place.succeed("verify");
    has(&stderr(&place.succeed("run a.toml")), "complete already");
}

/// Damage is 2 in every command but `verify`; a run that is not complete is 1, in `diff` 3, since 1
/// there is a difference; an unknown name is 2, and other names beside it are run and drawn.
#[test]
fn the_exit_codes_are_those_of_the_help() {
    let place = complete();
    let unfinished = place.copy();
    fs::remove_file(unfinished.run("results").join(MANIFEST)).expect("it is there");
    let never = Workplace::with(SPEC);
    place.write("none.toml", &SPEC.replace("seed = 1", "seed = 3"));
    fs::write(place.run("results").join(TRIALS), "").expect("it can be written");
    let readers = READERS.iter().map(|it| it.0);
    let more = ["list a", "list a --csv", "list a --json", "export -o b.csv"];
    for command in readers.chain(more) {
        let code = if command == "verify" { 1 } else { 2 };
        has(&place.ends(code, command), TRIALS);
    }
    // Nobody asks for the damaged one.
    place.succeed("list");
    place.succeed("export other/a -o b.csv");
    for workplace in [&unfinished, &never] {
        for command in [
            "report a.toml",
            "export a.toml -o a.csv",
            "replay a.toml algorithm=pair n=5 epsilon=0.05 --seed 1 --trial 2",
            "list a.toml",
            "list a.toml --csv",
        ] {
            workplace.ends(1, command);
        }
        workplace.ends(3, "diff a.toml a.toml");
    }
    never.write("b.toml", SPEC);
    let said = never.ends(2, "run -q nope a.toml nobody b.toml");
    has(&said, "error: nope: no spec and no run of this name");
    has(&said, "error: 2 of 4 experiments failed: nope, nobody\n");
    let said = never.ends(2, "report -q a nope b");
    has(&said, "error: 1 of 3 experiments failed: nope\n");
    assert_eq!(files_of(&never.path().join("figures"), ".svg").len(), 4);
    // What has no means.
    let said = never.ends(2, "list algorithms --csv");
    has(&said, "--csv of algorithms: it has no means");
}

/// In a copy for each file and each harm.
#[test]
fn of_a_complete_run_no_harmed_file_is_used() {
    let ready = complete();
    let grown = SPEC.replace("trials = 6", "trials = 7");
    ready.write("grown.toml", &grown);
    ready.succeed("run grown.toml -q --results fresh");
    for (command, _) in READERS {
        ready.copy().succeed(command);
    }
    let (run, foreign) = (ready.run("results"), ready.runs("foreign", "b").remove(0));
    let cases = ALL.iter().flat_map(|file| {
        let harms = harms(&bytes_of(run.join(file)), bytes_of(foreign.join(file)));
        harms.into_iter().map(move |harm| (*file, harm))
    });
    let cases: Vec<_> = cases.collect();
    cases.par_iter().for_each(|(file, (what, bytes))| {
        let place = ready.copy();
        harm(&place.run("results").join(file), bytes.as_deref());
        println!("{file}: {what}");
        // Under the manifest of another run, any of its files is the first that is none of it.
        let named = match (*file, what.as_str()) {
            (MANIFEST, "of another run") => "results/a/",
            (file, _) => file,
        };
        // Without a manifest it is no complete run (`transcripts/damaged.txt`).
        let is_complete = place.run("results").join(MANIFEST).exists();
        let readers = READERS.iter().filter(|it| it.1.contains(file));
        for (command, _) in readers.filter(|_| is_complete) {
            assert_refused(&place, command, named);
        }
        if *file != STORED_SPEC {
            assert_not_taken_over(&place, named);
        }
        // Else all but the searches would come from there.
        let _ = fs::remove_dir_all(place.path().join("results/grown"));
        if *file != MANIFEST {
            assert_run_anew(&place, &ready, file);
        }
    });
}

/// The run is a part of itself, saved; and what the whole has.
fn begun() -> (Workplace, PathBuf) {
    let place = Workplace::with(SPEC);
    place.succeed("run a.toml -q --results whole");
    let run = place.save_some("", |it| it.row.trial % 2 == 0);
    (place, run)
}

fn assert_as_whole(place: &Workplace, case: &str) {
    for table in ROWS {
        let [own, whole] = ["results", "whole"].map(|it| place.bytes(it, "a", table));
        assert!(own == whole, "{case}: {table}");
    }
}

/// It is named, kept and not drawn; its trials run again.
fn assert_set_aside(place: &Workplace, part: &Path, case: &str) {
    let name = name_of(part);
    println!("{case}: {name}");
    has(&place.ends(1, "verify"), &name);
    for command in ["verify", "report a.toml"] {
        place.ends(1, command);
        assert!(part.exists(), "{case}: {command}");
        assert!(!place.path().join("figures").exists(), "{case}");
    }
    let said = stderr(&place.succeed("run a.toml"));
    has(&said, &name);
    has(&said, "set aside");
    assert_as_whole(place, case);
}

#[test]
fn harmed_parts_are_set_aside() {
    let (ready, run) = begun();
    let other = Workplace::with(&SPEC.replace("200_000", "300_000"));
    let foreign = part_of(&other.save_some("", |_| true));
    let cases = harms(&bytes_of(part_of(&run)), bytes_of(&foreign));
    cases.par_iter().for_each(|(case, bytes)| {
        let place = ready.copy();
        let part = part_of(&place.run("results"));
        harm(&part, bytes.as_deref());
        match bytes {
            Some(_) => assert_set_aside(&place, &part, case),
            None => {
                place.succeed("run a.toml");
                assert_as_whole(&place, case);
            }
        }
    });
    // Whole, and of another plan.
    let part = copy_part(&foreign, &run, "000007");
    assert_set_aside(&ready, &part, "of another plan");
}

/// In whatever order, and the largest numbers that there are.
#[test]
fn parts_of_any_number_are_used() {
    for numbers in [[7, 0], [u64::MAX, u64::MAX - 1]] {
        let (place, run) = begun();
        place.save_some("", |it| it.row.trial % 2 == 1);
        for (part, number) in files_of(&run.join("parts"), "").iter().zip(&numbers) {
            copy_part(part, &run, &number.to_string());
            fs::remove_file(part).expect("it is there");
        }
        lacks(&stderr(&place.succeed("run a.toml")), "set aside");
        assert_as_whole(&place, "");
    }
}
