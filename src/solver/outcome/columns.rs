//! The columns of `trials.parquet` that are facts of a trial: name, type, unit and meaning of each.
//! (Which trial a row is of is said by other columns: `store/table/key.rs`.) Their order is that of
//! the files, their meanings are the lines of `reines list` and docs/data.md; an algorithm may give
//! a column another meaning or unit in its own file.

use super::{Ending, Kind, OwnValue, OwnValues};

macro_rules! facts {
    ($($name:ident: $kind:ident, $unit:literal, $doc:literal;)+) => {
        /// The facts of one trial; `None` where a column does not apply or the event did not
        /// happen.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Outcome {
            /// How the trial ended.
            pub ending: Ending,
            $(#[doc = $doc] pub $name: facts!(@$kind),)+
            /// The values of the algorithm's own columns.
            pub own: OwnValues,
        }

        impl Outcome {
            /// An ending without any other fact.
            pub fn ended(ending: Ending) -> Self {
                Self { ending, $($name: None,)+ own: OwnValues::default() }
            }
        }

        /// Every column of the results that is a fact of an outcome, in the order of the files.
        pub const COLUMNS: &[Column] = &[$(Column {
            name: stringify!($name),
            unit: $unit,
            doc: $doc,
            field: Field::$kind(|outcome| &outcome.$name, |outcome| &mut outcome.$name),
        },)+];
    };
    // A number of something.
    (@Count) => { Option<u64> };
    // The row of the queen in each column.
    (@Board) => { Option<Box<[u32]>> };
}

// Name: kind, unit, meaning. New columns come last; a file without one has null there.
facts! {
    absorption_time: Count, "updates",
        "until the queens form a solution and every signal is true; null when censored";
    hitting_time: Count, "updates",
        "until the queens' positions first form a solution, signals ignored; null if never";
    moves: Count, "queen moves",
        "up to the absorption or the cutoff; a swap is none";
    moves_at_hit: Count, "queen moves",
        "up to the hitting time, the move that hits included; null if never";
    updates: Count, "updates",
        "simulated, those that change nothing included: the absorption time or the cutoff; null for a search";
    solution: Board, "",
        "final placement if it is a solution, or the board that a search for the first found: the row of the queen in each column, comma-separated";
    solutions: Count, "boards",
        "boards found, mirror images and rotations apart; a lower bound when censored";
    nodes: Count, "nodes",
        "nodes of the search tree";
    checks: Count, "checks",
        "the elementary steps of a search";
    failures: Count, "failures",
        "what turned out not to lead to a solution";
    dangerous_moves: Count, "queen moves",
        "moves that needed their coin of ε: under the source's rules, to a cell that was not SAFEGO";
    needless_moves: Count, "queen moves",
        "moves of a queen whose cell was SAFESTAY with true signals in the place of the stored ones";
    deceived_moves: Count, "queen moves",
        "moves to a cell that was SAFEGO by the stored signals and not by the true ones, or the reverse";
    entries: Count, "",
        "times that the queens' positions became a solution, the start included";
    joint_moves: Count, "steps",
        "steps in which queens left two different cells of one line at once, whatever stood between";
    moving_steps: Count, "steps",
        "steps in which at least one queen moved";
}

/// The column of the time at which a trial comes to its end.
pub const ABSORPTION_TIME: &str = "absorption_time";
/// The column of the time at which it first has what is looked for.
pub const HITTING_TIME: &str = "hitting_time";
/// The column of what it has simulated.
pub const UPDATES: &str = "updates";

/// A fact of an outcome as a column of the results.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Name in `trials.parquet`.
    pub name: &'static str,
    /// `updates`, `moves`, …; empty for what has none.
    pub unit: &'static str,
    /// What it means, for every algorithm that does not give it a meaning of its own.
    pub doc: &'static str,
    /// The functions that read the column off an outcome and put it back.
    pub field: Field,
}

/// A column's type, how it is read off an outcome, and where it is put back.
#[derive(Debug, Clone, Copy)]
pub enum Field {
    /// u64.
    Count(
        fn(&Outcome) -> &facts!(@Count),
        fn(&mut Outcome) -> &mut facts!(@Count),
    ),
    /// String: comma-separated.
    Board(
        fn(&Outcome) -> &facts!(@Board),
        fn(&mut Outcome) -> &mut facts!(@Board),
    ),
    /// A column that is no fact of this list: the algorithm's own.
    Own(Kind),
}

impl Column {
    /// The column of this name.
    ///
    /// # Panics
    /// Where there is none; in a constant that is an error of the compiler.
    pub const fn named(name: &str) -> Self {
        let mut index = 0;
        while index < COLUMNS.len() {
            if are_equal(COLUMNS[index].name, name) {
                return COLUMNS[index];
            }
            index += 1;
        }
        panic!("no column has this name")
    }

