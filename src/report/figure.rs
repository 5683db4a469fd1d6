//! A figure on tables of measures, each of which has one function that makes its rows: the measures
//! of the panels, the horizontal axis, and what tells curves apart. Here are the titles of the axes
//! n, ε, η and N, the functions of an axis that may be `x`, the order of rows in tables, which of
//! several points of a curve is drawn (the fastest, for `vary`), and the words slower and best of
//! maps.
//!
//! Read this file first, then `choose` (the points that `where` keeps) and `draw` (the way from
//! rows to a drawing, in order). `planned` says before a run what cannot be drawn.

pub(crate) mod choose;
mod draw;
pub(crate) mod planned;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use rayon::prelude::*;

use crate::analysis::estimate::Estimate;
use crate::analysis::formula::Summary;
use crate::analysis::measured::Measured;
use crate::analysis::quantity::Quantity;
use crate::analysis::valley::{Swept, Valley};
use crate::experiment::store::rows::PointTrials;
use crate::report::FigureRows;
use crate::report::keys::{FigureSpec, PanelSpec};
use crate::report::measures::measure::{Measure, RowsOf, ShownMeasure};
use crate::report::table::{Missing, NOT_ON_LOGARITHMIC, Table};
use crate::report::words::points::{enumerated, fewer_axes_first, grouped, word};
use crate::results::point_key::PointKey;
use crate::solver::density::permutations_per_solution;
use crate::solver::{Point, algorithm, symbol};

/// A figure: what a spec chooses of tables of measures.
pub struct Figure<'f> {
    pub(crate) spec: &'f FigureSpec,
    /// The tables that have its measures, each once; several only where all have a row a point.
    pub(crate) tables: Vec<&'static MeasureTable>,
    pub(crate) panels: Vec<Panel<'f>>,
    /// The horizontal axis, and others on which the points of a curve may differ.
    pub(crate) axes: Vec<&'f str>,
    /// The title of `x`, if that is a column and no axis of the points.
    pub(crate) across: Option<String>,
    /// A function of the horizontal axis, drawn instead of it.
    pub(crate) derived: Option<&'static Derived>,
    /// True if it is also made as Vega-Lite, which takes as long as the drawing.
    pub has_vega: bool,
}

/// A panel of a figure.
#[derive(Debug, Clone)]
pub struct Panel<'f> {
    /// What the figure says of it.
    pub spec: &'f PanelSpec,
    /// What it shows, at least one column; named where the legend tells them apart.
    pub columns: Vec<ShownMeasure>,
    /// The measures between which it is filled, if it is.
    pub band: Option<[ShownMeasure; 2]>,
    /// The time or moves that it shows first, if that is neither a share nor a ratio.
    pub quantity: Option<Quantity>,
    /// The text above the panel.
    pub label: String,
    /// The measures in words, without units.
    pub name: String,
    pub title: String,
}

/// The words of a map for its numbers.
#[derive(Debug, Clone, Copy)]
pub struct FallInWords {
    /// How they fall: `long to short`.
    pub fall: &'static str,
    /// What a number is that is significantly above the least: `slower`.
    pub worse: &'static str,
    /// What the least is called beside such a number: `best`, `least`.
    pub best: &'static str,
}

/// A figure and the rows that it is drawn from.
pub struct Scope<'a> {
    pub figure: &'a Figure<'a>,
    pub rows: &'a FigureRows,
}

/// Rows of points, searches or moments, and the measures that are their columns.
pub struct MeasureTable {
    /// What `reines list figures` calls it.
    pub name: &'static str,
    pub of: RowsOf,
    /// None in the table of any column of trials, whose measures are summaries of formulas.
    pub measures: &'static [Measure],
    /// Columns that may stand across instead of an axis of the points, with their titles.
    pub across: &'static [(&'static str, &'static str)],
    /// The keys of a figure that are without effect on one of this table.
    pub ignores: &'static [&'static str],
    /// The rows of what the figure shows, with the measures as their columns.
    pub rows: fn(&Scope) -> Result<Table, String>,
    /// Of the points of a plan those that it will have rows of.
    pub needs: fn(&Scope, Vec<Point>) -> Vec<Point>,
    /// What a run has nothing of whose figure has no rows; empty where the measures say it.
    pub lacking: &'static str,
    /// The least number of trials of a point that it can say something of.
    pub fewest_trials: usize,
    /// True if the table shows rules that count steps of n² updates each. Points of such rules are
    /// left out of all other figures, where their steps would be read as updates.
    pub takes_steps: bool,
}

