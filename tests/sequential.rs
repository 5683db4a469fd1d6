//! `trials = { min, max, precision }`: whatever happens on the way, the rows are those of whole
//! batches that were not enough, and of the first that was.

use std::fs;
use std::time::Duration;

use reines::experiment::store::Row;
use reines::experiment::store::folder::RunFolder;
use reines::results::PointTrials;

use crate::program::{Workplace, stderr, stdout, write_manifest};

/// Fast and slow points, one with censored trials, one that cannot become precise, one that takes
/// no time at all; and a point of the plain kind.
const SPEC: &str = "seeds = [7, 3]\n[[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = [0.02, 0.05]\n\
                    trials = { min = 30, max = 5000, precision = 0.2 }\ncutoff = 2e6\n\
                    [[sweep]]\nalgorithm = \"cell\"\nn = 5\nepsilon = 0.05\neta = 0.1\ntrials = { min = 40, max = 500, precision = 0.15 }\ncutoff = 2000\n\
                    [[sweep]]\nalgorithm = \"cell\"\nn = 3\nepsilon = 0.05\neta = 0.1\ntrials = { min = 40, max = 100, precision = 0.15 }\ncutoff = 2000\n\
                    [[sweep]]\nalgorithm = \"pair-relaxation\"\nn = 6\ntrials = { min = 30, max = 500, precision = 0.05 }\ncutoff = 20_000\n\
                    [[sweep]]\nalgorithm = \"pair\"\nn = 6\nepsilon = 0.02\ntrials = 20\ncutoff = 2e6\n";

fn points(workplace: &Workplace, results: &str) -> Vec<PointTrials> {
    workplace.trials(results, "a")
}

/// A spec `a.toml` whose whole run stands in `whole/`, and its bytes.
fn workplace() -> (Workplace, Vec<u8>) {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&[
        "run",
        "a.toml",
        "--results",
        "whole",
        "--threads",
        "1",
        "--quiet",
    ]);
    let expected = workplace.bytes("whole", "a", "trials.parquet");
    (workplace, expected)
}

/// By the textbook's formulas over the rows, not by the sums of the code under test: z · s / (x̄
/// √m), and for the ratio Σx / Σe the same of the residuals x − (Σx / Σe) e, whose mean is 0.
fn half_width(rows: &[&reines::experiment::store::Row]) -> f64 {
    let trials = rows.len() as f64;
    let observed = || {
        rows.iter().map(|row| {
            (
                row.outcome.updates.expect("a local rule") as f64,
                f64::from(u8::from(row.outcome.absorption_time.is_some())),
            )
        })
    };
    let (time, absorbed) = observed().fold((0.0, 0.0), |sum, (x, e)| (sum.0 + x, sum.1 + e));
    let ratio = time / absorbed;
    let squares: f64 = observed()
        .map(|(x, e)| (x - ratio * e) * (x - ratio * e))
        .sum();
    1.959964 * (squares / (trials - 1.0)).sqrt() / (time / trials * trials.sqrt())
}

