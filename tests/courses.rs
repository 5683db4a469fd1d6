//! What the trials of a run write down of their course: from a spec to its two files and back.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use polars::prelude::{Column, DataFrame, ParquetReader, ParquetWriter, SerReader};
use reines::analysis::sequential::is_precise;
use reines::experiment::plan::{MAX_COURSE_ROWS, Plan};
use reines::experiment::provenance::checksum;
use reines::experiment::runner::{self, Finish, PlannedRun, Request, RunError};
use reines::experiment::shard::Shard;
use reines::experiment::spec;
use reines::experiment::store::Record;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::solver::{Control, Job, algorithm};

use crate::program::{Workplace, stderr, stdout, write_manifest};

/// Trials that are absorbed before, between and after the moments, and trials that are censored.
const SPEC: &str = "seeds = [7, 3]\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = 0.02\ntrials = 12\ncutoff = 3000\n\
    [sweep.series]\nat = { from = 1, to = 1e5, points = 11, scale = \"log\" }\n\
    [sweep.events]\nkeep = \"moves\"\n\
    [[sweep]]\nalgorithm = \"cell\"\nn = 4\nepsilon = 0.05\neta = 0.1\ntrials = 12\ncutoff = 1000\n\
    [sweep.series]\nat = [1000, 0, 250.5, 0]\n\
    [[sweep]]\nalgorithm = \"cell\"\nn = 5\nepsilon = 0.05\neta = 0.1\ntrials = 12\ncutoff = 1000\n";

const FILES: [&str; 3] = ["trials.parquet", "series.parquet", "moves.parquet"];

/// `a.toml`, whose run stands in `whole/`.
fn workplace() -> Workplace {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&[
        "run",
        "a.toml",
        "-q",
        "--results",
        "whole",
        "--threads",
        "1",
    ]);
    workplace
}

fn whole(workplace: &Workplace) -> RunFolder {
    RunFolder::at(&workplace.runs("whole", "a")[0])
}

fn assert_same_bytes(workplace: &Workplace, results: &str, expected: &str) {
    for file in FILES {
        assert!(
            workplace.bytes(results, "a", file) == workplace.bytes(expected, "a", file),
            "{file} of {results}"
        );
    }
    workplace.succeed(&["verify-files", results]);
}

/// Every row as the algorithm itself gives it.
#[test]
fn courses_are_read_back_with_their_trials() {
    let workplace = workplace();
    let folder = whole(&workplace);
    let run = CompleteRun::at(folder).expect("a complete run");
    let manifest = &run.manifest;
    let plan = Plan::new(&spec::parse("a", "a.toml", SPEC, &[]).expect("a spec")).expect("a plan");
    let points = run.courses().expect("whole files");
    let [mut series, mut moves] = [0, 0];
    for point in &points {
        let planned = plan.at(&point.point).expect("a point of the plan");
        let algorithm = algorithm(&planned.point.algorithm).expect("registered");
        assert_eq!(point.trials.len(), 24);
        for (row, course) in &point.trials {
            let job = Job {
                point: &planned.point,
                seed: row.seed,
                cutoff: planned.cutoff,
                dynamics: planned.dynamics,
            };
            let expected = algorithm
                .trial_with_course(&job, row.trial, planned.recording(), &Control::unstopped())
                .expect("nothing stops it");
            assert_eq!((&row.outcome, course), (&expected.0, &expected.1));
            series += course.series.len() as u64;
            moves += course.moves.len() as u64;
        }
    }
    // Not the cell rule at n = 5, whose sweep asks for nothing.
    assert_eq!(points.len(), 4);
    assert_eq!(u128::from(series), plan.series_rows());
    // 1, 3, 10, 32, 100, 316, 1000 of the first sweep; 0, 251, 1000 of the second.
    assert_eq!(series, 24 * (3 * 7 + 3));
    assert_eq!([series, moves], [manifest.series_rows, manifest.move_rows]);
    assert!(moves > 100);
}

#[test]
fn the_bytes_are_the_same_for_any_threads_and_shards() {
    let workplace = workplace();
    for threads in ["2", "4"] {
        let results = format!("threads-{threads}");
        workplace.succeed(&[
            "run",
            "a.toml",
            "-q",
            "--results",
            &results,
            "--threads",
            threads,
        ]);
        assert_same_bytes(&workplace, &results, "whole");
    }
    for shard in ["0/3", "1/3", "2/3"] {
        workplace.succeed(&[
            "run",
            "a.toml",
            "-q",
            "--results",
            "shards",
            "--shard",
            shard,
        ]);
    }
    workplace.succeed(&["verify-files", "shards"]);
    workplace.succeed(&["merge", "a.toml", "--results", "shards"]);
    assert_same_bytes(&workplace, "shards", "whole");
    assert_eq!(
        workplace.files("whole", "a"),
        [
            "manifest.toml",
            "moves.parquet",
            "series.parquet",
            "spec.toml",
            "timings.parquet",
            "trials.parquet"
        ]
    );
}

