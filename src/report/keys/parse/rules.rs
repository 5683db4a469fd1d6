//! Keys that need others, exclude them, or are without effect: checks of the finished figure, its
//! kind's values included. The message for each of them is here: which marks, axes and measures do
//! not go together, and where a key is without effect.

use crate::analysis::formula::{Statistic, Summary};
use crate::experiment::spec::{Refused, formula};
use crate::report::figure::Figure;
use crate::report::keys::parse::Reading;
use crate::report::keys::{FigureSpec, MarkShape, PanelSpec};
use crate::report::measures::Named;

/// The measure that the best is marked of.
const TIME: &str = "absorption_time";
/// What stands across shares of trials by a time alone.
const TIMES: [&str; 2] = ["time", "time_in_means"];
/// The table of shares of trials by a time.
const DISTRIBUTION: &str = "distribution";
/// The keys of a figure that are without effect on tiles.
const NOT_OF_TILES: &str = "facet fit group colour vary mark_best right_axis rules names \
    x_scale x_range y_scale y_range y_title x_title height band";

/// The keys that break a rule, when they do, and what is told then at the first of them that stands
/// in the spec. A single key is broken by the spec alone: the kind's gives way.
type Rule = (
    &'static [&'static str],
    fn(&FigureSpec) -> bool,
    &'static str,
);

macro_rules! rules {
    ($([$($key:literal),+] $is_broken:expr => $message:literal;)*) => {
        const RULES: &[Rule] = &[$((&[$($key),+], $is_broken, $message)),*];
    };
}

rules! {
    ["right_axis", "x"] |figure| figure.has_density && figure.x != "n"
        => "1/d on the right axis is of n; expected x = \"n\", or right_axis = \"none\"";
    ["facet", "x"] |figure| figure.facet.as_ref() == Some(&figure.x)
        => "the axis of facet is the horizontal one; expected another facet or x";
    ["colour", "x"] |figure| figure.colour.as_ref().is_some_and(|key| Figure::of(figure).axes.contains(&&**key))
        => "the points of a curve differ in the key of colour; expected another one";
    ["vary"] |figure| figure.vary.contains(&figure.x)
        => "it names the horizontal axis, which varies anyhow; expected other axes";
    ["mark_best"] |figure| figure.marks_best && !figure.has(|panel| figure.is_of_time(&panel.measures[0]))
        => "it marks the least mean time; expected mark_best with the measure absorption_time";
    ["mark_best"] |figure| figure.marks_best && figure.over.is_some()
        => "it marks the least mean time, and over draws ratios; expected one of both";
    ["mark_best"] |figure| figure.marks_best && !figure.is_of_means()
        => "it is of means; expected mean(absorption_time)";
    ["fit", "y"] |figure| figure.has(|panel| panel.fit.is_some() && !figure.shows_means(panel))
        => "a fit is of means; expected a measure mean(…), or fit = \"none\"";
    ["over", "y"] |figure| figure.over.is_some() && figure.has(|panel| figure.shows_quantile(panel))
        => "over divides means; expected measures mean(…)";
    ["band", "mark"] |figure| figure.has(|panel| !panel.band.is_empty()) && figure.mark != MarkShape::Line
        => "a band lies under lines; expected mark = \"line\"";
    ["band", "over"] |figure| figure.has(|panel| !panel.band.is_empty()) && figure.over.is_some()
        => "over divides means, which have no band; expected one of both";
    ["fill", "mark"] |figure| figure.is_map() && figure.y.iter().flat_map(|panel| &panel.measures).count() > 1
        => "a map shows one measure; expected fill with one, and a figure for each other one";
    ["y", "x", "mark"] |figure| figure.is_map() && figure.upwards.as_ref() == Some(&figure.x)
        => "tiles stand over two axes; expected x and y = two of the sweeps";
    ["y", "x", "mark"] |figure| TIMES.contains(&&*figure.x) && !figure.is_of_times()
        => "x is a time, of shares of trials by it; expected y with absorbed, running or absorbed_in_bin, and of another column than the times bin = { column = \"…\" }";
    ["x", "y"] |figure| figure.is_of_times() && !TIMES.contains(&&*figure.x)
        => "shares of trials by a time stand over that time; expected x = \"time\" or \"time_in_means\", and a column of trials in bin = { column = \"…\" }";
    ["x", "y"] |figure| figure.has_column_across() && figure.has(|panel| panel.measures.iter().any(|measure| figure.is_across(measure)))
        => "x and y are one measure; expected another one of both";
    ["mark", "y"] |figure| figure.mark == MarkShape::Bars && !figure.is_of_times()
        => "bars are shares of trials; expected mark = \"bars\" with absorbed_in_bin or hit_in_bin, or one of line, points, dots, band";
    ["fit", "over", "mark_best"]
        |figure| figure.has_column_across() && (figure.over.is_some() || figure.marks_best || figure.has(|panel| panel.fit.is_some()))
        => "x is a column of trials; expected an axis as x";
    ["mark"] |figure| figure.has_column_across() && !matches!(figure.mark, MarkShape::Points | MarkShape::Dots)
        => "x is a column of trials, in which points have no order; expected points or dots";
    ["y", "x"] |figure| figure.draws_trials() && !(figure.is_of_means() && figure.is_mean(&figure.x))
        => "each dot is a trial where x is a column of trials; expected columns alone, or mark = \"points\"";
    ["bin"] |figure| !figure.is_of_times()
        => "it is of shares of trials by a time; expected it with a kind histogram or distribution";
    ["bin", "y"] |figure| figure.bin.column.is_some() && figure.y.iter().flat_map(|panel| &panel.measures).any(|measure| measure.contains("hit"))
        => "its column says of what; expected y with absorbed, running or absorbed_in_bin";
    ["bin", "x_scale"] |figure| figure.x_is_logarithmic == Some(true) && figure.bin.range.is_some_and(|range| range.0 <= 0.0)
        => "a logarithmic axis has no place for 0; expected a range with a low end above 0";
    ["x_range", "x_scale"] |figure| figure.x_is_logarithmic == Some(true) && figure.x_range.is_some_and(|x_range| x_range.0 <= 0.0)
        => "a logarithmic axis has no place for 0; expected x_range with a low end above 0";
    ["y_range", "y_scale", "y"] |figure| figure.has(has_no_end)
        => "a logarithmic axis has no place for 0; expected y_range with a low end above 0";
}

