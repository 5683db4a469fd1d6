//! What all lanes do in a step: loops over the lanes, of which the compiler makes vector code. Here
//! are the choice of an open site or a slot by one random word (Lemire's method), the wait, and the
//! signals that are written.
//!
//! It does so where a loop has no call: iterators and closures, which it may leave out of line in
//! so large a function, and sums that are checked, make a step three times as long (`make ci` has a
//! test of the rate).

use super::{AGAIN, Batch, LaneSet};
use crate::bits;
use crate::local::lanes::draw::{SHARES_BITS, Slots};
use crate::local::lanes::kernel::{InLanes, Kernel};
use crate::local::lanes::layout::{Layout, any};

/// All bits if a condition holds.
#[inline(always)]
fn all_if(condition: bool) -> u64 {
    u64::from(condition).wrapping_neg()
}

#[inline(always)]
fn lane_if(condition: bool, lane: usize) -> LaneSet {
    if condition { 1 << lane } else { 0 }
}

impl<const G: usize, const L: usize> Batch<G, L> {
    /// One step of all lanes.
    #[inline(always)]
    pub fn step<K: Kernel<G>, const BMI2: bool>(&mut self, rule: &InLanes<K, G>) {
        self.draw::<K, BMI2>(rule);
        self.ended = self.beyond;
        for lane in bits::ones(self.leaving) {
            self.update(rule, lane, self.drawn(lane), None);
        }
        for lane in bits::ones(self.on_slot & !self.idle) {
            self.draw_on_slot(rule, lane);
        }
    }

    /// Draws an open site in each lane, or a slot, and writes the signals of open sites where no
    /// queen may move.
    #[inline(always)]
    pub(super) fn draw<K: Kernel<G>, const BMI2: bool>(&mut self, rule: &InLanes<K, G>) {
        self.draw_words(&rule.slots);
        self.find::<K>(&rule.layout);
        self.choose(&rule.slots);
        self.select::<BMI2>();
        self.wait(&rule.slots);
        self.apply::<K>(rule.rule.coins_up_to());
    }

    #[inline(always)]
    fn draw_words(&mut self, slots: &Slots) {
        for lane in 0..L {
            self.logarithms[lane] = slots.waits.logarithm(self.waits.word(lane));
        }
        for lane in 0..L {
            self.words[lane] = self.draws.word(lane);
        }
    }

    /// Finds the open sites.
    #[inline(always)]
    pub(in crate::local::lanes) fn find<K: Kernel<G>>(&mut self, layout: &Layout) {
        let has_neighbour = layout.has_neighbour;
        for lane in 0..L {
            let masks = self.boards.masks(lane);
            let mut stale = [0; 8];
            let mut leaves = [0; 8];
            for d in 0..8 {
                stale[d] = masks.stale(d, has_neighbour[d]);
                leaves[d] = masks.leaves(d, has_neighbour[d]);
                self.stale[d][lane] = stale[d];
            }
            self.threatened[lane] = masks.threatened;
            let changed = K::sites_of(stale);
            let certain = K::sites_of(leaves);
            let mut n_open = 0;
            for k in 0..G {
                self.certain[k][lane] = certain[k];
                self.open[k][lane] = changed[k] | certain[k];
                n_open += (changed[k] | certain[k]).count_ones();
            }
            self.n_open[lane] = u64::from(n_open);
        }
    }

    /// Draws a share of each lane by its word, among the open sites and the slots.
    ///
    /// The upper half of the word times the number of shares is drawn again where it would favour
    /// some shares (Lemire 2019): in such a lane nothing happens in this step.
    #[inline(always)]
    pub(super) fn choose(&mut self, slots: &Slots) {
        const HALF: u64 = u32::MAX as u64;
        let mut is_again = 0;
        for lane in 0..L {
            let shares = slots.all_shares(self.n_open[lane]) & HALF;
            let product = (self.words[lane] >> 32).wrapping_mul(shares);
            is_again |= u64::from(product & HALF < shares);
            self.ranks[lane] = product >> (32 + SHARES_BITS);
        }
        if is_again != 0 {
            self.reject(slots);
        }
    }