/// A function of an axis that may be drawn instead of it.
pub struct Derived {
    /// The name in a spec's `x = "…"`.
    pub name: &'static str,
    pub axis: &'static str,
    symbol: &'static str,
    title: &'static str,
    /// `None` at points where it is not known.
    of: fn(&Point) -> Option<f64>,
}

/// All functions of axes.
pub const DERIVED: [Derived; 1] = [Derived {
    name: "permutations_per_solution",
    axis: "n",
    symbol: "n!/S(n)",
    title: "n!/S(n), boards with one queen in each row and column, per solution",
    of: |point| permutations_per_solution(u32::try_from(point.integer("n")?).ok()?),
}];

impl Derived {
    /// Its value at a point, where that is known.
    pub fn at(&self, point: &Point) -> Option<f64> {
        (self.of)(point)
    }
}

impl MeasureTable {
    /// Keys that need standard errors, which the numbers of some tables have not.
    pub const OF_ERRORS: &'static [&'static str] = &["fit", "over"];

    /// What most tables have.
    pub const PLAIN: Self = Self {
        name: "",
        of: RowsOf::Trials,
        measures: &[],
        across: &[],
        ignores: &[],
        rows: |_| Ok(Table::default()),
        needs: |_, points| only(points, |point| point.goal.is_none()),
        lacking: "",
        fewest_trials: 0,
        takes_steps: false,
    };
}

/// The place of a search's variant in the list of its algorithm.
fn place_of_variant(point: &Point) -> Option<usize> {
    let variants = algorithm(&point.algorithm)?.variants?;
    let mut all = variants.all().into_iter();
    point
        .goal
        .and_then(|_| all.position(|variant| variant == point.variant))
}

/// True if these are the points of all trials, in their order. Most often they are, and sets of
/// keys would take ten times as long as these comparisons.
pub fn are_points_of<'p>(
    points: impl ExactSizeIterator<Item = &'p Point>,
    trials: &[PointTrials],
) -> bool {
    points.len() == trials.len()
        && points
            .zip(trials)
            .all(|(point, trials)| *point == trials.point)
}

/// Those of the points that are so.
pub fn only(points: Vec<Point>, is_so: impl Fn(&Point) -> bool) -> Vec<Point> {
    points.into_iter().filter(|point| is_so(point)).collect()
}