/// Each point has whole batches; the one before its last was not precise, and the last is, or is
/// the most that is allowed.
#[test]
fn a_point_ends_with_the_first_batch_that_is_precise() {
    let (workplace, _) = workplace();
    let mut ended = Vec::new();
    for PointTrials { point, rows } in points(&workplace, "whole") {
        let (min, max, precision) = match (point.algorithm.as_str(), point.integer("n")) {
            ("pair", Some(6)) => {
                assert_eq!(rows.len(), 40, "a plain point has what it was given");
                continue;
            }
            ("pair", _) => (30, 5000, 0.2),
            ("cell", Some(5)) => (40, 500, 0.15),
            ("cell", _) => (40, 100, 0.15),
            _ => (30, 500, 0.05),
        };
        let trials = u32::try_from(rows.len() / 2).expect("few rows");
        let rows: Vec<Row> = rows.iter().collect();
        let beginning = |count: u32| {
            rows.iter()
                .filter(|row| row.trial < count)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            beginning(trials).len(),
            rows.len(),
            "the same trials under each seed, from 0 on: {point:?}"
        );
        assert!(
            trials == max || (trials / min).is_power_of_two() && trials % min == 0,
            "{trials} at {point:?}"
        );
        let is_precise = |count: u32| {
            let rows = beginning(count);
            rows.iter().all(|row| row.outcome.updates == Some(0))
                || rows.iter().any(|row| row.outcome.absorption_time.is_some())
                    && half_width(&rows) <= precision
        };
        let mut earlier = (0..)
            .map(|doublings| min << doublings)
            .take_while(|&count| count < trials);
        assert!(
            !earlier.any(is_precise),
            "{point:?} should have ended before {trials}"
        );
        assert!(
            trials == max || is_precise(trials),
            "{point:?} ended too early, at {trials}"
        );
        ended.push((point.integer("n"), trials));
    }
    ended.sort_unstable();
    ended.dedup();
    // n = 1 is absorbed at once, n = 3 never; the others take several batches, and not all as many.
    assert!(
        ended.contains(&(Some(1), 30)) && ended.contains(&(Some(3), 100)) && ended.len() >= 5,
        "{ended:?}"
    );
}

#[test]
fn threads_leave_the_bytes_alone_and_what_falls_short_is_named() {
    let (workplace, expected) = workplace();
    for threads in ["2", "3"] {
        let said = stderr(&workplace.succeed(&[
            "run",
            "a.toml",
            "--threads",
            threads,
            "--results",
            threads,
        ]));
        assert_eq!(
            workplace.bytes(threads, "a", "trials.parquet"),
            expected,
            "{threads} threads"
        );
        assert!(
            said.contains("precision not reached at 1 point with all trials that are allowed: cell n=3 epsilon=0.05 eta=0.1 (0.15)\n"),
            "{said}"
        );
    }
    let manifest = RunFolder::at(&workplace.runs("2", "a")[0])
        .manifest()
        .expect("the run is complete");
    assert_eq!(
        manifest.rows,
        points(&workplace, "2")
            .iter()
            .map(|point| point.rows.len() as u64)
            .sum::<u64>()
    );
    workplace.succeed(&["verify-files", "2"]);
    workplace.succeed(&[
        "rerun",
        "--quiet",
        workplace.runs("2", "a")[0].to_str().expect("UTF-8"),
    ]);
    let quiet = workplace.succeed(&["run", "a.toml", "--results", "quiet", "--quiet"]);
    assert_eq!(
        (stdout(&quiet), stderr(&quiet)),
        (String::new(), String::new())
    );
}

/// A run that has saved some rows, in an order that no run has: later batches whole, earlier ones
/// with holes.
#[test]
fn whatever_rows_are_there_already_the_others_follow_from_them() {
    let (workplace, expected) = workplace();
    let whole = workplace.runs("whole", "a")[0].clone();
    let records = workplace.records("whole", "a");
    let chosen: [&dyn Fn(u32, u64) -> bool; 5] = [
        &|trial, _| trial >= 30,
        &|trial, seed| trial < 60 && seed == 7,
        &|trial, _| trial % 3 > 0,
        &|_, seed| seed == 3,
        &|_, _| true,
    ];
    for (round, is_chosen) in chosen.iter().enumerate() {
        let results = format!("results-{round}");
        let folder = workplace
            .path()
            .join(&results)
            .join("a")
            .join(whole.file_name().expect("a run folder has a name"));
        let locked = RunFolder::at(&folder)
            .lock()
            .expect("nobody else runs this plan");
        let (mut saved, _) = locked
            .take_over_parts(&mut |_| true)
            .expect("the folder can be written");
        let mut some: Vec<_> = records
            .iter()
            .filter(|record| is_chosen(record.row.trial, record.row.seed))
            .cloned()
            .collect();
        let half = some.len() / 2;
        let (early, late) = some.split_at_mut(half);
        saved.save(late).expect("the part can be saved");
        saved.save(early).expect("the part can be saved");
        drop(locked);
        let said = stderr(&workplace.succeed(&["run", "a.toml", "--results", &results]));
        assert!(!said.contains("set aside"), "{said}");
        assert_eq!(
            workplace.bytes(&results, "a", "trials.parquet"),
            expected,
            "round {round}"
        );
    }
}

