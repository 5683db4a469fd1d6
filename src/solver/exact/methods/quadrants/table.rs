//! How half boards are stored: lists of them, lists in the order of some of their bits, and the
//! table, 512 half boards of the east stored by diagonal.

use super::loops::Loops;

/// Half boards of a table.
pub(super) const LANES: usize = 512;

/// Diagonals that are looked up together.
pub(super) const CHUNK: usize = 6;

/// Sets of these.
pub(super) const ENTRIES: usize = 1 << CHUNK;

/// One bit for each half board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Group(pub [u64; LANES / 64]);

const NONE: Group = Group([0; LANES / 64]);
const ALL: Group = Group([u64::MAX; LANES / 64]);

/// The half boards of a group that take none of some diagonals, for each set of each [`CHUNK`]
/// diagonals.
pub(super) struct DiagonalTable {
    /// The half boards that leave a set of diagonals free, by chunk and set.
    free: Vec<Group>,
    /// Scratch in which boards are turned into diagonals.
    taken: Box<[Group; 64]>,
    instructions: Loops,
}

impl DiagonalTable {
    /// Makes a table for half boards whose lowest `n_shared` bits, at most 54, are to be compared.
    pub fn new(n_shared: usize, instructions: Loops) -> Self {
        let n_chunks = n_shared.div_ceil(CHUNK).max(1);
        Self {
            free: vec![ALL; n_chunks * ENTRIES],
            taken: Box::new([NONE; 64]),
            instructions,
        }
    }

    /// Takes up to [`LANES`] half boards in, instead of those that were there.
    pub fn fill(&mut self, boards: &[u64]) {
        assert!(boards.len() <= LANES, "a group has {LANES} lanes");
        let mut present = NONE;
        *self.taken = [NONE; 64];
        for (at, &board) in boards.iter().enumerate() {
            self.taken[at / 8].0[at % 8] = board;
            present.0[at % 8] |= 1 << (at / 8);
        }
        self.free[0] = present;
        self.instructions.spread(&mut self.taken, &mut self.free);
    }

    /// The number of pairs of one of `boards` and one of the group that share no diagonal.
    pub fn count(&self, boards: &[u64]) -> u64 {
        self.instructions.count(boards, &self.free)
    }
}

/// A list of words with spare space behind them, which loops fill without asking for each word.
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

    /// The spare space behind the list, at least so many words: for [`List::grow`].
    #[inline(always)]
    pub fn spare(&mut self, n_words: usize) -> &mut [u64] {
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

    /// Takes the first words of the spare space into the list.
    #[inline(always)]
    pub fn grow(&mut self, n_words: usize) {
        self.len += n_words;
        assert!(self.len <= self.words.len(), "there is space");
    }

    /// Adds words behind the others.
    pub fn append(&mut self, words: &[u64]) {
        self.spare(words.len())[..words.len()].copy_from_slice(words);
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

/// Half boards in the order of some of their bits, so that those which can have no partner are left
/// out together; and the scratch to sort them.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::methods::quadrants::loops;

    /// Words that look random: Weyl's sequence, mixed.
    fn words(n: usize, seed: u64) -> Vec<u64> {
        let mix = |x: u64| (x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (1..=n as u64)
            .map(|k| mix(mix((k ^ seed << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15))))
            .collect()
    }

    /// Full and part-filled groups of sparse masks with any number of bits that matter agree with
    /// the definition.
    #[test]
    fn a_table_counts_pairs_that_share_no_bit() {
        for instructions in loops::present() {
            for (n_shared, n_boards) in [
                (0, 3),
                (1, 1),
                (6, 512),
                (7, 511),
                (36, 64),
                (50, 200),
                (54, 512),
            ] {
                let mut table = DiagonalTable::new(n_shared, instructions);
                let sparse = |n, seed| -> Vec<u64> {
                    let (a, b) = (words(n, seed), words(n, seed + 1));
                    let c = words(n, seed + 2);
                    a.iter()
                        .zip(b)
                        .zip(c)
                        .map(|((a, b), c)| a & b & c)
                        .collect()
                };
                // The second filling must leave nothing of the first.
                table.fill(&words(LANES, 9));
                let shared = (1_u64 << n_shared) - 1;
                let boards: Vec<u64> = sparse(n_boards, 1).iter().map(|it| it & shared).collect();
                // The bits of the west alone do not matter.
                let others: Vec<u64> = sparse(300, 4)
                    .iter()
                    .map(|it| it & (shared | 31 << 59))
                    .collect();
                table.fill(&boards);
                let pairs = boards
                    .iter()
                    .flat_map(|a| others.iter().map(move |b| a & b));
                let expected = pairs.filter(|&common| common == 0).count() as u64;
                let found = table.count(&others);
                assert_eq!(
                    found, expected,
                    "{instructions:?}, {n_shared} bits, {n_boards} boards"
                );
                assert_eq!(table.count(&[]), 0);
            }
        }
    }
}
