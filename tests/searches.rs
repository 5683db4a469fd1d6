//! The exhaustive methods through the whole program: from a spec to rows and times.

use crate::program::Workplace;

#[test]
fn repeats_are_times_and_no_rows() {
    let place = Workplace::new();
    let sweep = |algorithm: &str, n: &str, more: &str| {
        format!("[[sweep]]\nalgorithm = \"{algorithm}\"\nn = {n}\ncutoff = 1e9\n{more}\n")
    };
    for (results, more) in [("once", ""), ("thrice", "repeats = 3")] {
        let [lines, bitboard] = [("lines", "[4, 6]"), ("bitboard", "[5, 9]")]
            .map(|(algorithm, n)| sweep(algorithm, n, more));
        place.write("a.toml", &format!("seeds = [1, 2]\n{lines}{bitboard}"));
        place.succeed(format!("run a.toml --results {results}"));
    }
    let rows = |results| place.bytes(results, "a", "trials.parquet");
    assert!(rows("once") == rows("thrice"));
    // At each of four points one trial under each of two seeds.
    for (results, times) in [("once", 1), ("thrice", 3)] {
        let run = place.complete(results, "a");
        assert_eq!((run.manifest.rows, run.manifest.dynamics.len()), (8, 0));
        let trials = run.points().expect("our own file is readable");
        let timings = run.timings_of_searches(&trials).expect("its times");
        assert_eq!(timings.len(), 4);
        for timings in &timings {
            let repeats = timings.seconds.iter().map(Vec::len);
            assert!(repeats.eq([times; 2]));
            let mut seconds = timings.seconds.iter().flatten();
            assert!(seconds.all(|seconds| (0.0..60.0).contains(seconds)));
        }
    }
}
