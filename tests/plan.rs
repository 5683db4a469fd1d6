//! The way from sweeps to points: product, union, order, size, hash.

use std::mem::discriminant;

use reines::experiment::plan::Plan;
use reines::experiment::spec::{Refused, Spec};
use reines::solver::{ALGORITHMS, Domain, Dynamics, DynamicsChoice, Point, Value};

use crate::spec::parsed;

fn plan(text: &str) -> Plan {
    Plan::new(&parsed(text)).unwrap_or_else(|error| panic!("{error}"))
}

fn sweep(algorithm: &str, axes: &str, trials: u64, cutoff: u64) -> String {
    format!(
        "[[sweep]]\nalgorithm = \"{algorithm}\"\n{axes}\ntrials = {trials}\ncutoff = {cutoff}\n"
    )
}

fn shown(plan: &Plan) -> Vec<String> {
    plan.points
        .iter()
        .map(|planned| format!("{} ×{} ≤{}", planned.point, planned.trials, planned.cutoff))
        .collect()
}

#[test]
fn points_stand_in_the_order_of_the_key_columns() {
    let cell = sweep(
        "cell",
        "n = [5, 4]\nepsilon = [0.1, 0.02]\neta = [1, 0.5]",
        3,
        10,
    );
    let pair = sweep("pair", "n = [10, 9]\nepsilon = 0.5", 2, 20);
    let plan = plan(&format!("seeds = [9, 7]\n{pair}{cell}"));
    assert_eq!(
        shown(&plan),
        [
            "cell n=4 epsilon=0.02 eta=0.5 ×3 ≤10",
            "cell n=4 epsilon=0.02 eta=1 ×3 ≤10",
            "cell n=4 epsilon=0.1 eta=0.5 ×3 ≤10",
            "cell n=4 epsilon=0.1 eta=1 ×3 ≤10",
            "cell n=5 epsilon=0.02 eta=0.5 ×3 ≤10",
            "cell n=5 epsilon=0.02 eta=1 ×3 ≤10",
            "cell n=5 epsilon=0.1 eta=0.5 ×3 ≤10",
            "cell n=5 epsilon=0.1 eta=1 ×3 ≤10",
            "pair n=9 epsilon=0.5 ×2 ≤20",
            "pair n=10 epsilon=0.5 ×2 ≤20",
        ]
    );
    assert_eq!(plan.seeds, [7, 9]);
    // By hand: (8 · 3 + 2 · 2) · 2 trials, (8 · 3 · 10 + 2 · 2 · 20) · 2 updates.
    assert_eq!((plan.trials(), plan.worst_case_updates()), (56, 640));
}

/// Otherwise two points that differ only there would count as one, or one value have two columns.
#[test]
fn every_axis_is_a_key_column_with_one_kind_of_values_and_one_symbol() {
    for algorithm in ALGORITHMS.iter() {
        for axis in algorithm.axes {
            let [a, b] = match axis.domain {
                Domain::Integer { min, max } => [min, max].map(Value::Integer),
                Domain::Real { min, max } => [min, max].map(Value::real),
            };
            let at = |value| Point::new(algorithm.name, [(axis.name, value)]);
            let none = Point::new(algorithm.name, []);
            assert!(at(a).order(&at(b)).is_lt() && none.order(&at(a)).is_lt());
            let fits = match axis.name {
                "n" => {
                    matches!(axis.domain, Domain::Integer { max, .. } if u32::try_from(max).is_ok())
                }
                "epsilon" | "eta" => matches!(axis.domain, Domain::Real { .. }),
                _ => true,
            };
            assert!(fits, "the column of {} cannot hold its values", axis.name);
            for other in ALGORITHMS.iter().flat_map(|other| other.axes) {
                let is_alike = axis.symbol == other.symbol
                    && discriminant(&axis.domain) == discriminant(&other.domain);
                assert!(axis.name != other.name || is_alike, "{}", axis.name);
            }
        }
    }
}

/// The variant without η has points without it, each once.
#[test]
fn a_variant_has_points_on_its_own_axes_alone() {
    let axes = "variant = [\"blind\", \"informed\"]\nn = 8\nepsilon = 0.1\neta = [0, 0.1]";
    let spec = parsed(&format!("seed = 1\n{}", sweep("synchronous", axes, 2, 10)));
    assert_eq!(spec.sweeps[0].size(), 3);
    assert_eq!(
        shown(&Plan::new(&spec).expect("a plan")),
        [
            "synchronous blind n=8 epsilon=0.1 ×2 ≤10",
            "synchronous informed n=8 epsilon=0.1 eta=0 ×2 ≤10",
            "synchronous informed n=8 epsilon=0.1 eta=0.1 ×2 ≤10",
        ]
    );
}

