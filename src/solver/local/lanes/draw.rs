//! A step of eight lanes, apart from what an update does: which site is drawn, by the masks of all
//! open sites, and what comes of draws that fall on none.

use super::layout::{Mask, count, index_of_rank};
use super::vector::{LANES, LaneMask, Vector, Words};
use super::waits::{Clocks, WaitLaws};
use crate::rng::{Chance, Generator, Words as _};

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

    /// What so many sites add at most, in units of 2⁻⁶⁴, where two queens that face each other are
    /// counted twice.
    #[inline]
    pub fn most_weight(&self, n_sites: u64) -> u128 {
        u128::from(n_sites) * self.dangerous
    }
}

/// The sites of one lane that are not open and may change something; their masks in the order of
/// the rule's sites.
#[derive(Debug, Clone)]
pub struct ClosedSites<const W: usize> {
    pub dangerous: [Mask<W>; 4],
    pub contested: [Mask<W>; 4],
}

/// The result of a draw that falls on no open site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fall {
    /// A dangerous move: the number of its mask, and the index of its bit there.
    Dangerous(usize, usize),
    /// Two dangerous moves that face each other, one of which happens: that of the second cell's
    /// queen if the last field is true, else that of the first one's.
    Contested(usize, usize, bool),
    /// No site: nothing changes.
    Nothing,
}

impl<const W: usize> ClosedSites<W> {
    /// What all of them add, in units of 2⁻⁶⁴.
    pub fn weight(&self, slots: &Slots) -> u128 {
        let sum = |masks: &[Mask<W>]| u128::from(masks.iter().map(count).sum::<u64>());
        sum(&self.dangerous) * slots.dangerous + sum(&self.contested) * slots.contested
    }

    /// The result of the draw of the number `at`, with the sites laid end to end by their weights.
    pub fn fall(&self, at: u128, slots: &Slots) -> Fall {
        if let Some((mask, index, _)) = locate(&self.dangerous, at, slots.dangerous) {
            return Fall::Dangerous(mask, index);
        }
        let dangerous: u64 = self.dangerous.iter().map(count).sum();
        let at = at - u128::from(dangerous) * slots.dangerous;
        match locate(&self.contested, at, slots.contested) {
            Some((mask, index, within)) => {
                Fall::Contested(mask, index, within >= slots.contested.div_ceil(2))
            }
            None => Fall::Nothing,
        }
    }
}

