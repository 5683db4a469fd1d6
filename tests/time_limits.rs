//! Searches that the clock may stop: their rows stand apart, and nothing else changes.

use std::fs;
use std::path::PathBuf;

use reines::experiment::provenance::Manifest;
use reines::experiment::store::Record;
use reines::experiment::store::folder::RunFolder;
use reines::solver::Ending;

use crate::program::{Workplace, stderr, stdout, write_manifest};

/// No computer tries the 2.4·10¹⁸ permutations of twenty, or visits the boards of twenty-four
/// queens, within a few minutes.
const TIMED: &str =
    "[[sweep]]\nalgorithm = \"heap\"\nn = [4, 20]\ncutoff = 1e18\ntime_limit = \"200 ms\"\n";

const OTHERS: &str = "[[sweep]]\nalgorithm = \"rows\"\nn = [5, 6]\ncutoff = 1e9\n\
                      [[sweep]]\nalgorithm = \"cell\"\nn = 4\nepsilon = 0.05\neta = 0.1\ntrials = 30\ncutoff = 50_000\n";

/// A workplace whose `a.toml` has these sweeps.
fn workplace(sweeps: &str) -> Workplace {
    let workplace = Workplace::new();
    workplace.write("a.toml", &format!("seed = 1\n{sweeps}"));
    workplace
}

fn complete(workplace: &Workplace, results: &str) -> (RunFolder, Manifest) {
    let folder = RunFolder::at(&workplace.runs(results, "a")[0]);
    let manifest = folder.manifest().expect("a complete run");
    (folder, manifest)
}

fn timed(workplace: &Workplace, results: &str) -> Vec<Record> {
    let (folder, manifest) = complete(workplace, results);
    folder
        .timed(&manifest)
        .expect("rows whose checksum is right")
}

/// Of a search by heap of twenty queens that was stopped after a fifth of a second; the upper bound
/// is generous, for machines that are busy.
fn assert_timed_out(record: &Record) {
    let counts = &record.row.outcome;
    assert_eq!(
        (record.point.integer("n"), counts.ending, counts.nodes),
        (Some(20), Ending::TimedOut, None)
    );
    let checks = counts.checks.expect("permutations were tried");
    assert!(checks > 0 && checks < record.row.cutoff);
    // Every permutation was refused or is a solution.
    assert_eq!(
        counts
            .failures
            .zip(counts.solutions)
            .map(|(failures, solutions)| failures + solutions),
        Some(checks)
    );
    assert!(
        (0.2..30.2).contains(&record.seconds),
        "{} s",
        record.seconds
    );
}

#[test]
fn what_the_clock_may_stop_stands_apart_and_the_rest_is_the_same_bytes() {
    let workplace = workplace(OTHERS);
    workplace.succeed(&["run", "a.toml", "--results", "without"]);
    let expected = workplace.bytes("without", "a", "trials.parquet");
    assert_eq!(
        workplace.files("without", "a"),
        [
            "manifest.toml",
            "spec.toml",
            "timings.parquet",
            "trials.parquet"
        ]
    );
    workplace.write("a.toml", &format!("seed = 1\n{OTHERS}{TIMED}"));
    for threads in ["1", "2"] {
        let told =
            workplace.succeed(&["run", "a.toml", "--threads", threads, "--results", threads]);
        assert!(
            stderr(&told).contains("32 trials and 2 runs with a time limit"),
            "{}",
            stderr(&told)
        );
        assert_eq!(
            workplace.bytes(threads, "a", "trials.parquet"),
            expected,
            "{threads} threads"
        );
        let (folder, manifest) = complete(&workplace, threads);
        assert_eq!(
            (manifest.rows, manifest.timed_rows, manifest.schema),
            (32, 2, 2)
        );
        assert!(manifest.files.contains_key("timed.parquet"));
        let records = timed(&workplace, threads);
        let [small, large] = records.as_slice() else {
            panic!("{} rows", records.len())
        };
        assert_eq!(
            (
                small.point.integer("n"),
                small.row.outcome.ending,
                small.row.outcome.solutions
            ),
            (Some(4), Ending::Exhausted, Some(2))
        );
        assert_eq!(small.row.outcome.checks, Some(24));
        assert_timed_out(large);
        // What reports are drawn from has both, in the order of the keys, and the times of the
        // searches.
        let (trials, timings) = folder.all(&manifest).expect("a sound run");
        let names: Vec<_> = trials
            .iter()
            .map(|point| {
                (
                    point.point.algorithm.as_str(),
                    point.point.integer("n"),
                    point.rows.len(),
                )
            })
            .collect();
        assert_eq!(
            names,
            [
                ("cell", Some(4), 30),
                ("heap", Some(4), 1),
                ("heap", Some(20), 1),
                ("rows", Some(5), 1),
                ("rows", Some(6), 1)
            ]
        );
        assert!(
            trials
                .iter()
                .filter(|point| point.point.goal.is_some())
                .zip(&timings)
                .all(|(point, times)| point.point == times.point
                    && point.rows.len() == times.trials.len())
        );
        assert_eq!(timings.len(), 4);
        assert_eq!(
            folder.timings(&manifest).expect("a sound run").len(),
            3,
            "the two tables of any run know nothing of them"
        );
    }
}