#[test]
fn what_is_only_stepwise_refuses_another_dynamics() {
    let factor = sweep("factor", "product = 15\nepsilon = 0.1", 2, 10);
    let pair = sweep("pair", "n = 8\nepsilon = 0.01", 2, 10);
    let spec = parsed(&format!("seed = 1\n{pair}{factor}"));
    let names = |choice| {
        let plan = Plan::new(&Spec {
            dynamics: choice,
            ..spec.clone()
        })?;
        let names = plan
            .points
            .iter()
            .map(|it| it.dynamics.map_or("", Dynamics::name));
        Ok::<_, Refused>(names.collect::<Vec<_>>().join(" "))
    };
    let told = |choice| names(choice).unwrap_or_else(|error| error.to_string());
    assert_eq!(told(DynamicsChoice::Auto), "stepwise lanes");
    assert_eq!(told(DynamicsChoice::OneByOne), "stepwise rejection-free");
    assert_eq!(
        told(DynamicsChoice::Only(Dynamics::Stepwise)),
        "stepwise stepwise"
    );
    let error = told(DynamicsChoice::Only(Dynamics::RejectionFree));
    let expected = ":8: algorithm = \"factor\": it has no rejection-free dynamics; expected dynamics auto, one-by-one or stepwise";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn overlapping_sweeps_take_the_union_of_their_trials() {
    let [few, many] = [(5, "[0.1, 0.2]"), (8, "[0.2, 0.3]")]
        .map(|(trials, epsilon)| sweep("pair", &format!("n = 8\nepsilon = {epsilon}"), trials, 10));
    let expected = [
        "pair n=8 epsilon=0.1 ×5 ≤10",
        "pair n=8 epsilon=0.2 ×8 ≤10",
        "pair n=8 epsilon=0.3 ×8 ≤10",
    ];
    assert_eq!(shown(&plan(&format!("seed = 1\n{few}{many}"))), expected);
    assert_eq!(shown(&plan(&format!("seed = 1\n{many}{few}"))), expected);
}

#[test]
fn the_hash_names_what_is_simulated_and_nothing_else() {
    let [a, b] = [4, 5].map(|n| sweep("pair", &format!("n = {n}\nepsilon = 0.1"), 5, 10));
    let base = plan(&format!("seeds = [1, 2]\n{a}{b}")).hash();
    assert!(base.len() == 8 && base.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let figure = "[[figure]]\nkind = \"pair-vs-cell\"\n";
    let grid = a.replace("n = 4", "n = { from = 4, to = 5, step = 1 }");
    for text in [
        format!("seeds = [2, 1]\n{b}{a}"),
        format!("title = \"t\"\nsource = \"s\"\nseeds = [1, 2]\n{a}{b}{figure}"),
        format!("seeds = [1, 2]\n{grid}"),
        format!("seeds = [1, 2]\n{a}{}", b.replace("0.1", "1e-1")),
        format!("seeds = [1, 2]\n{a}{a}{b}"),
    ] {
        assert_eq!(plan(&text).hash(), base, "{text}");
    }
    let changed = |old: &str, new: &str| format!("seeds = [1, 2]\n{a}{}", b.replace(old, new));
    let others = [
        format!("seeds = [1, 3]\n{a}{b}"),
        format!("seed = 12\n{a}{b}"),
        changed(&b, ""),
        changed("n = 5", "n = 6"),
        changed("trials = 5", "trials = 6"),
        changed("cutoff = 10", "cutoff = 11"),
        changed("0.1", "0.10000000000000002"),
        changed("\"pair\"", "\"cell\"\neta = 0"),
    ];
    let mut hashes: Vec<_> = others
        .iter()
        .map(|text| plan(text).hash())
        .chain([base])
        .collect();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), others.len() + 1);
}

#[test]
fn a_cap_keeps_a_subset_of_the_rows() {
    let full = plan(&format!(
        "seed = 1\n{}{}",
        sweep("pair", "n = 4\nepsilon = 0.1", 5, 10),
        sweep("pair", "n = 5\nepsilon = 0.1", 50, 10)
    ));
    let capped = full.capped(20);
    assert_eq!(
        shown(&capped),
        [
            "pair n=4 epsilon=0.1 ×5 ≤10",
            "pair n=5 epsilon=0.1 ×20 ≤10"
        ]
    );
    assert_eq!(capped.seeds, full.seeds);
    assert_ne!(capped.hash(), full.hash());
    assert_eq!(full.capped(50), full);
}

#[test]
fn the_largest_plan_that_a_spec_can_ask_for_is_counted_without_overflow() {
    let seeds = (0..1000)
        .map(|seed| seed.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let wide = "n = 4\nepsilon = { from = 0, to = 1, points = 100_000 }";
    let plan = plan(&format!(
        "seeds = [{seeds}]\n{}",
        sweep("pair", wide, u32::MAX.into(), u64::MAX)
    ));
    let trials = 100_000 * 1000 * u64::from(u32::MAX);
    assert_eq!(
        (plan.trials(), plan.worst_case_updates()),
        (trials, u128::from(trials) * u128::from(u64::MAX))
    );
}
