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
fn decided(choices: &BranchingChoices, variant: &Variant) -> Vec<Var> {
    let BranchingChoices { primal, dual, .. } = choices;
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
                let open = decided(&self.variables, &self.variant);
                let mut open: Vec<Open> = open.iter().map(values).collect();
                open.retain(|(_, values)| values.len() > 1);
                let state = OpenDomains { open, sizes };
                let is_open = !state.open.is_empty();
                self.next = is_open.then(|| (self.chosen)(&state, self.n));
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
    let smallest = state.open.iter().min_by_key(|(_, values)| values.len());
    smallest.expect("a choice is left")
}

/// Variants but for their branching, and how many lines they are searched on.
const VARIANTS: [&str; 5] = ["PN_P 7", "PASP 7", "AN_D 7", "AB_P 7", "XN_P 4"];

#[test]
fn lexicographic() {
    let first = |state: &OpenDomains, _| (state.open[0].0, state.open[0].1[0]);
    for (acronym, n) in own("L") {
        decides(&acronym, n, first);
    }
}

fn own(branching: &str) -> impl Iterator<Item = (String, usize)> {
    VARIANTS.into_iter().map(move |it| {
        let (acronym, n) = it.split_once(' ').expect("two words");
        (acronym.to_owned() + branching, n.parse().expect("a number"))
    })
}

/// The last two have every constraint on every decision variable, so that the degrees of
/// dom/wdeg are equal whatever has failed.
#[test]
fn min_domain() {
    let least = |state: &OpenDomains, _| (smallest(state).0, smallest(state).1[0]);
    let equal = ["PA_PW", "PB_PW"].map(|acronym| (acronym.to_owned(), 8));
    for (acronym, n) in own("D").chain(equal) {
        decides(&acronym, n, least);
    }
}

/// Frozen: nodes and failures until the first board, as in results/reference. Without the weights
/// of what has failed, the tree is another one.
#[test]
fn dom_wdeg_learns_from_failures() {
    for (n, nodes, failures) in [(20, 45, 34), (30, 50, 27), (50, 389, 350)] {
        let (counts, _) = run(n, variant("PN_PW"), Goal::First, u64::MAX, &mut ());
        let found = (counts.nodes, counts.failures);
        assert_eq!(found, (nodes, failures), "n = {n}");
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
            let dual_size = |&&value: &&DomainValue| state.sizes[duals + value as usize];
            let least = values.iter().min_by_key(dual_size);
            (*var, *least.expect("a value is left"))
        });
    }
}
