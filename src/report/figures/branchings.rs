//! What each branching heuristic needs to find one board.

use crate::analysis::search::SearchSummary;
use crate::report::legend::sentences;
use crate::report::search_curves::{Measure, SearchCurve, at_most_ten, colour_by_letter, curves, paint};
use crate::report::search_legend::{in_words, legend};
use crate::report::search_table::{VARIES, lab_table};
use crate::report::series::search_name;
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::solver::cp::variant::{Constraints, Decisions, Variant};
use crate::solver::goal::Goal;

/// Nodes and seconds of searches for one board against n, one curve per variant of a constraint model; of random branchings the median and the quartiles
/// over trials.
pub struct Branchings;

const PANELS: [(i32, Measure); 2] = [(1000, Measure::Nodes), (900, Measure::Seconds)];

/// Place of the letter for the branching in an acronym.
const BRANCHING: usize = 4;

impl Figure for Branchings {
    fn kind(&self) -> &'static str {
        "branchings"
    }

    fn doc(&self) -> &'static str {
        "nodes and seconds of constraint models until the first board, against n: branchings compared, random ones with their spread"
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let searches = SearchSummary::of(input.trials, input.timings);
        let is_shown =
            |search: &&SearchSummary| !search.point.variant.is_empty() && search.point.goal == Some(Goal::First) && search.nodes.is_some();
        let shown = || searches.iter().filter(is_shown);
        let (mut curves, left_out) = at_most_ten(curves(shown()), is_plain);
        colour_by_letter(&mut curves, BRANCHING);
        if curves.is_empty() {
            return Err(NothingToDraw { kind: self.kind(), reason: "no constraint model was searched for one board".to_owned() });
        }
        let caption = sentences([
            input.title,
            "Searches for one board against n: nodes of the search tree (above) and wall-clock seconds (below). Random branchings: median over the trials, bars: quartiles",
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

/// What is compared, at one level of consistency.
fn is_plain(variant: &Variant) -> bool {
    variant.constraints == Constraints::Domain && !variant.symmetry && variant.decision == Decisions::Primal
}

fn at_the_largest(curve: &SearchCurve) -> String {
    let last = curve.last();
    let nodes = last.nodes.as_ref().map_or_else(String::new, |nodes| format!("{} nodes", in_words(nodes, 1.0, 3)));
    let time = last.time.as_ref().map_or_else(String::new, |time| format!(", {} s", in_words(&time.nanoseconds, 1e9, 2)));
    format!("{} at n = {}: {nodes}{time}{}", search_name(&last.point), last.point.n, curve.trials_in_words())
}
