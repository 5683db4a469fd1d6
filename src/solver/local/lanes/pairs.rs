//! Rules on pairs in lanes.
//!
//! Four orientations of pairs (to the east, south-west, south and south-east of their first cell),
//! each a mask of first cells. A pair is open where a signal is stale or where a queen has a
//! certain move.

use super::boards::Boards;
use super::draw::{Chosen, ClosedSites, Draw, Fall, Slots, next_words};
use super::kernel::{Kernel, at, masks, masks_of_lane, n_cells, written_out};
use super::layout::{BitLayout, Mask, bit_index, get, offset, seen};
use super::moves::{Coins, Ends, FIRST};
use super::vector::{LANES, LaneMask, Vector, Words};
use crate::board::Direction;
use crate::local::configuration::Move;
use crate::local::sites::LocalRule as _;
use crate::local::sites::pairs::OnPairs;

/// A rule on one board.
#[derive(Debug, Clone)]
pub struct PairKernel<const W: usize> {
    layout: BitLayout<W>,
    /// The first cells of the pairs of each orientation, the same in each lane.
    pairs: [[Words; W]; 4],
    slots: Slots,
    pub(super) coins: Coins,
    /// The number of the site by the bit index of its first cell and by its orientation.
    sites: Box<[[u16; 4]]>,
}

/// What is found before the draw and used after it.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct PairScratch<const W: usize> {
    /// The pair that was drawn: its orientation and its first cell.
    chosen: Chosen<W, 4>,
    threatened: [Words; W],
    clear: [Words; W],
    single: [Words; W],
    /// Lanes in which a queen has moved, of them those from the first cell, and those whose
    /// destination was safe, so that the move was certain.
    pub moved: LaneMask,
    from_first: LaneMask,
    safe: LaneMask,
}

impl<const W: usize> PairKernel<W> {
    /// The masks of one lane's sites: first those with a stale signal, then those where a queen
    /// has a certain move, one queen is threatened, both are.
    fn site_masks(&self, boards: &Boards<W>, lane: usize) -> [[Mask<W>; 4]; 4] {
        let masks = masks_of_lane(boards, lane);
        let mut sites = [[[0; W]; 4]; 4];
        for k in 0..4 {
            let ends = Ends::of(k, &masks);
            for w in 0..W {
                let pairs = self.layout.has_neighbour[FIRST + k][w];
                let [a, b] = [ends.sides[0][w], ends.sides[1][w]];
                sites[0][k][w] = ends.stale[w] & pairs;
                sites[1][k][w] = ends.certain(w) & pairs;
                sites[2][k][w] = (a.threatened ^ b.threatened) & pairs;
                sites[3][k][w] = a.threatened & b.threatened & pairs;
            }
        }
        sites
    }

    /// The bit indices of a pair's cells.
    fn cells(k: usize, first: usize) -> (usize, usize) {
        (first, (first as i32 + offset(W, FIRST + k)) as usize)
    }
}

/// The numbers of sites by the bit indices of their first cells and by their orientations.
fn sites_by_cell<const W: usize>(rule: &OnPairs, layout: &BitLayout<W>) -> Box<[[u16; 4]]> {
    let mut sites = vec![[0; 4]; 64 * W];
    for number in 0..rule.n_sites() {
        let pair = rule.site(number);
        // The direction in which the second cell lies, seen from the first.
        let (first, ahead) = if pair.from_b as usize >= FIRST {
            (pair.a, pair.from_b)
        } else {
            (pair.b, pair.from_a)
        };
        sites[bit_index::<W>(layout.board, first)][ahead as usize - FIRST] = number as u16;
    }
    sites.into()
}

/// Flips signals of first and of second cells: of each the masks by orientation, and the lanes in
/// which its signal from the other cell of the pair is flipped.
#[inline(always)]
fn flip<V: Vector, const W: usize>(
    boards: &mut Boards<W>,
    first: &[[V; W]; 4],
    flips_a: LaneMask,
    second: &[[V; W]; 4],
    flips_b: LaneMask,
) {
    written_out!(K in 0 1 2 3 => {
        let (ahead, back) = (FIRST + K, 3 - K);
        for w in 0..W {
            let signal = V::load(&boards.signals[ahead][w]) ^ first[K][w].only(flips_a);
            signal.store(&mut boards.signals[ahead][w]);
            let signal = V::load(&boards.signals[back][w]) ^ second[K][w].only(flips_b);
            signal.store(&mut boards.signals[back][w]);
        }
    });
}

