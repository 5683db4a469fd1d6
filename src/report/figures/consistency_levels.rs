//! What each level of consistency saves in nodes and costs in time, over searches for all boards.

use crate::report::foresight::Foreseen;
use crate::report::search_curves::Measure;
use crate::report::variants::VariantsCompared;
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::solver::cp::variant::{Decisions, Model, Variant};

/// Nodes per board, seconds and time per node against n, one curve per variant of a constraint
/// model.
pub struct ConsistencyLevels;

const COMPARED: VariantsCompared = VariantsCompared {
    kind: "consistency-levels",
    first: false,
    letter: 1,
    // Nodes are divided by the boards found: the number of boards grows much faster than any two
    // levels differ.
    panels: &[
        (720, Measure::NodesPerBoard),
        (640, Measure::Seconds),
        (480, Measure::MicrosecondsPerNode),
    ],
    is_plain,
    caption: "Searches for all boards against n: nodes of the search tree for each board found, wall-clock seconds, and microseconds for each node. A stronger consistency is there to visit fewer nodes; what each of them then costs is shown below",
};

impl Figure for ConsistencyLevels {
    fn kind(&self) -> &'static str {
        COMPARED.kind
    }

    fn doc(&self) -> &'static str {
        "nodes per board, seconds and time per node of constraint models against n, searching for all boards; times differ from run to run"
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

/// What is compared, with everything else as simple as it can be.
fn is_plain(variant: &Variant) -> bool {
    let Variant {
        model,
        symmetry,
        decision,
        branching,
        ..
    } = *variant;
    model != Model::Naive
        && !symmetry
        && decision == Decisions::Primal
        && branching == Variant::default().branching
}
