//! L trials under way, and what a step does in one lane: the update of a site where a queen may
//! move, and draws on slots. Here a trial in lanes ends (absorbed or censored), and its time, its
//! moves and their kinds are counted.

mod assumed;
mod step;

#[cfg(test)]
mod tests;

pub use self::assumed::{AT_ONCE, AssumedInLanes, Place, wrong_slots};
use super::boards::{Boards, Lane};
use super::draw::below;
use super::kernel::{InLanes, Kernel};
use super::layout::Layout;
use crate::Outcome;
use crate::local::configuration::{Configuration, Move};
use crate::outcome::{Counters, Kinds};
use crate::rng::{Generator, Geometric, TWO_TO_64, TrialStream, Words as _};

/// Some of the lanes: bit l for lane l.
type LaneSet = u64;

/// The rank of no site and no slot: the word is drawn again.
const AGAIN: u64 = u64::MAX;

/// L lanes, each with a trial or idle, and what they have found in a step, by lane.
#[repr(align(64))]
pub struct Batch<const G: usize, const L: usize> {
    pub boards: Boards<L>,
    draws: Generators<L>,
    waits: Generators<L>,
    /// The times of the trials, in updates: whole numbers, rounded above 2⁵³.
    times: [f64; L],
    /// What no time may pass.
    cutoff: f64,
    /// The word that chooses the site by its upper half; the lower half is a coin.
    words: [u64; L],
    /// The logarithm of which the wait is made.
    logarithms: [f64; L],
    /// Signals in each direction that are not what an update would write.
    stale: [[u64; L]; 8],
    threatened: [u64; L],
    /// The open sites, and their number.
    open: [[u64; L]; G],
    n_open: [u64; L],
    /// The sites with a certain move.
    certain: [[u64; L]; G],
    /// The rank of the site that was drawn, or [`AGAIN`]; what else is not below the number of open
    /// sites is a slot.
    ranks: [u64; L],
    /// The mask where the site is, all bits of it, else 0; and its bit.
    here: [[u64; L]; G],
    bits: [u64; L],
    /// Lanes where a queen may move, where a slot was drawn, and where the draw would come after
    /// the cutoff, so that it is not made.
    leaving: LaneSet,
    on_slot: LaneSet,
    beyond: LaneSet,
    /// Lanes without a trial.
    idle: LaneSet,
    /// Lanes whose trial has ended in this step: nothing can change any more, or the next change
    /// would come after the cutoff.
    pub ended: LaneSet,
    /// What is counted of each trial.
    counters: [Counters; L],
    /// The last move of each trial, until it is taken.
    pub moved: [Option<Move>; L],
}

/// The states of L generators.
struct Generators<const L: usize>([[u64; L]; 4]);

impl<const L: usize> Generators<L> {
    #[inline(always)]
    fn get(&self, lane: usize) -> Generator {
        let [a, b, c, d] = &self.0;
        Generator([a[lane], b[lane], c[lane], d[lane]])
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, generator: Generator) {
        for i in 0..4 {
            self.0[i][lane] = generator.0[i];
        }
    }

    #[inline(always)]
    fn word(&mut self, lane: usize) -> u64 {
        let mut generator = self.get(lane);
        let word = generator.word();
        self.set(lane, generator);
        word
    }
}

impl<const G: usize, const L: usize> Batch<G, L> {
    /// All lanes idle; trials will end at this cutoff.
    pub fn idle(cutoff: u64) -> Self {
        Self {
            boards: Boards::empty(),
            draws: Generators([[0; L]; 4]),
            waits: Generators([[0; L]; 4]),
            times: [0.0; L],
            cutoff: cutoff as f64,
            words: [0; L],
            logarithms: [0.0; L],
            stale: [[0; L]; 8],
            threatened: [0; L],
            open: [[0; L]; G],
            n_open: [0; L],
            certain: [[0; L]; G],
            ranks: [0; L],
            here: [[0; L]; G],
            bits: [0; L],
            leaving: 0,
            on_slot: 0,
            beyond: 0,
            idle: LaneSet::MAX,
            ended: 0,
            counters: std::array::from_fn(|_| Counters::default()),
            moved: [None; L],
        }
    }

    /// Begins a trial in a lane. The first words of the stream are the states of its generators:
    /// that of the draws, then that of the waits.
    pub fn begin(
        &mut self,
        lane: usize,
        start: &Configuration,
        layout: &Layout,
        stream: &mut TrialStream,
    ) {
        let mut generator = || Generator(std::array::from_fn(|_| stream.word()));
        self.boards.put(lane, start, layout);
        self.draws.set(lane, generator());
        self.waits.set(lane, generator());
        self.times[lane] = 0.0;
        self.counters[lane] = Counters::at_start(start.placement().is_solution());
        self.idle &= !(1 << lane);
    }

    /// Ends the trial of a lane. Returns its facts.
    pub fn end(&mut self, lane: usize, layout: &Layout, cutoff: u64) -> Outcome {
        let solution = self.boards.solution(lane, layout.board.n());
        // All signals are true where no site is open, so that the time is that of the last change.
        let is_absorbed = self.n_open[lane] == 0 && solution.is_some();
        let time = if is_absorbed { self.time(lane) } else { cutoff };
        self.boards.clear(lane);
        self.times[lane] = 0.0;
        self.idle |= 1 << lane;
        Outcome {
            solution,
            ..self.counters[lane].outcome(is_absorbed, time)
        }
    }

