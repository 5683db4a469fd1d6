//! Memory that can be taken back: cells whose old values are logged and restored.
//!
//! Time-stamped trailing, as in MiniCP (Michel, Schaus, Van Hentenryck, Mathematical Programming
//! Computation 13, 2021): a cell is logged at most once per level, because it has the stamp of when
//! it was last logged.

/// Names a cell of a [`Trail`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellId(u32);

impl CellId {
    /// The cell made `offset` cells after this one.
    #[inline]
    pub fn plus(self, offset: usize) -> Self {
        Self(self.0 + offset as u32)
    }
}

/// Reversible cells of 64 bits.
#[derive(Debug, Default)]
pub struct Trail {
    cells: Vec<Stamped>,
    log: Vec<(CellId, u64)>,
    /// Length of the log where each open level began.
    levels: Vec<usize>,
    /// Stamp of the present stretch between two calls of [`Trail::push`] or [`Trail::undo`]; never
    /// used twice.
    now: u64,
}

#[derive(Debug, Clone, Copy)]
struct Stamped {
    value: u64,
    logged: u64,
}

impl Trail {
    /// A new cell; its first value is never taken back, so cells are made before the search.
    pub fn cell(&mut self, value: u64) -> CellId {
        let id = u32::try_from(self.cells.len()).expect("2³² cells would fill 64 GiB");
        self.cells.push(Stamped {
            value,
            logged: self.now,
        });
        CellId(id)
    }

    /// New cells in a row; the name of the first. There is at least one.
    pub fn cells(&mut self, values: impl IntoIterator<Item = u64>) -> CellId {
        let first = CellId(self.cells.len() as u32);
        values.into_iter().for_each(|value| _ = self.cell(value));
        first
    }

    /// The present value of a cell.
    #[inline]
    pub fn get(&self, id: CellId) -> u64 {
        self.cells[id.0 as usize].value
    }

    /// Writes a cell; the old value is logged for the matching undo.
    #[inline]
    pub fn set(&mut self, id: CellId, value: u64) {
        let cell = &mut self.cells[id.0 as usize];
        if cell.logged != self.now {
            self.log.push((id, cell.value));
            cell.logged = self.now;
        }
        cell.value = value;
    }

    /// Opens a level: what is set from now on is taken back by the matching [`Trail::undo`].
    #[inline]
    pub fn push(&mut self) {
        self.levels.push(self.log.len());
        self.now += 1;
    }

    /// Closes the last level: every cell has again the value it had there.
    ///
    /// # Panics
    /// Without an open level.
    #[inline]
    pub fn undo(&mut self) {
        let start = self
            .levels
            .pop()
            .expect("a level to undo was pushed before");
        while self.log.len() > start {
            if let Some((CellId(id), value)) = self.log.pop() {
                self.cells[id as usize].value = value;
            }
        }
        self.now += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_taken_back_in_turn() {
        let mut trail = Trail::default();
        let (a, b) = (trail.cell(1), trail.cell(2));
        trail.push();
        trail.set(a, 10);
        trail.set(a, 11);
        trail.push();
        trail.set(a, 12);
        trail.set(b, 20);
        trail.undo();
        assert_eq!((trail.get(a), trail.get(b), trail.levels.len()), (11, 2, 1));
        trail.set(b, 21);
        trail.undo();
        assert_eq!((trail.get(a), trail.get(b), trail.levels.len()), (1, 2, 0));
    }
}
