//! The queens that move, by masks: what the masks say of the pairs of one orientation, and the
//! coins of ε. A move is certain where it is safe (SAFEGO).

use super::boards::Boards;
use super::draw::Draw;
use super::layout::{BoardMasks, offset, seen};
use super::vector::{Bits, LANES, LaneMask, Vector, Words};
use crate::board::Direction;
use crate::rng::{Chance, Words as _};

/// One of two cells beside each other.
#[derive(Debug, Clone, Copy)]
pub struct PairSide<B> {
    /// A queen that is not SAFESTAY.
    pub threatened: B,
    /// SAFEGO for a queen that comes from the other cell.
    pub safe: B,
}

/// The first of the four directions in which the second cell of a pair lies.
pub const FIRST: usize = Direction::E as usize;

/// The pairs of one orientation, by their first cells.
pub struct Ends<B, const W: usize> {
    pub stale: [B; W],
    pub sides: [[PairSide<B>; W]; 2],
}

impl<B: Bits, const W: usize> Ends<B, W> {
    #[inline(always)]
    pub fn of(k: usize, of: &BoardMasks<B, W>) -> Self {
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
        let sides = [0, 1].map(|side| {
            std::array::from_fn(|w| PairSide {
                threatened: threatened[side][w],
                safe: safe[side][w],
            })
        });
        Self { stale, sides }
    }

    /// The pairs in which a queen moves for certain, and those in which both would (so that none
    /// moves).
    #[inline(always)]
    pub fn certain(&self, w: usize) -> B {
        let [a, b] = [self.sides[0][w], self.sides[1][w]];
        a.threatened & b.safe | b.threatened & a.safe
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
