//! From what a spec chooses to a drawing, or to why there is none. Here are the order of the parts
//! of a caption, the points beyond `y_range`, the words `cut off: 3 of 100 trials`, the message
//! that no point has what is shown, and when frames are made lower to fit a page.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::once;

use itertools::Itertools;

use crate::html::{counted, spaced};
use crate::report::axes::scale::extent;
use crate::report::curves::Curves;
use crate::report::curves::panels::panels;
use crate::report::figure::choose::meant;
use crate::report::figure::{Figure, MeasureTable, Scope, planned};
use crate::report::keys::COLUMNS_TABLE;
use crate::report::measures::measure::RowsOf;
use crate::report::measures::{columns, distribution, searches};
use crate::report::out::canvas::Drawn;
use crate::report::out::legend::joined;
use crate::report::out::sheet::{FigureSize, Grid, draw, lay_out, svg};
use crate::report::table::Table;
use crate::report::words::Words;
use crate::report::words::left_out::LeftOut;
use crate::report::words::number::short;
use crate::report::words::points::{Digits, capital};
use crate::report::{Drawing, FigureRows};
use crate::solver::Point;

/// The reason of points that the given range of the upright axis does not hold.
const BEYOND: &str = "beyond y_range";

impl Figure<'_> {
    /// That no point has what the figure shows.
    pub(crate) fn no_points(&self) -> String {
        let mut tables = self.tables.iter().map(|table| table.lacking);
        if let Some(lacking) = tables.find(|lacking| !lacking.is_empty()) {
            return lacking.to_owned();
        }
        let measures = self.curves().map(|measure| &*measure.column);
        let measures = measures.unique().join(" or ");
        let above = match self.spec.x_is_logarithmic {
            Some(true) => " > 0",
            _ => "",
        };
        match self.across {
            Some(_) => format!("no point has {} and {measures}", self.spec.x),
            None => format!("no point has {}{above} and {measures}", self.symbol()),
        }
    }

    /// That all numbers lie beyond `y_range`, and where they lie.
    fn all_beyond(&self, rows: &[usize], table: &Table) -> String {
        let points: BTreeSet<&Point> = rows.iter().map(|&row| &table.keys[row]).collect();
        let columns = self.curves().map(|measure| &measure.column).unique();
        let numbers = columns.cartesian_product(rows);
        let numbers = numbers.filter_map(|(column, row)| table.estimate(*row, column));
        let (least, greatest) = extent(numbers.map(|number| number.value));
        format!(
            "all {points} lie {BEYOND}: their numbers are from {least} to {greatest}",
            points = counted(points.len(), "point"),
            least = short(least, 3),
            greatest = short(greatest, 3)
        )
    }

    /// True if the figure shows wall-clock times, which are other ones in every run.
    pub fn shows_seconds(&self) -> bool {
        self.tables.iter().any(|table| table.of == RowsOf::Searches)
    }

    /// True if the figure is drawn from the courses of trials, which are large and not read
    /// otherwise.
    pub(crate) fn draws_courses(&self) -> bool {
        self.tables.iter().any(|table| table.of == RowsOf::Series)
    }

    /// True if the figure may show rules that count steps.
    pub(crate) fn takes_steps(&self) -> bool {
        let is_of_columns =
            |table: &MeasureTable| table.name == COLUMNS_TABLE || self.spec.bin.column.is_some();
        let counts_updates = columns::count_updates(self);
        let mut tables = self.tables.iter();
        tables.all(|table| table.takes_steps || is_of_columns(table) && !counts_updates)
    }

    /// The drawing of rows that the spec keeps.
    ///
    /// # Errors
    /// Why there is nothing to draw.
    pub fn drawn(&self, rows: &FigureRows) -> Result<Drawing, String> {
        if let Some(spec) = distribution::with_scale(self, rows) {
            return Figure::of(&spec).drawn(rows);
        }

        let spec = self.spec;
        let mut curves = Curves::of(self, self.table(rows)?)?;
        let grid = panels(&curves);
        self.leave_out_beyond(&mut curves, &grid)?;

        let left_out = LeftOut::of(rows, &curves.points(), &curves.table);
        let mut notes = rows.remarks.clone();
        notes.extend(left_out.words());
        notes.extend(curves.without_fits_in_words());
        let words = Words::of(&spec.words);
        let title = words.said(&capital(&self.filled(&spec.title)));
        let shown_title = if spec.has_title { &title } else { "" };
        let size = FigureSize::of(spec);
        let (drawn, height) = drawn_on_page(size, shown_title, &grid, (&notes, &words));
        // Each of these may have a hundred megabytes, and goes when it is used.
        drop(grid);

        let described = self.described(rows, &curves, &drawn, &words);
        let own_title = if spec.has_own_title { &title } else { "" };
        let caption = sentences([own_title, &described, &words.said(&rows.provenance)]);
        let mut drawing = Drawing {
            is_too_high: size.most_height().is_some_and(|most| height > most),
            words: described,
            left_out: left_out.sentences(),
            ..Drawing::default()
        };
        // Of a plan nothing is written.
        if rows.planned.is_none() {
            drawing.svg = svg(size, (drawn, height), (&title, &caption));
            if self.has_vega {
                drawing.vega = curves.vega(&title, &caption, &words);
            }
            drawing.table = curves.with_fits().written();
            drawing.caption = caption;
            add_notes(&mut drawing, &curves, &left_out);
        }
        Ok(drawing)
    }

    /// Leaves out the points of which the range of an upright axis holds no number.
    ///
    /// # Errors
    /// Why no panel has a mark.
    fn leave_out_beyond(&self, curves: &mut Curves, grid: &Grid) -> Result<(), String> {
        let keys = &curves.table.keys;
        let rows_where = |is_held: bool| {
            let marks = grid.marks.iter().filter(move |mark| mark.1 == is_held);
            marks.map(|mark| mark.0)
        };
        let mut beyond: Vec<usize> = rows_where(false).collect();
        if !beyond.is_empty() {
            let held: BTreeSet<&Point> = rows_where(true).map(|row| &keys[row]).collect();
            beyond.retain(|row| !held.contains(&keys[*row]));
        }
        curves.table.leave_out_rows(&beyond, BEYOND);

        if !grid.blocks.is_empty() {
            return Ok(());
        }
        let are_all_beyond = !beyond.is_empty() && beyond.len() == grid.marks.len();
        Err(if are_all_beyond {
            self.all_beyond(&beyond, &curves.table)
        } else {
            curves.table.lacking(&self.no_points())
        })
    }

    /// The caption without title and run: what the figure shows, what stands for what, and what is
    /// to be said of the rows.
    fn described(
        &self,
        rows: &FigureRows,
        curves: &Curves,
        drawn: &Drawn,
        words: &Words,
    ) -> String {
        let lead = words.said(&self.filled(&self.spec.caption));
        let captions = self.panels.iter().map(|panel| &*panel.spec.caption);
        let captions = captions.filter(|caption| !caption.is_empty());
        let of_panels = captions.map(|caption| words.said(caption)).join("; ");

        let samples = joined(&drawn.words).into_iter().map(|entry| entry.text);
        let warnings = curves.table.warnings.clone();
        let explained = samples.chain(warnings).chain(cut_off_in_words(curves));
        let explained = explained.map(|part| words.said(&part)).join("; ");

        let lead = sentences([&capital(&lead), &of_panels, &explained]);
        let remarks = rows.remarks.iter().map(|remark| words.said(remark));
        sentences(once(lead).chain(remarks))
    }

    pub(crate) fn table(&self, rows: &FigureRows) -> Result<Table, String> {
        let scope = Scope { figure: self, rows };
        let mut table = match rows.planned {
            None => self.rows_beside(&scope)?,
            Some(_) => planned::table(&scope),
        };
        table.leave_out(
            rows.in_steps.iter().cloned(),
            "its rule counts steps, not updates",
        );
        let points = || rows.trials.iter().map(|trial| &trial.point);
        table.digits = Digits::of(points());
        table.plain = searches::plain(self, points());
        if self.spec.marks_best {
            table.best = self.bests(rows, &table.keys);
        }
        if let Some(over) = &self.spec.over {
            let over = meant(over, points()).map_err(|reason| format!("over: {reason}"))?;
            table.divide(self, &over)?;
        }
        Ok(table)
    }

    /// The rows of all tables beside each other. A table without rows leaves those of the others.
    fn rows_beside(&self, scope: &Scope) -> Result<Table, String> {
        let tables = self.tables.iter();
        let (tables, lacking): (Vec<Table>, Vec<String>) =
            tables.map(|table| (table.rows)(scope)).partition_result();
        if tables.is_empty() {
            return Err(lacking
                .into_iter()
                .next()
                .unwrap_or_else(|| self.no_points()));
        }
        let mut table = Table::beside(tables, |a, b| self.order_of_rows(a, b));
        lacking.iter().for_each(|reason| table.warn(reason));
        Ok(table)
    }
}