    /// A column that an algorithm has for itself, without a meaning yet; its values are put into
    /// [`Outcome::own`] under its name. The name is that of no other column or axis.
    pub const fn own(name: &'static str, unit: &'static str, kind: Kind) -> Self {
        Self {
            name,
            unit,
            doc: "",
            field: Field::Own(kind),
        }
    }

    /// The column with another meaning: an algorithm's own.
    #[must_use]
    pub const fn meaning(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// The column in another unit: an algorithm's own.
    #[must_use]
    pub const fn counted_in(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// True of a column that is no fact of this list: an algorithm's own.
    pub const fn is_own(&self) -> bool {
        matches!(self.field, Field::Own(_))
    }

    /// The kind of an own column; `None` of a fact.
    pub const fn kind(&self) -> Option<Kind> {
        match self.field {
            Field::Own(kind) => Some(kind),
            _ => None,
        }
    }

    /// True if `outcome` has a value in this column.
    pub fn is_filled(&self, outcome: &Outcome) -> bool {
        match self.field {
            Field::Count(get, _) => get(outcome).is_some(),
            Field::Board(get, _) => get(outcome).is_some(),
            Field::Own(_) => outcome.own.get(self.name).is_some(),
        }
    }

    /// True if two outcomes have the same value in this column.
    pub fn is_equal(&self, a: &Outcome, b: &Outcome) -> bool {
        match self.field {
            Field::Count(get, _) => get(a) == get(b),
            Field::Board(get, _) => get(a) == get(b),
            Field::Own(_) => a.own.get(self.name) == b.own.get(self.name),
        }
    }

    /// The whole number that `outcome` has here; `None` for every other value.
    pub fn count(&self, outcome: &Outcome) -> Option<u64> {
        match self.field {
            Field::Count(get, _) => *get(outcome),
            Field::Board(..) => None,
            Field::Own(_) => match outcome.own.get(self.name) {
                Some(OwnValue::Count(count)) => Some(*count),
                _ => None,
            },
        }
    }
}

/// `==`, which is not for constants.
const fn are_equal(a: &str, b: &str) -> bool {
    let a = a.as_bytes();
    let b = b.as_bytes();
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::goal::Goal;
    use crate::{ALGORITHMS, Control, Domain, Dynamics, Key, Point, Value, prepare};

    /// What is filled and not listed would be a column without a documented meaning; what is listed
    /// and never filled would be null everywhere, as what no algorithm lists.
    #[test]
    fn algorithms_list_what_they_fill_and_every_column_is_listed() {
        let mut listed_by_any = BTreeSet::new();
        for algorithm in ALGORITHMS.iter() {
            let values = algorithm.axes.iter().map(|axis| {
                let value = match axis.domain {
                    Domain::Integer { min, max } => Value::Integer(4.clamp(min, max)),
                    Domain::Real { min, max } => Value::real(0.1_f64.clamp(min, max)),
                };
                (axis.name, value)
            });
            let values: Vec<_> = values.collect();
            let goals = if algorithm.is_search {
                Goal::EVERY.map(Some).to_vec()
            } else {
                vec![None]
            };
            let listed: BTreeSet<&str> =
                algorithm.columns.iter().map(|column| column.name).collect();
            let mut filled = BTreeSet::new();
            for goal in goals {
                let point = Point {
                    variant: algorithm
                        .variants
                        .map_or_else(String::new, |variants| variants.default()),
                    goal,
                    ..Point::new(algorithm.name, values.clone())
                };
                let dynamics = (!algorithm.is_search).then_some(Dynamics::Stepwise);
                let key = Key { seed: 1, trial: 0 };
                let trial = prepare(&point, dynamics)(key, 1 << 24, &Control::unstopped());
                let (outcome, _) = trial.expect("not stopped");
                let own = COLUMNS.iter().filter(|column| column.is_filled(&outcome));
                filled.extend(own.map(|column| column.name));
            }
            assert_eq!(filled, listed, "{}", algorithm.name);
            listed_by_any.extend(listed);
        }
        assert!(
            COLUMNS
                .iter()
                .all(|column| listed_by_any.contains(column.name))
        );
    }

    #[test]
    fn what_is_put_into_a_column_is_read_off_it_and_off_no_other() {
        for (index, column) in COLUMNS.iter().enumerate() {
            let mut outcome = Outcome::ended(Ending::Censored);
            match column.field {
                Field::Count(_, put) => *put(&mut outcome) = Some(7),
                Field::Board(_, put) => *put(&mut outcome) = Some([1, 3, 0, 2].into()),
                Field::Own(_) => unreachable!("no fact"),
            }
            for (other, column) in COLUMNS.iter().enumerate() {
                assert_eq!(
                    column.is_filled(&outcome),
                    other == index,
                    "{}",
                    column.name
                );
            }
            assert!(!column.is_equal(&outcome, &Outcome::ended(Ending::Censored)));
            assert_eq!(Column::named(column.name).name, column.name);
        }
    }
}
