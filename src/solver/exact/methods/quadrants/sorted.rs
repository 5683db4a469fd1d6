//! Half boards in the order of some of their bits, so that those which can have no partner are left
//! out together.

use super::instructions::Instructions;
use super::list::List;

/// Half boards that are put in order, and room for it.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// The half boards.
    pub boards: List,
    spare: List,
    ones: List,
}

impl Sorted {
    /// Puts them in the order of these bits, the one that matters least first.
    pub fn sort(&mut self, bits: impl IntoIterator<Item = u64>, instructions: Instructions) {
        for bit in bits {
            self.spare.clear();
            self.ones.clear();
            instructions.part(&self.boards, bit, [&mut self.spare, &mut self.ones]);
            self.spare.append(&self.ones);
            std::mem::swap(&mut self.boards, &mut self.spare);
        }
    }
}
