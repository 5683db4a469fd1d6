//! What each branching heuristic needs to find one board.

use crate::report::foresight::Foreseen;
use crate::report::search_curves::Measure;
use crate::report::variants::VariantsCompared;
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::solver::cp::variant::{Constraints, Decisions, Variant};

/// Nodes and seconds of searches for one board against n, one curve per variant of a constraint
/// model; of random branchings the median and the quartiles over trials.
pub struct Branchings;

const COMPARED: VariantsCompared = VariantsCompared {
    kind: "branchings",
    first: true,
    letter: 4,
    panels: &[(1000, Measure::Nodes), (900, Measure::Seconds)],
    is_plain,
    caption: "Searches for one board against n: nodes of the search tree (above) and wall-clock seconds (below). Random branchings: median over the trials, bars: quartiles",
};

impl Figure for Branchings {
    fn kind(&self) -> &'static str {
        COMPARED.kind
    }

    fn doc(&self) -> &'static str {
        "nodes and seconds of constraint models until the first board, against n: branchings compared, random ones with their spread"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        COMPARED.foresee(plan)
    }

    fn shows_seconds(&self) -> bool {
        true
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        COMPARED.draw(input)
    }
}

/// What is compared, at one level of consistency.
fn is_plain(variant: &Variant) -> bool {
    variant.constraints == Constraints::Domain
        && !variant.symmetry
        && variant.decision == Decisions::Primal
}
