//! Which queens move, by masks: the certainty of a move to a cell beside it, what the masks say of
//! the pairs of one orientation, and the coins of ε.

use super::boards::Boards;
use super::draw::Draw;
use super::layout::{BoardMasks, number, offset, seen};
use super::vector::{Bits, LANES, LaneMask, Vector, Words};
use crate::board::Direction;
use crate::local::rules::fewer::Reading;
use crate::local::rules::{Fewer, SafeGo};
use crate::local::sites::Certainty;
use crate::rng::Chance;

/// A certainty that lanes know too, for threatened queens. A move that SAFEGO calls safe must be
/// certain: lanes take all others for unsafe.
pub trait ByMasks: Certainty {
    /// True if [`ByMasks::are_certain`] reads more than [`PairSide::safe`] and
    /// [`PairSide::threatened`]. Such a rule has no lanes on cells.
    const COUNTS_SIGNALS: bool;

    /// [`Certainty::is_certain`] by masks.
    fn are_certain<B: Bits>(&self, from: &PairSide<B>, to: &PairSide<B>) -> B;
}

/// One of two cells beside each other.
#[derive(Debug, Clone, Copy)]
pub struct PairSide<B> {
    /// A queen that is not SAFESTAY.
    pub threatened: B,
    /// SAFEGO for a queen that comes from the other cell.
    pub safe: B,
    /// Any queens; this and all that follows of cells where the rule counts signals, else nothing.
    pub occupied: B,
    /// A signal from the direction of the other cell.
    pub from_other: B,
    /// The number of all its signals, the lowest bit first.
    pub number: [B; 4],
}

impl<B: Bits> PairSide<B> {
    /// A side under a rule that does not count signals.
    #[inline(always)]
    pub fn uncounted(threatened: B, safe: B) -> Self {
        Self {
            threatened,
            safe,
            occupied: B::none(),
            from_other: B::none(),
            number: [B::none(); 4],
        }
    }
}

impl ByMasks for SafeGo {
    const COUNTS_SIGNALS: bool = false;

    #[inline(always)]
    fn are_certain<B: Bits>(&self, _: &PairSide<B>, to: &PairSide<B>) -> B {
        to.safe
    }
}

impl ByMasks for Fewer {
    const COUNTS_SIGNALS: bool = true;

    #[inline(always)]
    fn are_certain<B: Bits>(&self, a: &PairSide<B>, b: &PairSide<B>) -> B {
        // A bit-serial test of b − uncounted < a: the borrow starts at `uncounted`, the signal from
        // the mover's direction under the reading that does not count it.
        let mut is_fewer = match self.0 {
            Reading::Considerate => b.from_other,
            Reading::Literal | Reading::Empty => B::none(),
        };
        for bit in 0..4 {
            is_fewer = B::two_of(!b.number[bit], a.number[bit], is_fewer);
        }
        let is_allowed = match self.0 {
            Reading::Literal => is_fewer,
            Reading::Empty | Reading::Considerate => is_fewer & !b.occupied,
        };
        b.safe | is_allowed
    }
}

/// The first of the four directions in which the second cell of a pair lies.
pub const FIRST: usize = Direction::E as usize;

/// The bits of the number of signals on each cell, the lowest first.
#[inline(always)]
pub fn numbers_of<B: Bits, const W: usize>(signals: &[[B; W]; 8]) -> [[B; W]; 4] {
    let mut numbers = [[B::none(); W]; 4];
    for w in 0..W {
        let mut here = [B::none(); 8];
        for direction in 0..8 {
            here[direction] = signals[direction][w];
        }
        let here = number(&here);
        for bit in 0..4 {
            numbers[bit][w] = here[bit];
        }
    }
    numbers
}

/// Stores the numbers in memory.
#[inline(always)]
pub fn store<V: Vector, const W: usize>(numbers: &[[V; W]; 4], to: &mut [[Words; W]; 4]) {
    for bit in 0..4 {
        for w in 0..W {
            numbers[bit][w].store(&mut to[bit][w]);
        }
    }
}

/// The pairs of one orientation, by their first cells.
pub struct Ends<B, const W: usize> {
    pub stale: [B; W],
    pub sides: [[PairSide<B>; W]; 2],
}