impl Figure<'_> {
    /// The table that has several rows of each point, if the figure is of one.
    pub fn table_of_rows(&self) -> Option<&'static MeasureTable> {
        let mut tables = self.tables.iter().copied();
        tables.find(|table| !table.across.is_empty())
    }

    /// What the bars and bands of the figure are.
    pub fn intervals(&self) -> &'static str {
        let kinds = self.tables.iter().map(|table| table.of.intervals());
        let kinds: BTreeSet<&str> = kinds.collect();
        match kinds.first() {
            Some(alone) if kinds.len() == 1 => alone,
            _ => RowsOf::INTERVALS_OF_BOTH,
        }
    }

    pub(crate) fn x(&self) -> &str {
        self.axes.first().map_or("", |axis| axis)
    }

    /// True if n itself stands across, not a function of it.
    pub(crate) fn is_against_n(&self) -> bool {
        self.across.is_none() && self.derived.is_none() && self.x() == "n"
    }

    /// The value of a point on the axis upwards of tiles.
    pub fn upwards_of(&self, point: &Point) -> Option<f64> {
        Some(point.axes.get(self.spec.upwards.as_ref()?)?.number())
    }

    /// What the panels show.
    pub fn columns(&self) -> impl Iterator<Item = &ShownMeasure> {
        let bands = self
            .panels
            .iter()
            .flat_map(|panel| panel.band.iter().flatten());
        self.curves().chain(bands)
    }

    /// What the panels show as curves.
    pub fn curves(&self) -> impl Iterator<Item = &ShownMeasure> {
        self.panels.iter().flat_map(|panel| &panel.columns)
    }

    pub(crate) fn x_title(&self) -> &str {
        if let Some(title) = &self.spec.x_title {
            return title;
        }
        match (self.derived, &self.across) {
            (Some(derived), _) => derived.title,
            (None, Some(title)) => title,
            (None, None) => self.axis_title(self.x()),
        }
    }

    /// The title of an axis: of a program its symbol alone, whatever it means to others.
    pub fn axis_title<'t>(&self, axis: &'t str) -> &'t str {
        if self.spec.axes_of_programs.contains(axis) {
            symbol(axis)
        } else {
            axis_title(axis)
        }
    }

    /// The symbol of the horizontal axis in formulas.
    pub fn symbol(&self) -> &str {
        self.derived
            .map_or_else(|| symbol(self.x()), |derived| derived.symbol)
    }

    /// A text of the figure's kind, with `{y}`, `{x}` and `{axis}` filled in.
    pub fn filled(&self, text: &str) -> String {
        let names: Vec<&str> = self.panels.iter().map(|panel| &*panel.name).collect();
        // The title without its unit.
        let across = self
            .across
            .as_ref()
            .and_then(|title| title.split(" (").next());
        let over = self.spec.upwards.as_deref();
        let over = over.map(|axis| format!("over {{x}} and {}", symbol(axis)));
        let text = over.iter().fold(text.to_owned(), |text, over| {
            let text = text.replace("against {x}", over);
            text.replace("against {axis}", over)
        });
        text.replace("{y}", &enumerated(&names))
            .replace("{x}", across.unwrap_or(self.symbol()))
            .replace("{axis}", self.x_title())
    }

    /// True if a figure of this kind shows `point`.
    pub fn is_wanted(&self, point: &Point) -> bool {
        let varies = |axis: &String| point.axes.get(axis).is_some();
        self.spec.upwards.iter().all(varies)
    }

    /// The value of a point on the horizontal axis, if it has one.
    pub fn x_of(&self, point: &Point) -> Option<f64> {
        let x = match self.derived {
            Some(derived) => (derived.of)(point)?,
            None => point.axes.get(self.x())?.number(),
        };
        (self.spec.x_is_logarithmic != Some(true) || x > 0.0).then_some(x)
    }

    /// The order of two points on the horizontal axis.
    pub fn order(&self, a: &Point, b: &Point) -> Ordering {
        let [a, b] = [a, b].map(|point| self.x_of(point).unwrap_or_default());
        a.total_cmp(&b)
    }

    /// The order of two points in tables: that of their curves, then that across.
    pub fn order_of_rows(&self, a: &Point, b: &Point) -> Ordering {
        fewer_axes_first(a, b)
            .then_with(|| a.algorithm.cmp(&b.algorithm))
            .then_with(|| place_of_variant(a).cmp(&place_of_variant(b)))
            .then_with(|| a.order_apart(b, &self.axes))
            .then_with(|| self.order(a, b))
    }

    /// The first key on which two points differ.
    pub fn difference<'a>(&self, a: &'a Point, b: &'a Point) -> Option<&'a str> {
        let axes = a
            .axes
            .by_name()
            .chain(b.axes.by_name())
            .map(|(axis, _)| axis);
        let mut keys = ["algorithm", "variant", "goal"].into_iter().chain(axes);
        keys.find(|key| word(a, key) != word(b, key))
    }

    /// True if of several points of a curve at one x the fastest is drawn.
    pub fn takes_fastest(&self) -> bool {
        !self.spec.vary.is_empty() && self.across.is_none()
    }

    /// The reason why a point is off the horizontal axis, if it is.
    pub fn off_axis(&self, point: &Point) -> Option<String> {
        if self.across.is_some() || self.x_of(point).is_some() {
            return None;
        }
        Some(match (point.axes.get(self.x()), self.derived) {
            (None, _) => format!("has no {}", symbol(self.x())),
            (_, Some(derived)) => format!("{} is not known", derived.symbol),
            (_, None) => format!("{} = 0 {NOT_ON_LOGARITHMIC}", self.symbol()),
        })
    }

    /// The best x of each curve of these points, from five of them on.
    pub fn bests(&self, rows: &FigureRows, points: &[Point]) -> Vec<(Vec<String>, Estimate)> {
        let mut trials: Vec<&PointTrials> = rows.trials.iter().collect();
        if !are_points_of(points.iter(), &rows.trials) {
            let drawn: BTreeSet<PointKey> = points.iter().map(PointKey::of).collect();
            trials.retain(|trial| drawn.contains(&PointKey::of(&trial.point)));
        }
        let curves = self.by_curve(trials, |trials| &trials.point).into_iter();
        let best = |curve: Vec<&PointTrials>| {
            let swept = |point_trials: &&PointTrials| {
                Swept::of(self.x_of(&point_trials.point)?, point_trials)
            };
            let mut sweep: Vec<Swept> = curve.iter().filter_map(swept).collect();
            sweep.sort_by(|a, b| a.x.total_cmp(&b.x));
            Some((self.curve_of(&curve[0].point), Valley::of(&sweep)?.x))
        };
        curves.filter_map(best).collect()
    }

    /// Groups of those whose points are of one curve, in the order in which the curves begin.
    pub fn by_curve<'p, T>(
        &self,
        all: impl IntoIterator<Item = T>,
        point_of: impl Fn(&T) -> &'p Point,
    ) -> Vec<Vec<T>> {
        let mut indices = BTreeMap::new();
        let mut groups: Vec<Vec<T>> = Vec::new();
        let mut last: Option<(&Point, usize)> = None;
        for one in all {
            let point = point_of(&one);
            // Most follow one of their own curve, and two points are compared faster than named.
            let index = match last {
                Some((before, index)) if self.is_like(before, point) => index,
                _ => *indices.entry(self.curve_of(point)).or_insert(groups.len()),
            };
            if index == groups.len() {
                groups.push(Vec::new());
            }
            groups[index].push(one);
            last = Some((point, index));
        }
        groups
    }

    /// True only if two points are of one curve; of curves that the spec groups it is not known.
    fn is_like(&self, a: &Point, b: &Point) -> bool {
        self.spec.group.is_none() && a.is_same_apart(b, &self.axes)
    }

    /// What the points of one curve share, in words.
    pub fn curve_of(&self, point: &Point) -> Vec<String> {
        match &self.spec.group {
            None => {
                let axes = point.axes.clone().without(&self.axes);
                let shared = Point {
                    axes,
                    ..point.clone()
                };
                vec![shared.to_string()]
            }
            Some(keys) => {
                let keys = keys.iter().chain(&self.spec.facet);
                keys.map(|key| word(point, key)).collect()
            }
        }
    }
}

