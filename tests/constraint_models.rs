//! The constraint models through the whole program: from a spec to rows, and `reines solve`.

use std::collections::BTreeSet;

use reines::experiment::plan::Plan;
use reines::experiment::spec::{self, Spec};
use reines::results::PointTrials;
use reines::solver::Ending;
use reines::solver::goal::Goal;

use crate::program::{Workplace, has, stderr, stdout};

/// A sweep of the constraint models with more keys; the complaints below count its lines.
fn cp(more: &str) -> String {
    format!("seed = 1\n[[sweep]]\nalgorithm = \"cp\"\nn = 8\ncutoff = 1e6\n{more}\n")
}

fn parse(more: &str) -> Result<Spec, String> {
    spec::parse("a", "a.toml", &cp(more), &[]).map_err(|error| error.to_string())
}

fn variants(more: &str) -> Vec<String> {
    parse(more).unwrap_or_else(|error| panic!("{error}")).sweeps[0]
        .variants
        .of
        .clone()
}

fn points(workplace: &Workplace) -> Vec<PointTrials> {
    workplace.trials("results", "a")
}

const WHOLE_TABLE: &str = "model = [\"primal\", \"primal-dual\"]\nconstraints = [\"neq\", \"bounds\", \"domain\", \"automatic\"]\n\
                           symmetry = [false, true]\ndecision = [\"primal\", \"both\"]\n\
                           branching = [\"lexicographic\", \"random\", \"min-domain\", \"dom-wdeg\", \"dual-dom\"]\ntrials = 3\n";

#[test]
fn choices_become_acronyms() {
    assert_eq!(variants(""), ["PN_PL"]);
    assert_eq!(variants("branching = \"min-domain\""), ["PN_PD"]);
    assert_eq!(
        variants("constraints = [\"domain\", \"neq\", \"neq\"]\nsymmetry = [true, false]"),
        ["PASPL", "PA_PL", "PNSPL", "PN_PL"]
    );
    assert_eq!(variants("variant = \"ABSDW\""), ["ABSDW"]);
    assert_eq!(
        variants("variant = [\"PN_PL\", \"AA_DC\", \"PN_PL\"]"),
        ["AA_DC", "PN_PL"]
    );
    assert_eq!(
        variants("model = \"naive\"\nbranching = [\"lexicographic\", \"dom-wdeg\"]"),
        ["XN_PL", "XN_PW"]
    );
}

/// Of 2·4·2·2·5 combinations, primal has no dual variables to decide on (4·2·5), nor a dual domain
/// to branch on (4·2).
#[test]
fn impossible_combinations_of_a_product_are_left_out_and_told_in_one_line() {
    let spec = parse(WHOLE_TABLE).expect("most of it is possible");
    assert_eq!(
        (
            spec.sweeps[0].variants.of.len(),
            spec.sweeps[0].variants.impossible
        ),
        (112, 48)
    );
    let [line] = &spec.left_out()[..] else {
        panic!("one line")
    };
    assert!(
        line.starts_with("line 2: 48 of 160 combinations cannot be and are left out, such as: P"),
        "{line}"
    );
    assert!(parse("").expect("valid").left_out().is_empty());
    let workplace = Workplace::with(
        &cp("model = [\"primal\", \"naive\"]\nconstraints = [\"neq\", \"bounds\"]\nn = 4")
            .replace("n = 8\n", ""),
    );
    let told = stderr(&workplace.succeed("run a.toml"));
    assert_eq!(
        told.matches("a: line 2: 1 of 4 combinations cannot be")
            .count(),
        1,
        "{told}"
    );
    assert_eq!(stderr(&workplace.succeed("run a.toml --quiet")), "");
}

/// 24 of the 112 variants branch at random: two more trials each.
#[test]
fn random_branching_alone_has_several_trials() {
    let plan = Plan::new(&parse(WHOLE_TABLE).expect("valid")).expect("a plan");
    assert_eq!((plan.points.len(), plan.trials()), (112, 112 + 2 * 24));
    assert!(plan.points.iter().all(|planned| planned.trials
        == if planned.point.variant.ends_with('R') {
            3
        } else {
            1
        }));
    assert_eq!(plan.worst_case_updates(), 0);
}

/// The sweep of the models' description, which names no trials: one of each, and a warning that one
/// draw is no sample.
#[test]
fn random_branching_without_trials_is_drawn_once_with_a_warning() {
    let spec = parse("branching = [\"random\", \"lexicographic\"]").expect("valid");
    let plan = Plan::new(&spec).expect("a plan");
    assert_eq!(plan.trials(), 2);
    assert_eq!(
        plan.warnings(),
        [
            "random branching has one trial at 1 point, which says nothing of its spread; trials gives it more"
        ]
    );
    assert!(
        Plan::new(&parse("branching = \"random\"\ntrials = 2").expect("valid"))
            .expect("a plan")
            .warnings()
            .is_empty()
    );
    assert!(
        Plan::new(&parse("").expect("valid"))
            .expect("a plan")
            .warnings()
            .is_empty()
    );
}