impl<B: Bits, const W: usize> Ends<B, W> {
    #[inline(always)]
    pub fn of(k: usize, of: &BoardMasks<B, W>, numbers: Option<&[[B; W]; 4]>) -> Self {
        let (signals, occupied) = (&of.signals, &of.occupied);
        let (ahead, back) = (FIRST + k, 3 - k);
        let to_second = offset(W, ahead);
        let mut shown = [B::none(); W];
        for w in 0..W {
            shown[w] = signals[ahead][w] | occupied[w];
        }
        let (shown, second) = (seen(&shown, to_second), seen(&signals[back], to_second));
        let mut stale = [B::none(); W];
        for w in 0..W {
            let of_first = shown[w] ^ signals[ahead][w];
            stale[w] = of_first | (signals[back][w] | occupied[w]) ^ second[w];
        }
        let threatened = [of.threatened, seen(&of.threatened, to_second)];
        let safe = [of.safe_from(ahead), seen(&of.safe_from(back), to_second)];
        let mut sides = [[PairSide::uncounted(B::none(), B::none()); W]; 2];
        for w in 0..W {
            sides[0][w] = PairSide::uncounted(threatened[0][w], safe[0][w]);
            sides[1][w] = PairSide::uncounted(threatened[1][w], safe[1][w]);
        }
        if let Some(numbers) = numbers {
            let occupied_there = seen(occupied, to_second);
            for w in 0..W {
                sides[0][w].occupied = occupied[w];
                sides[0][w].from_other = signals[ahead][w];
                sides[1][w].occupied = occupied_there[w];
                sides[1][w].from_other = second[w];
            }
            for bit in 0..4 {
                let there = seen(&numbers[bit], to_second);
                for w in 0..W {
                    sides[0][w].number[bit] = numbers[bit][w];
                    sides[1][w].number[bit] = there[w];
                }
            }
        }
        Self { stale, sides }
    }

    /// The pairs in which a queen moves for certain, and those in which both would (so that none
    /// moves).
    #[inline(always)]
    pub fn certain(&self, certainty: &impl ByMasks, w: usize) -> B {
        let [a, b] = [self.sides[0][w], self.sides[1][w]];
        a.threatened & certainty.are_certain(&a, &b) | b.threatened & certainty.are_certain(&b, &a)
    }
}

/// Thresholds of a coin of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct Coins {
    /// ε.
    pub one: u128,
    /// ε(1 − ε): the first of two coins shows heads and the second does not.
    pub first: u128,
    /// 2ε(1 − ε): so, or the other way round.
    pub either: u128,
}

impl Coins {
    pub fn new(epsilon: Chance) -> Self {
        let one = epsilon.threshold();
        let first = (one * ((1 << 64) - one)) >> 64;
        Self {
            one,
            first,
            either: 2 * first,
        }
    }

    /// The lanes in which the queen on the first cell moves, and those in which that on the second
    /// does, from the lanes where each is threatened (`leaves`) and would move for certain. The
    /// coins are the lower half of the word, and more bits if that does not decide.
    #[inline(always)]
    pub fn moves<V: Vector, const W: usize>(
        &self,
        boards: &mut Boards<W>,
        drawn: &Draw,
        [leaves_a, leaves_b]: [LaneMask; 2],
        [certain_a, certain_b]: [LaneMask; 2],
    ) -> (LaneMask, LaneMask) {
        let coin = V::load(&drawn.word) & V::splat(u64::from(u32::MAX));
        let Self { one, first, either } = *self;
        let (one, first, either) = (upper::<V>(one), upper::<V>(first), upper::<V>(either));
        let mut shown = [coin.below(one), coin.below(first), coin.below(either)];
        let undecided = coin.equal(one) | coin.equal(first) | coin.equal(either);
        let undecided = undecided & (leaves_a | leaves_b);
        if undecided != 0 {
            self.decide(undecided, &drawn.word, boards, &mut shown);
        }
        let [one, first, either] = shown;
        let both = leaves_a & leaves_b;
        // Of two threatened queens: neither move is certain, or one is and the other's coin shows
        // tails.
        let uncertain = both & !(certain_a | certain_b);
        let a_moves = leaves_a & !leaves_b & (certain_a | one)
            | uncertain & first
            | both & certain_a & !certain_b & !one;
        let b_moves = leaves_b & !leaves_a & (certain_b | one)
            | uncertain & either & !first
            | both & certain_b & !certain_a & !one;
        (a_moves, b_moves)
    }

    /// Coins that need more bits than the lower half of a word.
    #[cold]
    #[inline(never)]
    fn decide<const W: usize>(
        &self,
        lanes: LaneMask,
        word: &Words,
        boards: &mut Boards<W>,
        shown: &mut [LaneMask; 3],
    ) {
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            let mut generator = boards.generator(lane);
            let coin = word[lane] << 32 | generator.word() >> 32;
            boards.set_generator(lane, generator);
            for (mask, threshold) in shown.iter_mut().zip([self.one, self.first, self.either]) {
                *mask = *mask & !(1 << lane) | LaneMask::from(u128::from(coin) < threshold) << lane;
            }
        }
    }
}

/// The upper half of a threshold.
#[inline(always)]
fn upper<V: Vector>(threshold: u128) -> V {
    V::splat((threshold >> 32) as u64)
}
