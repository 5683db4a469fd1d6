//! Figure 6 of the source text: times against n, beside the rarity of solutions.

use crate::report::foresight::{Foreseen, differ_along};
use crate::report::growth::{GrowthPlot, QUANTITIES};
use crate::report::series::{Grouped, Swept};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// Mean absorption time against n, one curve per rule, ε and η, with 1/d(n) on an axis of its own;
/// fitted growth per row.
pub struct ConvergenceVsN;

impl Figure for ConvergenceVsN {
    fn kind(&self) -> &'static str {
        "convergence-vs-n"
    }

    fn doc(&self) -> &'static str {
        "mean absorption time and 1/d against n, with the growth per row (figure 6)"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["quantity"]
    }

    fn quantities(&self) -> &'static [&'static str] {
        &QUANTITIES
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let differ = differ_along(plan.trials(), "n", &["n"]);
        self.needs(differ, "no two points differ in n alone")
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let grouped = Grouped::of(input.trials, Swept::N);
        if grouped.series.is_empty() {
            return Err(self.nothing("no two points differ in n alone"));
        }
        let lead = "against n, and 1/d(n), d the density of solutions among random starts, on the right-hand axis";
        Ok(GrowthPlot::new(&grouped, input.choices)
            .with_inverse_density()
            .draw(input, lead))
    }
}
