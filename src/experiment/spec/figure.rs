//! The figures that a spec asks for, and what each of them is to show. Nothing here has an effect
//! on rows, so this file counts for no code version.

mod keys;

pub(super) use self::keys::read;

use super::tree::{Source, SpecTable};
use crate::solver::Value;
use crate::solver::outcome::{COLUMNS, Column, Field};

/// What a figure may be made of: the kinds, which are figures with a name, and the tables of
/// measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureKinds {
    /// A `[[figure]]` for each kind, in TOML.
    pub text: &'static str,
    /// The tables of measures beside that of the columns of trials.
    pub tables: Vec<MeasureNames>,
    /// Functions of an axis that may stand across in its place.
    pub derived: Vec<&'static str>,
}

/// The names of what one table of measures holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureNames {
    /// Name of the table.
    pub table: &'static str,
    /// What may stand upwards.
    pub measures: Vec<&'static str>,
    /// What may stand across in place of an axis of the sweeps.
    pub across: Vec<&'static str>,
}

/// The table whose measures are the columns of `trials.parquet`.
pub const COLUMNS_TABLE: &str = "columns";

/// A share alone: of the trials that were cut off.
pub const CENSORED: &str = "censored";

/// A figure that the spec asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureSpec {
    /// Name of the kind that it starts from.
    pub kind: String,
    /// Stem of the files it is written to.
    pub name: String,
    /// Line of `[[figure]]` in the file, from 1.
    pub line: usize,
    /// What it is to show.
    pub choices: Choices,
}

/// What a figure is to show: the keys of its kind, and those of its spec in their place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choices {
    /// The table of measures.
    pub table: String,
    /// `where` of the spec: only points that have one of the values of each key.
    pub keep: Vec<Keep>,
    /// `where` of the kind: the points that it is about.
    pub wanted: Vec<Keep>,
    /// The axis across, or a measure that stands there.
    pub x: String,
    /// Axes beside it on which the points of one curve may differ.
    pub vary: Vec<String>,
    /// The panels, at least one.
    pub y: Vec<PanelChoice>,
    /// How numbers are drawn.
    pub mark: MarkShape,
    /// What is said of a column over the trials of a point.
    pub statistic: Statistic,
    /// What the columns are divided by: `n`, `n^2`, `n^3`, `sites * n`, or the sum of another
    /// column over the trials.
    pub divide: Option<String>,
    /// The axis with a panel for each of its values.
    pub facet: Option<String>,
    /// True if 1/d(n) has an axis of its own.
    pub has_density: bool,
    /// True if the least mean time is marked.
    pub marks_best: bool,
    /// What makes a curve: axes, `algorithm`, `variant` and `goal`.
    pub group: Option<Vec<String>>,
    /// A column of words that tells curves apart.
    pub split: Option<String>,
    /// Algorithms of which each needs a curve.
    pub compare: Vec<String>,
    /// The letter of the variant, from 1, that gives a curve its colour.
    pub hue: Option<usize>,
    /// Points that a curve has at least.
    pub least_points: usize,
    /// Curves that are drawn at most.
    pub most_curves: usize,
    /// True if the axis across is logarithmic.
    pub x_is_logarithmic: Option<bool>,
    /// The least place that a power is fitted from.
    pub fit_from: Option<f64>,
    /// True if means have the bootstrap's interval.
    pub is_bootstrapped: bool,
    /// Width in print.
    pub width: Option<Width>,
    /// True if no title is drawn above the figure.
    pub has_no_title: bool,
    /// The title of the spec, in place of the kind's.
    pub title: Option<String>,
    /// The kind's title, in which `{y}` and `{x}` stand for what is shown.
    pub heading: String,
    /// The caption's first sentence; `{axis}` is the axis across in words.
    pub lead: String,
    /// Why there is nothing to draw, where that is not the want of two points.
    pub nothing: String,
}

/// A panel of a figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PanelChoice {
    /// The measures that it shows, at least one.
    pub measures: Vec<String>,
    /// True if several measures may share the panel, so that each has a name in the legend.
    pub has_names: bool,
    /// Title of the upright axis, where it is not the measure's.
    pub title: Option<String>,
    /// What stands above it, where it is not the measure's label.
    pub label: Option<String>,
    /// The height in canvas units.
    pub height: Option<i32>,
    /// True if the upright axis is logarithmic.
    pub is_logarithmic: Option<bool>,
    /// The margins below and above what is drawn, in lengths of the axis.
    pub room: (f64, f64),
    /// Height of a dashed level line.
    pub level: Option<f64>,
    /// Ranges of its values that are shaded, each from its low to its high end.
    pub ranges: Vec<(f64, f64)>,
    /// The law that is fitted to each curve.
    pub fit: Option<Fitting>,
    /// Lines of known growth: their laws, and the factor or the power of each.
    pub guides: Vec<(Law, f64)>,
}

/// A law that is fitted to the curves of a panel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fitting {
    /// The law.
    pub law: Law,
    /// What follows it in words; empty: what is drawn.
    pub of: String,
    /// Name of its row in the table; empty: that of the law, with rows for its lack of fit.
    pub row: String,
    /// True if the fit is drawn; `None`: drawn if the points do not reject it.
    pub is_drawn: Option<bool>,
    /// The least place that it is fitted from.
    pub from: Option<f64>,
}

