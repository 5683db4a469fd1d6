//! What one trial gave: how it ended and the facts that its row keeps; and what is counted on the
//! way of those that move (docs/rules.md).
//!
//! # Adding a column
//! One entry in the list of facts below, and the place that fills it: an algorithm's trial, and the
//! algorithm's list of its columns. Writing, reading, comparing, `reines list` and `reines solve`
//! follow from the list; a test prints the line that the table in docs/data.md then lacks.
//!
//! An algorithm of another package, and a program, have columns of their own beside these facts:
//! [`Column::own`], whose values are in [`Outcome::own`].

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

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
        "steps in which queens left two different cells at once from which they attacked each other";
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

impl Outcome {
    /// A trial that is absorbed after so many updates, or censored at its cutoff where there is no
    /// time; the updates follow from it.
    pub fn absorbed_at(time: Option<u64>, cutoff: u64) -> Self {
        let ending = match time {
            Some(_) => Ending::Absorbed,
            None => Ending::Censored,
        };
        Self {
            absorption_time: time,
            updates: Some(time.unwrap_or(cutoff)),
            ..Self::ended(ending)
        }
    }
}

/// What the values of an algorithm's own column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A real number, f64 in tables: finite, of any sign.
    Real,
    /// A whole number from 0 to 2⁶³ − 1. Of a trial that was cut off it is what it had come to.
    Count,
    /// A text.
    Text,
}

impl Kind {
    /// The word in a spec and in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Count => "count",
            Self::Text => "text",
        }
    }
}

/// A value of an algorithm's own column.
#[derive(Debug, Clone)]
pub enum OwnValue {
    /// Of [`Kind::Real`].
    Real(f64),
    /// Of [`Kind::Count`].
    Count(u64),
    /// Of [`Kind::Text`].
    Text(Box<str>),
}

impl OwnValue {
    /// The kind of column that holds it.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Real(_) => Kind::Real,
            Self::Count(_) => Kind::Count,
            Self::Text(_) => Kind::Text,
        }
    }

    /// The value as a number; `None` of a text.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Real(real) => Some(*real),
            Self::Count(count) => Some(*count as f64),
            Self::Text(_) => None,
        }
    }
}

/// Real numbers are equal where their bits are, so that two rows are equal where their bytes are.
impl PartialEq for OwnValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => a.to_bits() == b.to_bits(),
            (Self::Count(a), Self::Count(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for OwnValue {}

impl fmt::Display for OwnValue {
    /// The shortest decimal that is read as the same number, or the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Count(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

/// The values of an algorithm's own columns, by name; a column without one has none here. Without
/// columns nothing is allocated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnValues(Vec<(Cow<'static, str>, OwnValue)>);

impl OwnValues {
    /// The value in the column of this name.
    pub fn get(&self, name: &str) -> Option<&OwnValue> {
        let found = self.0.iter().find(|(column, _)| column == name);
        found.map(|(_, value)| value)
    }

    /// Sets the value in the column of this name.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: OwnValue) {
        let name = name.into();
        match self.0.binary_search_by(|(column, _)| column.cmp(&name)) {
            Ok(position) => self.0[position].1 = value,
            Err(position) => self.0.insert(position, (name, value)),
        }
    }

    /// The values, sorted by the names of their columns.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OwnValue)> {
        self.0.iter().map(|(name, value)| (&**name, value))
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

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Reached an absorbed configuration within the cutoff.
    Absorbed,
    /// Still running at its cutoff.
    Censored,
    /// Searched to the end: what was found is all there is.
    Exhausted,
    /// Found the one board that was wanted.
    Solved,
}

impl Ending {
    /// Word in the `outcome` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absorbed => "absorbed",
            Self::Censored => "censored",
            Self::Exhausted => "exhausted",
            Self::Solved => "solved",
        }
    }

    /// True if the trial was stopped before its end: what it counted is a lower bound.
    pub fn is_cut_off(self) -> bool {
        self == Self::Censored
    }

    /// The ending of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Absorbed,
            Self::Censored,
            Self::Exhausted,
            Self::Solved,
        ]
        .into_iter()
        .find(|ending| ending.name() == name)
    }
}

