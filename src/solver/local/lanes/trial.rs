//! Eight trials under way, side by side.

use super::boards::{Boards, Lane};
use super::draw::{Draw, below};
use super::kernel::Kernel;
use super::layout::{BitLayout, get};
use super::vector::{LANES, LaneMask};
use crate::Outcome;
use crate::local::configuration::{Configuration, Move};
use crate::outcome::{Counters, Kinds};
use crate::rng::{Generator, TWO_TO_64, TrialStream, Words as _};

/// All lanes.
pub const ALL: LaneMask = LaneMask::MAX;

/// Eight lanes, each with a trial or idle.
pub struct Batch<K: Kernel<W>, const W: usize> {
    pub boards: Boards<W>,
    pub drawn: Draw,
    pub scratch: K::Scratch,
    /// Lanes that [`Kernel::finish_move`] must see in this step.
    pub unfinished: LaneMask,
    /// What is counted of each trial.
    pub counters: [Counters; LANES],
    /// The last move of each trial, of whatever step.
    pub moved: [Option<Move<usize>>; LANES],
    /// Lanes without a trial.
    pub idle: LaneMask,
    /// Lanes whose trial has ended in this step: nothing can change any more, or the next change
    /// would come after the cutoff.
    pub ended: LaneMask,
}

impl<K: Kernel<W>, const W: usize> Batch<K, W> {
    /// All lanes idle; trials will end at this cutoff.
    pub fn idle(cutoff: u64) -> Self {
        Self {
            boards: Boards::empty(),
            drawn: Draw::none(cutoff),
            scratch: K::new_scratch(),
            unfinished: 0,
            counters: Default::default(),
            moved: [None; LANES],
            idle: ALL,
            ended: 0,
        }
    }

    /// Begins a trial in a lane. The first words of the stream are the states of its generators:
    /// that of the draws, then that of the waits.
    pub fn begin(&mut self, lane: usize, start: &Configuration, mut stream: TrialStream) {
        let mut generator = || Generator(std::array::from_fn(|_| stream.word()));
        self.boards.put(lane, &Lane::of(start, generator()));
        self.drawn.clocks.start(lane, generator());
        self.counters[lane] = Counters::at_start(start.placement().is_solution());
        self.idle &= !(1 << lane);
    }

    /// Ends the trial of a lane, and leaves this board there. Returns its facts.
    pub fn end(
        &mut self,
        lane: usize,
        empty_board: &Lane<W>,
        layout: &BitLayout<W>,
        cutoff: u64,
    ) -> Outcome {
        let board = self.boards.take(lane);
        // Where all signals are true nothing is drawn, so that the time is that of the last change.
        let is_absorbed = board.is_absorbed(layout);
        let time = if is_absorbed {
            self.drawn.clocks.time(lane)
        } else {
            cutoff
        };
        self.boards.put(lane, empty_board);
        self.drawn.clocks.start(lane, Generator([0; 4]));
        self.idle |= 1 << lane;
        Outcome {
            solution: board.solution(layout),
            ..self.counters[lane].outcome(is_absorbed, time)
        }
    }

    /// What is left of a step when the sites have been updated.
    #[inline(always)]
    pub fn finish(&mut self, kernel: &K) {
        self.ended = self.drawn.beyond;
        let mut unfinished = self.unfinished;
        while unfinished != 0 {
            let lane = unfinished.trailing_zeros() as usize;
            unfinished &= unfinished - 1;
            if let Some(moved) = kernel.finish_move(&mut self.boards, &self.scratch, lane) {
                self.queen_moved(kernel.layout(), lane, moved);
            }
        }
        let mut on_slot = self.drawn.on_slot & !self.idle;
        while on_slot != 0 {
            let lane = on_slot.trailing_zeros() as usize;
            on_slot &= on_slot - 1;
            if self.drawn.open[lane] == 0 {
                self.wait_alone(kernel, lane);
                continue;
            }
            let mut generator = self.boards.generator(lane);
            let at = self.drawn.on_slots(lane, kernel.slots(), &mut generator);
            self.boards.set_generator(lane, generator);
            // An upper bound of the weight rejects most draws without a scan of the board.
            if at < kernel.most_weight(&self.scratch, lane) {
                self.fall_on_slot(kernel, lane, at);
            }
        }
    }

    /// Handles a draw without an open site, and so without slots: waits for the draw that changes
    /// something, if any can.
    #[cold]
    #[inline(never)]
    fn wait_alone(&mut self, kernel: &K, lane: usize) {
        let slots = kernel.slots();
        let weight = kernel.closed_sites(&self.boards, lane).weight(slots);
        let p = weight as f64 / TWO_TO_64 / slots.n_sites() as f64;
        if weight == 0 || !self.drawn.clocks.wait_alone(lane, p.min(1.0)) {
            self.ended |= 1 << lane;
            return;
        }
        let mut generator = self.boards.generator(lane);
        let at = below(weight, &mut generator);
        self.boards.set_generator(lane, generator);
        self.fall_on_slot(kernel, lane, at);
    }

    /// A draw that has fallen on no open site, at this number of those that all slots have.
    #[inline(never)]
    fn fall_on_slot(&mut self, kernel: &K, lane: usize, at: u128) {
        let fall = kernel
            .closed_sites(&self.boards, lane)
            .fall(at, kernel.slots());
        if let Some(moved) = kernel.apply_slot_event(&mut self.boards, fall, lane) {
            self.queen_moved(kernel.layout(), lane, moved);
        }
    }

    /// Takes note of a queen's move.
    #[inline(never)]
    fn queen_moved(&mut self, layout: &BitLayout<W>, lane: usize, moved: Move<usize>) {
        self.moved[lane] = Some(moved);
        let (kinds, is_truly_safe) = kinds(&self.boards, layout, lane, moved);
        let counters = &mut self.counters[lane];
        counters.moved(kinds);
        let is_solution = is_truly_safe && self.boards.is_solution(lane, layout);
        counters.placed(is_solution, self.drawn.clocks.time(lane));
    }
}

/// The kinds of a move, from the queens after it; and true if no queen attacks its destination
/// except from the direction in which it came.
fn kinds<const W: usize>(
    boards: &Boards<W>,
    layout: &BitLayout<W>,
    lane: usize,
    moved: Move<usize>,
) -> (Kinds, bool) {
    let Move {
        from,
        to,
        side,
        is_safe,
        is_certain,
    } = moved;
    let (occupied, is_met) = (boards.occupied(lane), get(&boards.crowded(lane), to));
    let mut others = occupied;
    if !is_met {
        others[to / 64] &= !(1 << (to % 64));
    }
    let attacked = |sights: [u64; W]| (0..W).any(|w| sights[w] & others[w] != 0);
    let attacks = &layout.sights[from];
    let is_attacked = get(&others, from) || attacked(attacks[0]) || attacked(attacks[7]);
    let is_truly_safe = !is_met && !attacked(layout.sights[to][side as usize]);
    let kinds = Kinds {
        dangerous: !is_certain,
        needless: !is_attacked,
        deceived: is_safe != is_truly_safe,
    };
    (kinds, is_truly_safe)
}
