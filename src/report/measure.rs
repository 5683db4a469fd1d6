//! Measures: what is known of a point, of a point at a moment, or of a search.

/// A measure that a figure can show.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// The name in a spec's `y`.
    pub name: &'static str,
    /// Name in a legend, or of a panel; empty where the title says it.
    pub label: &'static str,
    /// Title of an axis, with the unit.
    pub title: &'static str,
    /// True for shares.
    pub is_share: bool,
}

/// A measure as a figure shows it: a column of a frame.
#[derive(Debug, Clone)]
pub struct ShownMeasure {
    /// A column of numbers with intervals.
    pub y: String,
    /// The word in column `quantity` of the rows drawn; empty: all rows.
    pub only: String,
    /// The words of it, without the unit.
    pub name: String,
    /// The name in a legend, or of a panel; may be empty.
    pub label: String,
    /// The title of an axis, with the unit.
    pub title: String,
    /// True for shares.
    pub is_share: bool,
}

/// The rows that a table is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsOf {
    /// Trials of the local rules and the like.
    Trials,
    /// Exhaustive searches, with their wall-clock times.
    Searches,
    /// The series that trials wrote down.
    Series,
}

impl RowsOf {
    /// What the bars and bands of their numbers are.
    pub fn intervals(self) -> &'static str {
        match self {
            Self::Trials | Self::Series => "95 % intervals",
            Self::Searches => {
                "from the least to the greatest of the repeats; of random searches quartiles over the trials"
            }
        }
    }
}

impl Measure {
    pub const fn new(name: &'static str, title: &'static str) -> Self {
        Self::labelled(name, "", title)
    }

    pub const fn labelled(name: &'static str, label: &'static str, title: &'static str) -> Self {
        Self {
            name,
            label,
            title,
            is_share: false,
        }
    }

    /// A share, which is 1 at most.
    pub const fn share(name: &'static str, label: &'static str, title: &'static str) -> Self {
        Self {
            is_share: true,
            ..Self::labelled(name, label, title)
        }
    }
}
