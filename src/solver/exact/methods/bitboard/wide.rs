//! The same tree sixteen boards at a time, for processors with AVX-512: chosen when the program
//! runs, the build stays a baseline one.
//!
//! Boards wait in one list for each number of rows left. A list that is full enough is taken
//! sixteen boards at a time; the children go to the list below, packed together, so that lanes stay
//! busy and no branch depends on a single board. A child without a safe square is counted but not
//! kept. The order differs from [`super::kernel`]'s, the sums do not.

use std::arch::x86_64::{
    __m512i, __mmask16, _mm512_and_si512, _mm512_loadu_si512, _mm512_mask_cmpneq_epi32_mask,
    _mm512_mask_test_epi32_mask, _mm512_maskz_compress_epi32, _mm512_maskz_ternarylogic_epi32,
    _mm512_or_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_srli_epi32,
    _mm512_storeu_si512, _mm512_sub_epi32, _mm512_test_epi32_mask, _mm512_xor_si512,
};

use super::kernel::Tally;
use super::masks::Masks;
use crate::solver::Control;
use crate::solver::exact::{Halt, Pieces};

const LANES: usize = 16;

/// A list of this many boards is worked off before it grows further.
const FULL: usize = 512;

/// Sixteen boards with at most 32 children each come on top of a list that is nearly full.
const CAPACITY: usize = FULL + LANES * 33;

/// Room for subtrees of one height, used for one after the other. Made only on a processor with the
/// instructions.
pub(super) struct Lists {
    /// By rows left.
    lists: Vec<Boards>,
}

impl Lists {
    /// For subtrees with `rows_left` ≥ 2 rows left; `None` when the processor lacks the
    /// instructions.
    pub fn new(rows_left: usize) -> Option<Self> {
        assert!(rows_left >= 2, "the last two rows are counted together");
        let is_supported =
            is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("popcnt");
        is_supported.then(|| Self {
            lists: (0..=rows_left).map(|_| Boards::with_capacity()).collect(),
        })
    }

    /// Everything below `board`; `None` when that is more than `allowed` nodes.
    pub fn count(
        &mut self,
        board: Masks,
        allowed: u64,
        pieces: &Pieces<'_>,
    ) -> Result<Option<Tally>, Halt> {
        let rows_left = self.lists.len() - 1;
        let mut tree = Tree {
            lists: &mut self.lists,
            tally: Tally::default(),
            allowed,
            polled: 0,
            pieces,
        };
        // SAFETY: the processor has AVX-512F and POPCNT, or there would be no lists.
        let ended = unsafe { tree.count(board, rows_left) };
        let Tree { tally, polled, .. } = tree;
        if ended.is_err() {
            // Boards still wait in the lists.
            self.lists.fill_with(Boards::with_capacity);
        }
        match ended {
            Err(Halt::Cutoff) => return Ok(None),
            ended => ended?,
        }
        pieces.poll(tally.nodes - polled, || tally.mirrored())?;
        Ok((tally.nodes <= allowed).then_some(tally))
    }
}

/// Boards with one number of rows left, mask by mask; what is behind `len` is left over and has no
/// meaning.
#[derive(Default)]
struct Boards {
    columns: Vec<u32>,
    rising: Vec<u32>,
    falling: Vec<u32>,
    len: usize,
}

/// Sixteen boards.
#[derive(Clone, Copy)]
struct Lanes {
    columns: __m512i,
    rising: __m512i,
    falling: __m512i,
}

impl Boards {
    fn with_capacity() -> Self {
        Self {
            columns: vec![0; CAPACITY],
            rising: vec![0; CAPACITY],
            falling: vec![0; CAPACITY],
            len: 0,
        }
    }

