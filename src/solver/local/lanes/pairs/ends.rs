//! What the masks say of the pairs of one orientation.

use super::FIRST;
use crate::local::lanes::kernel::{ByMasks, PairSide};
use crate::local::lanes::layout::{BoardMasks, number, offset, seen};
use crate::local::lanes::vector::{Bits, Vector, Words};

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
