//! What steps in lanes take the update of a site for, so that it can be held against the update
//! itself ([`crate::local::law`]): the masks of open and of closed sites, the coins that the word
//! of a draw shows, and the slots.

use super::Batch;
use crate::bits;
use crate::board::{Board, Directions};
use crate::local::configuration::Cells as _;
use crate::local::lanes::draw::{ClosedSites, SHARES, SHARES_BITS, Slots};
use crate::local::lanes::kernel::{InLanes, Kernel};
use crate::local::law::{INDICES, Outcome, Sheet, StateLaw, Trier};
use crate::rng::{Chance, Generator, TWO_TO_64};

/// Values of a coin that comes with a draw, between two thresholds.
#[derive(Debug, Clone, Copy)]
struct CoinRange {
    /// The lower half of a word that shows the least of the values, and that of one of the
    /// greatest.
    ends: [u64; 2],
    probability: f64,
}

/// The ranges of a coin in which it shows the same: as one coin of ε, as two of them that show
/// heads and tails, and as two that show unlike sides.
fn coin_ranges(epsilon: Chance) -> Vec<CoinRange> {
    let one = epsilon.threshold();
    let first = (one * ((1 << 64) - one)) >> 64;
    let mut thresholds = [0, one, first, 2 * first, 1 << 64];
    thresholds.sort_unstable();
    let between = |pair: &[u128]| CoinRange {
        // Values that the upper half of their bits decides.
        ends: [(pair[0] >> 32) + 1, (pair[1] >> 32).saturating_sub(1)].map(|end| end as u64),
        probability: (pair[1] - pair[0]) as f64 / TWO_TO_64,
    };
    let ranges = thresholds.windows(2).map(between);
    // One too small for such a value has a probability below 2⁻³⁰.
    ranges
        .filter(|range| range.ends[0] <= range.ends[1])
        .collect()
}

/// The mask and the bit index of a site.
pub type Place = (usize, u32);

/// What a step has done to a board before the update of the site that was drawn.
#[derive(Debug, Clone, Copy)]
struct Applied {
    /// True if a queen may go, so that the update follows.
    leaves: bool,
    /// The signals by direction.
    signals: [u64; 8],
}

/// A rule in lanes on a small board.
pub struct AssumedInLanes<K, const G: usize> {
    rule: InLanes<K, G>,
    batch: Batch<G, 1>,
    coins: Vec<CoinRange>,
    /// The bits of the cells, by their indices.
    bits: [u64; INDICES],
}

impl<K: Kernel<G>, const G: usize> AssumedInLanes<K, G> {
    /// The rule on this board.
    pub fn new(rule: K, board: Board) -> Self {
        let coins = coin_ranges(rule.epsilon());
        let rule = InLanes::new(rule, board);
        let mut bits = [0; INDICES];
        for cell in board.cells() {
            bits[cell.index()] = rule.layout.bit(cell);
        }
        Self {
            rule,
            batch: Batch::idle(u64::MAX),
            coins,
            bits,
        }
    }

    /// Finds the open sites of a board, as a step does.
    fn find(&mut self, sheet: &Sheet) {
        let mut signals = [0; 8];
        let mut occupied = 0;
        let mut crowded = 0;
        for (index, state) in sheet.states() {
            let bit = self.bits[index];
            for (direction, cells) in signals.iter_mut().enumerate() {
                let is_set = state.signals.bits() >> direction & 1;
                *cells |= bit * u64::from(is_set);
            }
            occupied |= bit * u64::from(state.queens >= 1);
            crowded |= bit * u64::from(state.queens >= 2);
        }
        let boards = &mut self.batch.boards;
        boards.signals = signals.map(|cells| [cells]);
        (boards.occupied, boards.crowded) = ([occupied], [crowded]);
        self.batch.find::<K>(&self.rule.layout);
    }

    /// The place of a site.
    pub fn place(&self, site: K::Site) -> Option<Place> {
        let layout = &self.rule.layout;
        let cells = self.rule.rule.signal_cells(site);
        let has_its_cells = |mask: usize, index: u32| {
            let site_there = self.rule.rule.place(layout, mask, index);
            let cells_there = self.rule.rule.signal_cells(site_there);
            let mut cells = cells.as_ref().iter();
            cells.all(|cell| cells_there.as_ref().contains(cell))
        };
        let masks = K::sites_of(layout.has_neighbour).into_iter().enumerate();
        let mut places = masks
            .flat_map(|(mask, sites)| bits::ones(sites).map(move |index| (mask, index as u32)));
        places.find(|&(mask, index)| has_its_cells(mask, index))
    }