    /// The boards from `at` on, and which lanes have one.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(&self, at: usize) -> (Lanes, __mmask16) {
        let lanes = Lanes {
            columns: load(&self.columns, at),
            rising: load(&self.rising, at),
            falling: load(&self.falling, at),
        };
        let n = (self.len - at).min(LANES);
        (lanes, ((1_u32 << n) - 1) as __mmask16)
    }

    /// Adds the boards in the lanes of `kept`.
    #[inline]
    #[target_feature(enable = "avx512f,popcnt")]
    fn push(&mut self, kept: __mmask16, boards: Lanes) {
        store(
            &mut self.columns,
            self.len,
            _mm512_maskz_compress_epi32(kept, boards.columns),
        );
        store(
            &mut self.rising,
            self.len,
            _mm512_maskz_compress_epi32(kept, boards.rising),
        );
        store(
            &mut self.falling,
            self.len,
            _mm512_maskz_compress_epi32(kept, boards.falling),
        );
        self.len += kept.count_ones() as usize;
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[u32], at: usize) -> __m512i {
    let lanes = &from[at..at + LANES];
    // SAFETY: the slice holds the 64 bytes that are read, at any alignment.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [u32], at: usize, lanes: __m512i) {
    let place = &mut to[at..at + LANES];
    // SAFETY: the slice holds the 64 bytes that are written, at any alignment.
    unsafe { _mm512_storeu_si512(place.as_mut_ptr().cast(), lanes) }
}

/// The lowest bit of each set.
#[inline]
#[target_feature(enable = "avx512f")]
fn lowest(sets: __m512i) -> __m512i {
    _mm512_and_si512(sets, _mm512_sub_epi32(_mm512_setzero_si512(), sets))
}

impl Lanes {
    /// The safe squares of the row, none in the lanes that are not `live`: [`Masks::free`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn free(self, live: __mmask16) -> __m512i {
        /// The truth table of "in none of three".
        const NONE_OF_THREE: i32 = 1;
        _mm512_maskz_ternarylogic_epi32::<NONE_OF_THREE>(
            live,
            self.columns,
            self.rising,
            self.falling,
        )
    }

    /// The next row, after a queen on one square of each board: [`Masks::place`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn place(self, queens: __m512i) -> Self {
        Self {
            columns: _mm512_or_si512(self.columns, queens),
            rising: _mm512_slli_epi32::<1>(_mm512_or_si512(self.rising, queens)),
            falling: _mm512_srli_epi32::<1>(_mm512_or_si512(self.falling, queens)),
        }
    }
}

/// A subtree that is being counted.
struct Tree<'a> {
    lists: &'a mut [Boards],
    tally: Tally,
    allowed: u64,
    polled: u64,
    pieces: &'a Pieces<'a>,
}

