//! An unfinished run can be looked at, and never passes for a finished one.

use crate::program::{self, Workplace, has, interrupt, stderr, stdout, wait_until};

/// Points of long trials and of short ones; the longest cannot end: n = 3 has no solution, and the
/// cutoff is far away.
pub const SPEC: &str = "title = \"Slow\"\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.02\ntrials = 30\ncutoff = 1e9\n\
                    [[sweep]]\nalgorithm = \"pair\"\nn = 3\nepsilon = 0.02\ntrials = 2\ncutoff = 1_000_000_000_000_000\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

#[test]
fn a_partial_report_counts_running_trials_and_says_that_it_is_partial() {
    let workplace = Workplace::with(SPEC);
    let child = workplace.begin("run a.toml --threads 2");
    // From another terminal.
    wait_until("only endless trials are left", || {
        let said = stdout(&workplace.reines("list a.toml"));
        said.contains("running: ") && said.contains(" 60 of 62 trials, ") && said.contains(" left")
    });
    let said = stdout(&workplace.reines("list a.toml"));
    for words in ["running: ", " of 62 trials, ", " left, as of "] {
        has(&said, words);
    }
    // Only the endless trials are left.
    assert_eq!(interrupt(child).status.code(), Some(130));
    let said = stdout(&workplace.reines("list a.toml"));
    has(&said, "stopped with ");
    has(&said, " of 62 trials; run again to go on");
    let json = stdout(&workplace.reines("list a.toml --json"));
    has(&json, "\"total\": 62");
    workplace.ends(1, "report a.toml");
    assert!(!workplace.path().join("figures").exists());
    let said = stderr(&workplace.succeed("report a.toml --partial"));
    let remark = said
        .split_once("partial: ")
        .expect("it says so")
        .1
        .split(" trials")
        .next()
        .expect("a first piece")
        .to_owned();
    let (finished, total) = remark.split_once(" of ").expect("so many of so many");
    let finished: u32 = finished.parse().expect("a number");
    assert!(total == "62" && (1..=60).contains(&finished), "{said}");
    assert!(
        said.contains("and 2 running") || said.contains("and 1 running"),
        "{said}"
    );
    let said = stderr(&workplace.succeed("report --partial"));
    assert!(said.contains(&remark), "the run's own spec will do: {said}");
    let figure =
        |ending: &str| workplace.text(format!("figures/a-convergence-vs-n-partial.{ending}"));
    for ending in ["svg", "md"] {
        assert!(
            figure(ending)
                .to_lowercase()
                .contains(&format!("partial: {remark} trials")),
            "{}",
            figure(ending)
        );
    }
    let csv = figure("csv");
    let rows = program::csv(&csv);
    let endless = rows.iter().find(|row| row["n"] == "3");
    let endless = endless.expect("running trials are in the table");
    assert_eq!(endless["trials"], endless["censored"]);
    assert_eq!(endless["mean_is"], "lower bound");
    assert!(
        endless["mean"].parse::<f64>().expect("a number") > 65_536.0,
        "they count with the updates they have had"
    );
}

/// One trial runs, and no other point has begun: the figure has a single point, which is no fault
/// of the spec.
#[test]
fn a_partial_report_of_one_point_says_so() {
    let spec = SPEC.replace(
        "n = [4, 5]\nepsilon = 0.02\ntrials = 30",
        "n = 3\nepsilon = 0.01\ntrials = 1",
    );
    let workplace = Workplace::with(&spec.replace("cutoff = 1e9", "cutoff = 1e15"));
    let child = workplace.begin("run a.toml --threads 1");
    wait_until("it runs", || {
        stdout(&workplace.reines("list a.toml")).contains("running: ")
    });
    assert_eq!(interrupt(child).status.code(), Some(130));
    let said = workplace.ends(1, "report a.toml --partial");
    has(&said, "figure \"a-convergence-vs-n\", of 1 point so far: ");
    assert!(!said.contains("a.toml:"), "{said}");
}