impl Scope<'_> {
    /// The points that the figure may show.
    pub fn wanted(&self) -> Vec<Point> {
        let points = self.rows.trials.iter().map(|trials| &trials.point);
        let wanted = points.filter(|point| self.figure.is_wanted(point));
        wanted.cloned().collect()
    }

    /// The results of `of` for the points that the figure shows.
    pub fn measured<P: Send>(&self, of: impl Fn(&PointTrials) -> Option<P> + Sync) -> Vec<P> {
        let trials = self.rows.trials.par_iter();
        let wanted = trials.filter(|trial| self.figure.is_wanted(&trial.point));
        wanted.filter_map(&of).collect()
    }

    /// [`Self::measured`], each with the index of its point among the trials.
    pub fn measured_by_index<P: Send>(
        &self,
        of: impl Fn(&PointTrials) -> Option<P> + Sync,
    ) -> Vec<(usize, P)> {
        let trials = self.rows.trials.par_iter().enumerate();
        let wanted = trials.filter(|(_, trial)| self.figure.is_wanted(&trial.point));
        let found = wanted.filter_map(|(index, trial)| Some((index, of(trial)?)));
        found.collect()
    }

    /// The points in the order of their curves: rules with fewer parameters first, then by name and
    /// parameters, in increasing order across; and why the others have no place.
    pub fn placed<T>(
        &self,
        found: impl IntoIterator<Item = (Point, Result<T, String>)>,
    ) -> (Vec<(Point, T)>, Vec<Missing>) {
        let figure = self.figure;
        let found = found
            .into_iter()
            .map(|(point, it)| match (figure.off_axis(&point), it) {
                (None, Ok(it)) => Ok((point, it)),
                (Some(reason), _) | (None, Err(reason)) => Err((point, reason)),
            });
        let (mut placed, others): (Vec<(Point, T)>, Vec<Missing>) = found.partition_result();
        placed.sort_by(|(a, _), (b, _)| figure.order_of_rows(a, b));
        (placed, others)
    }

    /// Of several points of a curve at one place, where the figure lets them differ, all but that
    /// of the least mean time, each with its reason. Lower bounds are compared with each other
    /// alone, and the least of them bounds the time of the fastest.
    pub fn slower(&self) -> BTreeMap<Point, String> {
        let figure = self.figure;
        if !figure.takes_fastest() {
            return BTreeMap::new();
        }
        let time = |point_trials: &PointTrials| {
            let time = Measured::mean(point_trials, Quantity::AbsorptionTime.name())?.estimate;
            figure.x_of(&point_trials.point)?;
            Some((point_trials.point.clone(), time))
        };
        let place = |(point, _): &(Point, Estimate)| {
            let x = figure.x_of(point);
            let up = figure.upwards_of(point);
            let place = [x, up].map(|coordinate| coordinate.map(f64::to_bits));
            (figure.curve_of(point), place)
        };
        let mut slower = BTreeMap::new();
        for mut rivals in grouped(self.measured(time), place) {
            rivals.sort_by(|(_, a), (_, b)| {
                let is_bound = a.is_bound.cmp(&b.is_bound);
                is_bound.then_with(|| a.value.total_cmp(&b.value))
            });
            let fastest = rivals.remove(0).0;
            for (point, time) in rivals {
                let key = figure.difference(&point, &fastest).map_or("point", symbol);
                let other = format!("another {key} of this {}", figure.symbol());
                let reason = if time.is_bound {
                    format!("a lower bound; {other} is drawn")
                } else {
                    format!("{other} is faster")
                };
                slower.insert(point, reason);
            }
        }
        slower
    }
}

