//! The columns of `trials.parquet` that rows are made of. Those that every figure needs are in
//! memory; the others are read when they are first asked for, so that a large table takes no more
//! memory than what is asked of it. Which columns these are, and which values of a column are
//! refused, is decided here.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use polars::prelude::{
    ChunkAgg as _, Column, DataFrame, IntoColumn as _, PolarsError, PolarsResult, StringChunked,
};

use super::counts::{Counts, Numbers};
use super::runs::Runs;
use crate::experiment::store::schema::{board, ending};
use crate::experiment::store::table::{Table, TableFile, unexpected};
use crate::experiment::store::{OwnColumn, OwnColumns};
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::{Ending, Kind, OwnValue};

/// The columns of `trials.parquet` that say nothing of the point.
pub struct SharedColumns {
    source: Source,
    pub cutoffs: Runs,
    pub endings: Vec<Ending>,
    /// The name of the dynamics of each point, at the first of its rows; none for searches.
    dynamics: BTreeMap<usize, String>,
    /// Seed and index of each trial, where they were asked for.
    trials: OnceLock<[Numbers; 2]>,
    /// Each of [`COLUMNS`], in their order.
    facts: Vec<LazyColumn>,
    /// The columns that algorithms have for themselves.
    own: Vec<LazyColumn>,
}

/// Where the columns are that are read when they are asked for.
struct Source {
    pieces: Pieces,
    /// True if every column was looked at before, so that none can be refused.
    is_checked: bool,
    /// Why a column is refused that was asked for.
    refused: OnceLock<PolarsError>,
}

/// The pieces of the columns.
enum Pieces {
    /// One of each, in memory.
    Frame(DataFrame),
    /// Those of a file.
    File(TableFile),
}

impl Source {
    fn of(pieces: Pieces, is_checked: bool) -> Self {
        Self {
            pieces,
            is_checked,
            refused: OnceLock::new(),
        }
    }

    /// Hands over the pieces of a column, one after the other; none where it has no value.
    ///
    /// The thread that asks reads them alone: others may wait for what it reads, and one that
    /// helped another in the meantime could come to wait for itself.
    fn each_piece(
        &self,
        name: &str,
        mut take: impl FnMut(&Column) -> PolarsResult<()>,
    ) -> PolarsResult<()> {
        match &self.pieces {
            Pieces::Frame(frame) => {
                let found = frame.column(name).ok();
                let filled = found.filter(|column| column.null_count() < column.len());
                filled.into_iter().try_for_each(take)
            }
            Pieces::File(file) => {
                for rows in file.pieces() {
                    let column = file.column_in_pieces(name, &rows)?;
                    column.iter().try_for_each(&mut take)?;
                }
                Ok(())
            }
        }
    }

    /// What `add` makes of the pieces of a column; `None` where it has no value, and where it is
    /// refused, which [`Self::refused`] tells.
    ///
    /// # Panics
    /// Where a column is refused that was looked at before.
    fn read<T>(
        &self,
        name: &str,
        mut add: impl FnMut(&mut Option<T>, &Column) -> PolarsResult<()>,
    ) -> Option<T> {
        let mut all = None;
        let Err(error) = self.each_piece(name, |piece| add(&mut all, piece)) else {
            return all;
        };
        assert!(!self.is_checked, "the column was read before: {error}");
        let _ = self.refused.set(error);
        None
    }

    /// Number of rows.
    fn rows(&self) -> usize {
        match &self.pieces {
            Pieces::Frame(frame) => frame.height(),
            Pieces::File(file) => file.rows(),
        }
    }

    /// The numbers of a column whose pieces are taken by `check`; `None` where no row has one.
    fn numbers(&self, name: &str, check: impl Fn(&Column) -> PolarsResult<()>) -> Option<Numbers> {
        self.read(name, |numbers: &mut Option<Numbers>, piece| {
            if !self.is_checked {
                check(piece)?;
            }
            let numbers = numbers.get_or_insert_with(|| Numbers::for_rows(self.rows()));
            numbers.add(piece)
        })
    }
}

