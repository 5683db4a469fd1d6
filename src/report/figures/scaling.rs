//! The growth of both rules, each n at an ε of its own.

use crate::report::foresight::{Foreseen, differ_along};
use crate::report::growth::{GrowthPlot, QUANTITIES};
use crate::report::series::{Grouped, Swept};
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::results::PointTrials;

/// Mean absorption time against n, one curve per rule and η, where ε changes with n; fitted growth
/// per row.
pub struct Scaling;

/// Why there is nothing to draw.
const NO_CURVE: &str = "no two points of one rule and η differ in n";

impl Figure for Scaling {
    fn kind(&self) -> &'static str {
        "scaling"
    }

    fn doc(&self) -> &'static str {
        "mean absorption time against n where each n has an ε of its own, with the growth per row"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["quantity"]
    }

    fn quantities(&self) -> &'static [&'static str] {
        &QUANTITIES
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let points = plan
            .trials()
            .filter(|point| point.real("epsilon").is_some());
        self.needs(differ_along(points, "n", &["n", "epsilon"]), NO_CURVE)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        // A relaxation has no ε; it stands in the experiment for another figure.
        let is_rule = |trials: &&PointTrials| trials.point.real("epsilon").is_some();
        let rules: Vec<PointTrials> = input.trials.iter().filter(is_rule).cloned().collect();
        let grouped = Grouped::of(&rules, Swept::NWithEpsilon);
        if grouped.series.is_empty() {
            return Err(self.nothing(NO_CURVE));
        }
        let lead = "against n, each n at the ε given in the table. An update of the pair rule looks at two cells, one of the cell rule at up to \
                    nine, so times compare growth, not work";
        Ok(GrowthPlot::new(&grouped, input.choices).draw(input, lead))
    }
}