fn records(folder: &RunFolder) -> Vec<Record> {
    let run = CompleteRun::at(folder.clone()).expect("a complete run");
    let trials = run.timed_trials().and_then(|it| it.with_courses(&run));
    let trials = trials.expect("whole files");
    trials.map(|it| it.expect("whole files")).collect()
}

/// Parts as an interrupted run leaves them, in some order; one of them has a course that is cut
/// short, and runs again.
#[test]
fn an_interrupted_run_goes_on_with_the_courses_that_it_saved() {
    let workplace = workplace();
    let folder = whole(&workplace);
    let records = records(&folder);
    let name = folder.path().file_name().expect("a name");
    let locked = RunFolder::at(workplace.path().join("results/a").join(name))
        .lock()
        .expect("nobody else runs this plan");
    let (mut parts, _) = locked
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    let mut cut_short = records[100].clone();
    cut_short.course.series.pop().expect("an observation");
    for mut part in [
        records[40..70].to_vec(),
        records[5..20].to_vec(),
        vec![cut_short],
        // Without any course: the point asks for none.
        records[24..40].to_vec(),
    ] {
        parts.save(&mut part).expect("the part can be saved");
    }
    drop(locked);
    let said = stderr(&workplace.succeed(&["run", "a.toml"]));
    assert!(
        said.contains("its rows are not this plan's; set aside"),
        "{said}"
    );
    let aside = fs::read_dir(workplace.runs("results", "a")[0].join("parts"));
    assert!(aside.is_err(), "what was set aside goes with the parts");
    assert_same_bytes(&workplace, "results", "whole");
}

/// Runs the spec in the library; `most_moves` and the shard as given.
fn run_in(
    results: &Path,
    text: &str,
    most_moves: u64,
    shard: Option<Shard>,
) -> Result<Finish, RunError> {
    let spec = spec::parse("a", "a.toml", text, &[]).expect("a spec");
    let plan = Plan::new(&spec).expect("a plan");
    let run = PlannedRun {
        spec: &spec,
        plan: &plan,
        results,
        rule: is_precise,
        command: &[],
    };
    let request = Request {
        run,
        shard,
        threads: 2,
        most_moves,
        foreseen: &Vec::new,
        force: false,
    };
    runner::run(&request, &AtomicBool::new(false), &mut ())
}

#[test]
fn a_run_of_too_many_moves_stops_and_goes_on_where_it_may() {
    let workplace = workplace();
    let manifest = whole(&workplace).manifest().expect("a complete run");
    let results = workplace.path().join("results");
    for most in [10, manifest.move_rows - 1] {
        let error = run_in(&results, SPEC, most, None).expect_err("more moves");
        let words = format!("more than {most} rows of moves.parquet");
        assert!(error.to_string().contains(&words), "{error}");
        assert!(error.to_string().contains("--allow-huge"), "{error}");
    }
    let finish = run_in(&results, SPEC, manifest.move_rows, None).expect("as many as may be");
    assert!(matches!(finish, Finish::Complete { .. }), "{finish:?}");
    assert_same_bytes(&workplace, "results", "whole");
    let half = "0/2".parse().expect("a shard");
    let error = run_in(&workplace.path().join("halves"), SPEC, 20, Some(half));
    let error = error.expect_err("a shard may have half of them");
    assert!(error.to_string().contains("more than 10 rows"), "{error}");
}

#[test]
fn too_many_rows_of_a_series_are_refused() {
    let workplace = Workplace::new();
    let sweep = "algorithm = \"pair\"\nn = 8\nepsilon = 0.01\ntrials = 1_000_000\ncutoff = 1e6\n";
    let series = "[sweep.series]\nat = { from = 0, to = 1e6, points = 101 }\n";
    workplace.write("a.toml", &format!("seed = 1\n[[sweep]]\n{sweep}{series}"));
    for command in ["run", "check"] {
        let refused = workplace.reines(&[command, "a.toml"]);
        assert_eq!(refused.status.code(), Some(2));
        let words = format!(
            "a.toml: a plan of 101000000 rows of series.parquet; allowed are {MAX_COURSE_ROWS} without --allow-huge"
        );
        assert!(stderr(&refused).contains(&words), "{}", stderr(&refused));
    }
    let told = stdout(&workplace.succeed(&["check", "a.toml", "--allow-huge"]));
    assert!(
        told.contains("series.parquet: 101\u{202f}000\u{202f}000 rows, about 1010 MB"),
        "{told}"
    );
}