impl Panel<'_> {
    /// What is drawn as a thin line under its curves where it is visibly less: the time or the
    /// moves until the first solution.
    pub fn at_hit(&self) -> Option<Summary> {
        let is_wanted = self.spec.until_hit && !self.spec.has_names();
        self.quantity.filter(|_| is_wanted)?;
        self.columns[0].at_hit()
    }

    /// True if its upright axis has a place for a number.
    pub fn holds(&self, is_logarithmic: bool, value: f64) -> bool {
        let range = self.spec.y_range;
        let is_within = range.is_none_or(|(low, high)| (low..=high).contains(&value));
        is_within && (!is_logarithmic || value > 0.0)
    }

    /// How the words of a map speak of its numbers: times and moves alone have a best, the least.
    pub fn fall_in_words(&self) -> FallInWords {
        let (fall, worse, best) = match self.quantity {
            Some(Quantity::AbsorptionTime | Quantity::HittingTime) => {
                ("long to short", "slower", "best")
            }
            Some(Quantity::Moves | Quantity::MovesAtHit) => ("many to few", "more", "best"),
            None => ("high to low", "greater", "least"),
        };
        FallInWords { fall, worse, best }
    }
}

/// The title of a horizontal axis.
fn axis_title(axis: &str) -> &str {
    match axis {
        "n" => "n, side of the board and number of queens",
        "epsilon" => "ε, probability of a dangerous move",
        "eta" => "η, probability of a random destination",
        "product" => "N, product that is factored",
        other => symbol(other),
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::synthetic::{Draws, SyntheticLaw, pair_key, trials};
    use crate::experiment::spec::number::MOST_INTEGER;
    use crate::report::FigureRows;
    use crate::report::measures::preset;

    /// Trials of the second ε are cut off early at each n, below the mean of the first.
    #[test]
    fn a_complete_mean_comes_before_a_lower_bound() {
        let mut draws = Draws::new(1);
        let points = [
            (8, 0.01, MOST_INTEGER),
            (8, 0.1, 500),
            (9, 0.01, MOST_INTEGER),
            (9, 0.1, 500),
        ];
        let points = points.map(|(n, epsilon, cutoff)| {
            let law = SyntheticLaw::of(pair_key(n, epsilon), 1e6, cutoff);
            trials(&mut draws, &law, 30)
        });
        let rows = FigureRows::of_trials(points.into(), String::new());
        let drawing = preset("scaling").draw(&rows).expect("two n");
        let means = drawing.table.column("mean(absorption_time)");
        assert!(means.iter().all(|it| !it.starts_with('≥')), "{means:?}");
        let reason =
            "left out (a lower bound; another ε of this n is drawn): pair rule, n = 8, ε = 0.1";
        let told = &drawing.left_out[0];
        assert!(told.starts_with(reason), "{told}");
    }
}