#[test]
fn a_run_of_nothing_else_has_no_rows_in_trials_parquet() {
    let workplace = workplace(TIMED);
    let told = workplace.succeed(&["run", "a.toml"]);
    assert!(
        stderr(&told).contains("2 runs with a time limit in"),
        "{}",
        stderr(&told)
    );
    let (folder, manifest) = complete(&workplace, "results");
    assert_eq!((manifest.rows, manifest.timed_rows), (0, 2));
    assert!(
        folder
            .trials(&manifest)
            .expect("a table without rows")
            .is_empty()
    );
    workplace.succeed(&["verify-files"]);
    assert!(
        stdout(&workplace.succeed(&["list", "--experiments", "."]))
            .contains("complete, 2 runs with a time limit")
    );
    let refused = workplace.reines(&["rerun", &folder.path().display().to_string()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("every trial had a time limit")
            && stderr(&refused).lines().count() == 1,
        "{}",
        stderr(&refused)
    );
}

#[test]
fn a_report_draws_them_beside_the_others_as_lower_bounds() {
    let rows = "[[sweep]]\nalgorithm = \"rows\"\nn = [4, 5]\ncutoff = 1e9\n[[figure]]\nkind = \"run-time-vs-n\"\nname = \"times\"\n";
    let workplace = workplace(&format!("{TIMED}{rows}"));
    workplace.succeed(&["run", "a.toml"]);
    workplace.succeed(&["report", "a.toml"]);
    let read = |name: &str| {
        fs::read_to_string(workplace.path().join("figures").join(name))
            .expect("the report wrote it")
    };
    let table = read("times.csv");
    let outcome = |start: &str| {
        table
            .lines()
            .find(|line| line.starts_with(start))
            .and_then(|line| line.split(',').nth(4))
    };
    assert_eq!(
        [outcome("heap,,20"), outcome("heap,,4"), outcome("rows,,5")],
        [Some("timed-out"), Some("exhausted"), Some("exhausted")]
    );
    assert!(
        read("times.md").contains("one that timed out at its time limit")
            && read("times.svg").contains("lower bound")
    );
}

/// Each run of a trial comes as far as it comes: all are kept, and the trial counts as timed out if
/// one was.
#[test]
fn repeats_that_the_clock_stops_may_differ() {
    let workplace = workplace(
        &TIMED
            .replace("[4, 20]", "20")
            .replace("200 ms\"", "200 ms\"\nrepeats = 3"),
    );
    workplace.succeed(&["run", "a.toml"]);
    let mut records = timed(&workplace, "results");
    assert_eq!(
        records
            .iter()
            .map(|record| record.repeat)
            .collect::<Vec<_>>(),
        [0, 1, 2]
    );
    records.iter().for_each(assert_timed_out);
    // An earlier attempt had done two runs, the first of them to the end: the third runs, and these
    // are kept.
    let name = workplace.runs("results", "a")[0]
        .file_name()
        .expect("a run folder has a name")
        .to_owned();
    let folder = RunFolder::at(workplace.path().join("resumed/a").join(name))
        .lock()
        .expect("nobody else runs this plan");
    let (mut parts, _) = folder
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    records[0].row.outcome.ending = Ending::Exhausted;
    records[0].row.outcome.solutions = Some(39_029_188_884);
    parts
        .save(&mut records[..2].to_vec())
        .expect("the part can be saved");
    drop((parts, folder));
    workplace.succeed(&["run", "a.toml", "--results", "resumed"]);
    let resumed = timed(&workplace, "resumed");
    assert_eq!(resumed[..2], records[..2]);
    assert_timed_out(&resumed[2]);
    let (folder, manifest) = complete(&workplace, "resumed");
    let (trials, timings) = folder.all(&manifest).expect("a sound run");
    assert_eq!(
        (
            trials[0].rows.iter().collect::<Vec<_>>(),
            timings[0].trials[0].seconds.len()
        ),
        (vec![records[1].row.clone()], 3)
    );
}

/// On all threads too, and for the constraint models: what was found so far is a lower bound of all
/// there is (OEIS A000170).
#[test]
fn every_kind_of_search_tells_how_far_it_came() {
    let sweep =
        |lines: &str| format!("[[sweep]]\n{lines}\ncutoff = 1e18\ntime_limit = \"150 ms\"\n");
    let workplace = workplace(
        &[
            "algorithm = \"bitboard\"\nn = 24",
            "algorithm = \"bitboard\"\nn = 23\nparallel = true",
            "algorithm = \"bitboard\"\nn = 24\ngoal = \"all\"",
            "algorithm = \"quadrants\"\nn = 20",
            "algorithm = \"quadrants\"\nn = 19\nparallel = true",
            "algorithm = \"cp\"\nn = 20",
        ]
        .map(sweep)
        .concat(),
    );
    workplace.succeed(&["run", "a.toml", "--threads", "2"]);
    let records = timed(&workplace, "results");
    assert_eq!(records.len(), 6);
    for record in records {
        let counts = &record.row.outcome;
        assert_eq!(counts.ending, Ending::TimedOut, "{record:?}");
        assert!(
            counts.nodes.or(counts.checks) > Some(0) && counts.solutions < Some(39_029_188_884),
            "{record:?}"
        );
        assert!((0.15..30.15).contains(&record.seconds), "{record:?}");
    }
}

#[test]
fn shards_keep_them_and_their_merge_sets_them_apart() {
    let workplace = workplace(&format!("{OTHERS}{TIMED}"));
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    for shard in ["0/2", "1/2"] {
        workplace.succeed(&["run", "a.toml", "--shard", shard]);
    }
    let told = workplace.succeed(&["merge", "a.toml"]);
    assert!(
        stderr(&told).contains("32 trials and 2 runs with a time limit of 2 shards"),
        "{}",
        stderr(&told)
    );
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
    let records = timed(&workplace, "results");
    assert_eq!(records.len(), 2);
    assert_timed_out(&records[1]);
    workplace.succeed(&["verify-files"]);
}

#[test]
fn damage_to_them_is_found() {
    let workplace = workplace(TIMED);
    workplace.succeed(&["run", "a.toml"]);
    let path: PathBuf = workplace.runs("results", "a")[0].join("timed.parquet");
    let before = fs::read(&path).expect("the run is complete");
    let mut bytes = before.clone();
    bytes[before.len() / 2] ^= 0x10;
    fs::write(&path, bytes).expect("the file can be written");
    let verified = workplace.reines(&["verify-files"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(
        stdout(&verified).contains("timed.parquet") && stdout(&verified).contains("BLAKE3"),
        "{}",
        stdout(&verified)
    );
    fs::write(&path, before).expect("the file can be written");
    let manifest = path.with_file_name("manifest.toml");
    let text = fs::read_to_string(&manifest).expect("the run is complete");
    write_manifest(&manifest, &text.replace("timed_rows = 2", "timed_rows = 3"));
    let verified = workplace.reines(&["verify-files"]);
    assert!(
        stdout(&verified).contains("3 rows, timed.parquet has 2"),
        "{}",
        stdout(&verified)
    );
    // Without a manifest nothing vouches for it: it is kept, and its trials run again.
    fs::remove_file(&manifest).expect("it is there");
    assert!(stderr(&workplace.succeed(&["run", "a.toml"])).contains("timed.parquet.unchecked-1"));
}

#[test]
fn they_are_never_taken_over_nor_compared() {
    let workplace = workplace(&format!("{OTHERS}{TIMED}"));
    workplace.succeed(&["run", "a.toml"]);
    let run = workplace.runs("results", "a")[0].display().to_string();
    workplace.succeed(&["run", "a.toml", "--results", "again"]);
    let again = workplace.runs("again", "a")[0].display().to_string();
    let told = stdout(&workplace.succeed(&["diff", &run, &again]));
    assert!(
        told.contains("not compared: 2 rows of A and 2 of B, whose trials had a time limit"),
        "{told}"
    );
    assert!(
        told.ends_with("nothing different: 3 points with identical rows (Holm, α = 0.05)\n"),
        "{told}"
    );
    let told = stdout(&workplace.succeed(&["rerun", &run, "--quiet"]));
    assert!(
        told.contains("same 32 rows, byte for byte")
            && told.contains("2 rows of timed.parquet not compared"),
        "{told}"
    );
    // A grown plan, with the same limit and another: only the others' rows are taken over.
    for (limit, changed) in [("200 ms", false), ("250 ms", true)] {
        workplace.write(
            "a.toml",
            &format!(
                "seed = 1\n{}{}",
                OTHERS.replace("trials = 30", "trials = 31"),
                TIMED.replace("200 ms", limit)
            ),
        );
        let told = stderr(&workplace.succeed(&["run", "a.toml"]));
        assert!(told.contains("32 trials taken over"), "{told}");
        assert_eq!(
            told.contains("the time limit at heap n=4 goal=count is 250 ms, there it is 200 ms"),
            changed,
            "{told}"
        );
        let grown = workplace
            .runs("results", "a")
            .into_iter()
            .find(|path| path.display().to_string() != run);
        fs::remove_dir_all(grown.expect("a grown plan has a folder of its own"))
            .expect("it can be removed");
    }
}

/// What an unfinished run has saved stands in its parts, rows with and without a limit side by
/// side.
#[test]
fn an_unfinished_run_gives_none_of_them_to_another() {
    let workplace = workplace(TIMED);
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    let name = workplace.runs("whole", "a")[0]
        .file_name()
        .expect("a run folder has a name")
        .to_owned();
    let folder = RunFolder::at(workplace.path().join("results/a").join(name))
        .lock()
        .expect("nobody else runs this plan");
    folder
        .save_spec(&fs::read_to_string(workplace.path().join("a.toml")).expect("it was written"))
        .expect("the folder can be written");
    let (mut parts, _) = folder
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    parts
        .save(&mut timed(&workplace, "whole"))
        .expect("the part can be saved");
    drop((parts, folder));
    workplace.write("a.toml", &format!("seed = 1\n{OTHERS}{TIMED}"));
    let told = stderr(&workplace.succeed(&["run", "a.toml"]));
    assert!(!told.contains("trials taken over"), "{told}");
}

/// Rows that only a clock can have made do not belong to trials without a time limit.
#[test]
fn a_trial_without_a_limit_has_no_row_that_timed_out() {
    let sweeps = "[[sweep]]\nalgorithm = \"rows\"\nn = [5, 6]\ncutoff = 1e9\n";
    let workplace = workplace(sweeps);
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    let name = workplace.runs("whole", "a")[0]
        .file_name()
        .expect("a run folder has a name")
        .to_owned();
    let folder = RunFolder::at(workplace.path().join("results/a").join(name))
        .lock()
        .expect("nobody else runs this plan");
    let (mut parts, _) = folder
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    let mut records = workplace.records("whole", "a");
    records[0].row.outcome.ending = Ending::TimedOut;
    parts.save(&mut records).expect("the part can be saved");
    drop((parts, folder));
    assert!(stderr(&workplace.succeed(&["run", "a.toml"])).contains("set aside"));
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

#[test]
fn check_shows_limits_and_takes_them_for_the_longest_time() {
    let workplace = workplace(
        &TIMED
            .replace("200 ms", "1.5 min")
            .replace("1.5 min\"", "1.5 min\"\nrepeats = 2"),
    );
    let told = stdout(&workplace.succeed(&["check", "a.toml"]));
    let line = told
        .lines()
        .find(|line| line.contains("heap n=20"))
        .expect("a line for each point");
    assert!(
        line.contains("1_000_000_000_000_000_000, 90 s") && line.ends_with("at most 3 min 00 s"),
        "{told}"
    );
    assert!(
        told.contains("every run to its time limit, where nothing else is known"),
        "{told}"
    );
    let json: serde_json::Value =
        serde_json::from_slice(&workplace.succeed(&["check", "--json", "a.toml"]).stdout)
            .expect("JSON");
    let point = &json[0]["points"][1];
    assert_eq!(
        (
            &point["time_limit_seconds"],
            &point["run_time"]["seconds_high"]
        ),
        (&90.0.into(), &180.0.into())
    );
}

#[test]
fn limits_that_are_none_are_refused() {
    const ALLOWED: &str = "allowed is a text of a number and a unit, ms, s, min or h, such as \"10 s\" or \"1.5 min\", from \"1 ms\" to \"1000 h\"";
    let told = |algorithm: &str, limit: &str| {
        let text = format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"{algorithm}\"\nn = 4\ncutoff = 10\ntime_limit = {limit}\n"
        );
        reines::experiment::spec::parse("a", "a.toml", &text, &[]).map(|spec| {
            spec.sweeps[0]
                .timing
                .time_limit
                .map(|limit| limit.milliseconds())
        })
    };
    for (limit, hint) in [
        ("\"10\"", ""),
        ("10", ""),
        ("10.5", ""),
        ("\"ten s\"", ""),
        ("\"0 s\"", ""),
        ("\"0.0001 s\"", ""),
        ("\"-1 s\"", ""),
        ("\"1e3 s\"", ""),
        ("\"1.5 ms\"", ""),
        ("\"1000.1 h\"", ""),
        ("\"10 sec\"", "; did you mean \"10 s\"?"),
        ("\"1.5 m\"", "; did you mean \"1.5 min\"?"),
        ("\"2 hours\"", "; did you mean \"2 h\"?"),
        ("\"\"", ""),
        ("\"s\"", ""),
        ("[\"10 s\"]", ""),
    ] {
        let error = told("rows", limit).expect_err(limit).to_string();
        assert_eq!(
            error,
            format!("a.toml:6: time_limit = {limit}: {ALLOWED}{hint}")
        );
    }
    for (limit, milliseconds) in [
        ("10 s", 10_000),
        ("1.5 min", 90_000),
        ("500 ms", 500),
        ("1000 h", 3_600_000_000),
        ("0.25s", 250),
    ] {
        assert_eq!(
            told("rows", &format!("\"{limit}\"")).ok().flatten(),
            Some(milliseconds)
        );
    }
    let local = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 5\ncutoff = 10\ntime_limit = \"1 s\"\n";
    let error = reines::experiment::spec::parse("a", "a.toml", local, &[])
        .err()
        .expect("no search")
        .to_string();
    assert_eq!(
        error,
        "a.toml:8: time_limit = \"1 s\": the algorithm pair is no search; allowed is no such key"
    );
}

#[test]
fn two_limits_at_one_point_are_refused() {
    for (other, said) in [
        ("time_limit = \"300 ms\"\n", "time_limit = \"300 ms\""),
        ("", "no time_limit"),
    ] {
        let workplace = workplace(&format!(
            "{TIMED}{}",
            TIMED.replace("time_limit = \"200 ms\"\n", other)
        ));
        let output = workplace.reines(&["check", "a.toml"]);
        assert_eq!(output.status.code(), Some(2));
        let expected = format!(
            "a.toml:7: {said} at heap n=4 goal=count, where the sweep of line 2 has time_limit = \"200 ms\"; \
             allowed is one time limit for each point, or none"
        );
        assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    }
}