    /// Draws again where Lemire's method rejects the word.
    #[cold]
    #[inline(never)]
    fn reject(&mut self, slots: &Slots) {
        for lane in 0..L {
            let shares = slots.all_shares(self.n_open[lane]);
            let low = ((self.words[lane] >> 32) * shares) as u32;
            if shares > 0 && u64::from(low) < (1 << 32) % shares {
                self.ranks[lane] = AGAIN;
            }
        }
    }

    /// Finds the site of each rank.
    #[inline(always)]
    fn select<const BMI2: bool>(&mut self) {
        let mut masks = [0; L];
        let mut ones = [0; L];
        for lane in 0..L {
            let mut rank = self.ranks[lane];
            let mut mask = 0;
            let mut one = 0;
            for k in 0..G {
                let sites = self.open[k][lane];
                let count = u64::from(sites.count_ones());
                let here = all_if(rank < count);
                self.here[k][lane] = here;
                mask |= sites & here;
                one |= 1_u64.wrapping_shl(rank as u32) & here;
                // Above all counts once it was found.
                rank = rank.wrapping_sub(count);
            }
            masks[lane] = mask;
            ones[lane] = one;
        }
        for lane in 0..L {
            self.bits[lane] = deposit::<BMI2>(ones[lane], masks[lane]);
        }
    }

    /// Lets each trial wait for its draw.
    #[inline(always)]
    fn wait(&mut self, slots: &Slots) {
        let cutoff = self.cutoff;
        let mut on_slot = 0;
        let mut beyond = 0;
        for lane in 0..L {
            let open = self.n_open[lane];
            let rank = self.ranks[lane];
            let failures = slots.waits.failures(self.logarithms[lane], open);
            let waits = (open > 0) & (rank != AGAIN);
            let time = self.times[lane] + if waits { failures + 1.0 } else { 0.0 };
            self.times[lane] = time;
            let is_beyond = time > cutoff;
            self.bits[lane] &= all_if(!is_beyond);
            beyond |= lane_if(is_beyond, lane);
            on_slot |= lane_if((rank >= open) & (rank != AGAIN) & !is_beyond, lane);
        }
        self.beyond = beyond;
        self.on_slot = on_slot;
    }

    /// Writes the signals of the sites that were drawn, but for those that an update will write.
    #[inline(always)]
    pub(in crate::local::lanes) fn apply<K: Kernel<G>>(&mut self, coins_up_to: u64) {
        let mut leaving = 0;
        for lane in 0..L {
            let mut sites = [0; G];
            let mut certain = 0;
            for k in 0..G {
                sites[k] = self.bits[lane] & self.here[k][lane];
                certain |= sites[k] & self.certain[k][lane];
            }
            let coin = self.words[lane] & u64::from(u32::MAX);
            let may_leave = (certain != 0) | (coin <= coins_up_to);
            let cells = any(K::dependencies_of(sites));
            let mut leaves = (self.threatened[lane] & cells != 0) & may_leave;
            if !K::SIGNALS_FIRST {
                for k in 0..G {
                    sites[k] &= all_if(!leaves);
                }
            }
            let dependencies = K::dependencies_of(sites);
            let mut signals = [0; 8];
            for d in 0..8 {
                signals[d] = self.boards.signals[d][lane] ^ self.stale[d][lane] & dependencies[d];
                self.boards.signals[d][lane] = signals[d];
            }
            if K::SIGNALS_FIRST {
                let unsafe_cells = self.boards.crowded[lane] | any(signals);
                let threatened = self.boards.occupied[lane] & unsafe_cells;
                leaves = (threatened & cells != 0) & may_leave;
            }
            leaving |= lane_if(leaves, lane);
        }
        self.leaving = leaving;
    }
}

/// The lowest set bits of `ones`, at the positions of the set bits of `mask`: here of one bit.
#[inline(always)]
fn deposit<const BMI2: bool>(one: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if BMI2 {
        // SAFETY: the loops with BMI2 are entered on processors that have it.
        return unsafe { std::arch::x86_64::_pdep_u64(one, mask) };
    }
    match one {
        0 => 0,
        _ => bits::of_rank(mask, u64::from(one.trailing_zeros())),
    }
}
