//! What comes of draws that fall on no open site. Here are the weights of moves that need a coin of
//! ε, and the number of shares of a site (64): how a draw falls on them, and which site it stands
//! for.

use crate::bits;
use crate::rng::{Chance, Generator, Words as _};

use super::waits::WaitLaws;

/// An open site has 2⁶ shares, all equally likely to be drawn; what the other sites may add is a
/// number of shares too.
pub const SHARES_BITS: u32 = 6;

/// The number of shares of an open site.
pub const SHARES: u64 = 1 << SHARES_BITS;

/// The binary logarithm of the weight of one share, if that of a whole site is 2⁶⁴.
const SHARE_BITS: u32 = 64 - SHARES_BITS;

/// How likely the sites that are not open are to change something, in units of 2⁻⁶⁴.
///
/// Nothing is counted while draws fall on open sites: a constant number of shares, the *slots*,
/// stands for all that these sites may add, and a draw that falls on a slot comes to nothing with
/// the probability that is left over (thinning, which is exact). The rejection-free dynamics keeps
/// the numbers of such sites, and so has as many slots as they need at the time
/// (`rejection_free/waiting.rs`).
#[derive(Debug, Clone)]
pub struct Slots {
    /// The weight of a site where one queen has one dangerous move: ε.
    pub dangerous: u128,
    /// The weight of a site where exactly one of two coins must succeed: 2ε(1 − ε).
    pub contested: u128,
    /// The number of shares that all such sites can need.
    pub shares: u64,
    /// The number of shares of all sites.
    pub most: u64,
    /// The laws of the waits for a draw.
    pub waits: WaitLaws,
}

impl Slots {
    /// The slots of a board with `n_sites` sites, where queens can be on `cells` cells with
    /// `sites_per_cell` sites each.
    pub fn new(epsilon: Chance, n_sites: u64, cells: u64, sites_per_cell: u64) -> Self {
        let dangerous = epsilon.threshold();
        // Never above twice ε, since it is rounded down.
        let contested = (dangerous * ((1 << 64) - dangerous)) >> 63;
        let most = n_sites * SHARES;
        let needed = (dangerous * u128::from(cells * sites_per_cell)).div_ceil(1 << SHARE_BITS);
        let shares = u64::try_from(needed).map_or(most, |needed| needed.min(most));
        let probability =
            |open: u64| (open * SHARES + shares).min(most) as f64 / most.max(1) as f64;
        Self {
            dangerous,
            contested,
            shares,
            most,
            waits: WaitLaws::new((0..=n_sites).map(probability)),
        }
    }

    /// Number of sites.
    pub fn n_sites(&self) -> u64 {
        self.most / SHARES
    }

    /// The shares that are drawn from where so many sites are open.
    #[inline(always)]
    pub fn all_shares(&self, n_open: u64) -> u64 {
        (n_open << SHARES_BITS)
            .wrapping_add(self.shares)
            .min(self.most)
    }

    /// The number that a draw on a slot stands for, from the word that fell there and one more:
    /// uniform below the weight of all slots, in units of 2⁻⁶⁴.
    pub fn on_slots(&self, word: u64, n_open: u64, more: u64) -> u128 {
        let share = ((word >> 32) * self.all_shares(n_open)) >> 32;
        let slot = share - n_open * SHARES;
        u128::from(slot) << SHARE_BITS | u128::from(more >> SHARES_BITS)
    }
}

/// The sites of one lane that are not open and may change something, in the order of the rule's
/// masks.
#[derive(Debug, Clone)]
pub struct ClosedSites<const G: usize> {
    pub dangerous: [u64; G],
    pub contested: [u64; G],
}

impl<const G: usize> ClosedSites<G> {
    /// What all of them add, in units of 2⁻⁶⁴.
    pub fn weight(&self, slots: &Slots) -> u128 {
        let sum = |masks: &[u64]| u128::from(count(masks));
        sum(&self.dangerous) * slots.dangerous + sum(&self.contested) * slots.contested
    }

    /// The mask and the bit index of the site on which the draw of the number `at` falls, with the
    /// sites laid end to end by their weights, and what its coins of ε show: of a dangerous move
    /// heads, of two that face each other heads and tails. `None` where it falls on no site.
    pub fn fall(&self, at: u128, slots: &Slots) -> Option<((usize, u32), [bool; 2])> {
        if let Some((place, _)) = locate(&self.dangerous, at, slots.dangerous) {
            return Some((place, [true; 2]));
        }
        let at = at - u128::from(count(&self.dangerous)) * slots.dangerous;
        let (place, within) = locate(&self.contested, at, slots.contested)?;
        let is_second = within >= slots.contested.div_ceil(2);
        Some((place, [!is_second, is_second]))
    }
}

fn count(masks: &[u64]) -> u64 {
    masks.iter().map(|mask| u64::from(mask.count_ones())).sum()
}

/// The mask and the bit index of the site that `at` falls on, and how far into it.
fn locate(masks: &[u64], at: u128, each: u128) -> Option<((usize, u32), u128)> {
    let mut rank = u64::try_from(at.checked_div(each)?).ok()?;
    for (number, &mask) in masks.iter().enumerate() {
        let here = count(&[mask]);
        if rank < here {
            let index = bits::of_rank(mask, rank).trailing_zeros();
            return Some(((number, index), at % each));
        }
        rank -= here;
    }
    None
}

/// A uniform number below `bound`, which is at least 1.
pub fn below(bound: u128, generator: &mut Generator) -> u128 {
    let unused = (bound - 1).leading_zeros();
    loop {
        let words = u128::from(generator.word()) << 64 | u128::from(generator.word());
        let drawn = words.checked_shr(unused).unwrap_or(0);
        if drawn < bound {
            return drawn;
        }
    }
}