/// A column that is read when it is first asked for.
struct LazyColumn {
    name: String,
    kind: Kind,
    /// True if each row has a number that is not below 0, and that is known without reading one.
    is_counted: OnceLock<bool>,
    numbers: OnceLock<Option<Numbers>>,
    reals: OnceLock<Option<Vec<Option<f64>>>>,
    texts: OnceLock<Option<Column>>,
}

impl LazyColumn {
    fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            is_counted: OnceLock::new(),
            numbers: OnceLock::new(),
            reals: OnceLock::new(),
            texts: OnceLock::new(),
        }
    }

    /// Refuses a piece of the column that it cannot be.
    ///
    /// # Errors
    /// A column of another type, or with a value that it cannot have.
    fn check(&self, column: &Column) -> PolarsResult<()> {
        match self.kind {
            Kind::Count => {
                let numbers = column.i64()?;
                // With the numbers that are missing, which are soon looked at and most often 0.
                let mut arrays = numbers.downcast_iter();
                let is_below = |number: &i64| *number < 0;
                let may_be_below = arrays.any(|array| array.values().iter().any(is_below));
                let least = may_be_below.then(|| numbers.min()).flatten();
                if let Some(least) = least.filter(|least| *least < 0) {
                    return Err(unexpected(&self.name, &least.to_string()));
                }
            }
            Kind::Text => drop(column.str()?),
            Kind::Real => {
                let mut reals = column.f64()?.iter().flatten();
                if let Some(other) = reals.find(|real| !real.is_finite()) {
                    return Err(unexpected(&self.name, &other.to_string()));
                }
            }
        }
        Ok(())
    }

    fn counts(&self, source: &Source) -> Option<Counts<'_>> {
        if self.kind != Kind::Count {
            return None;
        }
        let read = || source.numbers(&self.name, |piece| self.check(piece));
        let numbers = self.numbers.get_or_init(read);
        numbers.as_ref().map(Numbers::all)
    }

    /// True if each of these rows has a whole number. Where the file says so of all rows, none is
    /// read.
    fn are_counted(&self, source: &Source, rows: Range<usize>) -> bool {
        let of_file = || match &source.pieces {
            Pieces::File(file) => self.kind == Kind::Count && file.is_counted(&self.name),
            Pieces::Frame(_) => false,
        };
        let of_rows = || self.counts(source)?.of(rows).whole();
        *self.is_counted.get_or_init(of_file) || of_rows().is_some()
    }

    fn reals(&self, source: &Source) -> Option<&[Option<f64>]> {
        if self.kind != Kind::Real {
            return None;
        }
        let read = || {
            source.read(&self.name, |reals: &mut Option<Vec<Option<f64>>>, piece| {
                self.check(piece)?;
                let reals = reals.get_or_insert_default();
                reals.extend(piece.f64()?.iter());
                Ok(())
            })
        };
        self.reals.get_or_init(read).as_deref()
    }

    fn texts(&self, source: &Source) -> Option<&Column> {
        if self.kind != Kind::Text {
            return None;
        }
        let read = || {
            source.read(&self.name, |texts: &mut Option<Column>, piece| {
                self.check(piece)?;
                match texts {
                    Some(texts) => texts.append(piece).map(drop),
                    none => {
                        *none = Some(piece.clone());
                        Ok(())
                    }
                }
            })
        };
        self.texts.get_or_init(read).as_ref()
    }

    fn value(&self, source: &Source, at: usize) -> Option<OwnValue> {
        match self.kind {
            Kind::Real => self.reals(source)?[at].map(OwnValue::Real),
            Kind::Count => self.counts(source)?.get(at).map(OwnValue::Count),
            Kind::Text => {
                let text = self.texts(source)?.str().ok()?.get(at)?;
                Some(OwnValue::Text(text.into()))
            }
        }
    }

    /// How many of these rows have a value.
    fn filled(&self, source: &Source, rows: Range<usize>) -> usize {
        let filled = match self.kind {
            Kind::Count => self
                .counts(source)
                .map(|counts| counts.of(rows).n_present()),
            Kind::Real => self
                .reals(source)
                .map(|reals| reals[rows].iter().flatten().count()),
            Kind::Text => self.texts(source).map(|texts| {
                let texts = texts.slice(rows.start as i64, rows.len());
                texts.len() - texts.null_count()
            }),
        };
        filled.unwrap_or(0)
    }
}

