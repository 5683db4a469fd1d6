//! What each level of consistency saves in nodes and costs in time, over searches for all boards.

use crate::report::foresight::Foreseen;
use crate::report::number::short;
use crate::report::search_curves::{Measure, SearchCurve};
use crate::report::search_legend::in_words;
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
    in_words: at_the_largest,
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

fn at_the_largest(curve: &SearchCurve) -> String {
    let last = curve.last();
    let nodes = last.nodes.as_ref().map_or_else(String::new, |nodes| {
        format!("{} nodes", in_words(nodes, 1.0, 3))
    });
    let time = last.time.as_ref().map(|time| {
        let rate = time
            .picoseconds_per_node
            .as_ref()
            .map(|rate| format!(", {} µs each", short(rate.median.value as f64 / 1e6, 2)));
        format!(
            " in {} s{}",
            in_words(&time.nanoseconds, 1e9, 2),
            rate.unwrap_or_default()
        )
    });
    format!(
        "{}{}: {nodes}{} at n = {}",
        curve.label(),
        curve.trials_in_words(),
        time.unwrap_or_default(),
        last.n()
    )
}