    /// Adds to a law the changes that steps make at a site of `sheet`, with their probabilities in
    /// one update of that site. Where the law of the update is known, coins that show the same are
    /// tried once; else both ends of each range of a coin are.
    #[inline(always)]
    pub fn changes(
        &mut self,
        sheet: &Sheet,
        place: Place,
        trier: &mut Trier<f64>,
        known: Option<&StateLaw<f64>>,
        law: &mut StateLaw<f64>,
    ) {
        self.find(sheet);
        let (mask, index) = place;
        if self.batch.open[mask][0] >> index & 1 == 0 {
            return self.closed_changes(sheet, place, trier, law);
        }
        let applied = self.apply(place, self.coins[0].ends[0]);
        if !applied.leaves {
            // Heads of the first coins do not let a queen go: no coin does.
            let written = self.written(sheet, place, applied, trier);
            return law.add(written, 1.0);
        }
        if let Some(known) = known {
            return self.merged_changes(sheet, place, trier, known, law);
        }
        for at in 0..self.coins.len() {
            let CoinRange { ends, probability } = self.coins[at];
            for coin in ends {
                let applied = self.apply(place, coin);
                if applied.leaves {
                    let coins = self.coins_of(sheet, place, coin);
                    self.updated_changes(sheet, place, coins, probability / 2.0, trier, law);
                } else {
                    let written = self.written(sheet, place, applied, trier);
                    law.add(written, probability / 2.0);
                }
            }
        }
    }

    /// The changes of an open site whose first coins let a queen go: all coins together that let
    /// it stay, and those that show the same.
    fn merged_changes(
        &mut self,
        sheet: &Sheet,
        place: Place,
        trier: &mut Trier<f64>,
        known: &StateLaw<f64>,
        law: &mut StateLaw<f64>,
    ) {
        let last = self.coins[self.coins.len() - 1];
        let of_last = self.apply(place, last.ends[0]);
        let coins_up_to = self.rule.rule.coins_up_to();
        let mut stays = 0.0;
        let mut shown: [(Option<[bool; 2]>, f64); 4] = [(None, 0.0); 4];
        let mut n_shown = 0;
        for CoinRange { ends, probability } in &self.coins {
            let coin = ends[0];
            if !of_last.leaves && coin > coins_up_to {
                stays += probability;
                continue;
            }
            let coins = self.coins_of(sheet, place, coin);
            match shown[..n_shown].iter_mut().find(|known| known.0 == coins) {
                Some(known) => known.1 += probability,
                None => {
                    shown[n_shown] = (coins, *probability);
                    n_shown += 1;
                }
            }
        }
        if stays > 0.0 {
            let written = self.written(sheet, place, of_last, trier);
            law.add(written, stays);
        }
        for (coins, probability) in &shown[..n_shown] {
            if coins.is_none() && n_shown == 1 && stays == 0.0 {
                // Nothing but the update.
                return law.clone_from(known);
            }
            self.updated_changes(sheet, place, *coins, *probability, trier, law);
        }
    }

    /// What a step does whose draw falls on an open site and has this coin, before any update.
    fn apply(&mut self, (mask, index): Place, coin: u64) -> Applied {
        let before = self.batch.boards.signals;
        self.batch.words[0] = coin;
        self.batch.bits[0] = 1 << index;
        for (number, here) in self.batch.here.iter_mut().enumerate() {
            here[0] = if number == mask { u64::MAX } else { 0 };
        }
        self.batch.apply::<K>(self.rule.rule.coins_up_to());
        let after = std::mem::replace(&mut self.batch.boards.signals, before);
        Applied {
            leaves: self.batch.leaving != 0,
            signals: after.map(|[cells]| cells),
        }
    }

    /// What the coins of ε show in the update of an open site, where the word of the draw says it.
    fn coins_of(&self, sheet: &Sheet, (mask, index): Place, coin: u64) -> Option<[bool; 2]> {
        let InLanes { rule, layout, .. } = &self.rule;
        let site = rule.place(layout, mask, index);
        rule.coins(sheet, site, coin, &mut Generator([0; 4]))
    }