/// Every variant but the naive ones finds the 40 boards of n = 7, or one of each mirrored pair;
/// rows do not depend on threads.
#[test]
fn the_whole_table_runs_from_a_spec() {
    let workplace =
        Workplace::with(&cp(&format!("{WHOLE_TABLE}goal = \"all\"")).replace("n = 8", "n = 7"));
    workplace.succeed("run a.toml --threads 2");
    workplace.succeed("run a.toml --threads 1 --results 1");
    assert_eq!(
        workplace.bytes("results", "a", "trials.parquet"),
        workplace.bytes("1", "a", "trials.parquet")
    );
    let points = points(&workplace);
    assert_eq!(points.len(), 112);
    for PointTrials { point, rows } in &points {
        assert_eq!(
            (point.algorithm.as_str(), point.goal),
            ("cp", Some(Goal::All))
        );
        let boards = if &point.variant[2..3] == "S" { 20 } else { 40 };
        for row in rows {
            let counts = &row.outcome;
            assert_eq!(
                (counts.ending, counts.solutions, counts.solution.is_none()),
                (Ending::Exhausted, Some(boards), true),
                "{point:?}"
            );
            let (nodes, failures) = (
                counts.nodes.expect("counted"),
                counts.failures.expect("counted"),
            );
            assert_eq!(nodes + 1, 2 * boards + failures, "{point:?}");
        }
    }
    let trees: BTreeSet<_> = points
        .iter()
        .filter(|trials| trials.point.variant == "PN_PR")
        .flat_map(|trials| &trials.rows)
        .collect::<Vec<_>>()
        .iter()
        .map(|row| row.outcome.nodes)
        .collect();
    assert!(
        trees.len() > 1,
        "three trees of random branching are not one: {trees:?}"
    );
}

/// The models' description: 507 nodes at n = 8; min-domain with domain consistency takes n = 200 in
/// few nodes; n = 3 has no board.
#[test]
fn rows_tell_what_a_search_found() {
    let workplace = Workplace::new();
    let first = "[[sweep]]\nalgorithm = \"cp\"\nvariant = \"PA_PD\"\nn = [3, 20, 200]\ngoal = \"first\"\ncutoff = 1000\n";
    workplace.write(
        "a.toml",
        &format!(
            "{}{first}{}",
            cp(""),
            cp("goal = \"all\"")
                .replace("seed = 1\n", "")
                .replace("1e6", "506")
        ),
    );
    workplace.succeed("run a.toml");
    let points = points(&workplace);
    let row = |n, goal| {
        let found = points
            .iter()
            .find(|trials| (trials.point.integer("n"), trials.point.goal) == (Some(n), Some(goal)));
        found
            .and_then(|trials| Some(trials.rows.first()?.outcome))
            .expect("the point is there")
    };
    let count = row(8, Goal::Count);
    assert_eq!(
        (count.ending, count.nodes, count.failures),
        (Ending::Exhausted, Some(507), Some(324))
    );
    assert_eq!((count.solutions, count.checks), (Some(92), None));
    assert_eq!(
        (row(8, Goal::All).ending, row(8, Goal::All).nodes),
        (Ending::Censored, Some(506))
    );
    assert_eq!(
        (row(3, Goal::First).ending, row(3, Goal::First).solution),
        (Ending::Exhausted, None)
    );
    for n in [20, 200] {
        let row = row(n, Goal::First);
        let board = row.solution.expect("solved");
        assert_eq!(row.ending, Ending::Solved);
        let distinct = |line: fn(i64, i64) -> i64| {
            board
                .iter()
                .zip(0..)
                .map(|(&y, x)| line(x, i64::from(y)))
                .collect::<BTreeSet<_>>()
                .len()
        };
        let n = n as usize;
        assert_eq!(
            [
                distinct(|_, y| y),
                distinct(|x, y| x + y),
                distinct(|x, y| x - y)
            ],
            [n; 3]
        );
    }
}

/// The lab's first exercise by its constraint program, and the search that it shows.
#[test]
fn solve_runs_a_variant_and_writes_its_search_down() {
    let told = |arguments: &str| stdout(&Workplace::new().succeed(arguments));
    let all = told("solve --algorithm cp --n 4 --all --symmetries --plain");
    has(
        &all,
        "Found 2 solutions, 1 fundamental solution (cp PN_PL n=4 goal=all: 7 nodes, 4 failures)",
    );
    let trace = told("solve --algorithm cp --variant PN_PL --n 8 --trace --count");
    let lines = |what: &str| {
        trace
            .lines()
            .filter(|line| line.trim_start_matches("| ").starts_with(what))
            .count()
    };
    // Inner nodes and solutions are consistent, other leaves fail; each inner node has two
    // branches.
    assert_eq!(
        (lines("fixed point"), lines("failure"), lines("solution")),
        (507, 324, 92)
    );
    assert_eq!(trace.matches(" ≠ ").count(), 507 - 92);
    assert!(trace.starts_with(
        "fixed point: C = {0..7} {0..7} {0..7} {0..7} {0..7} {0..7} {0..7} {0..7}\nC_0 = 0\n| fixed point: C = 0 {2..7} {1,3..7}"
    ));
    let json = told("solve --algorithm cp --variant PA_PR --n 50 --json --seed 3");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["variant"], &json["seed"], &json["outcome"]),
        (&"PA_PR".into(), &3.into(), &"solved".into())
    );
}