/// The mask and the bit index of the site that `at` falls on, and how far into it.
fn locate<const W: usize>(masks: &[Mask<W>], at: u128, each: u128) -> Option<(usize, usize, u128)> {
    let mut rank = u64::try_from(at.checked_div(each)?).ok()?;
    for (number, mask) in masks.iter().enumerate() {
        let here = count(mask);
        if rank < here {
            return Some((number, index_of_rank(mask, rank), at % each));
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

/// What the lanes have drawn in a step.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Draw {
    /// The lane's random word: the upper half chooses the share, the lower half is a coin.
    pub word: Words,
    /// Number of open sites.
    pub open: Words,
    /// Lanes whose draw fell on an open site.
    pub on_open: LaneMask,
    /// Lanes whose draw fell on a slot; all lanes without an open site are among them.
    pub on_slot: LaneMask,
    /// Lanes whose draw would come after the cutoff; it is not made.
    pub beyond: LaneMask,
    /// The times of the trials.
    pub clocks: Clocks,
}

impl Draw {
    /// No draw so far, of trials that end at a cutoff.
    pub fn none(cutoff: u64) -> Self {
        Self {
            word: [0; LANES],
            open: [0; LANES],
            on_open: 0,
            on_slot: 0,
            beyond: 0,
            clocks: Clocks::until(cutoff),
        }
    }

    /// The number that a lane's draw on a slot stands for: uniform below the weight of all slots,
    /// in units of 2⁻⁶⁴.
    pub fn on_slots(&self, lane: usize, slots: &Slots, generator: &mut Generator) -> u128 {
        let shares = self.shares(lane, slots);
        let share = ((self.word[lane] >> 32) * shares) >> 32;
        let slot = share - self.open[lane] * SHARES;
        u128::from(slot) << SHARE_BITS | u128::from(generator.word() >> SHARES_BITS)
    }

    /// Draws after the cutoff are not made.
    #[cold]
    #[inline(never)]
    fn take_back(&mut self) {
        self.on_open &= !self.beyond;
        self.on_slot &= !self.beyond;
    }

    fn shares(&self, lane: usize, slots: &Slots) -> u64 {
        (self.open[lane] * SHARES + slots.shares).min(slots.most)
    }
}

/// The next word of each lane's generator: xoshiro256++.
#[inline(always)]
pub fn next_words<V: Vector>(generators: &mut [Words; 4]) -> V {
    let [a, b, c, d] = generators;
    let (mut s0, mut s1, mut s2, mut s3) = (V::load(a), V::load(b), V::load(c), V::load(d));
    let word = s0.plus(s3).rotated(23).plus(s0);
    let shifted = s1.up(17);
    s2 = s2 ^ s0;
    s3 = s3 ^ s1;
    s1 = s1 ^ s2;
    s0 = s0 ^ s3;
    s2 = s2 ^ shifted;
    s3 = s3.rotated(45);
    s0.store(a);
    s1.store(b);
    s2.store(c);
    s3.store(d);
    word
}

/// Draws a share of each lane by its word, among `open` sites and the slots, and the wait for it.
/// Returns the rank of the site that it belongs to: what is not below the number of open sites is a
/// slot.
///
/// The upper half of the word times the number of shares is drawn again where it would favour some
/// shares (Lemire 2019): in such a lane nothing happens in this step.
#[inline(always)]
pub fn draw<V: Vector>(word: V, open: V, slots: &Slots, draw: &mut Draw) -> V {
    let shares = open
        .up(SHARES_BITS)
        .plus(V::splat(slots.shares))
        .least(V::splat(slots.most));
    let product = word.down(32).times(shares);
    let low = product & V::splat(u64::from(u32::MAX));
    let mut again = low.below(shares);
    if again != 0 {
        again = rejected(again, low, shares);
    }
    let rank = product.down(32 + SHARES_BITS);
    let on_open = rank.below(open);
    word.store(&mut draw.word);
    open.store(&mut draw.open);
    draw.beyond = draw.clocks.wait(!again & open.lanes(), open, &slots.waits);
    draw.on_open = on_open & !again;
    draw.on_slot = !(on_open | again);
    if draw.beyond != 0 {
        draw.take_back();
    }
    rank
}

/// The lanes whose random word Lemire's method rejects, of these.
#[cold]
#[inline(never)]
fn rejected<V: Vector>(lanes: LaneMask, low: V, shares: V) -> LaneMask {
    let (mut lows, mut all) = ([0; LANES], [0; LANES]);
    low.store(&mut lows);
    shares.store(&mut all);
    let is_rejected =
        |lane: usize| lanes >> lane & 1 == 1 && all[lane] > 0 && lows[lane] < (1 << 32) % all[lane];
    (0..8).fold(0, |mask, lane| {
        mask | LaneMask::from(is_rejected(lane)) << lane
    })
}

/// The open site that each lane has drawn, in G masks of W words.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Chosen<const W: usize, const G: usize> {
    /// The site's bit in its word.
    pub bit: Words,
    /// The lanes where the site is in this mask and this word; none if the draw fell on no open
    /// site.
    pub here: [[LaneMask; W]; G],
}

impl<const W: usize, const G: usize> Chosen<W, G> {
    pub fn none() -> Self {
        Self {
            bit: [0; LANES],
            here: [[0; W]; G],
        }
    }

    /// The mask and the bit index of the site that was drawn in a lane; `None` where the draw fell
    /// on no open site.
    #[inline]
    pub fn site(&self, lane: usize) -> Option<(usize, usize)> {
        let (k, w) = (0..G)
            .flat_map(|k| (0..W).map(move |w| (k, w)))
            .find(|&(k, w)| self.here[k][w] >> lane & 1 == 1)?;
        Some((k, 64 * w + self.bit[lane].trailing_zeros() as usize))
    }

    /// Draws one of the sites in each lane by its word, or a slot.
    #[inline(always)]
    pub fn draw<V: Vector>(
        &mut self,
        word: V,
        open: &[[V; W]; G],
        slots: &Slots,
        drawn: &mut Draw,
    ) {
        let mut so_far = [[V::none(); W]; G];
        let mut n_open = V::none();
        for k in 0..G {
            for w in 0..W {
                n_open = n_open.plus(open[k][w].count());
                so_far[k][w] = n_open;
            }
        }
        let rank = draw(word, n_open, slots, drawn);
        let (mut chosen, mut within) = (V::none(), rank);
        let (mut before, mut last) = (0, V::none());
        for k in 0..G {
            for w in 0..W {
                let below = rank.below(so_far[k][w]);
                let here = below & !before;
                before = below;
                self.here[k][w] = here & drawn.on_open;
                chosen = chosen | open[k][w].only(here);
                within = within.minus(last.only(here));
                last = so_far[k][w];
            }
        }
        chosen.bits_of_rank(within, &mut self.bit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::lanes::vector::Plain;

    /// Every share has ⌊2³² / shares⌋ upper halves of a word: of those that have one more, the
    /// first is drawn again.
    #[test]
    fn no_share_has_more_words_than_another() {
        let slots = Slots::new(Chance::new(0.0), 100, 4, 8);
        for open in [1, 3, 5, 7, 99, 100] {
            let shares = open * SHARES;
            let first = |share: u64| (share << 32).div_ceil(shares);
            for share in 0..shares {
                let (from, to) = (first(share), first(share + 1));
                let has_one_more = to - from > (1 << 32) / shares;
                for (half, again) in [(from, has_one_more), (from + 1, false), (to - 1, false)] {
                    let (mut drawn, mut ranks) = (Draw::none(u64::MAX), [0; LANES]);
                    let word = Plain::<1>::splat(half << 32);
                    draw(word, Plain::splat(open), &slots, &mut drawn).store(&mut ranks);
                    let on = (drawn.on_open & 1, drawn.on_slot & 1);
                    assert_eq!(on, (LaneMask::from(!again), 0), "{half} of {open}");
                    assert_eq!(ranks[0], share / SHARES);
                }
            }
        }
    }
}
