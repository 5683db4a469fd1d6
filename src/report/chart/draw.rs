//! From what a spec chooses to a drawing, or to why there is none.

use super::scene::each_once;
use super::{Chart, Of, Panel, Scene, Scope, Sides};
use crate::analysis::summary::Quantity;
use crate::experiment::spec::{Choices, Law};
use crate::report::choose::{Foreseen, ForeseenPoint, most_along};
use crate::report::series::grouped;
use crate::report::{Drawing, NothingToDraw, Rows};
use crate::solver::{Point, symbol};

impl Chart<'_> {
    /// Why there is nothing to draw, unless each rule that is compared has a curve.
    fn lacks_curve(&self, has_curve: impl Fn(&dyn Fn(&Point) -> bool) -> bool) -> Option<String> {
        let mut rules = self.compares.iter();
        let lacking = rules.find(|rule| !has_curve(&|point| point.algorithm == **rule));
        match lacking {
            None if has_curve(&|_| true) => None,
            None => Some(self.no_points()),
            Some(rule) => Some(self.no_two(&format!(" of the {rule} rule"))),
        }
    }

    fn no_points(&self) -> String {
        match self.nothing {
            "" => self.no_two(""),
            reason => reason.to_owned(),
        }
    }

    fn no_two(&self, of: &str) -> String {
        let above = match self.x_is_logarithmic {
            Some(true) => " > 0",
            _ => "",
        };
        format!(
            "no two points{of} differ in {}{above} alone",
            symbol(self.x())
        )
    }

    /// The panels that are chosen, by their column or by their quantity, with the least place of
    /// their powers.
    fn chosen_panels(&self, choices: &Choices) -> Vec<Panel<'_>> {
        let quantity = choices.quantity.as_deref().and_then(Quantity::from_name);
        let all = self.panels.iter().copied();
        let mut panels: Vec<Panel> = match &choices.panels {
            _ if quantity.is_some() && !self.quantities.is_empty() => vec![Panel {
                quantity,
                ..self.panels[0]
            }],
            Some(names) if self.quantities.is_empty() => {
                let of = |name: &String| all.clone().find(|it| name == it.y);
                names.iter().filter_map(of).collect()
            }
            _ => Vec::new(),
        };
        // `curve` has made its own of the names.
        if panels.is_empty() {
            panels = all.collect();
        }
        let fits = panels.iter_mut().filter_map(|panel| panel.fit.as_mut());
        for fit in fits.filter(|fit| fit.law == Law::Power) {
            fit.from = choices.fit_from;
        }
        panels
    }

    /// Whether it shows wall-clock times, which are other ones in every run.
    pub fn shows_seconds(&self) -> bool {
        self.of == Of::Searches
    }

    /// Whether it is drawn from the courses of trials, which are large and else not read.
    pub(crate) fn draws_courses(&self) -> bool {
        matches!(self.of, Of::Series | Of::Moves)
    }

    pub(crate) fn keys(&self) -> &'static [&'static str] {
        let mut fits = self.panels.iter().filter_map(|panel| panel.fit);
        let has_power = fits.any(|fit| fit.law == Law::Power);
        match (self.quantities, self.panels, has_power) {
            ([], [_, _, ..], true) => &["panels", "fit_from"],
            ([], [_, _, ..], false) => &["panels"],
            ([], _, true) => &["fit_from"],
            ([], _, false) => self.keys,
            _ => &["quantity"],
        }
    }

    /// The chart of these choices, handed on.
    pub fn made<T>(&self, choices: &Choices, with: impl Fn(&Chart) -> T) -> T {
        let Some(chosen) = self.chosen else {
            return with(self);
        };
        let mut made = None;
        chosen(choices, &mut |chart| made = Some(with(chart)));
        made.expect("all choices make a chart")
    }

    /// Whether a plan can give what it shows, whatever its rows will be.
    ///
    /// # Errors
    /// When no rows of these points could be drawn.
    pub fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let lacking = self.made(plan.choices, |chart| (chart.lacks)(chart, plan));
        lacking.map_or(Ok(()), |reason| Err(self.nothing(&reason)))
    }

    /// Draws the rows that it can use and leaves the others out, saying so.
    ///
    /// # Errors
    /// When there is nothing that it could show.
    pub fn draw(&self, rows: &Rows, choices: &Choices) -> Result<Drawing, NothingToDraw> {
        let drawn = self.made(choices, |chart| chart.drawn(rows, choices));
        drawn.map_err(|reason| self.nothing(&reason))
    }

    /// Why it cannot be drawn.
    pub fn nothing(&self, reason: &str) -> NothingToDraw {
        NothingToDraw {
            kind: self.kind,
            reason: reason.to_owned(),
        }
    }

    /// Unless the points of a plan make a curve.
    pub(super) fn lacks_points(&self, plan: &Foreseen) -> Option<String> {
        let is_of = |it: &&ForeseenPoint| match self.of {
            Of::Trials => it.point.goal.is_none(),
            Of::Searches => it.point.goal.is_some(),
            Of::Series => it.has_series,
            Of::Moves => it.has_moves,
        };
        let all = || plan.points.iter().filter(is_of).map(|it| &it.point);
        let sides = Sides::of(all());
        let wanted = || all().filter(|it| (self.is_wanted)(it, &sides));
        self.lacks_curve(|is_own| {
            let mut points = wanted().filter(|it| is_own(it) && self.has_place(it));
            match self.least {
                1 => points.next().is_some(),
                _ => most_along(points, self.x(), self.axes) > 1,
            }
        })
    }

    /// The heights of its frames, whether they are labelled, and the lines of its legend, as far as
    /// a plan tells.
    pub fn frames(&self, plan: &Foreseen) -> (Vec<i32>, bool, usize) {
        let keys: Vec<&Point> = plan.points.iter().map(|it| &it.point).collect();
        let facet = |key: &&Point| Some(key.axes.get(self.facet?)?.to_string());
        let facets = each_once(keys.iter().filter_map(facet).collect()).len();
        let panels = self.chosen_panels(plan.choices);
        let first = panels.first().map_or(0, |it| it.height);
        let heights = panels.iter().map(|it| it.height);
        let heights = heights.chain(std::iter::repeat_n(first, facets.saturating_sub(1)));
        let curves = grouped(keys, |it| self.curve_of(it));
        let own = |height: fn(&[&Point]) -> i32| curves.iter().map(|it| height(it)).collect();
        let is_labelled = facets > 0 || panels.iter().any(|it| !it.label.is_empty());
        (
            self.height.map_or_else(|| heights.collect(), own),
            is_labelled || self.height.is_some(),
            curves.len().min(self.most) / facets.max(1),
        )
    }

    /// # Errors
    /// Why there is nothing to draw.
    pub fn drawn(&self, rows: &Rows, choices: &Choices) -> Result<Drawing, String> {
        let scope = Scope {
            chart: self,
            rows,
            choices,
        };
        let frame = (self.rows)(&scope)?;
        let scene = Scene::of(self, frame, self.chosen_panels(choices));
        let has_curve = |is_own: &dyn Fn(&Point) -> bool| scene.frame.keys.iter().any(is_own);
        if let Some(lacking) = self.lacks_curve(has_curve) {
            return Err(scene.frame.without_place(&lacking));
        }
        let parts = (self.parts)(&scene, choices);
        if parts.is_empty() {
            return Err(self.no_points());
        }
        Ok(scene.drawing(rows, choices, parts, (self.beneath)(&scope)))
    }
}
