//! An unfinished run can be looked at, and never passes for a finished one.

use std::collections::BTreeSet;

use crate::program::{self, Workplace, has, interrupt, lacks, stderr, stdout, wait_until};

/// Points of short trials, and one whose trials cannot end: n = 3 has no solution, and the cutoff
/// is far away.
const SPEC: &str = "title = \"Slow\"\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.02\ntrials = 30\ncutoff = 1e9\n\
                    [[sweep]]\nalgorithm = \"pair\"\nn = 3\nepsilon = 0.02\ntrials = 2\ncutoff = 1_000_000_000_000_000\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

#[test]
fn the_complete_points_of_an_unfinished_run_are_drawn_and_counted() {
    let workplace = Workplace::with(SPEC);
    let child = workplace.begin("run a.toml --threads 2");
    // From another terminal.
    wait_until("only endless trials are left", || {
        let said = stdout(&workplace.reines("list a.toml"));
        said.contains("running, saved: 96 %, 60 of 62 trials, time left not known")
    });
    assert_eq!(interrupt(child).status.code(), Some(130));
    let said = stdout(&workplace.reines("list a.toml"));
    has(
        &said,
        "unfinished, saved: 96 %, 60 of 62 trials, time left not known",
    );
    has(
        &stdout(&workplace.reines("list a.toml --json")),
        "\"total\": 62",
    );

    const REMARK: &str = "2 of 3 points so far: the run is unfinished";
    for command in ["report a.toml --html page.html", "report"] {
        // The run's own spec will do.
        has(&workplace.ends(1, command), REMARK);
    }
    let figure = |ending: &str| workplace.text(format!("figures/a-convergence-vs-n.{ending}"));
    for drawn in [figure("svg"), figure("md"), workplace.text("page.html")] {
        has(&drawn, REMARK);
    }
    let csv = figure("csv");
    let rows = program::csv(&csv);
    let sizes: BTreeSet<&str> = rows.iter().map(|row| &*row["n"]).collect();
    assert!(sizes.into_iter().eq(["4", "5"]));

    // A complete run of another plan says more.
    workplace.write(
        "a.toml",
        SPEC.split("[[sweep]]\nalgorithm = \"pair\"\nn = 3")
            .next()
            .expect("a first piece"),
    );
    workplace.succeed("run a.toml -q");
    workplace.write("a.toml", SPEC);
    let said = workplace.ends(1, "report a.toml");
    has(&said, "drawn from a run of another plan");
    lacks(&said, "so far");
}

/// Nothing is drawn where no point is complete.
#[test]
fn a_run_without_a_complete_point_has_no_figure() {
    let spec = SPEC.replace(
        "n = [4, 5]\nepsilon = 0.02\ntrials = 30",
        "n = 3\nepsilon = 0.01\ntrials = 1",
    );
    let workplace = Workplace::with(&spec.replace("cutoff = 1e9", "cutoff = 1e15"));
    let child = workplace.begin("run a.toml --threads 1");
    wait_until("it runs", || {
        stdout(&workplace.reines("list a.toml")).contains("running, saved: ")
    });
    assert_eq!(interrupt(child).status.code(), Some(130));
    has(
        &stderr(&workplace.reines("report a.toml")),
        "no complete point in results",
    );
    assert!(!workplace.path().join("figures").exists());
}
