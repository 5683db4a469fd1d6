//! Figures that compare the variants of a constraint model: curves, the lab's table, and what is
//! said of both.

use super::foresight::Foreseen;
use super::left_out::LeftOut;
use super::search_curves::{Measure, at_most_ten, colour_by_letter, curves, plots};
use super::search_findings::findings;
use super::search_legend::legend;
use super::search_table::{VARIES, lab_order, lab_table};
use super::sheet::{Plot, Sheet, sentences};
use super::{Drawing, Input, NothingToDraw};
use crate::analysis::search::SearchSummary;
use crate::experiment::store::PointKey;
use crate::solver::cp::variant::Variant;
use crate::solver::goal::Goal;

/// What one such figure compares.
pub struct VariantsCompared {
    pub kind: &'static str,
    /// Searches for one board, or else for all of them.
    pub first: bool,
    /// Place in the acronym of the letter that is compared.
    pub letter: usize,
    /// Heights and contents.
    pub panels: &'static [(i32, Measure)],
    /// Which variants are drawn where there are too many.
    pub is_plain: fn(&Variant) -> bool,
    pub caption: &'static str,
}

impl VariantsCompared {
    /// Whether a plan has a search that can be compared.
    ///
    /// # Errors
    /// When it has none.
    pub fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let is_shown = |point: &PointKey| {
            let is_first = point.goal == Some(Goal::First);
            point.goal.is_some() && !point.variant.is_empty() && is_first == self.first
        };
        let mut points = plan.points.iter();
        if points.any(|it| is_shown(&it.point)) {
            Ok(())
        } else {
            Err(self.nothing())
        }
    }

    fn nothing(&self) -> NothingToDraw {
        let boards = if self.first {
            "one board"
        } else {
            "all boards"
        };
        NothingToDraw {
            kind: self.kind,
            reason: format!("no constraint model is searched for {boards}"),
        }
    }

    /// Draws the searches that can be compared, with the table of all of them.
    ///
    /// # Errors
    /// When there is none.
    pub fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let searches = SearchSummary::of(input.trials, input.timings);
        let is_shown = |search: &&SearchSummary| {
            !search.point.variant.is_empty()
                && (search.point.goal == Some(Goal::First)) == self.first
                && search.nodes.is_some()
        };
        let shown = || searches.iter().filter(is_shown);
        let all_curves = curves(shown());
        let all = all_curves.len();
        let (mut curves, left_out) = at_most_ten(all_curves, self.is_plain);
        colour_by_letter(&mut curves, self.letter);
        if curves.is_empty() {
            return Err(self.nothing());
        }
        let machine = format!("Measured on {}", input.machine);
        let measures: Vec<Measure> = self.panels.iter().map(|&(_, measure)| measure).collect();
        let ordered = lab_order(shown());
        let mut table = lab_table(&ordered, input.machine);
        let not_drawn = left_out.as_ref().map(|_| {
            format!(
                "drawn: {} of {all} curves; the others are in the table",
                curves.len()
            )
        });
        table.notes.extend(left_out);
        let sheet = Sheet {
            findings: findings(&curves, &measures),
            left_out: LeftOut::but(
                curves
                    .iter()
                    .flat_map(|curve| &curve.searches)
                    .map(|search| &search.point),
            )
            .saying(not_drawn),
            caption: sentences([self.caption, VARIES, &machine]),
            parts: Plot::stack(plots(&curves, self.panels, &ordered)),
            legend: legend(&curves, &measures),
            table,
        };
        Ok(sheet.draw(input))
    }
}
