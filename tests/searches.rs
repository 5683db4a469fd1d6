//! The exhaustive methods through the whole program: from a spec to rows and times.

use std::time::Duration;

use crate::program::{Workplace, has, records_of, save_part, stderr};

fn sweep(algorithm: &str, n: &str, more: &str) -> String {
    format!("[[sweep]]\nalgorithm = \"{algorithm}\"\nn = {n}\ncutoff = 1e9\n{more}\n")
}

#[test]
fn repeats_are_times_and_no_rows() {
    let workplace = Workplace::new();
    let spec = |more: &str| {
        format!(
            "seeds = [1, 2]\n{}{}",
            sweep("lines", "[4, 6]", more),
            sweep("bitboard", "[5, 9]", more)
        )
    };
    workplace.write("a.toml", &spec(""));
    workplace.succeed("run a.toml --results once");
    workplace.write("a.toml", &spec("repeats = 3"));
    workplace.succeed("run a.toml --results thrice");
    assert_eq!(
        workplace.bytes("once", "a", "trials.parquet"),
        workplace.bytes("thrice", "a", "trials.parquet")
    );
    let timings = |results| {
        let run = workplace.complete(results, "a");
        let manifest = &run.manifest;
        assert_eq!((manifest.rows, manifest.dynamics.len()), (8, 0));
        let trials = run.points().expect("our own file is readable");
        let timings = run.timings_of_searches(&trials);
        timings.expect("its times")
    };
    // At each of four points one trial under each of two seeds.
    for (results, times) in [("once", 1), ("thrice", 3)] {
        let timings = timings(results);
        assert_eq!(timings.len(), 4);
        for timings in &timings {
            let repeats = timings.seconds.iter().map(Vec::len);
            assert!(repeats.eq([times; 2]));
            let mut seconds = timings.seconds.iter().flatten();
            assert!(seconds.all(|seconds| (0.0..60.0).contains(seconds)));
        }
    }
}

#[test]
fn saved_trials_that_differ_are_refused() {
    let workplace = Workplace::with(&format!(
        "seed = 1\n{}",
        sweep("lines", "[4, 6]", "repeats = 3")
    ));
    workplace.succeed("run a.toml --results whole");
    let run = workplace.save_some("", |it| it.point.integer("n") == Some(4));
    let place = workplace.copy();
    place.succeed("run a.toml");
    let bytes = |results| place.bytes(results, "a", "trials.parquet");
    assert!(bytes("results") == bytes("whole"));
    let whole = workplace.complete("whole", "a");
    let mut other = records_of(&whole);
    other.truncate(1);
    other[0].row.outcome.checks = Some(1);
    save_part(&whole, &run, other);
    has(&workplace.ends(1, "run a.toml"), "two different rows");
}

/// What a search has counted before its end is kept nowhere, and no damage.
#[test]
fn an_interrupted_search_leaves_a_sound_run() {
    let workplace = Workplace::new();
    let sweeps = ["backtracking", "bitboard", "quadrants", "cp"].map(|it| sweep(it, "20", ""));
    let sweeps = sweeps.concat().replace("1e9", "1e18");
    workplace.write("a.toml", &format!("seed = 1\n{sweeps}"));
    let run = ["run", "a.toml", "--threads", "4"];
    let ended = workplace.interrupt(run, Duration::from_millis(150));
    assert_eq!(ended.status.code(), Some(130), "{}", stderr(&ended));
    workplace.succeed("verify");
}
