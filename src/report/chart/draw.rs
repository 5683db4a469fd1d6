//! From what a spec chooses to a drawing, or to why there is none.

use std::collections::BTreeSet;

use super::{Chart, Scene, Scope};
use crate::report::figure::MarkShape;
use crate::report::figures::{columns, epsilon_eta};
use crate::report::frame::Missing;
use crate::report::measure::Of;
use crate::report::{Drawing, FigureRows};
use crate::solver::symbol;

impl Chart {
    /// Why there is nothing to draw, unless each rule that is compared is one of the algorithms
    /// that have a curve.
    pub(super) fn lacks_curve(&self, algorithms: &BTreeSet<&str>) -> Option<String> {
        let mut rules = self.choices.compare.iter();
        match rules.find(|rule| !algorithms.contains(rule.as_str())) {
            Some(rule) => Some(self.no_two(&format!(" of the {rule} rule"))),
            None => algorithms.is_empty().then(|| self.no_points()),
        }
    }

    pub(crate) fn no_points(&self) -> String {
        match &*self.choices.nothing {
            "" => self.no_two(""),
            reason => self.filled(reason),
        }
    }

    fn no_two(&self, of: &str) -> String {
        let above = match self.choices.x_is_logarithmic {
            Some(true) => " > 0",
            _ => "",
        };
        format!(
            "no two points{of} differ in {}{above} alone",
            symbol(self.x())
        )
    }

    /// True if the figure shows wall-clock times, which are other ones in every run.
    pub fn shows_seconds(&self) -> bool {
        self.table.of == Of::Searches
    }

    /// True if the figure is drawn from the courses of trials, which are large and not read
    /// otherwise.
    pub(crate) fn draws_courses(&self) -> bool {
        self.table.of == Of::Series
    }

    /// True if the figure may show rules that count steps.
    pub(crate) fn takes_steps(&self) -> bool {
        self.table.takes_steps || self.table.measures.is_empty() && !columns::count_updates(self)
    }

    /// The drawing of rows that the choices keep, which leaves out others, too.
    ///
    /// # Errors
    /// Why there is nothing to draw.
    pub fn drawn(&self, rows: &FigureRows, others: Vec<Missing>) -> Result<Drawing, String> {
        let scope = Scope { chart: self, rows };
        let mut frame = (self.table.rows)(&scope)?;
        frame.left_out.extend(others);
        let scene = Scene::of(self, frame)?;
        let parts = match self.choices.mark {
            MarkShape::Tile => epsilon_eta::tiles(&scene),
            _ => scene.plots(),
        };
        if parts.is_empty() {
            return Err(scene.frame.lacking(&self.no_points()));
        }
        Ok(scene.drawing(rows, parts))
    }
}
