//! The words of a chart: legend, caption, what stands under its table.

use std::iter::once;

use itertools::Itertools;

use super::{Panel, Scene, capital, enumerated, plots::shaped};
use crate::analysis::summary::Quantity;
use crate::report::figure::MarkShape;
use crate::report::figures::epsilon_eta;
use crate::report::left_out::LeftOut;
use crate::report::legend::{LegendEntry, Sample};
use crate::report::measure::Of;
use crate::report::scene::FigureSize;
use crate::report::series::value_in_words;
use crate::report::sheet::{self, SheetPart, sentences};
use crate::report::style::THEORY;
use crate::report::{Drawing, FigureRows, FigureTable};
use crate::solver::{Point, symbol};

impl Scene<'_> {
    /// The figure with its caption, which names the experiment and the run.
    pub(super) fn drawing(&self, rows: &FigureRows, parts: Vec<SheetPart>) -> Drawing {
        let chosen = &self.chart.choices;
        let drawn = self.curves.iter().flat_map(|it| &it.rows);
        let drawn = drawn.map(|&row| &self.frame.keys[row]);
        let drawn: Vec<&Point> = drawn.chain(&self.frame.also_shown).collect();
        let left_out = LeftOut::of(rows, &drawn, &self.frame);
        let remarks = rows.remarks.iter();
        let remarks = remarks.map(|remark| LegendEntry::new(Sample::None, remark));
        let legend = self.legend().into_iter();
        let legend = legend.chain(remarks).chain(left_out.entry()).collect();
        let title = &capital(&self.chart.filled(&chosen.title));
        let given = chosen.has_own_title.then_some(&**title);
        let lead = capital(&self.chart.filled(&chosen.caption));
        let lead = sentences([&lead, &self.explained()]);
        let words = sentences(once(&lead).chain(&rows.remarks));
        let run = [given.unwrap_or_default(), &words, &rows.provenance];
        let caption = sentences(run);
        let scene = sheet::scene(&FigureSize::of(chosen), title, &parts, legend);
        let most = scene.page.most_height();
        Drawing {
            is_too_high: most.is_some_and(|most| scene.height > most),
            svg: scene.file(title, &caption),
            words,
            table: self.table(&left_out),
            caption,
            left_out: left_out.sentences(),
        }
    }

    /// The rows, and under them what was fitted.
    fn table(&self, left_out: &LeftOut) -> FigureTable {
        let mut frame = self.frame.clone();
        self.push_density(&mut frame);
        let curves = self.curves.iter();
        curves.for_each(|curve| self.push_fits(&mut frame, curve));
        let mut table = frame.table();
        let without = self.without_fits().map(|it| format!("{it}."));
        table.notes.extend(without);
        table.notes.extend(left_out.notes());
        table
    }

    fn explained(&self) -> String {
        let mark = self.chart.choices.mark;
        if mark == MarkShape::Tile {
            let bounds = self.has_bounds().then_some(epsilon_eta::BOUND);
            return bounds.unwrap_or_default().to_owned();
        }
        let thin = self.thin().map(|it| format!("mean {it}")).collect_vec();
        let thin_line = enumerated(&thin);
        let thin_line = format!("thin line: {thin_line}, where more than 3 % below");
        let parts = [
            (
                true,
                match self.chart.table.of {
                    Of::Searches => {
                        "Bars: from the least to the greatest of the repeats; of random searches quartiles over the trials"
                    }
                    _ if mark == MarkShape::Band => "Bands: 95 % intervals",
                    _ => "Bars: 95 % intervals",
                },
            ),
            (
                self.has_bounds(),
                "open marks: lower bounds, where trials were cut off",
            ),
            (!thin.is_empty(), &*thin_line),
            (
                !self.fit_entries().is_empty(),
                "thin dashes: the law fitted to the logarithms of the means, each weighted by its sampling error and the scatter about the line (REML)",
            ),
        ];
        let known = self.known_in_words();
        let said = parts.into_iter().filter(|it| it.0).map(|it| it.1);
        said.chain(self.best_in_words())
            .chain(known.as_deref())
            .chain(self.frame.warnings.iter().map(String::as_str))
            .join("; ")
    }

    pub fn has_bounds(&self) -> bool {
        self.columns().any(|column| {
            let rows = self
                .curves
                .iter()
                .flat_map(|it| self.rows(it, &column.only));
            let mut drawn = rows.filter(|row| self.frame.estimate(*row, &column.y).is_some());
            drawn.any(|row| self.frame.is_bound(row, &column.y))
        })
    }

    fn has_zeros(&self) -> bool {
        let panels = self.chart.panels.iter();
        let mut shown = panels.flat_map(|panel| panel.columns.iter().map(move |it| (panel, it)));
        shown.any(|(panel, column)| {
            let mut curves = self.curves.iter();
            curves.any(|curve| !self.zeros(curve, panel, column).is_empty())
        })
    }

    /// What the thin lines of the panels show, each once.
    fn thin(&self) -> impl Iterator<Item = &'static str> {
        let has_thin = |panel: &&Panel| {
            let mut curves = self.curves.iter();
            curves.any(|it| !self.at_hit(it, panel).is_empty())
        };
        let panels = self.chart.panels.iter().filter(has_thin);
        let shown = panels
            .filter_map(|panel| panel.quantity)
            .map(Quantity::at_hit);
        let words = shown.map(|it| match it {
            Quantity::HittingTime => "hitting time",
            _ => "moves until the first solution",
        });
        words.unique()
    }

    /// Names alone.
    fn legend(&self) -> Vec<LegendEntry> {
        if self.chart.choices.mark == MarkShape::Tile {
            return epsilon_eta::legend(self);
        }
        let mut entries: Vec<LegendEntry> = Vec::new();
        let (named, facets) = (self.named(), self.facets());
        let shapes: Vec<String> = match &self.chart.choices.facet {
            Some(axis) if self.chart.panels.len() > 1 => {
                let words = facets.into_iter().map(value_in_words);
                let words = words.map(|it| format!("last panel: {} = {it}", symbol(axis)));
                words.collect()
            }
            _ => named.map(|it| it.name.clone()).collect(),
        };
        let marks = [MarkShape::Points, MarkShape::Dots];
        let has_lines = !marks.contains(&self.chart.choices.mark);
        for curve in &self.curves {
            let sample = match &self.chart.choices.facet {
                None if !shapes.is_empty() => Sample::Strip(curve.style.colour),
                _ if self.chart.choices.mark == MarkShape::Bars => {
                    Sample::Strip(curve.style.colour)
                }
                _ if has_lines => Sample::Curve(curve.style),
                _ => Sample::Marker(curve.style),
            };
            let entry = LegendEntry::new(sample, &curve.name);
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        let shape = |(index, words)| LegendEntry::new(Sample::Curve(shaped(THEORY, index)), words);
        entries.extend(shapes.into_iter().enumerate().map(shape));
        entries.extend(self.density_entry());
        entries.extend(self.fit_entries());
        let known = self.known_in_words();
        entries.extend(known.map(|it| LegendEntry::new(Sample::Dots(THEORY), it)));
        if self.curves.iter().any(|it| self.guide(it).is_some()) {
            let dashes = Sample::Dashes(self.curves[0].style.colour);
            entries.push(LegendEntry::new(dashes, "upright: relaxation time"));
        }
        entries.extend(self.best_entries(self.across()));
        let thin = self.thin().collect_vec();
        if !thin.is_empty() {
            let words = format!("thin: {}", enumerated(&thin));
            entries.push(LegendEntry::new(Sample::Thin, words));
        }
        if self.has_bounds() {
            entries.push(LegendEntry::new(Sample::LowerBound, "lower bound"));
        }
        if self.has_zeros() {
            let text = "arrow down: 0, from the upper end of its interval";
            entries.push(LegendEntry::new(Sample::None, text));
        }
        entries
    }
}
