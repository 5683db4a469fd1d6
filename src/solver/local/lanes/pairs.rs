//! Pairs in lanes: four masks, by the direction in which the second cell lies (east, south-west,
//! south, south-east), with the bits of the first cells. What the word of a draw shows of the coins
//! of ε is decided here.

use super::kernel::Kernel;
use super::layout::{Layout, seen};
use crate::board::{Direction, Pair};
use crate::local::configuration::Cells;
use crate::local::sites::pairs::OnPairs;
use crate::local::sites::{Class, LocalRule as _};
use crate::rng::{Chance, Generator, Words as _};

/// The first of the four directions in which the second cell of a pair lies.
const FIRST: usize = Direction::E as usize;

impl Kernel<4> for OnPairs {
    const SITES_PER_CELL: u64 = 8;
    const COINS_BEFORE: u32 = 0;

    #[inline(always)]
    fn sites_of(dependencies: [u64; 8]) -> [u64; 4] {
        let mut sites = [0; 4];
        for k in 0..4 {
            sites[k] = dependencies[FIRST + k] | seen(dependencies[3 - k], FIRST + k);
        }
        sites
    }

    #[inline(always)]
    fn dependencies_of(sites: [u64; 4]) -> [u64; 8] {
        let mut dependencies = [0; 8];
        for k in 0..4 {
            dependencies[FIRST + k] = sites[k];
            dependencies[3 - k] = seen(sites[k], 3 - k);
        }
        dependencies
    }

    /// One of the two is threatened, or both are.
    fn closed(threatened: u64) -> [[u64; 4]; 2] {
        let second = [0, 1, 2, 3].map(|k| seen(threatened, FIRST + k));
        [
            second.map(|second| threatened ^ second),
            second.map(|second| threatened & second),
        ]
    }

    #[inline(always)]
    fn place(&self, layout: &Layout, mask: usize, index: u32) -> Pair {
        let a = layout.cell(index);
        let from_b = Direction::ALL[FIRST + mask];
        Pair {
            a,
            b: layout.board.neighbour(a, from_b),
            from_a: from_b.opposite(),
            from_b,
        }
    }

    fn coins_up_to(&self) -> u64 {
        (thresholds(self.epsilon()).into_iter().fold(0, u128::max) >> 32) as u64
    }

    /// The lower half of the word, and more bits where that does not decide.
    fn coins(
        &self,
        x: &impl Cells,
        pair: Pair,
        word: u64,
        generator: &mut Generator,
    ) -> Option<[bool; 2]> {
        let thresholds = thresholds(self.epsilon());
        let mut coin = u128::from(word << 32);
        if thresholds
            .iter()
            .any(|threshold| threshold >> 32 == coin >> 32)
        {
            coin |= u128::from(generator.word() >> 32);
        }
        let [one, first, either] = thresholds.map(|threshold| coin < threshold);
        Some(match self.class_of_moves(x, pair) {
            Class::Contested => [first, either && !first],
            _ => [one; 2],
        })
    }
}

/// Coins below these show heads, of two coins heads and tails, of two coins unlike sides.
fn thresholds(epsilon: Chance) -> [u128; 3] {
    let one = epsilon.threshold();
    // The product is below 2¹²⁷: a check that it fits would take as long as all else here.
    let first = one.wrapping_mul((1 << 64) - one) >> 64;
    [one, first, 2 * first]
}