/// True of a logarithmic axis down to 0.
fn has_no_end(panel: &PanelSpec) -> bool {
    panel.is_logarithmic == Some(true) && panel.y_range.is_some_and(|y_range| y_range.0 <= 0.0)
}

impl FigureSpec {
    /// True if one of the panels is so.
    fn has(&self, is_so: impl Fn(&PanelSpec) -> bool) -> bool {
        self.y.iter().any(is_so)
    }

    /// True of the measure that is the horizontal axis, in any spelling.
    fn is_across(&self, measure: &str) -> bool {
        let spelled = |name: &str| {
            let summary = name.parse::<Summary>();
            summary.map(|summary| summary.to_string()).ok()
        };
        spelled(measure) == spelled(&self.x)
    }

    fn is_map(&self) -> bool {
        self.mark == MarkShape::Tile
    }

    /// True if no measure has a statistic other than the mean.
    pub(super) fn is_of_means(&self) -> bool {
        self.y.iter().all(|panel| self.shows_means(panel))
    }

    /// True if it shows shares of trials by a time.
    fn is_of_times(&self) -> bool {
        let mut measures = self.y.iter().flat_map(|panel| &panel.measures);
        measures.any(|measure| {
            self.named(measure)
                .is_some_and(|named| named.table.name == DISTRIBUTION)
        })
    }

    fn shows_means(&self, panel: &PanelSpec) -> bool {
        panel.measures.iter().all(|measure| self.is_mean(measure))
    }