#[test]
fn check_foretells_both_tables() {
    let workplace = workplace();
    let told = stdout(&workplace.succeed(&["check", "a.toml"]));
    assert!(
        told.contains("series.parquet: 576 rows, about 5760 B"),
        "{told}"
    );
    assert!(
        told.contains("moves.parquet: a row for each move, how many is unknown"),
        "{told}"
    );
    let moves = whole(&workplace).manifest().expect("complete").move_rows;
    let told = stdout(&workplace.succeed(&["check", "a.toml", "--results", "whole"]));
    let words = format!("moves.parquet: about {moves} rows by the mean of earlier results");
    assert!(told.replace('\u{202F}', "").contains(&words), "{told}");
    let json = stdout(&workplace.succeed(&["check", "--json", "a.toml", "--results", "whole"]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[0]["series_rows"], 576);
    assert_eq!(json[0]["moves"]["forecast"], moves);
}

/// Of a quick run, of sweeps that overlap, and of a run that asks for moves alone.
#[test]
fn all_trials_of_a_point_have_what_any_sweep_asks_for() {
    let workplace = Workplace::new();
    let sweep = |trials: u32, course: &str| {
        format!(
            "[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = {trials}\ncutoff = 100\n{course}"
        )
    };
    let series = |at: &str| format!("[sweep.series]\nat = {at}\n");
    let text = [
        "seed = 1\n".to_owned(),
        sweep(6, &series("[5, 0]")),
        sweep(20, ""),
        sweep(
            3,
            &(series("[7, 5]") + "[sweep.events]\nkeep = \"moves\"\n"),
        ),
    ]
    .concat();
    workplace.write("a.toml", &text);
    workplace.succeed(&["run", "a.toml", "-q"]);
    workplace.succeed(&["run", "a.toml", "-q", "--quick", "--results", "quick"]);
    for (results, trials) in [("results", 20), ("quick", 5)] {
        let folder = RunFolder::at(&workplace.runs(results, "a")[0]);
        let manifest = folder.manifest().expect("a complete run");
        assert_eq!((manifest.rows, manifest.series_rows), (trials, 3 * trials));
        assert!(manifest.move_rows > 0);
    }
    workplace.write(
        "b.toml",
        &[
            "seed = 1\n",
            &sweep(3, "[sweep.events]\nkeep = \"moves\"\n"),
        ]
        .concat(),
    );
    workplace.succeed(&["run", "b.toml", "-q"]);
    assert!(
        !workplace
            .files("results", "b")
            .contains(&"series.parquet".to_owned())
    );
    workplace.bytes("results", "b", "moves.parquet");
    workplace.succeed(&["verify-files"]);
}

#[test]
fn rows_are_taken_over_only_with_the_course_that_is_asked_for() {
    let workplace = workplace();
    let run = |text: &str, fresh: &str| {
        workplace.write("a.toml", text);
        workplace.succeed(&["run", "a.toml", "-q", "--results", fresh]);
        // The whole run is the only other one.
        let _ = fs::remove_dir_all(workplace.path().join("results"));
        let name = whole(&workplace)
            .path()
            .file_name()
            .expect("a name")
            .to_owned();
        let to = workplace.path().join("results/a").join(name);
        fs::create_dir_all(&to).expect("a new folder");
        for file in workplace.files("whole", "a") {
            fs::copy(whole(&workplace).path().join(&file), to.join(&file)).expect("copied");
        }
        let said = stderr(&workplace.succeed(&["run", "a.toml"]));
        fs::remove_dir_all(to).expect("it is there");
        said
    };
    let more = run(&SPEC.replace("[1, 4, 5]", "[4, 5, 6]"), "more");
    assert!(more.contains("96 trials taken over"), "{more}");
    assert_same_bytes(&workplace, "results", "more");

    let none = SPEC.replace("[sweep.events]\nkeep = \"moves\"\n", "");
    let none = none
        .lines()
        .filter(|line| !line.starts_with("[sweep.") && !line.starts_with("at"));
    let none = run(&none.collect::<Vec<_>>().join("\n"), "none");
    assert!(none.contains("120 trials taken over"), "{none}");
    let bytes = |results: &str| workplace.bytes(results, "a", "trials.parquet");
    assert!(bytes("results") == bytes("none"));
    assert!(
        bytes("results") == bytes("whole"),
        "the rows do not depend on it"
    );
    assert!(
        !workplace
            .files("results", "a")
            .contains(&"series.parquet".to_owned())
    );

    let other = run(&SPEC.replace("[1000, 0, 250.5, 0]", "[1000, 0]"), "other");
    assert!(
        other.contains("96 trials taken over")
            && other.contains("the recording at cell n=4 epsilon=0.05 eta=0.1 is a series of 2 moments from 0 to 1000, there it is a series of 3 moments from 0 to 1000"),
        "{other}"
    );
    assert_same_bytes(&workplace, "results", "other");
}

/// Rewrites a file of the run in `results/` and what its manifest says of it.
fn rewrite(workplace: &Workplace, file: &str, change: impl Fn(DataFrame) -> DataFrame) {
    let folder = workplace.runs("results", "a")[0].clone();
    let old = workplace.bytes("results", "a", file);
    let frame = ParquetReader::new(Cursor::new(&old)).finish();
    let frame = frame.expect("our own file");
    let mut changed = change(frame.clone());
    let mut new = Vec::new();
    ParquetWriter::new(&mut new)
        .finish(&mut changed)
        .expect("written to memory");
    let rows = |frame: &DataFrame| format!("_rows = {}\n", frame.height());
    let manifest = folder.join("manifest.toml");
    let text = fs::read_to_string(&manifest)
        .expect("a complete run")
        .replace(&checksum(&old), &checksum(&new))
        .replace(&rows(&frame), &rows(&changed));
    fs::write(folder.join(file), new).expect("writable");
    write_manifest(manifest, &text);
}

/// Files whose checksums are right and whose rows are not.
#[test]
fn verify_files_finds_rows_that_do_not_fit() {
    let workplace = workplace();
    let fresh = || {
        let _ = fs::remove_dir_all(workplace.path().join("results"));
        workplace.succeed(&["run", "a.toml", "-q"]);
        workplace.succeed(&["verify-files"]);
    };
    let damage = || {
        let verified = workplace.reines(&["verify-files"]);
        assert_eq!(verified.status.code(), Some(1));
        stdout(&verified)
    };
    for file in ["series.parquet", "moves.parquet"] {
        fresh();
        let path = workplace.runs("results", "a")[0].join(file);
        let mut bytes = fs::read(&path).expect("a complete run");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        fs::write(&path, bytes).expect("writable");
        assert!(damage().contains(&format!("{file}: the file's BLAKE3 is")));

        fresh();
        rewrite(&workplace, file, |frame| frame.slice(1, frame.height() - 1));
        let told = damage();
        assert!(
            told.contains("the course of trial")
                && told.contains("does not fit its row and the plan"),
            "{told}"
        );

        fresh();
        rewrite(&workplace, file, |frame| {
            let trial = frame
                .column("trial")
                .and_then(|it| it.u32())
                .expect("numbers");
            let trial: Vec<u32> = trial.iter().map(|trial| trial.unwrap_or(0) + 1).collect();
            let mut frame = frame.clone();
            frame
                .with_column(Column::new("trial".into(), trial))
                .expect("as many rows");
            frame
        });
        let told = damage();
        assert!(
            told.contains("is of no trial of the run, or not in its place")
                || told.contains("does not fit its row and the plan"),
            "{told}"
        );
    }
}

#[test]
fn diff_and_rerun_name_the_first_observation_that_differs() {
    let workplace = workplace();
    workplace.succeed(&["run", "a.toml", "-q"]);
    let same = stdout(&workplace.succeed(&["diff", "whole", "results"]));
    assert!(
        same.contains("a: identical, 5 points with 120 trials, and their courses"),
        "{same}"
    );
    let path = workplace.runs("results", "a")[0].join("manifest.toml");
    let manifest = path.display().to_string();
    let again = stdout(&workplace.succeed(&["rerun", &manifest, "-q"]));
    assert!(
        again.contains("and the same courses, byte for byte, 576 rows of series.parquet"),
        "{again}"
    );
    rewrite(&workplace, "series.parquet", |frame| {
        let threatened = frame
            .column("threatened")
            .and_then(|it| it.u32())
            .expect("numbers");
        let mut values: Vec<u32> = threatened.iter().map(|value| value.unwrap_or(0)).collect();
        values[8] += 5;
        let mut frame = frame.clone();
        frame
            .with_column(Column::new("threatened".into(), values))
            .expect("as many rows");
        frame
    });
    let output = workplace.reines(&["diff", "whole", "results"]);
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("1 trial with another course")
            && told.contains("the first course that differs is of trial 2 of seed 3 of cell n=4 epsilon=0.05 eta=0.1 at update 1000 in series.parquet: threatened is")
            && told.contains("different: the courses of 1 trial with the same rows"),
        "{told}"
    );
    let output = workplace.reines(&["diff", "--json", "whole", "results"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["experiments"][0]["courses"]["differing"], 1);
    let output = workplace.reines(&["rerun", &manifest, "-q"]);
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("the repetition differs in the courses of 1 trials; trial 2 of seed 3"),
        "{told}"
    );
}
