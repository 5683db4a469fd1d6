//! The rows of several tables as those of one. Here are decided the order of the rows, which row is
//! kept of a trial that several tables have (that with the largest cutoff, of equal ones the
//! first), and when two rows of a trial cannot both be right, which is an error.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BinaryHeap};
use std::iter::from_fn;
use std::ops::Range;

use polars::prelude::*;

use super::trial_ranges::PointRows;
use super::{GROUP, Table};
use crate::solver::Ending;

/// Pieces that are put behind each other one by one; of more their rows are taken at once.
const FEW_PIECES: usize = 64;

/// Consecutive trials of a point and dynamics, in the order of the tables: by the rank of both,
/// seed and trial; among rows of the same trials by the rank of their range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    rank: u32,
    seed: u64,
    trial: u32,
    /// The index of the range that has the rows.
    range: u32,
    rows: Rows,
}

/// Consecutive rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rows {
    start: u32,
    length: u32,
}

impl Piece {
    /// The trials from the one of this distance on.
    fn after(self, distance: u32) -> Self {
        let rows = Rows {
            start: self.rows.start + distance,
            length: self.rows.length - distance,
        };
        Self {
            trial: self.trial + distance,
            rows,
            ..self
        }
    }

    /// The first trials, so many.
    fn first(self, length: u32) -> Self {
        let start = self.rows.start;
        Self {
            rows: Rows { start, length },
            ..self
        }
    }
}

/// A way to a table's rows.
type Load<'t> = Box<dyn Fn(usize) -> PolarsResult<DataFrame> + 't>;

/// The rows of several tables with the same columns, by point, dynamics, seed and trial. A trial
/// that is in several tables has the row with the largest cutoff, of several the first.
pub struct Joined<'t> {
    load: Load<'t>,
    /// The columns, without rows.
    header: DataFrame,
    /// The table of each range.
    of: Vec<usize>,
    pieces: Vec<Piece>,
}

/// Why tables cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// A column is missing, or of another type.
    #[error(transparent)]
    Polars(#[from] PolarsError),
    /// Two rows of a trial in two tables, whose indices are given, cannot both be right.
    #[error("{trial} has two different rows")]
    #[allow(missing_docs)]
    Differ { trial: String, tables: [usize; 2] },
}

/// A range of rows of one point: its point, and where it is.
struct PointRange<'o> {
    rows: &'o PointRows,
    table: usize,
}

impl<'t> Joined<'t> {
    /// The rows of these tables.
    ///
    /// # Errors
    /// Two rows of one trial that differ elsewhere than in the columns `but`. With another cutoff a
    /// trial that ended before both is the same.
    pub fn of(tables: &'t [Table], but: &[&str]) -> Result<Self, JoinError> {
        let orders = tables.iter().map(|table| table.order(0));
        let orders: Vec<Vec<PointRows>> = orders.collect::<PolarsResult<_>>()?;
        let slices: Vec<&[PointRows]> = orders.iter().map(Vec::as_slice).collect();
        let load = |table: usize| Ok(tables[table].frame.clone());
        Self::loading(&slices, tables[0].frame.clear(), Box::new(load), but)
    }

    /// The rows of tables that are loaded when their rows' turn comes, and kept no longer. `orders`
    /// has the rows of each.
    ///
    /// # Errors
    /// As [`Joined::of`], and those of loading.
    pub fn loading(
        orders: &[&[PointRows]],
        header: DataFrame,
        load: Load<'t>,
        but: &[&str],
    ) -> Result<Self, JoinError> {
        let mut ranges: Vec<PointRange> = Vec::new();
        for (table, order) in orders.iter().enumerate() {
            ranges.extend(order.iter().map(|rows| PointRange { rows, table }));
        }
        ranges.sort_by(|a, b| {
            let points = a.rows.point.order(&b.rows.point);
            points
                .then(a.rows.dynamics.cmp(&b.rows.dynamics))
                .then(b.rows.cutoff.cmp(&a.rows.cutoff))
                .then(a.table.cmp(&b.table))
        });

        let (pieces, pairs) = merged(all_pieces(&ranges));
        let joined = Self {
            load,
            header,
            of: ranges.iter().map(|range| range.table).collect(),
            pieces,
        };
        if let Some(differing) = joined.differing(&pairs, but)? {
            let tables = differing.map(|piece| ranges[piece.range as usize].table);
            let point = &ranges[differing[0].range as usize].rows.point;
            let Piece { seed, trial, .. } = differing[0];
            return Err(JoinError::Differ {
                trial: format!("trial {trial} of seed {seed} at {point}"),
                tables,
            });
        }
        Ok(joined)
    }

