//! Rules on cells in lanes.
//!
//! A cell is open where one of its signals is stale, or where a threatened queen has a certain move
//! to a neighbour. All its signals are written by masks; what a queen there does then is left to
//! plain code, for one lane after the other.

use super::boards::Boards;
use super::draw::{Chosen, ClosedSites, Draw, Fall, Slots, next_words};
use super::kernel::{Kernel, masks, masks_of_lane, n_cells, written_out};
use super::layout::{BitLayout, BoardMasks, Mask, get, number, offset, seen, stride};
use super::vector::{LANES, LaneMask, Vector, Words};
use crate::bits;
use crate::board::Direction;
use crate::local::configuration::Move;
use crate::local::sites::LocalRule as _;
use crate::local::sites::cells::OnCells;
use crate::rng::RandomSource;

/// A rule on one board.
#[derive(Debug, Clone)]
pub struct CellKernel<const W: usize> {
    rule: OnCells,
    layout: BitLayout<W>,
    /// The cells with a neighbour in each direction, the same in each lane.
    has_neighbour: [[Words; W]; 8],
    /// The neighbours of the cell with each bit, as a window around it.
    neighbours: Box<[u64]>,
    slots: Slots,
}

/// What is found before the draw and used after it.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct CellScratch<const W: usize> {
    /// The cell that was drawn.
    chosen: Chosen<W, 1>,
    /// The signals in each direction that are not what an update would write.
    stale: [[Words; W]; 8],
    threatened: [Words; W],
}

impl<const W: usize> CellScratch<W> {
    /// The bit index of the cell that was drawn in a lane; `None` where the draw fell on no open
    /// site.
    #[inline]
    pub fn index(&self, lane: usize) -> Option<usize> {
        self.chosen.site(lane).map(|(_, index)| index)
    }
}

impl<const W: usize> CellKernel<W> {
    /// The bit of a cell in a window around it: three rows follow each other with the board's
    /// stride, and its neighbour to the north-west has the first bit.
    const CENTRE: usize = stride(W) + 1;

    /// The number of the cell with this bit index among the rule's sites: row by row.
    fn number(&self, index: usize) -> u64 {
        let (x, y) = (index % stride(W), index / stride(W));
        (y * self.layout.board.n() + x) as u64
    }

    /// The window around a cell.
    #[inline(always)]
    fn window(words: &[Words; W], lane: usize, index: usize) -> u64 {
        let from = index as i32 - Self::CENTRE as i32;
        if from < 0 {
            return words[0][lane] << -from;
        }
        let (w, by) = (from as usize / 64, from as usize % 64);
        let low = words[w][lane] >> by;
        if by > 0 && w + 1 < W {
            low | words[w + 1][lane] << (64 - by)
        } else {
            low
        }
    }

    /// A queen on the cell with this bit index, whose signals have been written, tries one
    /// destination if it is threatened; it goes there for certain if it is forced.
    #[inline]
    pub(super) fn leave(
        &self,
        boards: &mut Boards<W>,
        lane: usize,
        index: usize,
        is_forced: bool,
        random: &mut impl RandomSource,
    ) -> Option<Move<usize>> {
        let centre = 1 << Self::CENTRE;
        let mut signals = [[0]; 8];
        for (signal, words) in signals.iter_mut().zip(&boards.signals) {
            *signal = [Self::window(words, lane, index)];
        }
        let (occupied, crowded) = (
            Self::window(&boards.occupied, lane, index),
            Self::window(&boards.crowded, lane, index),
        );
        let masks = BoardMasks::of(signals, [occupied], &[crowded]);
        if masks.threatened[0] & centre == 0 {
            return None;
        }
        let neighbours = self.neighbours[index];
        let choice = if random.flip(self.rule.eta) {
            neighbours
        } else {
            least_dangerous(neighbours, occupied, &signals)
        };
        let chosen = bits::of_rank(choice, random.below(u64::from(choice.count_ones())));
        let towards = Self::direction(chosen);
        let side = towards.opposite();
        let is_safe = masks.safe_from(side as usize)[0] & chosen != 0;
        if !is_safe && !is_forced && !random.flip(self.rule.epsilon()) {
            return None;
        }
        let to = (index as i32 + offset(W, towards as usize)) as usize;
        boards.move_queen(lane, index, to);
        Some(Move {
            from: index,
            to,
            side,
            is_safe,
            is_certain: is_safe,
        })
    }

    /// The direction of a neighbour from its bit in the window.
    fn direction(bit: u64) -> Direction {
        let index = bit.trailing_zeros() as usize;
        let (row, column) = (index / stride(W), index % stride(W));
        // The centre has no direction, so those after it are one fewer.
        let number = 3 * row + column;
        Direction::ALL[number - usize::from(number > 4)]
    }
}

/// The neighbours that minimise ω, the number of signals; all of them where all are occupied.
#[inline]
fn least_dangerous(neighbours: u64, occupied: u64, s: &[[u64; 1]; 8]) -> u64 {
    let empty = neighbours & !occupied;
    if empty == 0 {
        return neighbours;
    }
    let bits = number(&s.map(|[word]| word));
    bits.into_iter().rev().fold(empty, |least, bit| {
        let fewer = least & !bit;
        if fewer == 0 { least } else { fewer }
    })
}

impl<const W: usize> Kernel<W> for CellKernel<W> {
    type Rule = OnCells;
    type Scratch = CellScratch<W>;