    /// True if a lane has no trial.
    pub fn is_idle(&self, lane: usize) -> bool {
        self.idle >> lane & 1 == 1
    }

    /// True if the trial of a lane has ended in this step.
    pub fn has_ended(&self, lane: usize) -> bool {
        self.ended >> lane & 1 == 1
    }

    /// The time of a lane's trial; 2⁶⁴ − 1 for all that is above.
    pub fn time(&self, lane: usize) -> u64 {
        self.times[lane] as u64
    }

    /// The mask and the bit index of the open site that was drawn in a lane.
    #[inline(always)]
    fn drawn(&self, lane: usize) -> (usize, u32) {
        let mask = (0..G).find(|&k| self.here[k][lane] != 0);
        let mask = mask.expect("a site was drawn");
        (mask, self.bits[lane].trailing_zeros())
    }

    /// The update of the site of this bit of a mask: an open one, or what its coins of ε show.
    #[inline(always)]
    fn update<K: Kernel<G>>(
        &mut self,
        rule: &InLanes<K, G>,
        lane: usize,
        (mask, index): (usize, u32),
        coins: Option<[bool; 2]>,
    ) {
        let mut draws = self.draws.get(lane);
        let InLanes { rule, layout, .. } = rule;
        let site = rule.place(layout, mask, index);
        let mut x = Lane::around(&mut self.boards, lane, layout, index);
        let coins = coins.or_else(|| rule.coins(&x, site, self.words[lane], &mut draws));
        let moved = rule.update_by(&mut x, site, coins, &mut draws);
        self.draws.set(lane, draws);
        if let Some(moved) = moved {
            self.queen_moved(layout, lane, moved);
        }
    }

    /// What comes of a draw on a slot.
    #[inline(always)]
    fn draw_on_slot<K: Kernel<G>>(&mut self, rule: &InLanes<K, G>, lane: usize) {
        let n_open = self.n_open[lane];
        if n_open == 0 {
            self.wait_alone(rule, lane);
            return;
        }
        let more = self.draws.word(lane);
        let at = rule.slots.on_slots(self.words[lane], n_open, more);
        // An upper bound of the weight rejects most draws without a scan of the board.
        let n_sites = K::SITES_PER_CELL * u64::from(self.threatened[lane].count_ones());
        if at < u128::from(n_sites) * rule.slots.dangerous {
            self.fall_on_slot(rule, lane, at);
        }
    }

    /// Handles a draw without an open site, and so without slots: waits for the draw that changes
    /// something, if any can.
    #[cold]
    #[inline(never)]
    fn wait_alone<K: Kernel<G>>(&mut self, rule: &InLanes<K, G>, lane: usize) {
        let closed = rule.closed_sites(&self.boards.masks(lane));
        let weight = closed.weight(&rule.slots);
        let p = weight as f64 / TWO_TO_64 / rule.slots.n_sites() as f64;
        if weight == 0 || !self.wait_for(lane, p.min(1.0)) {
            self.ended |= 1 << lane;
            return;
        }
        let mut draws = self.draws.get(lane);
        let at = below(weight, &mut draws);
        self.draws.set(lane, draws);
        self.fall_on_slot(rule, lane, at);
    }

    /// Lets a lane wait for a draw that comes with this probability in each update. Returns false
    /// where its time is after the cutoff.
    fn wait_for(&mut self, lane: usize, p: f64) -> bool {
        let mut waits = self.waits.get(lane);
        let failures = (waits.exponential() * Geometric::new(p).scale()).trunc();
        self.waits.set(lane, waits);
        self.times[lane] += failures + 1.0;
        self.times[lane] <= self.cutoff
    }

    /// A draw that has fallen on no open site, at this number of those that all slots have.
    #[inline(never)]
    fn fall_on_slot<K: Kernel<G>>(&mut self, rule: &InLanes<K, G>, lane: usize, at: u128) {
        let closed = rule.closed_sites(&self.boards.masks(lane));
        if let Some((place, coins)) = closed.fall(at, &rule.slots) {
            self.update(rule, lane, place, Some(coins));
        }
    }

    /// Takes note of a queen's move.
    #[inline(never)]
    fn queen_moved(&mut self, layout: &Layout, lane: usize, moved: Move) {
        self.moved[lane] = Some(moved);
        let (kinds, is_truly_safe) = kinds(&self.boards, layout, lane, moved);
        let counters = &mut self.counters[lane];
        counters.moved(kinds);
        let is_solution = is_truly_safe && self.boards.is_solution(lane, layout.board.n());
        counters.placed(is_solution, self.times[lane] as u64);
    }
}

/// The kinds of a move, from the queens after it; and true if no queen attacks its destination
/// except from the direction in which it came.
fn kinds<const L: usize>(
    boards: &Boards<L>,
    layout: &Layout,
    lane: usize,
    moved: Move,
) -> (Kinds, bool) {
    let from = layout.bit(moved.from);
    let to = layout.bit(moved.to);
    let sights = |bit: u64| &layout.sights[bit.trailing_zeros() as usize];
    let is_met = boards.crowded[lane] & to != 0;
    let others = boards.occupied[lane] & if is_met { u64::MAX } else { !to };
    let of_from = sights(from);
    let is_attacked = others & (from | of_from[0] | of_from[7]) != 0;
    let is_truly_safe = !is_met && others & sights(to)[moved.side as usize] == 0;
    let kinds = Kinds {
        dangerous: !moved.is_certain,
        needless: !is_attacked,
        deceived: moved.is_safe != is_truly_safe,
    };
    (kinds, is_truly_safe)
}