    /// The changes of an update whose coins show this.
    fn updated_changes(
        &self,
        sheet: &Sheet,
        (mask, index): Place,
        coins: Option<[bool; 2]>,
        probability: f64,
        trier: &mut Trier<f64>,
        law: &mut StateLaw<f64>,
    ) {
        let InLanes { rule, layout, .. } = &self.rule;
        let site = rule.place(layout, mask, index);
        let update = |x: &mut Sheet, random: &mut _| rule.update_by(x, site, coins, random);
        trier.try_all(sheet, probability, update, law);
    }

    /// The outcome of a step that writes signals alone.
    fn written(
        &self,
        sheet: &Sheet,
        (mask, index): Place,
        applied: Applied,
        trier: &mut Trier<f64>,
    ) -> Outcome {
        let InLanes { rule, layout, .. } = &self.rule;
        let site = rule.place(layout, mask, index);
        trier.outcome_of(sheet, |x| {
            for &cell in rule.signal_cells(site).as_ref() {
                let bit = layout.bit(cell);
                let mut signals = 0;
                for (direction, cells) in applied.signals.iter().enumerate() {
                    signals |= u8::from(cells & bit != 0) << direction;
                }
                x.set_signals(cell, Directions::from_bits(signals));
            }
        })
    }

    /// The changes of a site that is not open: those of draws that fall on slots.
    fn closed_changes(
        &mut self,
        sheet: &Sheet,
        (mask, index): (usize, u32),
        trier: &mut Trier<f64>,
        law: &mut StateLaw<f64>,
    ) {
        if self.batch.threatened[0] == 0 {
            return;
        }
        let InLanes {
            rule,
            layout,
            slots,
            ..
        } = &self.rule;
        let mut closed = self.rule.closed_sites(&self.batch.boards.masks(0));
        for number in 0..G {
            let own = if number == mask { 1 << index } else { 0 };
            closed.dangerous[number] &= own;
            closed.contested[number] &= own;
        }
        let site = rule.place(layout, mask, index);
        let weight = closed.weight(slots);
        // Of an odd weight the first half has one more.
        let half = weight / 2;
        for at in [0, weight - half] {
            let Some(((_, _), coins)) = closed.fall(at, slots) else {
                continue;
            };
            let factor = half as f64 / TWO_TO_64;
            let update =
                |x: &mut Sheet, random: &mut _| rule.update_by(x, site, Some(coins), random);
            trier.try_all(sheet, factor, update, law);
        }
    }
}

/// What is wrong with the slots of a board at this ε, if anything is: their weights, where draws
/// fall, and how long they are in coming.
pub fn wrong_slots<K: Kernel<G>, const G: usize>(rule: &K, board: Board) -> Option<String> {
    let epsilon = rule.epsilon();
    let n = board.n() as u64;
    let p = epsilon.probability();
    let slots = Slots::new(epsilon, rule.n_sites(), n, K::SITES_PER_CELL);
    wrong_in::<G>(&slots, p, rule.n_sites(), n * K::SITES_PER_CELL)
}

/// [`wrong_slots`] of slots on so many sites, of which so many can be closed.
fn wrong_in<const G: usize>(slots: &Slots, p: f64, n_sites: u64, most: u64) -> Option<String> {
    let one = slots.dangerous;
    let two = slots.contested;
    let is_near =
        |weight: u128, expected: f64| (weight as f64 / TWO_TO_64 - expected).abs() < 1e-12;
    let wrong = |what: &str| Some(format!("{what} at ε = {p}"));
    if !is_near(one, p) || !is_near(two, 2.0 * p * (1.0 - p)) {
        return wrong("the weight of a site that is not open");
    }
    if u128::from(slots.shares) << (64 - SHARES_BITS) < u128::from(most.min(n_sites)) * one {
        return wrong("the number of slots");
    }
    if !falls_rightly::<G>(slots) {
        return wrong("the site on which a draw falls");
    }
    if !draws_rightly(slots, n_sites) {
        return wrong("the draw on a slot");
    }
    None
}

