//! From what a spec chooses to a drawing, or to why there is none.

use itertools::Itertools;

use super::{Chart, Scene, Scope, Sides};
use crate::report::choose::ForeseenPoint;
use crate::report::measure::Of;
use crate::report::scene::FigureSize;
use crate::report::series::{CurvePoints, grouped};
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

    /// Unless the points of a plan make a curve.
    pub(crate) fn lacks_points(&self, plan: &[ForeseenPoint]) -> Option<String> {
        let is_of = |it: &&ForeseenPoint| match self.table.of {
            Of::Trials => it.point.goal.is_none(),
            Of::Searches => it.point.goal.is_some(),
            Of::Series => it.has_series,
            Of::Moves => it.has_moves,
        };
        let all = || plan.iter().filter(is_of).map(|it| &it.point);
        let sides = Sides::of(all());
        let is_drawn = |it: &&Point| self.is_wanted(it, &sides) && self.off_axis(it).is_none();
        let points: Vec<Point> = all().filter(is_drawn).cloned().collect();
        let points = CurvePoints::of(points, self, |_| None);
        let points = points.fastest(self, |_| 0.0).in_curves(self);
        self.lacks_curve(|is_own| points.kept.iter().any(is_own))
    }

    /// True if its frames, with its legend, fit the page that it is made for, as far as a plan
    /// tells.
    pub fn fits_page(&self, plan: &[ForeseenPoint]) -> bool {
        let keys: Vec<&Point> = plan.iter().map(|it| &it.point).collect();
        let facet = |key: &&Point| Some(key.axes.get(self.choices.facet.as_ref()?)?.to_string());
        let facets = keys.iter().filter_map(facet).unique().count();
        let first = self.panels.first().map_or(0, |it| it.height);
        let heights = self.panels.iter().map(|it| it.height);
        let heights = heights.chain(std::iter::repeat_n(first, facets.saturating_sub(1)));
        let curves = grouped(keys, |it| self.curve_of(it));
        let own = |height: fn(&Self, &[&Point]) -> i32| {
            curves.iter().map(|it| height(self, it)).collect()
        };
        let heights: Vec<i32> = self.table.height.map_or_else(|| heights.collect(), own);
        let is_labelled = facets > 0 || self.panels.iter().any(|it| !it.label.is_empty());
        let is_labelled = is_labelled || self.table.height.is_some();
        let entries = curves.len().min(self.choices.most_curves) / facets.max(1);
        // A label may need two lines there.
        FigureSize::of(&self.choices).holds(&heights, is_labelled, 2 * entries as i32)
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
        let parts = (self.table.parts)(&scene, &self.choices);
        if parts.is_empty() {
            return Err(scene.frame.lacking(&self.no_points()));
        }
        Ok(scene.drawing(rows, parts))
    }
}
