//! The panels of a figure. Here are the keys of a panel, of `fit`, `bin` and `rules`, and the
//! ranges of their numbers: `height` 100 to 4000, `count` of bins 2 to 200 (40), `most_curves` up
//! to 100 000.

use serde::{Deserialize, Deserializer};

/// A panel of a figure.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a measure or a table")]
pub struct PanelSpec {
    /// The measure that is alone.
    pub(crate) measure: Option<String>,
    /// The measures that it shows, at least one.
    pub measures: Vec<String>,
    /// Title of the vertical axis, where it is not the measure's.
    pub y_title: Option<String>,
    /// The measures between which it is filled: none, or two.
    #[serde(deserialize_with = "two")]
    pub band: Vec<String>,
    /// True if the time or the moves until the first solution are a thin line under it.
    pub until_hit: bool,
    /// What the caption says where this panel is drawn.
    pub caption: String,
    /// The height in canvas units.
    #[serde(deserialize_with = "height")]
    pub height: Option<i32>,
    /// True if the vertical axis is logarithmic.
    #[serde(rename = "y_scale", deserialize_with = "super::scale")]
    pub is_logarithmic: Option<bool>,
    /// The ends of the vertical axis, where they do not follow from what is drawn.
    #[serde(deserialize_with = "ends")]
    pub y_range: Option<(f64, f64)>,
    /// The law that is fitted to each curve.
    pub fit: Option<Fitting>,
}

/// A reference mark: a place on the horizontal axis, or a line through a formula of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with x or y, and text")]
pub struct RuleSpec {
    /// Its place on the horizontal axis.
    #[serde(default, deserialize_with = "finite")]
    pub x: Option<f64>,
    /// A formula of what the horizontal axis shows.
    #[serde(default)]
    pub y: Option<String>,
    /// What the legend says of it.
    #[serde(deserialize_with = "words")]
    pub text: String,
}

/// The bins of a distribution.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a table with column, count, range"
)]
pub struct Bins {
    /// A column of `trials.parquet`; `None`: the times.
    pub column: Option<String>,
    /// The number of bins; of whole numbers, at most.
    #[serde(deserialize_with = "bins")]
    pub count: u32,
    /// The ends between which they lie.
    #[serde(deserialize_with = "ends")]
    pub range: Option<(f64, f64)>,
}

impl Default for Bins {
    fn default() -> Self {
        Self {
            column: None,
            count: 40,
            range: None,
        }
    }
}

/// A law that is fitted to the curves of a panel.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a law, or a table with law")]
pub struct Fitting {
    /// The law.
    pub law: Law,
    /// The measure that it is fitted to; empty: the one that is drawn.
    #[serde(default)]
    pub y: String,
    /// Name of its row in the table; empty: that of the law, with rows for its lack of fit.
    #[serde(default)]
    pub row: String,
    /// True if the fit is drawn; `None`: drawn if the points do not reject it.
    #[serde(rename = "drawn")]
    pub is_drawn: Option<bool>,
    /// The least place that it is fitted from.
    #[serde(default, deserialize_with = "finite")]
    pub from: Option<f64>,
}

/// A law that may be fitted to a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// ln y = a + b x.
    #[default]
    Exponential,
    /// ln y = a + b ln x.
    Power,
}

/// Readers of values for which a condition holds.
macro_rules! checked {
    ($($name:ident($type:ty) -> $of:ty { $make:expr } $holds:expr, $expected:literal;)*) => {$(
        pub(super) fn $name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$of, D::Error> {
            let holds: fn(&$type) -> bool = $holds;
            let wrong = || serde::de::Error::custom(concat!("expected ", $expected));
            // What serde says of another type has no bounds.
            let found = Deserialize::deserialize(deserializer).map_err(|_| wrong())?;
            holds(&found).then(|| $make(found)).ok_or_else(wrong)
        }
    )*};
}

checked! {
    words(String) -> String { |text| text } |text| !text.trim().is_empty(), "a text";
    finite(f64) -> Option<f64> { Some } |value| value.is_finite(), "a finite number";
    height(i32) -> Option<i32> { Some } |units| (100..=4000).contains(units), "an integer from 100 to 4000";
    // As many as a spec may have points.
    count(usize) -> usize { |curves| curves } |curves| (1..=100_000).contains(curves), "an integer from 1 to 100000";
    bins(u32) -> u32 { |bins| bins } |bins| (2..=200).contains(bins), "an integer from 2 to 200";
    ends(Vec<f64>) -> Option<(f64, f64)> { |ends: Vec<f64>| Some((ends[0], ends[1])) }
        |ends| is_pair(ends) && ends[0] < ends[1],
        "a range [low, high], its low end below its high one";
    two(Vec<String>) -> Vec<String> { |measures| measures } |measures| measures.len() == 2,
        "two measures, such as [\"q25(moves)\", \"q75(moves)\"]";
}

fn is_pair(it: &[f64]) -> bool {
    it.len() == 2 && it.iter().all(|end| end.is_finite())
}

impl PanelSpec {
    /// True if several measures may share it, so that each has a name in the legend.
    pub fn has_names(&self) -> bool {
        self.measure.is_none()
    }
}
