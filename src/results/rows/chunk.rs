//! Some thousand rows, column by column.

use std::collections::BTreeMap;

use super::Numbers;
use super::packed::Packed;
use crate::experiment::store::Row;
use crate::solver::outcome::{Board, COLUMNS, Count, Field};
use crate::solver::{Ending, Outcome};

/// Rows, column by column.
#[derive(Debug)]
pub struct Chunk {
    length: usize,
    seed: Packed,
    trial: Packed,
    cutoff: Packed,
    ending: Packed,
    /// The columns of numbers in which a row has one.
    counts: Vec<CountColumn>,
    /// The columns of boards in which a row has one.
    boards: Vec<BoardColumn>,
}

#[derive(Debug)]
struct CountColumn {
    name: &'static str,
    put: fn(&mut Outcome) -> &mut Option<Count>,
    numbers: Packed,
}

#[derive(Debug)]
struct BoardColumn {
    put: fn(&mut Outcome) -> &mut Option<Board>,
    /// Which of the different boards a row has.
    which: Packed,
    /// Where each of these begins and ends in `queens`.
    ends: Vec<usize>,
    /// The boards one after the other.
    queens: Packed,
}

impl Chunk {
    pub fn of(rows: &[Row]) -> Self {
        let packed = |number: &dyn Fn(&Row) -> Option<u64>| {
            Packed::of(&rows.iter().map(number).collect::<Vec<_>>())
        };
        let (mut counts, mut boards) = (Vec::new(), Vec::new());
        for column in COLUMNS {
            match column.field {
                Field::Count(get, put) => counts.push(CountColumn {
                    name: column.name,
                    put,
                    numbers: packed(&|row| *get(&row.outcome)),
                }),
                Field::Board(get, put) => {
                    let all = rows.iter().map(|row| get(&row.outcome).as_deref());
                    boards.push(BoardColumn::of(put, all));
                }
            }
        }
        counts.retain(|column| !column.numbers.is_absent());
        boards.retain(|column| !column.which.is_absent());
        Self {
            length: rows.len(),
            seed: packed(&|row| Some(row.seed)),
            trial: packed(&|row| Some(row.trial.into())),
            cutoff: packed(&|row| Some(row.cutoff)),
            ending: packed(&|row| Some(code(row.outcome.ending))),
            counts,
            boards,
        }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// The row in a place below the number of rows.
    pub fn row(&self, at: usize, with_board: bool) -> Row {
        let (seed, trial) = self.trial(at);
        let mut outcome = Outcome::ended(ending(always(&self.ending, at)));
        for CountColumn { put, numbers, .. } in &self.counts {
            *put(&mut outcome) = numbers.get(at);
        }
        for column in self.boards.iter().filter(|_| with_board) {
            *(column.put)(&mut outcome) = column.get(at);
        }
        Row {
            seed,
            trial,
            cutoff: always(&self.cutoff, at),
            outcome,
        }
    }

    /// Seed and index of the row in a place below the number of rows.
    pub fn trial(&self, at: usize) -> (u64, u32) {
        (always(&self.seed, at), always(&self.trial, at) as u32)
    }

    /// The numbers of every row in the columns of these names.
    pub fn numbers<const K: usize>(
        &self,
        names: [&'static str; K],
    ) -> impl Iterator<Item = Numbers<K>> + '_ {
        let columns = names.map(|name| self.counts.iter().find(|column| column.name == name));
        (0..self.length).map(move |at| Numbers {
            cutoff: always(&self.cutoff, at),
            ending: ending(always(&self.ending, at)),
            counts: columns.map(|column| column?.numbers.get(at)),
        })
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        let own = [&self.seed, &self.trial, &self.cutoff, &self.ending].into_iter();
        let counts = self.counts.iter().map(|column| &column.numbers);
        let boards = self.boards.iter().flat_map(|it| [&it.which, &it.queens]);
        let packed = own.chain(counts).chain(boards).map(Packed::bytes);
        let ends = self.boards.iter().map(|column| size_of_val(&*column.ends));
        let columns = size_of_val(&*self.counts) + size_of_val(&*self.boards);
        size_of::<Self>() + columns + packed.sum::<usize>() + ends.sum::<usize>()
    }
}

impl BoardColumn {
    /// A board for each row, or none; each different one is kept once.
    fn of<'a>(
        put: fn(&mut Outcome) -> &mut Option<Board>,
        boards: impl Iterator<Item = Option<&'a [u32]>>,
    ) -> Self {
        let (mut known, mut ends, mut queens) = (BTreeMap::new(), vec![0], Vec::new());
        let mut which = |board: &'a [u32]| {
            *known.entry(board).or_insert_with(|| {
                queens.extend(board.iter().map(|&queen| Some(u64::from(queen))));
                ends.push(queens.len());
                ends.len() as u64 - 2
            })
        };
        let which: Vec<Option<u64>> = boards.map(|board| board.map(&mut which)).collect();
        Self {
            put,
            which: Packed::of(&which),
            ends,
            queens: Packed::of(&queens),
        }
    }

    fn get(&self, at: usize) -> Option<Board> {
        let which = self.which.get(at)? as usize;
        let queens = (self.ends[which]..self.ends[which + 1]).filter_map(|at| self.queens.get(at));
        Some(queens.map(|queen| queen as u32).collect())
    }
}

/// Of a column that every row has.
fn always(numbers: &Packed, at: usize) -> u64 {
    numbers.get(at).expect("every row has one")
}

const ENDINGS: [Ending; 4] = [
    Ending::Absorbed,
    Ending::Censored,
    Ending::Exhausted,
    Ending::Solved,
];

fn code(ending: Ending) -> u64 {
    let place = ENDINGS.iter().position(|it| *it == ending);
    place.expect("all endings are listed") as u64
}

fn ending(code: u64) -> Ending {
    ENDINGS[code as usize]
}