impl SharedColumns {
    /// The columns of a table in memory, with these that algorithms have for themselves.
    ///
    /// # Errors
    /// A column that is missing, of another type, or without a value where each row has one.
    pub fn of(table: &Table, own: &OwnColumns) -> PolarsResult<Self> {
        let source = Source::of(Pieces::Frame(table.frame.clone()), true);
        let mut columns = Self::empty(source, &table.frame, own);
        columns.check(table)?;
        columns.add(table)?;
        Ok(columns)
    }

    /// The columns of a file, which is read in pieces, each of which is handed over.
    ///
    /// # Errors
    /// Those of [`SharedColumns::of`], and bytes that are no table.
    pub fn of_file(
        file: TableFile,
        own: &OwnColumns,
        mut take: impl FnMut(&Table, Range<usize>),
    ) -> PolarsResult<Self> {
        let mut columns = Self::for_rows_of(&file, &file.read(0..0)?, own)?;
        for rows in file.pieces() {
            let table = file.read(rows.clone())?;
            columns.check(&table)?;
            columns.add(&table)?;
            take(&table, rows);
        }
        columns.source = Source::of(Pieces::File(file), true);
        Ok(columns)
    }

    /// The same of a file of which those columns alone are read now that every figure needs, a
    /// fourth of the time: whoever has used the others asks whether one was [`Self::refused`].
    ///
    /// # Errors
    /// Those of [`SharedColumns::of_file`] in the columns that are read.
    pub fn on_demand(
        file: TableFile,
        own: &OwnColumns,
        mut take: impl FnMut(&Table, Range<usize>),
    ) -> PolarsResult<Self> {
        let header = file.read(0..0)?;
        let mut columns = Self::for_rows_of(&file, &header, own)?;
        for (group, rows) in file.row_groups().enumerate() {
            let table = Table::of(needed(&file, &header.frame, (group, &rows))?)?;
            columns.add(&table)?;
            take(&table, rows);
        }
        columns.source = Source::of(Pieces::File(file), false);
        Ok(columns)
    }

    /// No rows yet, with room for those of a file.
    fn for_rows_of(file: &TableFile, header: &Table, own: &OwnColumns) -> PolarsResult<Self> {
        let source = Source::of(Pieces::Frame(DataFrame::empty()), true);
        let mut columns = Self::empty(source, &header.frame, own);
        columns.check(header)?;
        columns.add(header)?;
        columns.endings.reserve_exact(file.rows());
        Ok(columns)
    }

    fn empty(source: Source, header: &DataFrame, own: &OwnColumns) -> Self {
        let fact_kind = |field| match field {
            Field::Count(..) => Kind::Count,
            Field::Board(..) => Kind::Text,
            Field::Own(kind) => kind,
        };
        let facts = COLUMNS.iter();
        let facts = facts.map(|column| LazyColumn::new(column.name, fact_kind(column.field)));
        let own = own.iter().filter(|(name, _)| header.column(name).is_ok());
        let own = own.map(|(name, OwnColumn { kind, .. })| LazyColumn::new(name, *kind));
        Self {
            source,
            cutoffs: Runs::default(),
            endings: Vec::new(),
            dynamics: BTreeMap::new(),
            trials: OnceLock::new(),
            facts: facts.collect(),
            own: own.collect(),
        }
    }

    /// Refuses columns of a table that they cannot be.
    fn check(&self, table: &Table) -> PolarsResult<()> {
        let frame = &table.frame;
        for fact in &self.facts {
            let column = frame.column(&fact.name).ok();
            // The file of an earlier code version has no such column, or nulls of another type.
            if let Some(column) = column.filter(|column| column.null_count() < column.len()) {
                fact.check(column)?;
            }
        }
        for own in &self.own {
            own.check(frame.column(&own.name)?)?;
        }
        table.trials().map(drop)
    }

