//! A figure that a spec asks for, as data: the keys of a `[[figure]]`, from which specs, kinds.toml
//! and docs/spec.md have them. Here are the names of the keys, their defaults where no kind has
//! one, and their lines in docs/spec.md; the numbers that they may have are in `panel` (heights,
//! bins, curves).
//!
//! Read this file first, then `panel` (the keys of a panel), `parse` (a spec's figures laid over
//! their kinds; `parse/panels` and `parse/rules` check them, `parse/gone` has keys that are none
//! any more) and `kinds.toml` (ready-made figures).
//!
//! [`KEYS`] is a format: specs of others have its names, and a test holds docs/spec.md to it. A
//! key that goes needs a line in `parse/gone.rs`.

mod panel;
pub mod parse;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer};

pub use self::panel::{Bins, Fitting, Law, PanelSpec, RuleSpec};
use crate::analysis::formula::Summary;
use crate::experiment::spec::NamedVariant;
use crate::experiment::spec::values::Spacing;
use crate::experiment::store::OwnColumns;
use crate::solver::outcome::COLUMNS;
use crate::solver::{Kind, Value};

/// The name of the table whose measures are summaries of the columns of `trials.parquet`.
pub const COLUMNS_TABLE: &str = "columns";

/// Each letter of a variant, as keys of points name it.
pub const LETTERS: [&str; 5] = [
    "variant[1]",
    "variant[2]",
    "variant[3]",
    "variant[4]",
    "variant[5]",
];

/// What tells the trials of a point apart, and stands for an axis in figures.
pub const SEED_KEY: &str = "seed";
/// What tells the trials of a seed apart, where each is a point.
pub const TRIAL_KEY: &str = "trial";

