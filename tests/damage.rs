//! Every file that the program reads, harmed in every way, and every command that reads it: the
//! damage is found and named, nothing is made of it or lost, and a way on is left.

mod manifests;

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::program::{
    Workplace, bytes_of, copy_folder, files_of, flip, has, lacks, name_of, part_of, stderr, stdout,
    tree,
};

/// Every table that a complete run can have, and a figure of each kind of them.
const SPEC: &str = "seed = 1\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 6\ncutoff = 200_000\n\
    [sweep.series]\nat = [0, 10, 100, 1000]\n[sweep.events]\nkeep = \"moves\"\n\
    [[sweep]]\nalgorithm = \"lines\"\nn = [4, 5, 6]\ncutoff = 1e9\nrepeats = 2\n\
    [[figure]]\nkind = \"time-course\"\n[[figure]]\nkind = \"run-time-vs-n\"\n";

/// The files of a complete run.
const MANIFEST: &str = "manifest.toml";
const STORED_SPEC: &str = "spec.toml";
const TRIALS: &str = "trials.parquet";
const TIMINGS: &str = "timings.parquet";
const SERIES: &str = "series.parquet";
const MOVES: &str = "moves.parquet";
const ALL: &[&str] = &[MANIFEST, STORED_SPEC, TRIALS, TIMINGS, SERIES, MOVES];
const ROWS: &[&str] = &[TRIALS, SERIES, MOVES];

