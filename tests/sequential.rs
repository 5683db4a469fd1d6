//! `trials = { min, max, precision }`: whatever happens on the way, the rows are those of whole
//! batches that were not enough, and of the first that was.

use reines::experiment::store::Row;
use reines::experiment::store::folder::RunFolder;
use reines::results::PointTrials;

use crate::program::{Workplace, bytes_of, has, stderr, stdout};
use crate::same_bytes::SEQUENTIAL;

/// A spec `a.toml` whose whole run stands in `whole/`.
fn workplace() -> Workplace {
    let place = Workplace::with(SEQUENTIAL);
    place.succeed("run a.toml --results whole --threads 1 --quiet");
    place
}

/// The half width by the textbook's formulas over the rows, not by the sums of the code under test:
/// z · s / (x̄ √m), and for the ratio Σx / Σe the same of the residuals x − (Σx / Σe) e, whose mean
/// is 0.
fn half_width(rows: &[&Row]) -> f64 {
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
    let workplace = workplace();
    let mut ended = Vec::new();
    for PointTrials { point, rows } in workplace.trials("whole", "a") {
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
fn what_falls_short_of_its_precision_is_named() {
    let place = workplace();
    let said = stderr(&place.succeed("run a.toml"));
    let words = "precision not reached at 1 point with all trials that are allowed: cell n=3 epsilon=0.05 eta=0.1 (0.15)\n";
    has(&said, words);
    let run = place.run("results");
    let manifest = RunFolder::at(&run).manifest().expect("the run is complete");
    let rows: u64 = place
        .trials("results", "a")
        .iter()
        .map(|point| point.rows.len() as u64)
        .sum();
    assert_eq!(manifest.rows, rows);
    assert_eq!(place.ends(0, "run a.toml --results quiet -q"), "");
    let planned = stdout(&place.succeed("submit --dry-run a.toml --results elsewhere"));
    has(&planned, "--array=0-15");
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
        let workplace = Workplace::with(&spec(before));
        workplace.succeed("run a.toml --quiet");
        let first = workplace.runs("results", "a")[0].clone();
        let of_before = workplace.trials("results", "a");
        workplace.write("a.toml", &spec(after));
        workplace.succeed("run a.toml --quiet --results fresh");
        let said = stderr(&workplace.succeed("run a.toml"));
        let fresh = workplace.trials("fresh", "a");
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
        let bytes = bytes_of(second.join("trials.parquet"));
        assert_eq!(
            bytes,
            workplace.bytes("fresh", "a", "trials.parquet"),
            "{before} → {after}"
        );
    }
}

#[test]
fn quick_is_the_beginning_and_check_says_what_may_come() {
    let workplace = workplace();
    workplace.succeed("run a.toml --results quick --quick --quiet");
    let told = stdout(&workplace.succeed("check a.toml --results whole"));
    let line = "  ≤: 6 points may end earlier, after 30, 60, 120, … trials under each seed, with the mean known to ± 0.2 of itself\n";
    has(&told, line);
    has(&told, " ≤ 10\u{202f}000 ");
    has(&told, " ≤ 62\u{202f}240 ");
    let json = workplace.json("check --json a.toml");
    let point = &json[0]["points"][0];
    assert_eq!(
        (&point["trials"], &point["trials_min"], &point["precision"]),
        (&200.into(), &80.into(), &0.15.into())
    );
    // The common trials are the same: five at each of 8 points under two seeds.
    let told = stdout(&workplace.succeed("diff whole quick"));
    has(&told, "identical, ");
}