/// Runs `a.toml` and asks it to end so long after it has begun; whether that came in time.
fn interrupt(workplace: &Workplace, after: Duration) -> bool {
    let output = workplace.interrupt(&["run", "a.toml", "--threads", "1"], after);
    match output.status.code() {
        Some(0) => false,
        Some(1) => {
            let said = stderr(&output);
            assert!(said.contains("interrupted with"), "{said}");
            true
        }
        code => panic!("exit code {code:?}"),
    }
}

/// A run of about a second is interrupted again and again. Where it ends before it could be asked
/// to, since this process had to wait, it is tried anew.
#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let workplace = Workplace::new();
    workplace.write(
        "a.toml",
        "seeds = [5, 6]\n[[sweep]]\nalgorithm = \"pair\"\nn = 7\nepsilon = [0.01, 0.012, 0.014, 0.016]\ntrials = { min = 30, max = 10_000, precision = 0.12 }\ncutoff = 1e7\n",
    );
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    let expected = workplace.bytes("whole", "a", "trials.parquet");
    let mut interruptions = 0;
    for _ in 0..30 {
        let _ = fs::remove_dir_all(workplace.path().join("results"));
        for round in 0..40 {
            let after = Duration::from_millis(20 + 20 * round);
            if !interrupt(&workplace, after) {
                break;
            }
            interruptions += 1;
        }
        if interruptions > 0 {
            break;
        }
    }
    assert!(interruptions > 0, "it does not end when it is asked to");
    workplace.succeed(&["run", "a.toml"]);
    assert!(workplace.bytes("results", "a", "trials.parquet") == expected);
}

#[test]
fn shards_hold_whole_points_and_merge_to_the_same_bytes() {
    let (workplace, expected) = workplace();
    for count in [1, 3] {
        let _ = fs::remove_dir_all(workplace.path().join("results"));
        let mut rows = Vec::new();
        for index in 0..count {
            workplace.succeed(&[
                "run",
                "a.toml",
                "--quiet",
                "--shard",
                &format!("{index}/{count}"),
            ]);
            let shard =
                workplace.runs("results", "a")[0].join(format!("shards/{index}-of-{count}"));
            rows.push(
                RunFolder::at(shard)
                    .manifest()
                    .expect("the shard is complete")
                    .rows,
            );
        }
        workplace.succeed(&["merge", "a.toml"]);
        assert_eq!(
            workplace.bytes("results", "a", "trials.parquet"),
            expected,
            "{count} shards of {rows:?} rows"
        );
    }
    let planned =
        stdout(&workplace.succeed(&["submit", "--dry-run", "a.toml", "--results", "elsewhere"]));
    assert!(planned.contains("--array=0-15"), "{planned}");
}