/// Commands, and what each reads of the run in `results/`.
const READERS: [(&str, &[&str]); 6] = [
    ("report a.toml", ALL),
    ("report", ALL),
    ("verify", ALL),
    (
        "diff results other",
        &[MANIFEST, STORED_SPEC, TRIALS, TIMINGS, SERIES, MOVES],
    ),
    ("export a -o a.csv", &[MANIFEST, STORED_SPEC, TRIALS]),
    (
        "replay results/a --only algorithm=pair,n=5,epsilon=0.05 --seed 1 --trial 2",
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

/// Refused with exit code 1 and a sentence that names the file; nothing is made or changed.
fn assert_refused(place: &Workplace, command: &str, file: &str, is_foreign: bool) {
    let run = place.run("results");
    let before = tree(&place.path().join("results"));
    // A difference is 1 of `diff`, so that what it cannot read is bad input.
    let code = if command.starts_with("diff") { 2 } else { 1 };
    let said = place.ends(code, command.replace("RUN", &run.display().to_string()));
    // Under the manifest of another run, any of its files is the first that is none of it.
    let is_known = file == MANIFEST && is_foreign;
    has(&said, if is_known { "results/a/" } else { file });
    assert_eq!(tree(&place.path().join("results")), before, "{command}");
    for made in MADE {
        let is_made = place.path().join(made).exists();
        assert!(!is_made, "{command} makes {made} with a harmed {file}");
    }
}

#[test]
fn of_a_complete_run_no_harmed_file_is_used() {
    let ready = complete();
    let (run, foreign) = (ready.run("results"), ready.runs("foreign", "b").remove(0));
    for (command, files) in READERS {
        let place = ready.copy();
        let run = name_of(&run);
        place.succeed(command.replace("RUN", &format!("results/a/{run}")));
        assert!(!files.is_empty());
    }
    let cases: Vec<_> = ALL
        .iter()
        .flat_map(|file| {
            let harms = harms(&bytes_of(run.join(file)), bytes_of(foreign.join(file)));
            harms.into_iter().map(move |harm| (*file, harm))
        })
        // Without a manifest it is no complete run (`transcripts/damaged.txt`).
        .filter(|(file, (_, bytes))| *file != MANIFEST || bytes.is_some())
        .collect();
    cases.par_iter().for_each(|(file, (what, bytes))| {
        let place = ready.copy();
        let path = place.run("results").join(file);
        harm(&path, bytes.as_deref());
        println!("{file}: {what}");
        for (command, _) in READERS.iter().filter(|(_, files)| files.contains(file)) {
            assert_refused(&place, command, file, what == "of another run");
        }
    });
}

/// A grown spec takes nothing of a run that is harmed, says so, and has the rows of a fresh one.
#[test]
fn nothing_harmed_is_taken_over() {
    let ready = complete();
    let grown = SPEC.replace("trials = 6", "trials = 7");
    ready.write("grown.toml", &grown);
    ready.succeed("run grown.toml -q --results fresh");
    let foreign = ready.runs("foreign", "b").remove(0);
    for file in ALL.iter().filter(|&&file| file != STORED_SPEC) {
        let sound = bytes_of(ready.run("results").join(file));
        for (what, bytes) in harms(&sound, bytes_of(foreign.join(file)))
            .into_iter()
            .skip(1)
            .step_by(3)
        {
            let place = ready.copy();
            harm(&place.run("results").join(file), bytes.as_deref());
            let said = stderr(&place.succeed("run grown.toml"));
            lacks(&said, "trials taken over from");
            if bytes.is_some() || *file != MANIFEST {
                has(&said, "not taken over");
                has(&said, file);
            }
            for table in ROWS {
                let [own, fresh] = ["results", "fresh"].map(|it| place.bytes(it, "grown", table));
                assert!(own == fresh, "{file}, {what}: {table}");
            }
        }
    }
}

/// What is wrong is kept under another name, and what is missing runs again: the rows are those of
/// a run that nothing happened to.
#[test]
fn a_harmed_run_is_set_aside_and_run_anew() {
    let ready = complete();
    let whole = ready.files("results", "a");
    for file in ALL.iter().copied().filter(|file| *file != MANIFEST) {
        for gone in [false, true] {
            let place = ready.copy();
            let run = place.run("results");
            match gone {
                false => flip(&run.join(file), 200),
                true => fs::remove_file(run.join(file)).expect("it is there"),
            }
            let said = stderr(&place.succeed("run a.toml"));
            has(&said, file);
            has(&said, "set aside as results/a/");
            let kept = run.with_file_name(format!("{}.damaged-1", name_of(&run)));
            assert!(kept.join(MANIFEST).exists() && kept.join(file).exists() != gone);
            assert_eq!(files_of(&run, "").len(), whole.len(), "{file}");
            for table in ROWS {
                let [own, sound] = [&place, &ready].map(|it| {
                    bytes_of(it.path().join("results/a").join(name_of(&run)).join(table))
                });
                assert!(own == sound, "{file}: {table}");
            }
            // Nobody takes the harmed one for a run.
            place.succeed("verify");
            has(&stderr(&place.succeed("run a.toml")), "complete already");
        }
    }
}

/// A table that is no file, or has another length, is not read: it might never end.
#[test]
fn a_table_that_never_ends_is_refused() {
    let ready = complete();
    for file in [MANIFEST, STORED_SPEC, TRIALS] {
        for kind in ["zero", "pipe", "sparse"] {
            let place = ready.copy();
            let path = place.run("results").join(file);
            fs::remove_file(&path).expect("it is there");
            match kind {
                "zero" => std::os::unix::fs::symlink("/dev/zero", &path).expect("a link"),
                "pipe" => assert!(
                    place
                        .tool("mkfifo")
                        .arg(&path)
                        .status()
                        .expect("mkfifo")
                        .success()
                ),
                _ => {
                    let sparse = fs::File::create(&path).expect("it can be made");
                    sparse.set_len(200_000_000_000).expect("a sparse file");
                }
            }
            for command in ["verify", "report a.toml", "export a -o a.csv"] {
                has(&place.ends(1, command), file);
            }
            has(&place.ends(2, "diff results other"), file);
            has(&stderr(&place.succeed("run a.toml")), "set aside");
        }
    }
}

/// The run is a part of itself, saved; and what the whole has.
fn begun() -> (Workplace, PathBuf) {
    let place = Workplace::with(SPEC);
    place.succeed("run a.toml -q --results whole");
    let run = place.save_some("", |it| it.row.trial % 2 == 0);
    (place, run)
}

/// The files of a part.
const OF_PART: [&str; 5] = [MANIFEST, TRIALS, TIMINGS, SERIES, MOVES];

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
    for command in ["verify", "report a.toml"] {
        has(&place.ends(1, command), &name);
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
    let cases = OF_PART.iter().flat_map(|file| {
        let sound = bytes_of(part_of(&run).join(file));
        let harms = harms(&sound, bytes_of(foreign.join(file)));
        harms.into_iter().map(move |harm| (*file, harm))
    });
    let cases: Vec<_> = cases.collect();
    cases.par_iter().for_each(|(file, (case, bytes))| {
        let place = ready.copy();
        let part = part_of(&place.run("results"));
        harm(&part.join(file), bytes.as_deref());
        match (*file, bytes) {
            // What has no manifest is no part: it was being written.
            (MANIFEST, None) => {
                place.succeed("run a.toml");
                assert_as_whole(&place, case);
            }
            _ => assert_set_aside(&place, &part, &format!("{file}: {case}")),
        }
    });
    // Whole, and of another plan.
    let part = run.join("parts/000007");
    copy_folder(&foreign, &part);
    assert_set_aside(&ready, &part, "of another plan");
}

/// In whatever order, and the largest numbers that there are.
#[test]
fn parts_of_any_number_are_used() {
    for numbers in [[7, 0], [u64::MAX, u64::MAX - 1]] {
        let (place, run) = begun();
        place.save_some("", |it| it.row.trial % 2 == 1);
        let parts = run.join("parts");
        for (at, number) in numbers.iter().enumerate().rev() {
            let from = parts.join(format!("{at:06}"));
            fs::rename(from, parts.join(number.to_string())).expect("it can be renamed");
        }
        lacks(&stderr(&place.succeed("run a.toml")), "set aside");
        assert_as_whole(&place, "");
    }
}

/// A copy under another name and elsewhere is neither damaged nor another experiment's.
#[test]
fn a_copy_of_a_run_is_read_wherever_it_lies() {
    let place = complete();
    let run = place.run("results");
    for copy in ["my backup", &format!("elsewhere/{}", name_of(&run))] {
        copy_folder(&run, &place.path().join(copy));
        let said = stdout(&place.succeed(["verify", copy]));
        has(&said, &format!("ok       {copy}: complete, 15 trials"));
        place.succeed(["report", copy]);
        assert!(place.path().join("figures/a-time-course.svg").exists());
        fs::remove_dir_all(place.path().join("figures")).expect("it is there");
        place.succeed(["diff", copy, "results"]);
        place.succeed(["export", copy, "-o", "a.csv", "--force"]);
        flip(&place.path().join(copy).join(TRIALS), 200);
        has(&stdout(&place.reines(["verify", copy])), "DAMAGED");
    }
    // The folder of an experiment.
    let copy = "results/a backup";
    let copied = format!("{copy}/{}", name_of(&run));
    copy_folder(&run, &place.path().join(&copied));
    let said = stdout(&place.succeed(["verify", copy]));
    has(&said, &format!("ok       {copied}: complete, 15 trials"));
    has(&stdout(&place.succeed(["diff", copy, "a"])), "identical");
    lacks(
        &stdout(&place.succeed(["list", "a backup"])),
        "another code",
    );
    flip(&place.path().join(copied).join(TRIALS), 200);
    has(&stdout(&place.reines(["verify", copy])), "DAMAGED");
}