impl Tree<'_> {
    #[target_feature(enable = "avx512f,popcnt")]
    fn count(&mut self, board: Masks, rows_left: usize) -> Result<(), Halt> {
        let list = &mut self.lists[rows_left];
        (list.columns[0], list.rising[0], list.falling[0], list.len) =
            (board.columns, board.rising, board.falling, 1);
        self.work_off(rows_left)
    }

    /// Counts everything below the boards that wait with `rows_left` rows left.
    #[target_feature(enable = "avx512f,popcnt")]
    fn work_off(&mut self, rows_left: usize) -> Result<(), Halt> {
        self.poll()?;
        if rows_left == 2 {
            self.last_two();
            return Ok(());
        }
        let mut list = std::mem::take(&mut self.lists[rows_left]);
        for at in (0..list.len).step_by(LANES) {
            let (boards, live) = list.load(at);
            self.expand(boards, live, rows_left);
            if self.lists[rows_left - 1].len >= FULL {
                self.work_off(rows_left - 1)?;
            }
        }
        list.len = 0;
        self.lists[rows_left] = list;
        if self.lists[rows_left - 1].len > 0 {
            self.work_off(rows_left - 1)
        } else {
            Ok(())
        }
    }

    /// Puts a queen on each safe square of sixteen boards, one square of each at a time.
    #[inline]
    #[target_feature(enable = "avx512f,popcnt")]
    fn expand(&mut self, boards: Lanes, live: __mmask16, rows_left: usize) {
        let below = &mut self.lists[rows_left - 1];
        let mut free = boards.free(live);
        let mut with_queen = _mm512_test_epi32_mask(free, free);
        while with_queen != 0 {
            let queens = lowest(free);
            free = _mm512_xor_si512(free, queens);
            let children = boards.place(queens);
            let theirs = children.free(with_queen);
            below.push(_mm512_test_epi32_mask(theirs, theirs), children);
            self.tally.nodes += u64::from(with_queen.count_ones());
            with_queen = _mm512_test_epi32_mask(free, free);
        }
    }

    /// The last two rows of the boards that wait there: see `LastTwo` in [`super::kernel`].
    #[target_feature(enable = "avx512f,popcnt")]
    fn last_two(&mut self) {
        let list = &mut self.lists[2];
        for at in (0..list.len).step_by(LANES) {
            let (boards, live) = list.load(at);
            let columns = _mm512_xor_si512(boards.columns, _mm512_set1_epi32(-1));
            let low = lowest(columns);
            let high = _mm512_xor_si512(columns, low);
            let here = boards.free(live);
            let below = boards.place(_mm512_setzero_si512()).free(live);
            let apart = _mm512_mask_cmpneq_epi32_mask(live, _mm512_slli_epi32::<1>(low), high);
            let (low_here, high_here) = (
                _mm512_test_epi32_mask(here, low),
                _mm512_test_epi32_mask(here, high),
            );
            let solutions = apart & low_here & _mm512_test_epi32_mask(below, high);
            let mirrored = apart & high_here & _mm512_mask_test_epi32_mask(live, below, low);
            let n_solutions = u64::from(solutions.count_ones() + mirrored.count_ones());
            self.tally.nodes +=
                n_solutions + u64::from(low_here.count_ones() + high_here.count_ones());
            self.tally.solutions += n_solutions;
        }
        list.len = 0;
    }

    /// Once per list, which holds fewer boards than there are steps between two polls.
    fn poll(&mut self) -> Result<(), Halt> {
        if self.tally.nodes > self.allowed {
            return Err(Halt::Cutoff);
        }
        let n_new = self.tally.nodes - self.polled;
        if n_new >= Control::POLL_INTERVAL / 2 {
            self.polled = self.tally.nodes;
            self.pieces.poll(n_new, || self.tally.mirrored())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::METHOD;
    use super::super::kernel::{self, ROWS};
    use super::*;
    use crate::solver::exact::{Goal, Request, Search};
    use std::sync::atomic::{AtomicBool, AtomicU64};

    /// Every board of ten rows with three queens, and larger trees that fill the lists: against the
    /// loops of the kernel.
    #[test]
    fn sixteen_at_a_time_count_what_one_at_a_time_counts() {
        let Some(mut lists) = Lists::new(ROWS) else {
            println!("SKIPPED: this processor has no AVX-512");
            return;
        };
        let (stop, progress) = (AtomicBool::new(false), AtomicU64::new(0));
        let control = Control::new(&stop, &progress);
        let visit = &mut |_: &[usize]| {};
        let pieces = Search::new(
            METHOD.measures,
            Request::new(2, Goal::Count),
            visit,
            &control,
        )
        .pieces();
        let mut wide = |board, allowed| lists.count(board, allowed, &pieces).expect("not stopped");
        let boards = Masks::empty(ROWS + 3)
            .children()
            .flat_map(Masks::children)
            .flat_map(Masks::children);
        for board in boards {
            let expected = kernel::count(board);
            assert_eq!(wide(board, u64::MAX), Some(expected));
            assert_eq!(wide(board, expected.nodes), Some(expected));
            assert_eq!(wide(board, expected.nodes - 1), None);
        }
        // A000170 and A319284: the whole board, its root not among the nodes.
        for (n, nodes, solutions) in [
            (2, 2, 0),
            (3, 5, 0),
            (4, 16, 2),
            (8, 2056, 92),
            (12, 856_188, 14_200),
        ] {
            let mut lists = Lists::new(n).expect("as above");
            let mut wide = |allowed| {
                lists
                    .count(Masks::empty(n), allowed, &pieces)
                    .expect("not stopped")
            };
            assert_eq!(wide(nodes / 2), None, "n = {n}");
            assert_eq!(
                wide(u64::MAX),
                Some(Tally { nodes, solutions }),
                "n = {n}, after a search that was given up"
            );
        }
    }
}
