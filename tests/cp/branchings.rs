//! Every decision of whole searches, against the branchings' definitions on the domains that the
//! search showed.

use reines::solver::cp::branching::{BranchingChoices, Decision};
use reines::solver::cp::domain::{DomainValue, Domains, Var};
use reines::solver::cp::search::{SearchObserver, SearchStep};
use reines::solver::cp::variant::{Decisions, Model, Variant};
use reines::solver::goal::Goal;

use super::{run, variant};

/// A variable and the values it can take.
type Open = (Var, Vec<DomainValue>);

/// Expects each decision to be the one that `chosen` makes of the domains at the last fixed point.
struct Expecting<F> {
    variant: Variant,
    n: usize,
    variables: BranchingChoices,
    chosen: F,
    next: Option<(Var, DomainValue)>,
    n_decisions: u64,
}

/// What a variant decides on, in its order.
fn decided(
    BranchingChoices { primal, dual, .. }: &BranchingChoices,
    variant: &Variant,
) -> Vec<Var> {
    match (variant.model, variant.decision) {
        (Model::Naive, _) => [&dual[..], primal].concat(),
        (_, Decisions::Primal) => primal.clone(),
        (_, Decisions::Both) => [&primal[..], dual].concat(),
    }
}

/// Decision variables with a choice left, and the domains of all variables.
struct OpenDomains {
    open: Vec<Open>,
    /// The size of each domain, by the number of the variable: first the columns, then the lines.
    sizes: Vec<usize>,
}

impl<F: Fn(&OpenDomains, usize) -> (Var, DomainValue)> SearchObserver for Expecting<F> {
    fn begins(&mut self, choices: &BranchingChoices) {
        self.variables = choices.clone();
    }

    fn step(&mut self, step: SearchStep, _: usize, domains: &Domains) {
        match step {
            SearchStep::FixedPoint => {
                let values = |&var: &Var| (var, domains.values(var).collect::<Vec<_>>());
                let all = self.variables.primal.iter().chain(&self.variables.dual);
                let sizes = all.map(|var| values(var).1.len()).collect();
                let open: Vec<Open> = decided(&self.variables, &self.variant)
                    .iter()
                    .map(values)
                    .filter(|(_, values)| values.len() > 1)
                    .collect();
                self.next = if open.is_empty() {
                    None
                } else {
                    Some((self.chosen)(&OpenDomains { open, sizes }, self.n))
                };
            }
            SearchStep::Decision(Decision { variable, value }) => {
                assert_eq!(Some((variable, value)), self.next, "{}", self.variant);
                self.n_decisions += 1;
            }
            _ => {}
        }
    }
}

/// All boards of n lines, each decision held against `chosen`.
fn decides(acronym: &str, n: usize, chosen: impl Fn(&OpenDomains, usize) -> (Var, DomainValue)) {
    let variant = variant(acronym);
    let mut observer = Expecting {
        variant,
        n,
        variables: BranchingChoices::default(),
        chosen,
        next: None,
        n_decisions: 0,
    };
    let (counts, _) = run(n, variant, Goal::Count, u64::MAX, &mut observer);
    assert_eq!(observer.n_decisions, counts.nodes - counts.solutions);
    assert!(observer.n_decisions > 10, "{acronym} has little to decide");
}

/// The first of those with the smallest domain.
fn smallest(state: &OpenDomains) -> &Open {
    let least = state
        .open
        .iter()
        .map(|(_, values)| values.len())
        .min()
        .expect("somebody is open");
    state
        .open
        .iter()
        .find(|(_, values)| values.len() == least)
        .expect("it is one of them")
}

/// Variants but for their branching, and how many lines they are searched on.
const VARIANTS: [(&str, usize); 5] = [
    ("PN_P", 7),
    ("PASP", 7),
    ("AN_D", 7),
    ("AB_P", 7),
    ("XN_P", 4),
];

#[test]
fn lexicographic() {
    for (acronym, n) in VARIANTS {
        let acronym = acronym.to_owned() + "L";
        decides(&acronym, n, |state, _| {
            (state.open[0].0, state.open[0].1[0])
        });
    }
}

/// The last two have every constraint on every decision variable, so that the degrees of
/// dom/wdeg are equal whatever has failed.
#[test]
fn min_domain() {
    let own = VARIANTS.into_iter();
    let own = own.map(|(acronym, n)| (acronym.to_owned() + "D", n));
    let equal = ["PA_PW", "PB_PW"].map(|acronym| (acronym.to_owned(), 8));
    for (acronym, n) in own.chain(equal) {
        decides(&acronym, n, |state, _| {
            (smallest(state).0, smallest(state).1[0])
        });
    }
}

/// Frozen: nodes and failures until the first board, as in results/reference. Without the weights
/// of what has failed, the tree is another one.
#[test]
fn dom_wdeg_learns_from_failures() {
    for (n, nodes, failures) in [(20, 45, 34), (30, 50, 27), (50, 389, 350)] {
        let (counts, _) = run(n, variant("PN_PW"), Goal::First, u64::MAX, &mut ());
        assert_eq!(
            (counts.nodes, counts.failures),
            (nodes, failures),
            "n = {n}"
        );
    }
}

/// The value of least dual domain: value j of C_i is queen L_j's, value i of L_j is queen C_i's. Of
/// equals the least.
#[test]
fn dual_dom() {
    for acronym in ["AN_PC", "AN_DC", "ANSDC", "AA_DC", "AB_PC", "AS_DC"] {
        decides(acronym, 9, |state, n| {
            let (var, values) = smallest(state);
            let duals = if var.index() < n { n } else { 0 };
            let dual_sizes: Vec<usize> = values
                .iter()
                .map(|&value| state.sizes[duals + value as usize])
                .collect();
            let least = dual_sizes.iter().min().expect("a value is left");
            let at = dual_sizes
                .iter()
                .position(|size| size == least)
                .expect("it is one of them");
            (*var, values[at])
        });
    }
}
