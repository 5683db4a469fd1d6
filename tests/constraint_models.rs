//! The constraint models in a spec: choices, products of them, trials. (`transcripts/searches.txt`
//! has their rows.)

use reines::experiment::plan::Plan;
use reines::experiment::spec::{self, Spec};

use crate::program::{Workplace, stderr};

/// A sweep of the constraint models with more keys; the complaints below count its lines.
fn cp(more: &str) -> String {
    format!("seed = 1\n[[sweep]]\nalgorithm = \"cp\"\nn = 8\ncutoff = 1e6\n{more}\n")
}

fn parse(more: &str) -> Result<Spec, String> {
    spec::parse("a", "a.toml", &cp(more), &reines::report::kinds())
        .map_err(|error| error.to_string())
}

fn variants(more: &str) -> Vec<String> {
    parse(more).unwrap_or_else(|error| panic!("{error}")).sweeps[0]
        .variants
        .of
        .clone()
}

const WHOLE_TABLE: &str = "model = [\"primal\", \"primal-dual\"]\nconstraints = [\"neq\", \"bounds\", \"domain\", \"automatic\"]\n\
                           symmetry = [false, true]\ndecision = [\"primal\", \"both\"]\n\
                           branching = [\"lexicographic\", \"random\", \"min-domain\", \"dom-wdeg\", \"dual-dom\"]\ntrials = 3\n";

#[test]
fn choices_become_acronyms() {
    for (choices, expected) in [
        ("", "PN_PL"),
        ("branching = \"min-domain\"", "PN_PD"),
        (
            "constraints = [\"domain\", \"neq\", \"neq\"]\nsymmetry = [true, false]",
            "PASPL PA_PL PNSPL PN_PL",
        ),
        ("variant = \"ABSDW\"", "ABSDW"),
        ("variant = [\"PN_PL\", \"AA_DC\", \"PN_PL\"]", "AA_DC PN_PL"),
        (
            "model = \"naive\"\nbranching = [\"lexicographic\", \"dom-wdeg\"]",
            "XN_PL XN_PW",
        ),
    ] {
        assert_eq!(variants(choices).join(" "), expected, "{choices}");
    }
}

/// There are 2·4·2·2·5 combinations; primal has no dual variables to decide on (4·2·5), nor a dual
/// domain to branch on (4·2).
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
