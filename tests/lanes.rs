//! `--dynamics lanes` from a spec to rows: one clear error where there are none, and the same
//! trials with and without a course. (`same_bytes` runs them in every way.)

use crate::program::{Workplace, has, stdout};

const SPEC: &str = "seeds = [7, 3]\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [1, 5]\nepsilon = [0.02, 0.05]\ntrials = 20\ncutoff = 2e4\n";

#[test]
fn what_has_no_lanes_says_so() {
    for (point, n, eta, reason) in [
        (
            "cell-fewer",
            "5",
            "eta = 0.1",
            "does not simulate cell-fewer",
        ),
        ("pair", "[16, 17]", "", "takes n = 1 to 16, not 17"),
    ] {
        let place = Workplace::with(&format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"{point}\"\nn = {n}\nepsilon = 0.1\ntrials = 2\ncutoff = 10\n{eta}\n"
        ));
        for command in ["check", "run"] {
            let told = place.ends(2, format!("{command} a.toml --dynamics lanes"));
            has(&told, "a.toml:2:");
            has(&told, reason);
            has(
                &told,
                "allowed are --dynamics auto, one-by-one, rejection-free and stepwise",
            );
        }
        assert!(!place.path().join("results").exists(), "nothing was run");
    }
    let place = Workplace::new();
    for (point, reason) in [
        ("cell-fewer --n 5 --eta 0.1", "does not simulate cell-fewer"),
        ("pair --n 17", "takes n = 1 to 16, not 17"),
    ] {
        let played = format!("replay --epsilon 0.1 --dynamics lanes --algorithm {point}");
        has(
            &place.ends(2, played),
            &format!("--dynamics lanes {reason}"),
        );
    }
}

#[test]
fn recorded_trials_are_the_same_trials() {
    let place = Workplace::with(SPEC);
    place.succeed("run a.toml -q --dynamics lanes --results plain");
    let manifest = place.bytes("plain", "a", "manifest.toml");
    has(
        &String::from_utf8_lossy(&manifest),
        "dynamics = [\"lanes\"]",
    );
    let recorded = "[sweep.series]\nat = [0, 10, 1000]\n[sweep.events]\nkeep = \"moves\"\n";
    place.write("a.toml", &format!("{SPEC}{recorded}"));
    place.succeed("run a.toml -q --dynamics lanes");
    let rows = |results| place.bytes(results, "a", "trials.parquet");
    assert!(rows("results") == rows("plain"));
}

/// A row in lanes is played again under its own dynamics, and held against the row; a trial that is
/// named by its parameters is the same one.
#[test]
fn a_row_in_lanes_is_played() {
    let place = Workplace::with(SPEC);
    place.succeed("run a.toml -q --dynamics lanes");
    let row = "--only algorithm=pair,n=5,epsilon=0.05 --seed 3 --trial 7";
    let told = stdout(&place.succeed(format!("replay results/a {row}")));
    has(&told, "are those of the row in the results of a");
    let point = "--algorithm pair --n 5 --epsilon 0.05 --seed 3 --trial 7 --cutoff 20000";
    let again = place.succeed(format!("replay {point} --dynamics lanes -o b.html"));
    assert_eq!(told.lines().next(), stdout(&again).lines().next());
    let pages = ["replay.html", "b.html"].map(|page| {
        let page = place.text(page);
        let log = page.split_once("id=\"log\"").expect("a log").1;
        log.split_once("</script>").expect("its end").0.to_owned()
    });
    assert_eq!(pages[0], pages[1]);
}
