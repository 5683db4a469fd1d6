//! What steps in lanes take the update of a site for, so that it can be held against the update
//! itself ([`crate::local::law`]): the masks of open and of closed sites, the coins that the word
//! of a draw shows, and the slots.

use super::{Batch, LaneSet};
use crate::LANES_PER_THREAD;
use crate::bits;
use crate::board::{Board, Directions};
use crate::local::configuration::Cells as _;
use crate::local::lanes::draw::{ClosedSites, SHARES, SHARES_BITS, Slots};
use crate::local::lanes::instructions::Instructions;
use crate::local::lanes::kernel::{InLanes, Kernel};
use crate::local::law::{INDICES, Outcome, Sheet, StateLaw, Trier, UpdateLaw};
use crate::rng::{Chance, Generator, TWO_TO_64};

/// A probability above this is 1 but for rounding.
const CERTAIN: f64 = 1.0 - 1e-12;

/// By the signals of a cell, for each direction all bits where its signal is set, else none.
static ALL_WHERE_SET: [[u64; 8]; 256] = {
    let mut words = [[0; 8]; 256];
    let mut number = 0;
    while number < 256 * 8 {
        let signals = number / 8;
        let direction = number % 8;
        let is_set = signals >> direction & 1 == 1;
        words[signals][direction] = if is_set { u64::MAX } else { 0 };
        number += 1;
    }
    words
};

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

/// Where lanes have a site, and the site as they have it there.
#[derive(Debug, Clone, Copy)]
pub struct Place<S> {
    mask: usize,
    index: u32,
    site: S,
}

/// Boards on which steps are tried side by side.
pub const AT_ONCE: usize = LANES_PER_THREAD;

/// What a step has done to each board before the update of the site that was drawn there.
#[derive(Debug, Clone, Copy)]
struct Applied {
    /// The lanes in which a queen may go, so that the update follows.
    leaving: LaneSet,
    /// The signals by direction and lane.
    signals: [[u64; AT_ONCE]; 8],
}

impl Applied {
    const NOTHING: Self = Self {
        leaving: 0,
        signals: [[0; AT_ONCE]; 8],
    };

    fn leaves(&self, lane: usize) -> bool {
        self.leaving >> lane & 1 == 1
    }
}

