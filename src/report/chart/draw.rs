//! From what a spec chooses to a drawing, or to why there is none.

use super::{Chart, Scene, Scope};
use crate::experiment::spec::MarkShape;
use crate::report::figures::{columns, epsilon_eta, survival};
use crate::report::measure::Of;
use crate::report::sheet::Part;
use crate::report::{Drawing, FigureRows};
use crate::solver::{Point, symbol};

impl Chart {
    /// Why there is nothing to draw, unless each rule that is compared has a curve.
    fn lacks_curve(&self, has_curve: impl Fn(&dyn Fn(&Point) -> bool) -> bool) -> Option<String> {
        let mut rules = self.choices.compare.iter();
        let lacking = rules.find(|rule| !has_curve(&|point| point.algorithm == **rule));
        match lacking {
            None if has_curve(&|_| true) => None,
            None => Some(self.no_points()),
            Some(rule) => Some(self.no_two(&format!(" of the {rule} rule"))),
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
        matches!(self.table.of, Of::Series | Of::Moves)
    }

    /// True if the figure may show rules that count steps.
    pub(crate) fn takes_steps(&self) -> bool {
        self.table.takes_steps || self.table.measures.is_empty() && !columns::count_updates(self)
    }

    /// The drawing of rows that the choices keep.
    ///
    /// # Errors
    /// Why there is nothing to draw.
    pub fn drawn(&self, rows: &FigureRows) -> Result<Drawing, String> {
        let scope = Scope { chart: self, rows };
        let frame = (self.table.rows)(&scope)?;
        let scene = Scene::of(self, frame)?;
        let has_curve = |is_own: &dyn Fn(&Point) -> bool| scene.frame.keys.iter().any(is_own);
        if let Some(lacking) = self.lacks_curve(has_curve) {
            return Err(scene.frame.lacking(&lacking));
        }
        let parts = match self.choices.mark {
            MarkShape::Tile => epsilon_eta::tiles(&scene),
            MarkShape::Survival => survival::staircases(&scene),
            _ => Part::stack(scene.plots()),
        };
        if parts.is_empty() {
            return Err(scene.frame.lacking(&self.no_points()));
        }
        Ok(scene.drawing(rows, parts))
    }
}
