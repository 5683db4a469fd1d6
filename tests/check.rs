//! What `reines check` prints.

use reines::cli::check;
use reines::experiment::plan::Plan;

use crate::spec::parsed;

const TEXT: &str = r#"title = "Two rules"
seeds = [1, 2]

[[sweep]]
algorithm = "pair"
n = [2, 8]
epsilon = 0.01
trials = 200
cutoff = 1e9

[[sweep]]
algorithm = "cell"
n = 12
epsilon = 0.1
eta = 1
trials = 50
cutoff = 1000

[[figure]]
kind = "pair-vs-cell"
"#;

#[test]
fn a_person_reads_points_trials_and_worst_cases() {
    let spec = parsed(TEXT);
    let plan = Plan::new(&spec).expect("a plan");
    let mut out = Vec::new();
    check::write_text(&mut out, &spec, &plan).expect("written to memory");
    let text = String::from_utf8(out).expect("UTF-8");
    let expected = format!(
        "\
small: Two rules
  plan {} from small.toml, seeds 1 2
  point                        trials         cutoff  worst-case updates
  cell n=12 epsilon=0.1 eta=1     100          1_000             100_000
  pair n=2 epsilon=0.01           400  1_000_000_000     400_000_000_000
  pair n=8 epsilon=0.01           400  1_000_000_000     400_000_000_000
  total: 3 points                 900                    800_000_100_000
  figure small-pair-vs-cell: pair-vs-cell
  warning: n = 2 has no solution: every trial there (400 at 1 point) will be censored at its cutoff
",
        plan.hash()
    );
    assert_eq!(text, expected);
}

#[test]
fn a_program_reads_the_same_numbers() {
    let spec = parsed(TEXT);
    let plan = Plan::new(&spec).expect("a plan");
    let json = serde_json::to_value(check::json(&spec, &plan)).expect("JSON");
    assert_eq!(json["experiment"], "small");
    assert_eq!(json["plan_hash"], plan.hash());
    assert_eq!(json["trials"], 900);
    assert_eq!(json["worst_case_updates"], 800_000_100_000u64);
    assert_eq!(json["points"][0]["axes"], serde_json::json!({ "n": 12, "epsilon": 0.1, "eta": 1.0 }));
    assert_eq!(json["points"][2]["cutoff"], 1_000_000_000);
    assert_eq!(json["figures"], serde_json::json!([{ "kind": "pair-vs-cell", "name": "small-pair-vs-cell" }]));
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(1));
}
