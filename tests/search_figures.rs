//! Figures of searches, from the spec to the table: what stands there is what the rows say.

use std::collections::BTreeMap;

use reines::experiment::store::Record;

use crate::program::{Workplace, csv};

const SPEC: &str = r#"
seeds = [1, 2]

[[sweep]]
algorithm = "cp"
variant = ["PN_PL", "PA_PL"]
n = [4, 6, 8]
goal = "all"
cutoff = 1e9
repeats = 2

[[sweep]]
algorithm = "cp"
variant = ["PN_PR", "PN_PD"]
n = [8, 90]
goal = "first"
trials = 10
cutoff = 300
repeats = 3

[[figure]]
kind = "consistency-levels"

[[figure]]
kind = "branchings"

[[figure]]
kind = "run-time-vs-n"
"#;

/// The row of this n and variant.
fn row_of<'t>(
    table: &'t [BTreeMap<String, String>],
    n: &str,
    model: &str,
) -> &'t BTreeMap<String, String> {
    let mut rows = table.iter();
    let found = rows.find(|row| row["n"] == n && row["model"] == model);
    found.expect("a row of this key")
}

/// Nodes of n = 8: Choco's, 507 and 472. The random search's median is taken again here from its 20
/// rows: the value of rank 10, or the cutoff where that one was cut off.
#[test]
fn tables_of_searches_are_of_all_their_trials() {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml --results results");
    workplace.succeed("report a.toml --results results --figures figures");

    let table = |kind: &str| workplace.text(format!("figures/a-{kind}.csv"));
    let all = table("consistency-levels");
    let all = csv(&all);
    for (model, nodes, backtracks) in [("PN_PL", "507", "831"), ("PA_PL", "472", "761")] {
        let row = row_of(&all, "8", model);
        let found = [
            "nodes",
            "backtracks",
            "solutions",
            "outcome",
            "trials",
            "repeats",
            "nodes_low",
        ]
        .map(|name| &*row[name]);
        assert_eq!(
            found,
            [nodes, backtracks, "92", "exhausted", "2", "4", ""],
            "{model}: one search under two seeds"
        );
    }

    let first = table("branchings");
    let first = csv(&first);
    let records = workplace.records("results", "a");
    for n in [8, 90] {
        let of_it = |record: &&Record| {
            record.point.variant == "PN_PR" && record.point.integer("n") == Some(n)
        };
        let mut nodes: Vec<u64> = records
            .iter()
            .filter(of_it)
            .filter_map(|record| record.row.outcome.nodes)
            .collect();
        nodes.sort_unstable();
        assert_eq!(nodes.len(), 20);
        // At 300 nodes it was cut off, which a column of its own says.
        let is_bound = |nodes: u64| (nodes == 300).to_string();
        let row = row_of(&first, &n.to_string(), "PN_PR");
        assert_eq!(
            ["nodes", "nodes_q25", "nodes_q75"].map(|name| row[name].to_owned()),
            [nodes[9], nodes[4], nodes[14]].map(|nodes| nodes.to_string()),
            "n = {n}"
        );
        assert_eq!(row["nodes_q75_is_bound"], is_bound(nodes[14]), "n = {n}");
        let censored = nodes.iter().filter(|&&nodes| nodes == 300).count();
        assert_eq!(row["censored"], censored.to_string());
        assert_eq!((&*row["trials"], &*row["repeats"]), ("20", "3"));
    }
    let svg = workplace.text("figures/a-run-time-vs-n.svg");
    for label in [
        "cp PN_PL, all boards",
        "cp PN_PD, first board",
        "cp PN_PR, first board",
    ] {
        assert!(svg.contains(label), "{label}");
    }
}