impl<const W: usize> Kernel<W> for PairKernel<W> {
    type Rule = OnPairs;
    type Scratch = PairScratch<W>;

    fn new(rule: OnPairs, layout: BitLayout<W>) -> Self {
        let (n, epsilon) = (layout.board.n() as u64, rule.epsilon());
        Self {
            pairs: std::array::from_fn(|k| {
                layout.has_neighbour[FIRST + k].map(|word| [word; LANES])
            }),
            slots: Slots::new(epsilon, rule.n_sites(), n, 8),
            coins: Coins::new(epsilon),
            sites: sites_by_cell(&rule, &layout),
            layout,
        }
    }

    fn new_scratch() -> Self::Scratch {
        PairScratch {
            chosen: Chosen::none(),
            threatened: [[0; LANES]; W],
            clear: [[0; LANES]; W],
            single: [[0; LANES]; W],
            moved: 0,
            from_first: 0,
            safe: 0,
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
        scratch: &mut PairScratch<W>,
    ) {
        let word = next_words::<V>(&mut boards.generators);
        let masks = masks::<V, W>(boards);
        let mut open = [[V::none(); W]; 4];
        written_out!(K in 0 1 2 3 => {
            let ends = Ends::of(K, &masks);
            for w in 0..W {
                let changes = ends.stale[w] | ends.certain(w);
                open[K][w] = changes & V::load(&self.pairs[K][w]);
            }
        });
        scratch.chosen.draw(word, &open, &self.slots, drawn);
        for w in 0..W {
            masks.threatened[w].store(&mut scratch.threatened[w]);
            masks.clear[w].store(&mut scratch.clear[w]);
            masks.single[w].store(&mut scratch.single[w]);
        }
    }

    #[inline(always)]
    fn apply<V: Vector>(
        &self,
        boards: &mut Boards<W>,
        drawn: &Draw,
        scratch: &mut PairScratch<W>,
    ) -> LaneMask {
        let bit = V::load(&scratch.chosen.bit);
        let (mut first, mut second) = ([[V::none(); W]; 4], [[V::none(); W]; 4]);
        // The pair's cells, and their signals from each other.
        let (mut a, mut b) = ([V::none(); W], [V::none(); W]);
        let (mut a_ahead, mut a_back) = (V::none(), V::none());
        let (mut b_ahead, mut b_back) = (V::none(), V::none());
        written_out!(K in 0 1 2 3 => {
            let (ahead, back) = (FIRST + K, 3 - K);
            for w in 0..W {
                first[K][w] = bit.only(scratch.chosen.here[K][w]);
            }
            second[K] = seen(&first[K], -offset(W, ahead));
            for w in 0..W {
                let (at_a, at_b) = (first[K][w], second[K][w]);
                a[w] = a[w] | at_a;
                b[w] = b[w] | at_b;
                let from_ahead = V::load(&boards.signals[ahead][w]);
                let from_back = V::load(&boards.signals[back][w]);
                a_ahead = a_ahead | from_ahead & at_a;
                a_back = a_back | from_back & at_a;
                b_ahead = b_ahead | from_ahead & at_b;
                b_back = b_back | from_back & at_b;
            }
        });
        let (a_ahead, a_back) = (a_ahead.lanes(), a_back.lanes());
        let (b_ahead, b_back) = (b_ahead.lanes(), b_back.lanes());
        let (queens_a, queens_b) = (at(&boards.occupied, &a), at(&boards.occupied, &b));
        let (crowd_a, crowd_b) = (at(&boards.crowded, &a), at(&boards.crowded, &b));
        let (leaves_a, leaves_b) = (at(&scratch.threatened, &a), at(&scratch.threatened, &b));
        let safe_a = at(&scratch.clear, &a) | at(&scratch.single, &a) & a_ahead;
        let safe_b = at(&scratch.clear, &b) | at(&scratch.single, &b) & b_back;
        let (certain_a, certain_b) = (leaves_a & safe_b, leaves_b & safe_a);
        let (leaves, certain) = ([leaves_a, leaves_b], [certain_a, certain_b]);
        let (a_moves, b_moves) = self.coins.moves::<V, W>(boards, drawn, leaves, certain);
        // Queens there afterwards.
        let still_a = queens_a & !a_moves | crowd_a & a_moves | b_moves;
        let still_b = queens_b & !b_moves | crowd_b & b_moves | a_moves;
        flip(
            boards,
            &first,
            (still_b | b_ahead) ^ a_ahead,
            &second,
            (still_a | a_back) ^ b_back,
        );
        scratch.moved = a_moves | b_moves;
        scratch.from_first = a_moves;
        scratch.safe = a_moves & safe_b | b_moves & safe_a;
        scratch.moved
    }

    #[inline]
    fn finish_move(
        &self,
        boards: &mut Boards<W>,
        scratch: &PairScratch<W>,
        lane: usize,
    ) -> Option<Move<usize>> {
        let is = |mask: LaneMask| mask >> lane & 1 == 1;
        let (k, first) = scratch.chosen.site(lane)?;
        let (a, b) = Self::cells(k, first);
        let (from, to, side) = if is(scratch.from_first) {
            (a, b, 3 - k)
        } else {
            (b, a, FIRST + k)
        };
        boards.move_queen(lane, from, to);
        let is_safe = is(scratch.safe);
        Some(Move {
            from,
            to,
            side: Direction::ALL[side],
            is_safe,
            is_certain: is_safe,
        })
    }

    fn drawn_site(&self, scratch: &PairScratch<W>, lane: usize) -> Option<u64> {
        let (k, first) = scratch.chosen.site(lane)?;
        Some(u64::from(self.sites[first][k]))
    }

    fn site_of(&self, moved: Move<usize>) -> u64 {
        let side = moved.side as usize;
        let (k, first) = if side < FIRST {
            (3 - side, moved.from)
        } else {
            (side - FIRST, moved.to)
        };
        u64::from(self.sites[first][k])
    }

    #[inline]
    fn most_weight(&self, scratch: &PairScratch<W>, lane: usize) -> u128 {
        self.slots
            .most_weight(8 * n_cells(&scratch.threatened, lane))
    }

    fn closed_sites(&self, boards: &Boards<W>, lane: usize) -> ClosedSites<W> {
        let [stale, certain, one, two] = self.site_masks(boards, lane);
        let not_open = |masks: [Mask<W>; 4]| {
            std::array::from_fn(|k| {
                std::array::from_fn(|w| masks[k][w] & !(stale[k][w] | certain[k][w]))
            })
        };
        ClosedSites {
            dangerous: not_open(one),
            contested: not_open(two),
        }
    }

    fn apply_slot_event(
        &self,
        boards: &mut Boards<W>,
        fall: Fall,
        lane: usize,
    ) -> Option<Move<usize>> {
        let (k, first, second_moves) = match fall {
            Fall::Nothing => return None,
            Fall::Contested(k, first, second_moves) => (k, first, second_moves),
            Fall::Dangerous(k, first) => (
                k,
                first,
                boards.is_threatened(lane, Self::cells(k, first).1),
            ),
        };
        let (a, b) = Self::cells(k, first);
        let (ahead, back) = (FIRST + k, 3 - k);
        let (from, to, side) = if second_moves {
            (b, a, ahead)
        } else {
            (a, b, back)
        };
        boards.move_queen(lane, from, to);
        let occupied = boards.occupied(lane);
        let of_a = get(&occupied, b) || get(&boards.signals(lane, ahead), b);
        let of_b = get(&occupied, a) || get(&boards.signals(lane, back), a);
        boards.set_signal(lane, ahead, a, of_a);
        boards.set_signal(lane, back, b, of_b);
        // Not open: no move there is to a safe cell that would be certain.
        Some(Move {
            from,
            to,
            side: Direction::ALL[side],
            is_safe: false,
            is_certain: false,
        })
    }
}
