//! Figures that compare the variants of a constraint model: curves, the lab's table, and what is
//! said of both.

use super::search_curves::{Measure, SearchCurve, at_most_ten, colour_by_letter, curves, plots};
use super::search_legend::legend;
use super::search_table::{VARIES, lab_table};
use super::sheet::{Plot, Sheet, sentences};
use super::{Drawing, Input, NothingToDraw};
use crate::analysis::search::SearchSummary;
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
    /// What the legend says of a curve.
    pub in_words: fn(&SearchCurve) -> String,
}

impl VariantsCompared {
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
        let (mut curves, left_out) = at_most_ten(curves(shown()), self.is_plain);
        colour_by_letter(&mut curves, self.letter);
        if curves.is_empty() {
            let boards = if self.first {
                "one board"
            } else {
                "all boards"
            };
            return Err(NothingToDraw {
                kind: self.kind,
                reason: format!("no constraint model was searched for {boards}"),
            });
        }
        let machine = format!("Measured on {}", input.machine);
        let measures: Vec<Measure> = self.panels.iter().map(|&(_, measure)| measure).collect();
        let mut table = lab_table(shown(), input.machine);
        table.notes.extend(left_out);
        let sheet = Sheet {
            finding: String::new(),
            caption: sentences([self.caption, VARIES, &machine]),
            parts: Plot::stack(plots(&curves, self.panels)),
            legend: legend(&curves, &measures, self.in_words),
            table,
        };
        Ok(sheet.draw(input))
    }
}
