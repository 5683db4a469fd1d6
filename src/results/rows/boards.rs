//! Boards, each different one once.

use std::collections::BTreeMap;

use super::bits::Bits;
use crate::solver::outcome::Board;

/// The boards of some rows.
#[derive(Debug)]
pub struct Boards {
    /// Which of the different boards a row has.
    which: Bits,
    /// Where each of the different boards ends in `queens`.
    ends: Box<[u32]>,
    /// The boards one after the other.
    queens: Bits,
}

impl Boards {
    /// A board for each row, or none.
    pub fn of<'a>(boards: impl Iterator<Item = Option<&'a Board>>) -> Self {
        let mut known: BTreeMap<&[u32], u64> = BTreeMap::new();
        let (mut ends, mut queens) = (Vec::new(), Vec::new());
        let which = |board: &'a Board| {
            *known.entry(board).or_insert_with(|| {
                queens.extend(board.iter().map(|&queen| Some(u64::from(queen))));
                ends.push(queens.len() as u32);
                ends.len() as u64 - 1
            })
        };
        let mut which = which;
        let places: Vec<Option<u64>> = boards.map(|board| board.map(&mut which)).collect();
        Self {
            which: Bits::of(&places),
            ends: ends.into(),
            queens: Bits::of(&queens),
        }
    }

    /// Whether no row has one.
    pub fn is_absent(&self) -> bool {
        self.which.is_absent()
    }

    /// The board of the row in this place.
    pub fn get(&self, at: usize) -> Option<Board> {
        let which = self.which.get(at)? as usize;
        let before = which.checked_sub(1).map_or(0, |before| self.ends[before]);
        let queens = before as usize..self.ends[which] as usize;
        Some(
            queens
                .filter_map(|at| self.queens.get(at))
                .map(|queen| queen as u32)
                .collect(),
        )
    }

    /// Bytes taken beyond its own size.
    pub fn bytes(&self) -> usize {
        self.which.bytes() + size_of_val(&*self.ends) + self.queens.bytes()
    }
}
