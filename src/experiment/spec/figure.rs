//! The figures that a spec asks for, and what each of them is to show. Nothing here has an effect
//! on rows, so this file counts for no code version.

mod formula;
mod keys;
mod kinds;

pub use self::formula::{By, Formula, Statistic};
pub use self::keys::KEYS;
pub(super) use self::keys::read;
pub use self::kinds::{FigureKinds, MeasureNames};

use self::formula::DIVISORS;
use crate::solver::Value;

/// The table whose measures are the columns of `trials.parquet`.
pub const COLUMNS_TABLE: &str = "columns";

/// A share alone: of the trials that were cut off.
pub const CENSORED: &str = "censored";

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

/// What a figure is to show: the keys of its kind, and those of its spec in their place. What each
/// key does, [`KEYS`] says.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// The table of measures.
    pub table: String,
    /// `where` of the spec: only points that all keys of one of these keep; empty: all points.
    pub keep: Vec<Vec<Keep>>,
    /// `where` of the kind: the points that it is about.
    pub wanted: Vec<Vec<Keep>>,
    /// `over`: the points of the curve that the other curves are divided by.
    pub over: Option<Vec<Keep>>,
    /// The key of the axis across.
    pub x: String,
    /// Axes beside it on which the points of one curve may differ.
    pub vary: Vec<String>,
    /// The panels, at least one.
    pub y: Vec<PanelChoice>,
    /// What a panel has that its own table does not say.
    pub base: PanelChoice,
    /// How numbers are drawn.
    pub mark: MarkShape,
    /// What is said of a column over the trials of a point.
    pub statistic: Statistic,
    /// The axis with a panel for each of its values.
    pub facet: Option<String>,
    /// True if the panels of a facet have one upright axis.
    pub shares_y: bool,
    /// True if 1/d(n) has an axis of its own.
    pub has_density: bool,
    /// True if the least mean time is marked.
    pub marks_best: bool,
    /// What makes a curve; by default all axes but those above.
    pub group: Option<Vec<String>>,
    /// The key whose values give curves their colours.
    pub colour: Option<String>,
    /// Algorithms of which each needs a curve.
    pub compare: Vec<String>,
    /// Points that a curve has at least.
    pub least_points: usize,
    /// Curves that a panel shows at most.
    pub most_curves: usize,
    /// True if the axis across is logarithmic.
    pub x_is_logarithmic: Option<bool>,
    /// The title of the axis across, where it is not its own.
    pub x_title: Option<String>,
    /// The least place that a power is fitted from.
    pub fit_from: Option<f64>,
    /// Width in print.
    pub width: Option<Width>,
    /// Curves and what the legend calls them.
    pub names: Vec<(String, String)>,
    /// The names of conditions, each with its condition.
    pub conditions: Vec<(String, String)>,
    /// True if no title is drawn above the figure.
    pub has_no_title: bool,
    /// The title, in which `{y}` and `{x}` stand for what is shown.
    pub title: String,
    /// True if the title is the spec's.
    pub has_own_title: bool,
    /// The caption's first sentence; `{axis}` is the axis across in words.
    pub caption: String,
    /// Why there is nothing to draw, where that is not the want of two points.
    pub nothing: String,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            table: COLUMNS_TABLE.to_owned(),
            keep: Vec::new(),
            wanted: Vec::new(),
            over: None,
            x: "n".to_owned(),
            vary: Vec::new(),
            y: Vec::new(),
            base: PanelChoice::default(),
            mark: MarkShape::default(),
            statistic: Statistic::default(),
            facet: None,
            shares_y: true,
            has_density: false,
            marks_best: false,
            group: None,
            colour: None,
            compare: Vec::new(),
            least_points: 2,
            // More could not be told apart by their markers.
            most_curves: 10,
            x_is_logarithmic: None,
            x_title: None,
            fit_from: None,
            width: None,
            names: Vec::new(),
            conditions: Vec::new(),
            has_no_title: false,
            title: String::new(),
            has_own_title: false,
            caption: String::new(),
            nothing: String::new(),
        }
    }
}

impl Choices {
    /// The title of an experiment with this figure alone, unless the figure has one of its own.
    pub(super) fn title_of_experiment(&mut self, title: &str) {
        if !self.has_own_title {
            title.clone_into(&mut self.title);
        }
    }

    /// True if the trials of each seed are points of their own.
    pub fn is_by_seed(&self) -> bool {
        let keys = self.facet.iter().chain(&self.colour);
        let mut keys = keys.chain(self.group.iter().flatten());
        keys.any(|key| key == SEED_KEY)
    }
}

/// A panel of a figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PanelChoice {
    /// The measures that it shows, at least one.
    pub measures: Vec<String>,
    /// True if several measures may share the panel, so that each has a name in the legend.
    pub has_names: bool,
    /// Title of the upright axis, where it is not the measure's.
    pub y_title: Option<String>,
    /// What stands above it, where it is not the measure's label.
    pub heading: Option<String>,
    /// The height in canvas units.
    pub height: Option<i32>,
    /// True if the upright axis is logarithmic.
    pub is_logarithmic: Option<bool>,
    /// The ends of the upright axis, where they do not follow from what is drawn.
    pub y_range: Option<(f64, f64)>,
    /// The margins below and above what is drawn, in lengths of the axis.
    pub room: (f64, f64),
    /// Height of a dashed level line.
    pub level: Option<f64>,
    /// The law that is fitted to each curve.
    pub fit: Option<Fitting>,
    /// Lines of known growth.
    pub guides: Vec<Guide>,
}

/// A line of known growth.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    /// Its law.
    pub law: Law,
    /// The factor, or the power.
    pub number: f64,
    /// A place that it goes through; `None`: the middle of the first curve.
    pub at: Option<(f64, f64)>,
}

/// A law that is fitted to the curves of a panel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fitting {
    /// The law.
    pub law: Law,
    /// The measure that it is fitted to; empty: the one that is drawn.
    pub y: String,
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
    /// Bars from the lower end of the axis, each as far as the middle between its neighbours.
    Bars,
    /// A line with a band, and a marker on every fifth.
    Band,
    /// A tile over x and the axis that varies beside it.
    Tile,
}

impl MarkShape {
    const NAMES: &[(&str, Self)] = &[
        ("line", Self::Line),
        ("points", Self::Points),
        ("dots", Self::Dots),
        ("bars", Self::Bars),
        ("band", Self::Band),
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