    /// Adds the rows of a table.
    fn add(&mut self, table: &Table) -> PolarsResult<()> {
        let frame = &table.frame;
        let n_before = self.endings.len();
        self.add_cutoffs(frame.column("cutoff")?)?;
        self.add_endings(frame.column("outcome")?)?;
        if let Ok(column) = frame.column("dynamics") {
            let dynamics = Repeated::of(column);
            let names = dynamics.values.str()?;
            for (_, range) in &table.points {
                if let Some(name) = names.get(dynamics.index(range.start)) {
                    let row = n_before + range.start;
                    self.dynamics.insert(row, name.to_owned());
                }
            }
        }
        Ok(())
    }

    fn add_cutoffs(&mut self, column: &Column) -> PolarsResult<()> {
        let cutoffs = Repeated::of(column);
        for &number in cutoffs.values.i64()?.cont_slice()? {
            let cutoff = u64::try_from(number);
            let cutoff = cutoff.map_err(|_| unexpected("cutoff", &number.to_string()))?;
            self.cutoffs.push(cutoff, cutoffs.n_rows);
        }
        Ok(())
    }

    fn add_endings(&mut self, column: &Column) -> PolarsResult<()> {
        let outcomes = Repeated::of(column);
        if outcomes.values.null_count() > 0 {
            ending(None)?;
        }
        let names = outcomes.values.str()?;
        let n_before = self.endings.len();
        let n_added = names.len() * outcomes.n_rows;
        let first = names.iter().next().flatten();
        let first = first.map_or(Ok(Ending::Absorbed), |name| ending(Some(name)));
        self.endings.resize(n_before + n_added, first?);
        if outcomes.n_rows == 1 {
            put_endings(names, &mut self.endings[n_before..])?;
        }
        Ok(())
    }

    /// The name of the dynamics of the point that begins at this row, or of a piece of it.
    pub fn dynamics(&self, row: usize) -> Option<&str> {
        self.dynamics.get(&row).map(String::as_str)
    }

    /// Seed and index of the trial of a row.
    pub fn trial(&self, row: usize) -> (u64, u32) {
        let read = || {
            let largest = [("seed", i64::MAX), ("trial", i64::from(u32::MAX))];
            largest.map(|(name, largest)| {
                let check = |piece: &Column| refuse_beyond(name, piece, largest);
                self.source.numbers(name, check).unwrap_or_default()
            })
        };
        let [seeds, trials] = self.trials.get_or_init(read).each_ref().map(Numbers::all);
        if self.refused().is_some() {
            return (0, 0);
        }
        // Each row has both, which was seen when they were first read.
        let trial = trials.get(row).unwrap_or_default() as u32;
        (seeds.get(row).unwrap_or_default(), trial)
    }

    /// Why a column that was asked for is refused: what was made of it says nothing.
    pub fn refused(&self) -> Option<&PolarsError> {
        self.source.refused.get()
    }

    /// The numbers of the fact of this index; `None` where no row has one.
    pub fn counts(&self, index: usize) -> Option<Counts<'_>> {
        self.facts[index].counts(&self.source)
    }

    /// The board of a row in the fact of this index.
    pub fn board(&self, index: usize, row: usize) -> Option<Box<[u32]>> {
        let texts = self.facts[index].texts(&self.source)?;
        board(texts.str().ok()?.get(row)?)
    }

    /// The value of a row in each own column.
    pub fn own_values(&self, row: usize) -> impl Iterator<Item = (&str, OwnValue)> {
        self.own.iter().filter_map(move |column| {
            let value = column.value(&self.source, row)?;
            Some((&*column.name, value))
        })
    }

    /// The names of the own columns of numbers.
    pub fn own_numbers(&self) -> impl Iterator<Item = &str> {
        let numbers = self.own.iter().filter(|column| column.kind != Kind::Text);
        numbers.map(|column| &*column.name)
    }

    /// The names of the own columns.
    pub fn own_names(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(|column| &*column.name)
    }

    /// True if there is an own column of this name.
    pub fn has_own(&self, name: &str) -> bool {
        self.own.iter().any(|column| column.name == name)
    }

    /// The whole numbers of the column of this name; `None` where no row has one.
    pub fn counts_named(&self, name: &str) -> Option<Counts<'_>> {
        self.named(name)?.counts(&self.source)
    }

    /// True if each of these rows has a whole number in the column of this name.
    pub fn are_counted(&self, name: &str, rows: Range<usize>) -> bool {
        let column = self.named(name);
        column.is_some_and(|column| column.are_counted(&self.source, rows))
    }

    /// The real numbers of the column of this name; `None` where no row has one.
    pub fn reals_named(&self, name: &str) -> Option<&[Option<f64>]> {
        self.named(name)?.reals(&self.source)
    }

    /// How many of these rows have a value in the column of this name.
    pub fn filled(&self, name: &str, rows: Range<usize>) -> usize {
        let column = self.named(name);
        column.map_or(0, |column| column.filled(&self.source, rows))
    }

    fn named(&self, name: &str) -> Option<&LazyColumn> {
        let mut all = self.facts.iter().chain(&self.own);
        all.find(|column| column.name == name)
    }
}

