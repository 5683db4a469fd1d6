//! What a search is for. Decided here: the words `all`, `count` and `first`, their order in tables,
//! and the default, `count`. Which goal `solve` takes is in `src/cli/solve.rs`.

use serde::Serialize;

/// What a search is for: counting, where nothing is said. Part of a row's identity, never of a
/// stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Every board, shown one by one.
    All,
    /// The number of boards, without showing them.
    #[default]
    Count,
    /// One board; the search ends there.
    First,
}

impl Goal {
    /// Every goal in the order of their words, which is the order of rows.
    pub const EVERY: [Self; 3] = [Self::All, Self::Count, Self::First];

    /// Word in a spec and in the column `goal`.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Count => "count",
            Self::First => "first",
        }
    }

    /// The goal of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|goal| goal.name() == name)
    }
}