/// Adds what stands under the table: which curves have no fit, and which points are left out.
fn add_notes(drawing: &mut Drawing, curves: &Curves, left_out: &LeftOut) {
    let without_fits = curves.sentences_without_fits();
    let notes = &mut drawing.table.notes;
    notes.extend(without_fits.iter().map(|sentence| format!("{sentence}.")));
    notes.extend(left_out.notes());
    if curves.figure.spec.asks_for_fit {
        drawing.left_out.extend(without_fits);
    }
}

/// All that is drawn, and its height: where it is too high for a page, with lower frames.
fn drawn_on_page(
    size: FigureSize,
    title: &str,
    grid: &Grid,
    (notes, words): (&[String], &Words),
) -> (Drawn, i32) {
    let page = lay_out(size, title, grid, 1.0);
    let (drawn, height) = draw(grid, &page, notes, words);
    match page.share(height) {
        Some(share) => draw(grid, &lay_out(size, title, grid, share), notes, words),
        None => (drawn, height),
    }
}

/// How many trials of the points that are drawn were cut off, if any were.
fn cut_off_in_words(curves: &Curves) -> Option<String> {
    let rows = curves.groups.iter().flat_map(|group| &group.rows);
    let counts =
        rows.filter_map(|&row| Some((&curves.table.keys[row], curves.table.trials_of_row(row)?)));
    // A point has a row for each of its moments or bins; the first of them counts.
    let of_points: BTreeMap<&Point, [u64; 2]> = counts.rev().collect();
    let trials: u64 = of_points.values().map(|count| count[0]).sum();
    let cut_off: u64 = of_points.values().map(|count| count[1]).sum();
    let counts = of_points.values();
    let none_ended = counts.filter(|count| count[0] > 0 && count[0] == count[1]);
    let apart = match none_ended.count() {
        0 => String::new(),
        count => format!(" (at {} all of them)", counted(count, "point")),
    };
    let trials = counted(trials, "trial");
    (cut_off > 0).then(|| format!("cut off: {} of {trials}{apart}", spaced(cut_off)))
}

/// The non-empty parts, each with a capital first and ended by a full stop.
pub fn sentences(parts: impl IntoIterator<Item: AsRef<str>>) -> String {
    let ended = parts
        .into_iter()
        .map(|part| capital(part.as_ref()))
        .filter(|part| !part.is_empty())
        .map(|part| {
            if part.ends_with(['?', '!']) {
                part
            } else {
                format!("{}.", part.trim_end_matches('.'))
            }
        });
    ended.collect::<Vec<_>>().join(" ")
}