/// Sites laid end to end: two where one queen may move and two where one of two may, as far as
/// there are any of both.
fn falls_rightly<const G: usize>(slots: &Slots) -> bool {
    let one = slots.dangerous;
    let two = slots.contested;
    let last = G - 1;
    let mut closed = ClosedSites {
        dangerous: [0; G],
        contested: [0; G],
    };
    closed.dangerous[0] |= 1 << 3;
    closed.dangerous[last] |= 1 << 40;
    closed.contested[0] |= 1 << 17;
    closed.contested[last] |= 1 << 63;
    let mut expected = Vec::new();
    for (number, place) in [(0, 3), (last, 40)].into_iter().enumerate() {
        let begin = number as u128 * one;
        let ends = [begin, begin + one.saturating_sub(1)];
        expected.extend(ends.map(|at| (one, at, place, [true; 2])));
    }
    for (number, place) in [(0, 17), (last, 63)].into_iter().enumerate() {
        let begin = 2 * one + number as u128 * two;
        let half = two.div_ceil(2);
        for (at, coins) in [
            (begin, [true, false]),
            (begin + half.saturating_sub(1), [true, false]),
            (begin + half, [false, true]),
            (begin + two.saturating_sub(1), [false, true]),
        ] {
            expected.push((two, at, place, coins));
        }
    }
    let mut expected = expected.iter().filter(|(weight, ..)| *weight > 1);
    let is_right = |(_, at, (mask, index), coins): &(u128, u128, (usize, u32), [bool; 2])| {
        closed.fall(*at, slots) == Some(((*mask, *index), *coins))
    };
    expected.all(is_right) && closed.fall(2 * one + 2 * two, slots).is_none()
}

/// The shares, the numbers that draws on slots stand for, and the waits, by the number of open
/// sites.
fn draws_rightly(slots: &Slots, n_sites: u64) -> bool {
    let most = n_sites * SHARES;
    let more = 0x0123_4567_89AB_CDEF;
    [1, 2, 5]
        .into_iter()
        .filter(|&n_open| n_open < n_sites)
        .all(|n_open| {
            let shares = (n_open * SHARES + slots.shares).min(most);
            let of_slots = shares - n_open * SHARES;
            let slot_is_right = |slot: u64| {
                // The first word that falls there but one.
                let upper = ((n_open * SHARES + slot) << 32).div_ceil(shares) + 1;
                let expected =
                    u128::from(slot) << (64 - SHARES_BITS) | u128::from(more >> SHARES_BITS);
                slots.on_slots(upper << 32, n_open, more) == expected
            };
            let drawn = [0, of_slots / 2, of_slots.saturating_sub(1)];
            let are_right = of_slots == 0 || drawn.into_iter().all(slot_is_right);
            let logarithm = libm::log1p(-(shares as f64) / most as f64);
            let wait_is_right = |failures: f64| {
                let found = slots.waits.failures(logarithm * (failures + 0.5), n_open);
                shares == most || found == failures
            };
            slots.all_shares(n_open) == shares
                && are_right
                && [0.0, 1.0, 7.0].into_iter().all(wait_is_right)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::lanes::waits::WaitLaws;

    /// Slots of 42 sites, of which 32 can be closed, each with one slip.
    #[test]
    fn slips_in_slots_are_seen() {
        for p in [0.003, 0.3, 0.9] {
            let slots = Slots::new(Chance::new(p), 42, 4, 8);
            let wrong = |slots: &Slots| wrong_in::<4>(slots, p, 42, 32);
            assert_eq!(wrong(&slots), None);
            let slips: [fn(&mut Slots); 5] = [
                |slots| slots.dangerous /= 2,
                |slots| slots.contested = slots.dangerous,
                |slots| slots.contested /= 2,
                |slots| slots.shares -= 1,
                |slots| slots.waits = WaitLaws::new((0..=42).map(|open| f64::from(open) / 42.0)),
            ];
            for (number, slip) in slips.into_iter().enumerate() {
                let mut slipped = slots.clone();
                slip(&mut slipped);
                // All sites together need no more shares than there are.
                let is_without_effect = number == 3 && slots.shares == slots.most;
                assert!(
                    wrong(&slipped).is_some() || is_without_effect,
                    "{number} at {p}"
                );
            }
        }
    }
}