/// How the numbers of a curve are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MarkShape {
    /// Points with lines from one to the next, and bars.
    #[default]
    Line,
    /// Points with bars; those of one x are drawn side by side.
    Points,
    /// Small points with bars.
    Dots,
    /// A line with a band, and a marker on every fifth.
    Band,
    /// The staircase of a survival curve.
    Survival,
    /// A tile over x and the axis that varies beside it.
    Tile,
}

impl MarkShape {
    const NAMES: &[(&str, Self)] = &[
        ("line", Self::Line),
        ("points", Self::Points),
        ("dots", Self::Dots),
        ("band", Self::Band),
        ("survival", Self::Survival),
        ("tile", Self::Tile),
    ];
}

/// A key of `where` and the values that it keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Keep {
    /// An axis, `algorithm`, `variant` or `goal`.
    pub key: String,
    /// The values, at least one.
    pub values: Vec<Kept>,
}

/// A value of `where`.
#[derive(Debug, Clone, PartialEq)]
pub enum Kept {
    /// A value on an axis.
    Number(Value),
    /// A word of `algorithm`, `variant` or `goal`.
    Word(String),
}

/// A law that may be fitted to a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Law {
    /// ln y = a + b x.
    #[default]
    Exponential,
    /// ln y = a + b ln x.
    Power,
}

/// What a figure says of a column over the trials of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Statistic {
    /// The sum of the values over their number.
    #[default]
    Mean,
    /// The value of the middle rank.
    Median,
    /// The trials that have a value there, among all.
    Share,
}

impl Choices {
    /// The column that the quantity is divided by, where that is one.
    pub fn per(&self) -> Option<&str> {
        self.divide.as_deref().filter(|it| !DIVISORS.contains(it))
    }
}

impl Statistic {
    const NAMES: &[(&str, Self)] = &[
        ("mean", Self::Mean),
        ("median", Self::Median),
        ("share", Self::Share),
    ];
}

/// What a quantity may be divided by beside a column: powers of n, and n times the pairs or cells
/// that an update of a local rule draws from.
const DIVISORS: [&str; 4] = ["n", "n^2", "n^3", "sites * n"];

/// Width of a figure in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One column of a journal, 86 mm.
    Single,
    /// The page of a journal, 178 mm.
    Double,
}

impl Width {
    const NAMES: &[(&str, Self)] = &[("single", Self::Single), ("double", Self::Double)];
}

/// The keys of a `[[figure]]`, those first that most specs need.
pub const KEYS: [&str; 32] = [
    "kind",
    "name",
    "where",
    "width",
    "title",
    "x",
    "y",
    "table",
    "statistic",
    "divide",
    "group",
    "facet",
    "x_scale",
    "y_scale",
    "right_axis",
    "fit",
    "fit_from",
    "guide",
    "mark_best",
    "interval",
    "mark",
    "vary",
    "split",
    "compare",
    "hue",
    "room",
    "height",
    "least_points",
    "most_curves",
    "heading",
    "lead",
    "nothing",
];

/// The key of a kind alone: what `reines list figures` says of it.
const DOC: &str = "doc";

impl FigureKinds {
    /// Names and first sentences of the kinds, in their order.
    pub fn docs(&self) -> Vec<(String, String)> {
        self.with_presets(|presets| {
            let text = |preset: &SpecTable, key: &str| {
                let text = preset.get(key).and_then(|it| it.text("").ok());
                text.unwrap_or_default().to_owned()
            };
            let docs = presets.iter().map(|it| (text(it, "kind"), text(it, "doc")));
            docs.collect()
        })
    }

    /// The figure that a kind is by itself.
    #[cfg(test)]
    pub fn preset(&self, kind: &str) -> Option<FigureSpec> {
        let text = format!("[[figure]]\nkind = {kind:?}\n");
        let source = Source::new("", &text);
        let tree = source.parse().ok()?;
        let root = SpecTable::root(&source, tree.get_ref());
        read(&root, "preset", &[], self).ok()?.pop()
    }

    /// The kind's own lines, as a spec may have them.
    pub fn lines(&self, kind: &str) -> String {
        const BEGIN: &str = "[[figure]]\n";
        let blocks = self.text.split(BEGIN).skip(1);
        let is_own = |block: &&str| {
            let first = block.lines().next().and_then(|line| line.split('"').nth(1));
            first == Some(kind)
        };
        let block = blocks.clone().find(is_own).unwrap_or_default();
        format!("{BEGIN}{}", block.trim_end())
    }

    fn with_presets<T>(&self, with: impl FnOnce(&[SpecTable]) -> T) -> T {
        let source = Source::new("kinds.toml", self.text);
        let tree = source.parse().unwrap_or_else(|error| panic!("{error}"));
        let presets = SpecTable::root(&source, tree.get_ref()).tables("figure");
        with(&presets.unwrap_or_else(|error| panic!("{error}")))
    }

    /// The table of this name; that of the columns has the statistics of columns as measures.
    fn measures(&self, table: &str) -> Vec<&'static str> {
        let of = self.tables.iter().find(|it| it.table == table);
        of.map_or_else(columns, |it| it.measures.clone())
    }

    /// The first table that has this measure.
    fn table_of(&self, measure: &str) -> &'static str {
        let found = self.tables.iter().find(|it| it.measures.contains(&measure));
        let found = found.filter(|_| !columns().contains(&measure));
        found.map_or(COLUMNS_TABLE, |it| it.table)
    }
}

/// The columns of numbers.
fn columns() -> Vec<&'static str> {
    let is_number = |column: &&Column| matches!(column.field, Field::Count(..));
    COLUMNS.iter().filter(is_number).map(|it| it.name).collect()
}