    fn shows_quantile(&self, panel: &PanelSpec) -> bool {
        let statistics = panel
            .measures
            .iter()
            .map(|measure| self.statistic_of(measure));
        let mut statistics = statistics.flatten();
        statistics.any(|statistic| matches!(statistic, Statistic::Quantile(_)))
    }

    /// The statistic of columns of trials that a measure says.
    fn statistic_of(&self, measure: &str) -> Option<Statistic> {
        let summary = self.named(measure)?.summary;
        summary.map(|summary| summary.statistic)
    }

    /// True of a mean of columns of trials, and of a measure of another table.
    fn is_mean(&self, measure: &str) -> bool {
        let statistic = self.statistic_of(measure);
        statistic.is_none_or(|statistic| statistic == Statistic::Mean)
    }

    /// True of the absorption time under any statistic.
    fn is_of_time(&self, measure: &str) -> bool {
        let summary = self.named(measure).and_then(|named| named.summary);
        summary.is_some_and(|summary| summary.formula.to_string() == TIME)
    }
}

impl Reading<'_> {
    /// Refuses reference marks that stand nowhere, and formulas that are not of the horizontal
    /// axis.
    pub fn check_reference_marks(&self, figure: &FigureSpec) -> Result<(), Refused> {
        let shown = Figure::of(figure);
        for rule in &figure.rules {
            let wrong = match (rule.x, &rule.y) {
                (Some(_), None) => None,
                (None, Some(_)) if shown.across.is_some() => {
                    Some("a line y is a formula of an axis; expected an axis as x".to_owned())
                }
                (None, Some(_)) if figure.y.len() > 1 => {
                    Some("a line y belongs to one panel; expected one measure as y".to_owned())
                }
                (None, Some(formula)) => {
                    let names = shown.names_in_rules().into_iter();
                    let at: Vec<(&str, f64)> = names.map(|name| (name, 1.0)).collect();
                    let refused = formula::value(formula, &at).err();
                    refused.map(|reason| format!("y = {formula:?}: {reason}"))
                }
                _ => Some(format!(
                    "{:?}: expected either x, a place, or y, a formula",
                    rule.text
                )),
            };
            if let Some(message) = wrong {
                return Err(self.source.refuse(self.at("rules"), &message));
            }
        }
        Ok(())
    }

    /// Refuses what breaks a rule and keys without effect on what the table draws: the first of
    /// them in the file.
    pub fn check_rules(&self, figure: &FigureSpec) -> Result<(), Refused> {
        let broken = RULES.iter().filter(|(_, is_broken, _)| is_broken(figure));
        let broken = broken.filter_map(|(keys, _, message)| {
            let place = keys.iter().find_map(|key| self.own.get(*key))?;
            Some((place, (*message).to_owned()))
        });
        let ignored = without_effect(figure);
        let ignored = ignored.into_iter().filter_map(|(key, what)| {
            let message = format!("without effect on {what}; expected no {key}");
            Some((self.own.get(key)?, message))
        });
        let first = broken.chain(ignored).min_by_key(|(place, _)| place.start);
        first.map_or(Ok(()), |(place, message)| {
            Err(self.source.refuse(place.clone(), &message))
        })
    }
}

/// The keys without effect on what a figure shows, each with what that is.
fn without_effect(figure: &FigureSpec) -> Vec<(&'static str, String)> {
    let measures = figure.y.iter().flat_map(|panel| &panel.measures);
    let named = measures.filter_map(|measure| figure.named(measure));
    let named: Vec<Named> = named.collect();

    let mut keys = Vec::new();
    if let Some(first) = named.first() {
        for key in first.table.ignores {
            // A key counts that has no effect on each of the measures.
            let mut tables = named.iter().map(|measure| measure.table);
            if tables.all(|table| table.ignores.contains(key)) {
                keys.push((*key, format!("the measure {}", first.name)));
            }
        }
    }
    if figure.is_map() {
        let of_tiles = NOT_OF_TILES.split_whitespace();
        keys.extend(of_tiles.map(|key| (key, "tiles".to_owned())));
    }
    keys
}
