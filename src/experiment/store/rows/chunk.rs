//! Some thousand rows, column by column.

use super::Numbers;
use super::bits::Bits;
use super::boards::Boards;
use crate::experiment::store::Row;
use crate::solver::outcome::{Board, COLUMNS, Count, Field};
use crate::solver::{Ending, Outcome};

/// Rows, column by column.
#[derive(Debug)]
pub struct Chunk {
    length: usize,
    seed: Bits,
    trial: Bits,
    cutoff: Bits,
    ending: Bits,
    /// The columns of numbers in which a row has one.
    counts: Vec<CountColumn>,
    /// The columns of boards in which a row has one.
    boards: Vec<BoardColumn>,
}

#[derive(Debug)]
struct CountColumn {
    name: &'static str,
    put: fn(&mut Outcome) -> &mut Option<Count>,
    counts: Counts,
}

#[derive(Debug)]
struct BoardColumn {
    put: fn(&mut Outcome) -> &mut Option<Board>,
    boards: Boards,
}

#[derive(Debug)]
enum Counts {
    Own(Bits),
    /// The same as an earlier one of the chunk, as the updates of an absorbed trial are its
    /// absorption time.
    Same(usize),
}

impl Chunk {
    pub fn of(rows: &[Row]) -> Self {
        let bits = |number: &dyn Fn(&Row) -> u64| {
            let numbers: Vec<Option<u64>> = rows.iter().map(|row| Some(number(row))).collect();
            Bits::of(&numbers)
        };
        let mut chunk = Self {
            length: rows.len(),
            seed: bits(&|row| row.seed),
            trial: bits(&|row| row.trial.into()),
            cutoff: bits(&|row| row.cutoff),
            ending: bits(&|row| code(row.outcome.ending)),
            counts: Vec::new(),
            boards: Vec::new(),
        };
        let mut known: Vec<Vec<Option<u64>>> = Vec::new();
        for column in COLUMNS {
            match column.field {
                Field::Count(get, put) => {
                    let numbers: Vec<_> = rows.iter().map(|row| *get(&row.outcome)).collect();
                    chunk.add_counts((column.name, put), numbers, &mut known);
                }
                Field::Board(get, put) => {
                    let boards = Boards::of(rows.iter().map(|row| get(&row.outcome).as_ref()));
                    if !boards.is_absent() {
                        chunk.boards.push(BoardColumn { put, boards });
                    }
                }
            }
        }
        chunk
    }

    fn add_counts(
        &mut self,
        (name, put): (&'static str, fn(&mut Outcome) -> &mut Option<Count>),
        numbers: Vec<Option<u64>>,
        known: &mut Vec<Vec<Option<u64>>>,
    ) {
        let counts = match known.iter().position(|earlier| *earlier == numbers) {
            Some(earlier) => Counts::Same(earlier),
            None => Counts::Own(Bits::of(&numbers)),
        };
        if !matches!(&counts, Counts::Own(bits) if bits.is_absent()) {
            self.counts.push(CountColumn { name, put, counts });
            known.push(numbers);
        }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// The row in a place below the number of rows.
    pub fn row(&self, at: usize, with_board: bool) -> Row {
        let (seed, trial) = self.trial(at);
        let mut outcome = Outcome::ended(ending(always(&self.ending, at)));
        for CountColumn { put, counts, .. } in &self.counts {
            *put(&mut outcome) = self.bits(counts).get(at);
        }
        for BoardColumn { put, boards } in self.boards.iter().filter(|_| with_board) {
            *put(&mut outcome) = boards.get(at);
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

    fn bits<'c>(&'c self, counts: &'c Counts) -> &'c Bits {
        match counts {
            Counts::Own(bits) => bits,
            Counts::Same(earlier) => self.bits(&self.counts[*earlier].counts),
        }
    }

    /// The numbers of every row in the columns of these names.
    pub fn numbers<const K: usize>(
        &self,
        names: [&'static str; K],
    ) -> impl Iterator<Item = Numbers<K>> + '_ {
        let columns = names.map(|name| {
            let column = self.counts.iter().find(|column| column.name == name);
            column.map_or(&Bits::Absent, |column| self.bits(&column.counts))
        });
        (0..self.length).map(move |at| Numbers {
            cutoff: always(&self.cutoff, at),
            ending: ending(always(&self.ending, at)),
            counts: columns.map(|column| column.get(at)),
        })
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        let columns = [&self.seed, &self.trial, &self.cutoff, &self.ending];
        let counts = self.counts.iter().map(|column| match &column.counts {
            Counts::Own(bits) => bits.bytes(),
            Counts::Same(_) => 0,
        });
        size_of::<Self>()
            + size_of_val(&*self.counts)
            + size_of_val(&*self.boards)
            + columns.map(Bits::bytes).iter().sum::<usize>()
            + counts.sum::<usize>()
            + self
                .boards
                .iter()
                .map(|it| it.boards.bytes())
                .sum::<usize>()
    }
}

/// Of a column that every row has.
fn always(bits: &Bits, at: usize) -> u64 {
    bits.get(at).expect("every row has one")
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