    /// The first pair of rows that cannot both be right.
    fn differing(&self, pairs: &[[Piece; 2]], but: &[&str]) -> PolarsResult<Option<[Piece; 2]>> {
        let but: Vec<&str> = but.iter().copied().chain(["cutoff"]).collect();
        for pairs in lots(pairs.to_vec(), GROUP, |pair, length| {
            let [kept, other] = *pair;
            let rest = [kept.after(length), other.after(length)];
            ([kept.first(length), other.first(length)], rest)
        }) {
            if let Some(found) = self.differing_of(&pairs, &but)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The first of these pairs, few enough to be compared at once.
    fn differing_of(&self, pairs: &[[Piece; 2]], but: &[&str]) -> PolarsResult<Option<[Piece; 2]>> {
        let side = |side: usize| {
            let pieces: Vec<Piece> = pairs.iter().map(|pair| pair[side]).collect();
            self.gathered(&pieces, &mut BTreeMap::new())
        };
        let first = side(0)?;
        let other = side(1)?;
        let larger = first.column("cutoff")?.i64()?;
        let smaller = other.column("cutoff")?.i64()?;
        let endings = other.column("outcome")?.str()?;
        let [one, two] = [&first, &other].map(|rows| rows.drop_many(but.iter().copied()));
        let are_same = |at: usize, rows: usize| {
            let [one, two] = [&one, &two].map(|side| side.slice(at as i64, rows));
            one.equals_missing(&two)
        };
        if are_same(0, first.height()) {
            return Ok(None);
        }
        let is_wrong = |at: &usize| {
            // What was cut off earlier says nothing of its end.
            let is_cut_off = smaller.get(*at) < larger.get(*at)
                && endings.get(*at) == Some(Ending::Censored.name());
            !is_cut_off && !are_same(*at, 1)
        };
        let wrong = (0..first.height()).find(is_wrong);
        Ok(wrong.map(|row| {
            let mut before = 0;
            let holds = |pair: &&[Piece; 2]| {
                before += pair[0].rows.length as usize;
                row < before
            };
            let pair = pairs.iter().find(holds).expect("each row is of a pair");
            let distance = (row + pair[0].rows.length as usize - before) as u32;
            pair.map(|piece| piece.after(distance))
        }))
    }

    /// How many trials there are.
    pub fn height(&self) -> usize {
        let lengths = self.pieces.iter().map(|piece| piece.rows.length as usize);
        lengths.sum()
    }

    /// The rows, so many at a time.
    pub fn slices(&self, rows: usize) -> impl Iterator<Item = PolarsResult<DataFrame>> {
        let loaded = RefCell::new(BTreeMap::new());
        let split = |piece: &Piece, length| (piece.first(length), piece.after(length));
        let lots = lots(self.pieces.clone(), rows, split);
        lots.map(move |pieces| self.gathered(&pieces, &mut loaded.borrow_mut()))
    }

    /// The columns of these rows, which lie close together in each table. `loaded` has the tables
    /// of the rows before them, and then those of these.
    fn gathered(
        &self,
        pieces: &[Piece],
        loaded: &mut BTreeMap<usize, DataFrame>,
    ) -> PolarsResult<DataFrame> {
        let mut spans: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for piece in pieces {
            let start = piece.rows.start as usize;
            let end = start + piece.rows.length as usize;
            let span = spans.entry(self.table_of(piece)).or_insert(start..end);
            *span = span.start.min(start)..span.end.max(end);
        }

        loaded.retain(|table, _| spans.contains_key(table));
        for &table in spans.keys() {
            if let Entry::Vacant(place) = loaded.entry(table) {
                place.insert((self.load)(table)?);
            }
        }
        if pieces.len() > FEW_PIECES {
            return self.taken(pieces, &spans, loaded);
        }
        let mut frame = self.header.clear();
        for piece in pieces {
            let start = i64::from(piece.rows.start);
            let rows = loaded[&self.table_of(piece)].slice(start, piece.rows.length as usize);
            frame.vstack_mut_owned(rows)?;
        }
        Ok(frame)
    }

    /// The table of the rows of a piece.
    fn table_of(&self, piece: &Piece) -> usize {
        self.of[piece.range as usize]
    }

    /// The columns of these rows, which are taken out of their spans in these tables.
    fn taken(
        &self,
        pieces: &[Piece],
        spans: &BTreeMap<usize, Range<usize>>,
        tables: &BTreeMap<usize, DataFrame>,
    ) -> PolarsResult<DataFrame> {
        let mut frame = self.header.clear();
        // Of each table, by how much its rows have moved.
        let mut shifts = BTreeMap::new();
        for (table, span) in spans {
            shifts.insert(table, frame.height() as i64 - span.start as i64);
            let rows = tables[table].slice(span.start as i64, span.len());
            frame.vstack_mut_owned(rows)?;
        }
        frame.rechunk_mut();
        let places = pieces.iter().flat_map(|piece| {
            let start = shifts[&self.table_of(piece)] + i64::from(piece.rows.start);
            start as IdxSize..start as IdxSize + piece.rows.length
        });
        frame.take(&IdxCa::from_vec("".into(), places.collect()))
    }
}

/// The rows of all ranges, which are sorted by point, dynamics and cutoff.
fn all_pieces(ranges: &[PointRange]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rank = 0;
    for (at, range) in ranges.iter().enumerate() {
        let is_same = |other: &PointRange| {
            let rows = range.rows;
            let others = other.rows;
            rows.point == others.point && rows.dynamics == others.dynamics
        };
        if at > 0 && !is_same(&ranges[at - 1]) {
            rank += 1;
        }
        pieces.extend(range.rows.stretches.iter().map(|stretch| Piece {
            rank,
            seed: stretch.seed,
            trial: stretch.trial,
            range: at as u32,
            rows: Rows {
                start: stretch.row,
                length: stretch.length,
            },
        }));
    }
    pieces
}

/// The pieces in order, of which no two have the same trial; and pairs of pieces with the same
/// trials, the one that is kept and another.
fn merged(pieces: Vec<Piece>) -> (Vec<Piece>, Vec<[Piece; 2]>) {
    let mut ordered: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut pairs = Vec::new();
    let mut waiting: BinaryHeap<Reverse<Piece>> = pieces.into_iter().map(Reverse).collect();
    while let Some(Reverse(piece)) = waiting.pop() {
        let next = waiting.peek().map(|next| next.0);
        let is_near = |next: &Piece| next.rank == piece.rank && next.seed == piece.seed;
        let distance = next.filter(is_near).map(|next| next.trial - piece.trial);
        match (next, distance) {
            // Both begin with the same trial: the first is kept, whatever follows.
            (Some(next), Some(0)) => {
                waiting.pop();
                let length = piece.rows.length.min(next.rows.length);
                pairs.push([piece.first(length), next.first(length)]);
                if length < next.rows.length {
                    waiting.push(Reverse(next.after(length)));
                }
                waiting.push(Reverse(piece));
            }
            (_, Some(distance)) if distance < piece.rows.length => {
                ordered.push(piece.first(distance));
                waiting.push(Reverse(piece.after(distance)));
            }
            _ => ordered.push(piece),
        }
    }
    (ordered, pairs)
}

/// Takes things of some length apart into lots of `size` rows, the last one of fewer; `split` gives
/// the first rows of a thing, so many, and the others.
fn lots<T: Copy + HasLength>(
    things: Vec<T>,
    size: usize,
    split: impl Fn(&T, u32) -> (T, T),
) -> impl Iterator<Item = Vec<T>> {
    let mut things = things.into_iter();
    let mut rest: Option<T> = None;
    from_fn(move || {
        let mut lot = Vec::new();
        let mut left = size;
        while left > 0 {
            let Some(thing) = rest.take().or_else(|| things.next()) else {
                break;
            };
            let length = thing.length();
            if length as usize <= left {
                left -= length as usize;
                lot.push(thing);
                continue;
            }
            let (first, others) = split(&thing, left as u32);
            lot.push(first);
            rest = Some(others);
            left = 0;
        }
        (!lot.is_empty()).then_some(lot)
    })
}

/// What has a number of rows, at least 1.
trait HasLength {
    fn length(&self) -> u32;
}

impl HasLength for Piece {
    fn length(&self) -> u32 {
        self.rows.length
    }
}

impl HasLength for [Piece; 2] {
    fn length(&self) -> u32 {
        self[0].rows.length
    }
}
