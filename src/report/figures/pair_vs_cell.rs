//! Figure 8 of the source text: the growth of both rules.

use crate::report::foresight::{Foreseen, differ_along};
use crate::report::growth::{GrowthPlot, QUANTITIES};
use crate::report::series::{Grouped, Swept};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// Mean absorption time of both rules against n, one curve per rule, ε and η; fitted growth per
/// row.
pub struct PairVsCell;

const RULES: [&str; 2] = ["pair", "cell"];

/// Why there is nothing to draw.
fn no_curve(rule: &str) -> String {
    format!("no two points of the {rule} rule differ in n alone")
}

impl Figure for PairVsCell {
    fn kind(&self) -> &'static str {
        "pair-vs-cell"
    }

    fn doc(&self) -> &'static str {
        "mean absorption time of both rules against n, with the growth per row (figure 8)"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["quantity"]
    }

    fn quantities(&self) -> &'static [&'static str] {
        &QUANTITIES
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let along = |rule: &&str| {
            let points = plan.trials().filter(|point| point.algorithm == **rule);
            differ_along(points, "n", &["n"])
        };
        match RULES.iter().find(|rule| !along(rule)) {
            Some(rule) => Err(self.nothing(&no_curve(rule))),
            None => Ok(()),
        }
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let grouped = Grouped::of(input.trials, Swept::N);
        for rule in RULES {
            if !grouped.points().any(|point| point.point.algorithm == rule) {
                return Err(self.nothing(&no_curve(rule)));
            }
        }
        let lead = "of the pair rule and the cell rule against n. An update of the pair rule looks at two cells, one of the cell rule \
                    at up to nine, so times compare growth, not work";
        Ok(GrowthPlot::new(&grouped, input.choices).draw(input, lead))
    }
}