#[test]
fn shards_that_lack_trials_or_have_too_many_are_not_merged() {
    let workplace = Workplace::new();
    let spec = |trials: &str| {
        format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.05\ntrials = {trials}\ncutoff = 2e6\n"
        )
    };
    let sequential = "{ min = 30, max = 5000, precision = 0.1 }";
    workplace.write("a.toml", &spec(sequential));
    workplace.succeed(&["run", "a.toml", "--results", "whole", "--quiet"]);
    let right = points(&workplace, "whole")[0].rows.len();
    for trials in [right / 2, right * 2] {
        let _ = fs::remove_dir_all(workplace.path().join("results"));
        workplace.write("a.toml", &spec(&trials.to_string()));
        workplace.succeed(&["run", "a.toml", "--quiet", "--shard", "0/1"]);
        let plain = workplace.runs("results", "a")[0].clone();
        workplace.write("a.toml", &spec(sequential));
        workplace.succeed(&["run", "a.toml", "--quiet", "--shard", "0/1"]);
        // The rows of the plain plan under the name of the sequential one: every checksum is right,
        // the number of rows is not.
        let own = workplace
            .runs("results", "a")
            .into_iter()
            .find(|run| *run != plain)
            .expect("two plans, two folders");
        let name = |run: &std::path::Path| {
            run.file_name()
                .expect("a name")
                .to_string_lossy()
                .rsplit('-')
                .next()
                .expect("a hash")
                .to_owned()
        };
        let [from, to] = [&plain, &own].map(|run| run.join("shards/0-of-1"));
        fs::copy(from.join("shard.parquet"), to.join("shard.parquet"))
            .expect("the file can be copied");
        let text = fs::read_to_string(from.join("manifest.toml")).expect("a manifest");
        write_manifest(
            to.join("manifest.toml"),
            &text.replace(&name(&plain), &name(&own)),
        );
        let output = workplace.reines(&["merge", "a.toml"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("are not the trials of the plan"),
            "{trials}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn rows_of_other_runs_are_taken_over_as_far_as_they_belong() {
    let spec = |trials: &str| {
        format!(
            "seeds = [1, 2]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = {trials}\ncutoff = 2e6\n"
        )
    };
    let coarse = "{ min = 30, max = 5000, precision = 0.2 }";
    let fine = "{ min = 30, max = 5000, precision = 0.15 }";
    for (before, after) in [
        ("500", fine),
        ("70", fine),
        (coarse, fine),
        (fine, coarse),
        (fine, "300"),
    ] {
        let workplace = Workplace::new();
        workplace.write("a.toml", &spec(before));
        workplace.succeed(&["run", "a.toml", "--quiet"]);
        let first = workplace.runs("results", "a")[0].clone();
        let of_before = points(&workplace, "results");
        workplace.write("a.toml", &spec(after));
        workplace.succeed(&["run", "a.toml", "--quiet", "--results", "fresh"]);
        let said = stderr(&workplace.succeed(&["run", "a.toml"]));
        let fresh = points(&workplace, "fresh");
        let common = |(a, b): (&PointTrials, &PointTrials)| {
            let there: Vec<Row> = b.rows.iter().collect();
            a.rows.iter().filter(|row| there.contains(row)).count()
        };
        let common: usize = of_before.iter().zip(&fresh).map(common).sum();
        assert!(
            said.contains(&format!("{common} trials taken over from results/a/")),
            "{before} → {after}: {said}"
        );
        let second = workplace
            .runs("results", "a")
            .into_iter()
            .find(|run| *run != first)
            .expect("two plans, two folders");
        let bytes = fs::read(second.join("trials.parquet")).expect("the run is complete");
        assert_eq!(
            bytes,
            workplace.bytes("fresh", "a", "trials.parquet"),
            "{before} → {after}"
        );
    }
}

#[test]
fn quick_is_the_beginning_and_check_says_what_may_come() {
    let (workplace, _) = workplace();
    workplace.succeed(&["run", "a.toml", "--results", "quick", "--quick", "--quiet"]);
    let (whole, quick) = (points(&workplace, "whole"), points(&workplace, "quick"));
    for (whole, quick) in whole.iter().zip(&quick) {
        let beginning: Vec<_> = whole.rows.iter().filter(|row| row.trial < 5).collect();
        assert_eq!(
            (&whole.point, beginning),
            (&quick.point, quick.rows.iter().collect())
        );
    }
    let told = stdout(&workplace.succeed(&["check", "a.toml", "--results", "whole"]));
    let line = "  ≤: 6 points may end earlier, after 30, 60, 120, … trials under each seed, with the mean known to ± 0.2 of itself\n";
    assert!(
        told.contains(line)
            && told.contains(" ≤ 10\u{202f}000 ")
            && told.contains(" ≤ 62\u{202f}240 "),
        "{told}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&workplace.succeed(&["check", "--json", "a.toml"])))
            .expect("JSON");
    let point = &json[0]["points"][0];
    assert_eq!(
        (&point["trials"], &point["trials_min"], &point["precision"]),
        (&200.into(), &80.into(), &0.15.into())
    );
    assert!(
        workplace
            .succeed(&["diff", "whole", "quick"])
            .status
            .success(),
        "the common trials are the same"
    );
}
