//! A series as a curve: its means, and where the hit came visibly earlier.

use super::panel::{Mark, Panel, Weight};
use super::series::{Series, visibly_below};
use super::style::SeriesStyle;
use crate::analysis::summary::Quantity;

/// What is drawn of one quantity of a series.
pub struct SeriesMarks {
    pub full: Vec<Mark>,
    /// Stretches of the same quantity at the hit.
    thin: Vec<Vec<Mark>>,
}

impl SeriesMarks {
    pub fn of(series: &Series, quantity: Quantity) -> Self {
        let full = series.marks(quantity);
        let thin = visibly_below(&series.marks(quantity.at_hit()), &full);
        Self { full, thin }
    }

    pub fn all(&self) -> impl Iterator<Item = &Mark> {
        self.full.iter().chain(self.thin.iter().flatten())
    }

    pub fn draw_thin(&self, panel: &Panel, style: SeriesStyle) {
        let own = panel.titles.1;
        let title = if own.contains("absorption") {
            own.replace("absorption", "hitting")
        } else {
            format!("{own} until the first hit")
        };
        let panel = Panel {
            titles: (panel.titles.0, &title),
            ..*panel
        };
        for stretch in &self.thin {
            panel.draw_curve(stretch, style, Weight::Thin);
        }
    }
}