/// A table of keys: what docs/spec.md says of each, its name, and the field that serde fills with
/// it; a key `[panel]` is one of each panel, and a key `[points]` says which points are meant.
macro_rules! keys {
    ($($(#[doc = $doc:literal])* $key:literal => $([$apart:ident])? $($field:ident: $type:ty$(, $by:tt)?)?;)*
     $(+ $more:ident: $of:ty;)*) => {
        /// Name and meaning of each key of a `[[figure]]`.
        pub const KEYS: &[(&str, &str)] = &[$(($key, concat!($($doc),*))),*];

        /// A figure: the keys of its kind, and those of its spec in their place. What each does,
        /// [`KEYS`] says.
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct FigureSpec {
            $($(#[serde(rename = $key, default $(, deserialize_with = $by)?)] #[doc = $key] pub $field: $type,)?)*
            $(#[serde(skip)] pub(crate) $more: $of,)*
        }
    };
}

keys! {
    /// the kind of figure that it starts from, by default `"curve"`
    "kind" => kind: String;
    /// stem of the files, by default `<experiment>-<kind>`
    "name" => name: String;
    /// only points that match: a table with values of axes (a value, a list or a range),
    /// `algorithm`, `variant`, `goal` (a text or a list); or a list of such tables, of which a
    /// point matches one. A value means the points that have exactly it; only if there are none,
    /// the value that is printed so, with three digits or more
    "where" => [points];
    /// what the horizontal axis shows: an axis of the sweeps; `"seed"`;
    /// `"permutations_per_solution"`, n!/S(n); a measure of columns of `trials.parquet`, as in `y`;
    /// `"update"` of measures of a series; `"time"` or `"time_in_means"` of shares of trials by a
    /// time; `"class"`; by default `"n"`
    "x" => x: String;
    /// `"linear"` or `"log"`; by default linear where a value is not above 0, and of whole numbers
    /// where the greatest is at most 20 times the least, else logarithmic; of shares of trials by a
    /// time logarithmic where the greatest times of two points are a hundred times apart
    "x_scale" => x_is_logarithmic: Option<bool>, "scale";
    /// the title of the horizontal axis
    "x_title" => x_title: Option<String>;
    /// `[low, high]`: the ends of the horizontal axis; points beyond them are left out
    "x_range" => x_range: Option<(f64, f64)>, "panel::ends";
    /// of shares of trials by a time or in bins, a table: `column` of `trials.parquet`, in place of
    /// the times; `count` of bins, from 2 to 200 (40; of whole numbers, at most); `range`, `[low,
    /// high]`, between which the bins lie
    "bin" => bin: Bins;
    /// `"linear"` or `"log"`; by default logarithmic unless a mean is 0 or an interval
    /// reaches below 0
    "y_scale" => [panel];
    /// the title of the vertical axis
    "y_title" => [panel];
    /// `[low, high]`: the ends of the vertical axis; points beyond them are left out
    "y_range" => [panel];
    /// the height of a panel in 1/2400 of the width, from 100 to 4000
    "height" => [panel];
    /// `"exponential"` (ln y = a + b x) or `"power"` (ln y = a + b ln x) through the points without
    /// censored trials; by default `"none"`. With fewer than 4 points, or an interval wider than a
    /// factor of 10, nothing is fitted. As a table it has `law`, `y` (another measure to fit),
    /// `from`, `row` (its name in the table) and `drawn` (`true`: even if the points reject the
    /// law)
    "fit" => [panel];
    /// a measure, or a list of measures, a panel for each. `"mean(moves)"` is the mean of a column
    /// of `trials.parquet`, with censored trials a lower bound; also `median(…)`, any quantile from
    /// `q01(…)` to `q99(…)`, and `share(…)`, the share of trials with a value there, or
    /// `share(censored)`. A column alone is its mean; of a search that draws nothing it is its
    /// value. `"mean(moves / updates)"` has the sums over all trials, divided. `"absorption_time /
    /// n^3"` is divided by what the axes say (also `n`, `(sites * n)`, sites being the pairs or
    /// cells that an update draws from, and `guesses` of a product). `"absorption_time * d"` is
    /// multiplied by the [density](rules.md#density-of-solutions) d, `"absorption_time *
    /// cells_read"` is a time in [cells read](rules.md#what-an-update-reads), and
    /// `"absorption_time * updates_per_step"` has steps of n² updates as updates: without one of
    /// these two no figure of times has rules that count steps. Further measures, of several
    /// trials together, of series and of searches, `reines list figures` names; panels may have
    /// any of them. A measure may be a table: `measure` (or `measures`, which share a panel),
    /// `caption` (a sentence of the caption), `until_hit` (`true`: a thin line for the time or
    /// moves until the first solution, where they are visibly less), and `band`, `y_scale`,
    /// `y_title`, `y_range`, `height`, `fit` of this panel alone. A missing key is taken from the
    /// kind's panel of this column, else from its first panel
    "y" => y: Vec<PanelSpec>;
    /// `[low, high]`: two measures between which each curve's panel is filled: `["q25(moves)",
    /// "q75(moves)"]`
    "band" => [panel];
    /// the keys in which curves differ: a list of axes, `algorithm`, `variant`, `goal`, `seed`; by
    /// default all but `x`; where `x` is a column of trials, `algorithm`, `variant`, `goal` and
    /// that of `colour`. The axis of `facet` is always one of them. Two points of a curve at one
    /// `x` are an error
    "group" => group: Option<Vec<String>>;
    /// an axis, `algorithm`, `variant`, `goal` or `"seed"`: each panel is drawn once for each of
    /// its values, two side by side where there is room. With one measure all panels have one
    /// vertical axis
    "facet" => facet: Option<String>;
    /// a key whose values give curves their colours: an axis, `algorithm`, `variant` or its second
    /// letter `variant[2]`, `goal`, `seed`. If a figure has `"seed"` here, in `x`, `group` or
    /// `facet`, the trials of each seed are points of their own
    "colour" => colour: Option<String>;
    /// one table as in `where`: the points of one curve, by which every other curve is divided: `{
    /// algorithm = "cell" }` divides the pair rule's means by the cell rule's. Quantiles are
    /// not divided
    "over" => [points];
    /// axes on which the points of a curve may differ beside `x`, also from those of `over`; of
    /// several points at one `x` the fastest is drawn
    "vary" => vary: Vec<String>;
    /// `"line"`, `"points"`, `"dots"`, `"band"`; `"bars"` of shares in bins; or `"tile"`,
    /// a map over the axes `x` and `y` that is coloured by the measure `fill`. A frame stands
    /// around the tiles that the least of the map, or of each n, does not exceed significantly;
    /// tiles have no `facet`. Where `x` is a column of trials: `"points"`, or `"dots"`, one for
    /// each trial, 2000 at most
    "mark" => mark: MarkShape;
    /// the measure of tiles
    "fill" => [panel];
    /// `true`: marks the least mean time of each curve, and where its best `x` lies
    "mark_best" => marks_best: bool;
    /// reference marks that the legend explains: a triangle on the lower edge, `[{ x = 0.01, text =
    /// "source text, figure 5" }]` (of one beyond the axis the legend says so), or a line through a
    /// formula at the `x` of the points, `[{ y = "0.69 * permutations_per_solution", text =
    /// "random permutations" }]`. A formula has numbers, the horizontal axis and, against n,
    /// `permutations_per_solution`, and the signs `+ - * / ^ ( )`
    "rules" => rules: Vec<RuleSpec>;
    /// `"1/d"`: random starts per solved start, against n, on the same logarithmic scale; `"none"`
    /// leaves out the right axis of a kind
    "right_axis" => has_density: bool, "density";
    /// `"single"` (86 mm) or `"double"` (178 mm), the columns of a journal. Text is then at least 6
    /// pt, exponents 4 pt, and the figure at most 230 mm high, for which panels are made lower;
    /// `check` says if this is impossible
    "width" => width: Option<Width>;
    /// a text in place of the kind's title, in which `{y}` and `{x}` stand for what is shown;
    /// `false` leaves the title out
    "title" => title: String;
    /// the caption's first sentence; `{y}`, `{x}` and `{axis}` are filled in
    "caption" => caption: String;
    /// names of curves in the legend, from the whole present name to the new one: `{ "pair rule" =
    /// "two cells" }`
    "names" => names: BTreeMap<String, String>;
    /// words in place of those of legend, caption, axes and tips, as for a figure in another
    /// language: `{ "lower bound" = "borne inférieure", "shown: {} of {} points" = "montrés : {}
    /// points sur {}" }`, `{}` for each part that varies. The longest phrase is taken first; what
    /// the figure does not say is without effect
    "words" => words: BTreeMap<String, String>;
    /// the greatest number of curves of a panel (10), at most 100000: others are in the table only
    "most_curves" => most_curves: usize, "panel::count";
    // Line of `[[figure]]` in the file, from 1.
    + line: usize;
    // `where`: only points that all keys of one of these keep; empty: all points.
    + keep: Vec<Vec<KeyFilter>>;
    // The points of the curve that the other curves are divided by.
    + over: Option<Vec<KeyFilter>>;
    // The names of conditions, each with its condition.
    + conditions: Vec<(String, String)>;
    // The vertical axis of tiles.
    + upwards: Option<String>;
    // The columns that algorithms of the spec have for themselves.
    + own: OwnColumns;
    // The axes that programs alone have, of the algorithms of the spec's sweeps.
    + axes_of_programs: BTreeSet<String>;
    // True if a title is drawn above the figure.
    + has_title: bool;
    // True if the title is the spec's.
    + has_own_title: bool;
    // True if the spec itself asks for a fit, not the kind alone.
    + asks_for_fit: bool;
}

/// A key of `where` and the values that it keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyFilter {
    /// An axis, `algorithm`, `variant` or `goal`.
    pub key: String,
    /// The values, at least one.
    pub values: Vec<FilterValue>,
}

/// A value of `where`.
#[derive(Debug, Clone, PartialEq)]
pub enum FilterValue {
    /// A value on an axis.
    Number(Value),
    /// A word of `algorithm` or `goal`.
    Word(String),
    /// A word of `variant`, and the variant that it names.
    Variant(String, NamedVariant),
}

/// How the numbers of a curve are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkShape {
    /// Points with lines from one to the next, and bars.
    #[default]
    Line,
    /// Points with bars; those of one x are drawn side by side.
    Points,
    /// Small points with bars.
    Dots,
    /// Bars from the lower end of the axis, each as far as the middle between its neighbours.
    Bars,
    /// A line with a band, and a marker on every fifth.
    Band,
    /// A tile over two axes.
    Tile,
}

/// Width of a figure in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// One column of a journal, 86 mm.
    Single,
    /// The page of a journal, 178 mm.
    Double,
}

fn scale<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(Some(Spacing::deserialize(deserializer)? == Spacing::Log))
}

fn density<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    #[derive(PartialEq, Deserialize)]
    enum Right {
        #[serde(rename = "1/d")]
        Density,
        #[serde(rename = "none")]
        Nothing,
    }
    Ok(Right::deserialize(deserializer)? == Right::Density)
}

impl FigureSpec {
    /// True if the horizontal axis shows a summary of columns of trials.
    pub fn has_column_across(&self) -> bool {
        let is_own = |name: &str| {
            self.own
                .get(name)
                .is_some_and(|column| column.kind != Kind::Text)
        };
        let is_fact = |name: &str| COLUMNS.iter().any(|fact| fact.name == name);
        let is_number = |name: &str| is_fact(name) || is_own(name);
        let summary = self.x.parse::<Summary>();
        summary.is_ok_and(|summary| summary.formula.columns().all(is_number))
    }

    /// The ends between which bins lie, if the figure says them.
    pub fn bin_range(&self) -> Option<(f64, f64)> {
        self.bin.range.or(self.x_range)
    }

    /// True if each mark is a trial.
    pub fn draws_trials(&self) -> bool {
        self.mark == MarkShape::Dots && self.has_column_across()
    }

    /// True if the trials of each seed are points of their own.
    pub fn is_by_seed(&self) -> bool {
        let keys = self.facet.iter().chain(&self.colour).chain([&self.x]);
        let mut keys = keys.chain(self.group.iter().flatten());
        keys.any(|key| key == SEED_KEY)
    }
}