/// What a search counted. A count that its algorithm does not list among its columns is 0 and means
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Boards found, mirror images and rotations apart.
    pub solutions: u64,
    /// Nodes of the search tree.
    pub nodes: u64,
    /// Elementary steps.
    pub checks: u64,
    /// What turned out not to lead to a solution.
    pub failures: u64,
}

impl Counts {
    /// The facts of a search that ended so, in those of these columns that are counts.
    pub fn outcome(&self, ending: Ending, columns: &[Column]) -> Outcome {
        let is_listed = |name| columns.iter().any(|column| column.name == name);
        Outcome {
            solutions: is_listed("solutions").then_some(self.solutions),
            nodes: is_listed("nodes").then_some(self.nodes),
            checks: is_listed("checks").then_some(self.checks),
            failures: is_listed("failures").then_some(self.failures),
            ..Outcome::ended(ending)
        }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.solutions += other.solutions;
        self.nodes += other.nodes;
        self.checks += other.checks;
        self.failures += other.failures;
    }
}

/// A board as the results have it: the searches give the column of the queen in each row.
pub fn rows_of_columns(board: &[usize]) -> Box<[u32]> {
    let mut rows = vec![0; board.len()];
    for (row, &column) in board.iter().enumerate() {
        rows[column] = u32::try_from(row).expect("boards are far smaller than 2³²");
    }
    rows.into()
}

/// The kinds of a move; it may be of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds {
    /// It needed its coin of ε.
    pub dangerous: bool,
    /// Nothing would have threatened the mover with true signals in place of the stored ones.
    pub needless: bool,
    /// The destination would have been judged otherwise with true signals in place of the stored
    /// ones.
    pub deceived: bool,
}

/// Counts of one trial so far.
#[derive(Debug, Clone, Default)]
pub struct Counters {
    /// Moves so far.
    pub moves: u64,
    dangerous: u64,
    needless: u64,
    deceived: u64,
    entries: u64,
    /// Hitting time and moves up to it.
    pub hit: Option<(u64, u64)>,
    in_solution: bool,
}

impl Counters {
    /// The counters of a trial at time 0, in a solution or not.
    pub fn at_start(is_solution: bool) -> Self {
        let mut counters = Self::default();
        counters.placed(is_solution, 0);
        counters
    }

    /// Counts a move.
    #[inline]
    pub fn moved(&mut self, kinds: Kinds) {
        self.moves += 1;
        self.dangerous += u64::from(kinds.dangerous);
        self.needless += u64::from(kinds.needless);
        self.deceived += u64::from(kinds.deceived);
    }

    /// Notes whether the positions after the update that ends at `time` are a solution.
    #[inline]
    pub fn placed(&mut self, is_solution: bool, time: u64) {
        self.entries += u64::from(is_solution && !self.in_solution);
        self.in_solution = is_solution;
        if is_solution && self.hit.is_none() {
            self.hit = Some((time, self.moves));
        }
    }

    /// The positions are a solution at present.
    pub fn in_solution(&self) -> bool {
        self.in_solution
    }

    /// The facts of a trial that ends at `time`, absorbed or at its cutoff, without its solution.
    pub fn outcome(&self, absorbed: bool, time: u64) -> Outcome {
        let ending = if absorbed {
            Ending::Absorbed
        } else {
            Ending::Censored
        };
        Outcome {
            absorption_time: absorbed.then_some(time),
            hitting_time: self.hit.map(|(time, _)| time),
            moves: Some(self.moves),
            moves_at_hit: self.hit.map(|(_, moves)| moves),
            updates: Some(time),
            dangerous_moves: Some(self.dangerous),
            needless_moves: Some(self.needless),
            deceived_moves: Some(self.deceived),
            entries: Some(self.entries),
            ..Outcome::ended(ending)
        }
    }
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
