//! What each level of consistency saves in nodes and costs in time, over searches for all boards.

use crate::analysis::search::SearchSummary;
use crate::report::legend::sentences;
use crate::report::number::short;
use crate::report::search_curves::{Measure, SearchCurve, at_most_ten, colour_by_letter, curves, paint};
use crate::report::search_legend::{in_words, legend};
use crate::report::search_table::{VARIES, lab_table};
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::solver::cp::variant::{Decisions, Model, Variant};
use crate::solver::goal::Goal;

/// Nodes per board, seconds and time per node against n, one curve per variant of a constraint model.
pub struct ConsistencyLevels;

/// Nodes are divided by the boards found: the number of boards grows much faster than any two levels differ.
const PANELS: [(i32, Measure); 3] = [(720, Measure::NodesPerBoard), (640, Measure::Seconds), (480, Measure::MicrosecondsPerNode)];

/// Place of the letter for the differences in an acronym.
const DIFFERENCES: usize = 1;

impl Figure for ConsistencyLevels {
    fn kind(&self) -> &'static str {
        "consistency-levels"
    }

    fn doc(&self) -> &'static str {
        "nodes per board, seconds and time per node of constraint models against n, searching for all boards; times differ from run to run"
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let searches = SearchSummary::of(input.trials, input.timings);
        let is_shown =
            |search: &&SearchSummary| !search.point.variant.is_empty() && search.point.goal != Some(Goal::First) && search.nodes.is_some();
        let shown = || searches.iter().filter(is_shown);
        let (mut curves, left_out) = at_most_ten(curves(shown()), is_plain);
        colour_by_letter(&mut curves, DIFFERENCES);
        if curves.is_empty() {
            return Err(NothingToDraw { kind: self.kind(), reason: "no constraint model was searched for all boards".to_owned() });
        }
        let caption = sentences([
            input.title,
            "Searches for all boards against n: nodes of the search tree for each board found, wall-clock seconds, and microseconds for each node. A stronger consistency is there to visit fewer nodes; what each of them then costs is shown below",
            VARIES,
            &format!("Measured on {}", input.machine),
            input.provenance,
        ]);
        let svg = paint(input.title, &caption, &curves, &PANELS, legend(&curves, &PANELS.map(|(_, measure)| measure), at_the_largest));
        let mut table = lab_table(shown(), input.machine);
        table.notes.extend(left_out);
        Ok(Drawing { svg, table, caption })
    }
}

/// What is compared, with everything else as simple as it can be.
fn is_plain(variant: &Variant) -> bool {
    let Variant { model, symmetry, decision, branching, .. } = *variant;
    model != Model::Naive && !symmetry && decision == Decisions::Primal && branching == Variant::default().branching
}

fn at_the_largest(curve: &SearchCurve) -> String {
    let last = curve.last();
    let nodes = last.nodes.as_ref().map_or_else(String::new, |nodes| format!("{} nodes", in_words(nodes, 1.0, 3)));
    let time = last.time.as_ref().map(|time| {
        let rate = time.picoseconds_per_node.as_ref().map(|rate| format!(", {} µs each", short(rate.median.value as f64 / 1e6, 2)));
        format!(" in {} s{}", in_words(&time.nanoseconds, 1e9, 2), rate.unwrap_or_default())
    });
    format!("{}{}: {nodes}{} at n = {}", curve.label(), curve.trials_in_words(), time.unwrap_or_default(), last.point.n)
}
