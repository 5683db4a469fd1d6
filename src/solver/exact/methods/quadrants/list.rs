//! Lists of words that keep their room, so that loops can write into them without asking each time,
//! and half boards in the order of some of their bits, so that those which can have no partner are
//! left out together.

use super::instructions::Loops;

/// Words, and room behind them.
#[derive(Debug, Default, Clone)]
pub(super) struct List {
    /// What is behind `len` is left over and has no meaning.
    words: Vec<u64>,
    len: usize,
}

impl List {
    /// Leaves no word.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The room behind the list, at least so many words: for [`List::grow`].
    #[inline(always)]
    pub fn room(&mut self, n_words: usize) -> &mut [u64] {
        let needed = self.len + n_words;
        if self.words.len() < needed {
            self.extend(needed);
        }
        &mut self.words[self.len..]
    }

    #[cold]
    fn extend(&mut self, needed: usize) {
        self.words.resize(needed.next_power_of_two(), 0);
    }

    /// Takes the first words of the room into the list.
    #[inline(always)]
    pub fn grow(&mut self, n_words: usize) {
        self.len += n_words;
        assert!(self.len <= self.words.len(), "there is room");
    }

    /// Adds words behind the others.
    pub fn append(&mut self, words: &[u64]) {
        self.room(words.len())[..words.len()].copy_from_slice(words);
        self.grow(words.len());
    }
}

impl std::ops::Deref for List {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        &self.words[..self.len]
    }
}

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
    pub fn sort(&mut self, bits: impl IntoIterator<Item = u64>, instructions: Loops) {
        for bit in bits {
            self.spare.clear();
            self.ones.clear();
            instructions.part(&self.boards, bit, [&mut self.spare, &mut self.ones]);
            self.spare.append(&self.ones);
            std::mem::swap(&mut self.boards, &mut self.spare);
        }
    }
}