/// Puts the ending of each name into its slot.
fn put_endings(names: &StringChunked, endings: &mut [Ending]) -> PolarsResult<()> {
    // Trials of a point end in two ways at most, and the name of each is in one place.
    let mut last: Option<(u128, Ending)> = None;
    let mut other = None;
    let mut slots = endings.iter_mut();
    for names in names.downcast_iter() {
        let places = names.views().iter().map(|view| view.as_u128());
        for ((at, place), slot) in places.enumerate().zip(&mut slots) {
            *slot = match (last, other) {
                (Some((known, ending)), _) if known == place => ending,
                (_, Some((known, ending))) if known == place => ending,
                _ => {
                    other = last;
                    let found = ending(Some(names.value(at)))?;
                    last = Some((place, found));
                    found
                }
            };
        }
    }
    Ok(())
}

/// The values of a column, each of as many rows.
struct Repeated {
    values: Column,
    /// Number of rows of each value.
    n_rows: usize,
}

impl Repeated {
    /// One value where all rows are known to have the same, else the column itself.
    fn of(column: &Column) -> Self {
        match column.as_scalar_column() {
            Some(scalar) if !scalar.is_empty() => Self {
                values: scalar.as_single_value_series().into_column(),
                n_rows: scalar.len(),
            },
            _ => Self {
                values: column.clone(),
                n_rows: 1,
            },
        }
    }

    /// The index of the value of a row.
    fn index(&self, row: usize) -> usize {
        row / self.n_rows
    }
}

/// The columns of a row group that say of which point a row is, how it was simulated and how it
/// ended. The goal comes first: all columns behind the variant are axes up to the seed, which is
/// not read. Of most groups the file says that all rows have the same value, and none is decoded.
fn needed(
    file: &TableFile,
    header: &DataFrame,
    (group, rows): (usize, &Range<usize>),
) -> PolarsResult<DataFrame> {
    let names = header.columns().iter().map(|column| column.name().as_str());
    let of_key = names.clone().take_while(|name| *name != "seed");
    let others = ["goal", "dynamics", "outcome", "cutoff"];
    let others = others
        .into_iter()
        .filter(|name| header.column(name).is_ok());
    let mut columns = Vec::new();
    for name in others.chain(of_key) {
        let kind = header.column(name)?.dtype();
        if let Some(value) = file.constant(name, group, kind) {
            columns.push(Column::new_scalar(name.into(), value, rows.len()));
            continue;
        }
        let read = file.column(name, rows.clone())?;
        let null = || Column::full_null(name.into(), rows.len(), kind);
        columns.push(read.unwrap_or_else(null));
    }
    DataFrame::new(rows.len(), columns)
}

/// Refuses a piece of a column in which a number is missing, below 0 or above the largest.
fn refuse_beyond(name: &str, piece: &Column, largest: i64) -> PolarsResult<()> {
    let numbers = piece.i64()?;
    let ends = [numbers.min(), numbers.max()];
    let is_within = |end: &i64| (0..=largest).contains(end);
    if let Some(other) = ends.into_iter().flatten().find(|end| !is_within(end)) {
        return Err(unexpected(name, &other.to_string()));
    }
    match numbers.null_count() {
        0 => Ok(()),
        _ => Err(unexpected(name, "null")),
    }
}

#[cfg(test)]
mod tests;