    fn new(rule: OnCells, layout: BitLayout<W>) -> Self {
        let n = layout.board.n() as u64;
        let neighbours = (0..64 * W).map(|index| {
            (0..8)
                .filter(|&d| get(&layout.has_neighbour[d], index))
                .fold(0, |mask, d| {
                    mask | 1 << (Self::CENTRE as i32 + offset(W, d))
                })
        });
        Self {
            has_neighbour: layout
                .has_neighbour
                .map(|mask| mask.map(|word| [word; LANES])),
            neighbours: neighbours.collect(),
            slots: Slots::new(rule.epsilon(), rule.n_sites(), n, 1),
            rule,
            layout,
        }
    }

    fn new_scratch() -> Self::Scratch {
        CellScratch {
            chosen: Chosen::none(),
            stale: [[[0; LANES]; W]; 8],
            threatened: [[0; LANES]; W],
        }
    }

    fn layout(&self) -> &BitLayout<W> {
        &self.layout
    }

    fn slots(&self) -> &Slots {
        &self.slots
    }

    #[inline(always)]
    fn choose<V: Vector>(
        &self,
        boards: &mut Boards<W>,
        drawn: &mut Draw,
        scratch: &mut CellScratch<W>,
    ) {
        let word = next_words::<V>(&mut boards.generators);
        let masks = masks::<V, W>(boards);
        let (mut changes, mut leaves) = ([V::none(); W], [V::none(); W]);
        written_out!(D in 0 1 2 3 4 5 6 7 => {
            let mut shown = [V::none(); W];
            for w in 0..W {
                shown[w] = masks.signals[D][w] | masks.occupied[w];
            }
            let shown = seen(&shown, offset(W, D));
            let safe = seen(&masks.safe_from(7 - D), offset(W, D));
            for w in 0..W {
                let beside = V::load(&self.has_neighbour[D][w]);
                let stale = (shown[w] ^ masks.signals[D][w]) & beside;
                stale.store(&mut scratch.stale[D][w]);
                changes[w] = changes[w] | stale;
                leaves[w] = leaves[w] | safe[w] & beside;
            }
        });
        let mut open = [V::none(); W];
        for w in 0..W {
            open[w] = changes[w] | masks.threatened[w] & leaves[w];
        }
        scratch.chosen.draw(word, &[open], &self.slots, drawn);
        for w in 0..W {
            masks.threatened[w].store(&mut scratch.threatened[w]);
        }
    }

    #[inline(always)]
    fn apply<V: Vector>(
        &self,
        boards: &mut Boards<W>,
        _: &Draw,
        scratch: &mut CellScratch<W>,
    ) -> LaneMask {
        let bit = V::load(&scratch.chosen.bit);
        let mut has_queen = V::none();
        for w in 0..W {
            let cell = bit.only(scratch.chosen.here[0][w]);
            has_queen = has_queen | V::load(&boards.occupied[w]) & cell;
            written_out!(D in 0 1 2 3 4 5 6 7 => {
                let flipped = V::load(&scratch.stale[D][w]) & cell;
                (V::load(&boards.signals[D][w]) ^ flipped).store(&mut boards.signals[D][w]);
            });
        }
        has_queen.lanes()
    }

    #[inline]
    fn finish_move(
        &self,
        boards: &mut Boards<W>,
        scratch: &CellScratch<W>,
        lane: usize,
    ) -> Option<Move<usize>> {
        let index = scratch.index(lane)?;
        let mut generator = boards.generator(lane);
        let moved = self.leave(boards, lane, index, false, &mut generator);
        boards.set_generator(lane, generator);
        moved
    }

    fn drawn_site(&self, scratch: &CellScratch<W>, lane: usize) -> Option<u64> {
        scratch.index(lane).map(|index| self.number(index))
    }

    fn site_of(&self, moved: Move<usize>) -> u64 {
        self.number(moved.from)
    }

    #[inline]
    fn most_weight(&self, scratch: &CellScratch<W>, lane: usize) -> u128 {
        self.slots.most_weight(n_cells(&scratch.threatened, lane))
    }

    fn closed_sites(&self, boards: &Boards<W>, lane: usize) -> ClosedSites<W> {
        let masks = masks_of_lane(boards, lane);
        let mut dangerous = masks.threatened;
        for d in 0..8 {
            let shown: Mask<W> = std::array::from_fn(|w| masks.signals[d][w] | masks.occupied[w]);
            let shown = seen(&shown, offset(W, d));
            let safe = seen(&masks.safe_from(7 - d), offset(W, d));
            for w in 0..W {
                let open = (shown[w] ^ masks.signals[d][w]) | safe[w];
                dangerous[w] &= !(open & self.layout.has_neighbour[d][w]);
            }
        }
        ClosedSites {
            dangerous: [dangerous, [0; W], [0; W], [0; W]],
            contested: [[0; W]; 4],
        }
    }

    fn apply_slot_event(
        &self,
        boards: &mut Boards<W>,
        fall: Fall,
        lane: usize,
    ) -> Option<Move<usize>> {
        let Fall::Dangerous(_, index) = fall else {
            return None;
        };
        let mut generator = boards.generator(lane);
        let moved = self.leave(boards, lane, index, true, &mut generator);
        boards.set_generator(lane, generator);
        moved
    }
}