/// A rule in lanes on a small board, and what steps do on some boards at once ([`Self::try_on`]).
pub struct AssumedInLanes<K, const G: usize> {
    rule: InLanes<K, G>,
    batch: Batch<G, AT_ONCE>,
    coins: Vec<CoinRange>,
    /// What steps do by the ends of each range of a coin.
    applied: Vec<[Applied; 2]>,
    /// The bits of the cells, by their indices.
    bits: [u64; INDICES],
    instructions: Instructions,
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
            applied: vec![[Applied::NOTHING; 2]; coins.len()],
            coins,
            bits,
            instructions: Instructions::fastest(),
        }
    }

    /// Makes steps on these boards, each at its place, for [`Self::changes`] of them: by the first
    /// value of a coin and by the last, or by both ends of each range of a coin. At most
    /// [`AT_ONCE`] boards.
    pub fn try_on<'s>(
        &mut self,
        boards: impl Iterator<Item = (&'s Sheet, Place<K::Site>)>,
        by_all_coins: bool,
    ) {
        for (lane, (sheet, place)) in boards.enumerate() {
            self.put(lane, sheet);
            self.batch.bits[lane] = 1 << place.index;
            for (number, here) in self.batch.here.iter_mut().enumerate() {
                here[lane] = if number == place.mask { u64::MAX } else { 0 };
            }
        }
        let layout = &self.rule.layout;
        self.instructions.find::<K, G>(layout, &mut self.batch);

        let last = self.coins.len() - 1;
        for number in 0..self.coins.len() {
            let ends = self.coins[number].ends;
            if by_all_coins || number == 0 || number == last {
                self.applied[number][0] = self.apply(ends[0]);
            }
            if by_all_coins {
                self.applied[number][1] = self.apply(ends[1]);
            }
        }
    }

    /// Gives a lane this board.
    fn put(&mut self, lane: usize, sheet: &Sheet) {
        let mut signals = [0; 8];
        let mut occupied = 0;
        let mut crowded = 0;
        for (index, state) in sheet.states() {
            let bit = self.bits[index];
            let is_set = &ALL_WHERE_SET[usize::from(state.signals.bits())];
            for (cells, all_if_set) in signals.iter_mut().zip(is_set) {
                *cells |= bit & all_if_set;
            }
            occupied |= bit * u64::from(state.queens >= 1);
            crowded |= bit * u64::from(state.queens >= 2);
        }
        let boards = &mut self.batch.boards;
        for (of_lanes, cells) in boards.signals.iter_mut().zip(signals) {
            of_lanes[lane] = cells;
        }
        boards.occupied[lane] = occupied;
        boards.crowded[lane] = crowded;
    }

    /// What a step does in all lanes whose draws have this coin, before any update.
    fn apply(&mut self, coin: u64) -> Applied {
        let before = self.batch.boards.signals;
        self.batch.words = [coin; AT_ONCE];
        let coins_up_to = self.rule.rule.coins_up_to();
        self.instructions
            .apply::<K, G>(coins_up_to, &mut self.batch);
        Applied {
            leaving: self.batch.leaving,
            signals: std::mem::replace(&mut self.batch.boards.signals, before),
        }
    }

    /// The place of a site.
    pub fn place(&self, site: K::Site) -> Option<Place<K::Site>> {
        let InLanes { rule, layout, .. } = &self.rule;
        let cells = rule.signal_cells(site);
        let masks = K::sites_of(layout.has_neighbour).into_iter().enumerate();
        let mut places = masks.flat_map(|(mask, sites)| {
            bits::ones(sites).map(move |index| {
                let index = index as u32;
                let site = rule.place(layout, mask, index);
                Place { mask, index, site }
            })
        });
        places.find(|place| {
            let there = rule.signal_cells(place.site);
            let there = there.as_ref();
            cells.as_ref().iter().all(|cell| there.contains(cell))
        })
    }

    /// Adds to a law the changes that steps make in a lane, at a site of `sheet`, with their
    /// probabilities in one update of that site. Where the law of the update is known, what it does
    /// by given coins is not tried again; else it is tried by both ends of each range of a coin.
    #[inline(always)]
    pub fn changes(
        &self,
        lane: usize,
        (sheet, place): (&Sheet, Place<K::Site>),
        trier: &mut Trier<f64>,
        known: Option<&UpdateLaw>,
        law: &mut StateLaw<f64>,
    ) {
        if self.batch.open[place.mask][lane] >> place.index & 1 == 0 {
            return self.closed_changes(lane, (sheet, place), trier, known, law);
        }
        let of_first = &self.applied[0][0];
        if !of_first.leaves(lane) {
            // Heads of the first coins do not let a queen go: no coin does.
            let written = self.written(lane, (sheet, place), of_first, trier);
            return law.add(written, 1.0);
        }
        if let Some(known) = known {
            return self.merged_changes(lane, (sheet, place), trier, known, law);
        }
        for (range, applied) in self.coins.iter().zip(&self.applied) {
            let probability = range.probability / 2.0;
            for (coin, applied) in range.ends.into_iter().zip(applied) {
                if applied.leaves(lane) {
                    let coins = self.coins_of(sheet, place.site, coin);
                    self.updated_changes((sheet, place.site), coins, probability, trier, law);
                } else {
                    let written = self.written(lane, (sheet, place), applied, trier);
                    law.add(written, probability);
                }
            }
        }
    }

    /// The changes of an open site whose first coins let a queen go: all coins together that let
    /// it stay, and for others the outcome that the update is known to have by what they show.
    fn merged_changes(
        &self,
        lane: usize,
        (sheet, place): (&Sheet, Place<K::Site>),
        trier: &mut Trier<f64>,
        known: &UpdateLaw,
        law: &mut StateLaw<f64>,
    ) {
        let of_last = &self.applied[self.coins.len() - 1][0];
        let coins_up_to = self.rule.rule.coins_up_to();
        let stays = |range: &&CoinRange| !of_last.leaves(lane) && range.ends[0] > coins_up_to;
        let staying: f64 = self
            .coins
            .iter()
            .filter(stays)
            .map(|range| range.probability)
            .sum();
        if staying > 0.0 {
            let written = self.written(lane, (sheet, place), of_last, trier);
            law.add(written, staying);
        }

        // Of coins that no word says.
        let mut drawn = 0.0;
        // From tails to heads, in which order the outcomes of the update come.
        for range in self.coins.iter().rev().filter(|range| !stays(range)) {
            let CoinRange { ends, probability } = range;
            let Some(coins) = self.coins_of(sheet, place.site, ends[0]) else {
                drawn += probability;
                continue;
            };
            let at = (sheet, place.site);
            self.changes_by(at, coins, *probability, trier, Some(known), law);
        }
        if drawn > CERTAIN {
            // Nothing but the update.
            law.clone_from(&known.law);
        } else if drawn > 0.0 {
            self.updated_changes((sheet, place.site), None, drawn, trier, law);
        }
    }

    /// What the coins of ε show in the update of an open site, where the word of the draw says it.
    fn coins_of(&self, sheet: &Sheet, site: K::Site, coin: u64) -> Option<[bool; 2]> {
        let rule = &self.rule.rule;
        rule.coins(sheet, site, coin, &mut Generator([0; 4]))
    }

    /// The changes of an update whose coins show this: where its law is known by them, by that.
    #[inline(always)]
    fn changes_by(
        &self,
        at: (&Sheet, K::Site),
        coins: [bool; 2],
        probability: f64,
        trier: &mut Trier<f64>,
        known: Option<&UpdateLaw>,
        law: &mut StateLaw<f64>,
    ) {
        match known.and_then(|known| known.outcome(coins)) {
            Some(outcome) => law.add(outcome, probability),
            None => self.updated_changes(at, Some(coins), probability, trier, law),
        }
    }

    /// The changes of an update whose coins show this, or are drawn.
    fn updated_changes(
        &self,
        (sheet, site): (&Sheet, K::Site),
        coins: Option<[bool; 2]>,
        probability: f64,
        trier: &mut Trier<f64>,
        law: &mut StateLaw<f64>,
    ) {
        let rule = &self.rule.rule;
        let update = |x: &mut Sheet, random: &mut _| rule.update_by(x, site, coins, random);
        trier.try_all(sheet, probability, update, law);
    }

    /// The outcome of a step in a lane that writes signals alone.
    fn written(
        &self,
        lane: usize,
        (sheet, place): (&Sheet, Place<K::Site>),
        applied: &Applied,
        trier: &mut Trier<f64>,
    ) -> Outcome {
        let InLanes { rule, layout, .. } = &self.rule;
        trier.outcome_of(sheet, |x| {
            for &cell in rule.signal_cells(place.site).as_ref() {
                let bit = layout.bit(cell);
                let mut signals = 0;
                for (direction, cells) in applied.signals.iter().enumerate() {
                    signals |= u8::from(cells[lane] & bit != 0) << direction;
                }
                x.set_signals(cell, Directions::from_bits(signals));
            }
        })
    }

    /// The changes of a site that is not open: those of draws that fall on slots.
    fn closed_changes(
        &self,
        lane: usize,
        (sheet, place): (&Sheet, Place<K::Site>),
        trier: &mut Trier<f64>,
        known: Option<&UpdateLaw>,
        law: &mut StateLaw<f64>,
    ) {
        if self.batch.threatened[lane] == 0 {
            return;
        }
        let slots = &self.rule.slots;
        let mut closed = self.rule.closed_sites(&self.batch.boards.masks(lane));
        for number in 0..G {
            let own = if number == place.mask {
                1 << place.index
            } else {
                0
            };
            closed.dangerous[number] &= own;
            closed.contested[number] &= own;
        }
        let weight = closed.weight(slots);
        // Of an odd weight the first half has one more. The second half comes first, as the
        // outcomes of the update come.
        let half = weight / 2;
        for at in [weight - half, 0] {
            let Some(((_, _), coins)) = closed.fall(at, slots) else {
                continue;
            };
            let probability = half as f64 / TWO_TO_64;
            self.changes_by((sheet, place.site), coins, probability, trier, known, law);
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
