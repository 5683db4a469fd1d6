//! Trials under way: one in a lane, and eight side by side.

use super::boards::{Boards, Lane};
use super::draw::{Draw, Slots, below};
use super::kernel::Kernel;
use super::layout::{BitLayout, get};
use super::vector::{LANES, LaneMask};
use crate::local::configuration::{Configuration, Move};
use crate::outcome::{Counters, Kinds};
use crate::rng::{Generator, Geometric, TWO_TO_64, TrialStream};
use crate::{Key, Outcome, Point};

/// All lanes.
pub const ALL: LaneMask = LaneMask::MAX;

/// The time of a hit, until the checkpoint that follows it at once.
pub const NOT_YET_KNOWN: u64 = u64::MAX;

/// Domain tag of the stream of all waits.
const WAITS: &str = "reines/local/lanes/waits/1";

/// Domain tag, but for the number of updates before them, of the single waits after a checkpoint.
const SINGLES: &str = "reines/local/lanes/single-waits/2";

/// A trial as it was at its last checkpoint; what came after it is in the trial's lane.
pub struct Trial<const W: usize> {
    pub key: Key,
    /// Step of the team before the trial's first.
    pub began: u64,
    /// Updates up to the checkpoint.
    pub time: u64,
    pub board: Lane<W>,
    pub tally: LaneTally,
}

/// What is counted of a trial, apart from its draws.
#[derive(Clone)]
pub struct LaneTally {
    pub counters: Counters,
    /// Updates of the draws without an open site since the last checkpoint, whose waits are drawn
    /// one by one.
    pub waited: u64,
    /// The stream of all waits.
    pub waits: TrialStream,
    /// Nothing can change any more.
    pub is_still: bool,
    /// The last move, of whatever step.
    pub moved: Option<Move<usize>>,
}

impl LaneTally {
    /// The tally of a trial before its first update.
    pub fn of(key: Key, point: &Point) -> Self {
        Self {
            counters: Counters::default(),
            waited: 0,
            waits: TrialStream::new(WAITS, key.seed, point, key.trial),
            is_still: false,
            moved: None,
        }
    }
}

impl<const W: usize> Trial<W> {
    /// A trial before its first update, after so many steps of the team.
    pub fn new(
        key: Key,
        point: &Point,
        began: u64,
        start: &Configuration,
        mut stream: TrialStream,
    ) -> Self {
        let generator = Generator(std::array::from_fn(|_| stream.word()));
        let mut tally = LaneTally::of(key, point);
        tally.counters = Counters::at_start(start.placement().is_solution());
        Self {
            key,
            began,
            time: 0,
            board: Lane::of(start, generator),
            tally,
        }
    }

    /// The stream of the single waits between the last checkpoint and the next.
    pub fn singles(&self, point: &Point) -> TrialStream {
        let tag = format!("{SINGLES}/{}", self.time);
        TrialStream::new(&tag, self.key.seed, point, self.key.trial)
    }

    /// The facts of the trial when it ends as it is, absorbed or at its cutoff.
    pub fn outcome(&self, layout: &BitLayout<W>, is_absorbed: bool, cutoff: u64) -> Outcome {
        let time = if is_absorbed { self.time } else { cutoff };
        Outcome {
            solution: self.board.solution(layout),
            ..self.tally.counters.outcome(is_absorbed, time)
        }
    }
}

/// Eight lanes, each with a trial or idle.
pub struct Batch<K: Kernel<W>, const W: usize> {
    pub boards: Boards<W>,
    pub drawn: Draw,
    pub scratch: K::Scratch,
    /// Lanes that [`Kernel::finish_move`] must see in this step.
    pub unfinished: LaneMask,
    /// The lane's draws since its last checkpoint, by the number of open sites. Draws without an
    /// open site are not used.
    pub draws: Box<[[u32; LANES]]>,
    /// What is counted of each trial.
    pub tallies: [LaneTally; LANES],
    /// Lanes without a trial.
    pub idle: LaneMask,
    /// Lanes that have come, in this step, to their first solution or to where nothing can change.
    pub stopped: LaneMask,
}

impl<K: Kernel<W>, const W: usize> Batch<K, W> {
    /// All lanes idle.
    pub fn idle(kernel: &K, tally: &LaneTally) -> Self {
        let n_sites = kernel.slots().n_sites();
        Self {
            boards: Boards::empty(),
            drawn: Draw::none(),
            scratch: K::new_scratch(),
            unfinished: 0,
            draws: vec![[0; LANES]; n_sites as usize + 1].into(),
            tallies: std::array::from_fn(|_| tally.clone()),
            idle: ALL,
            stopped: 0,
        }
    }

    /// Gives a lane a trial, which goes on from its checkpoint.
    pub fn load(&mut self, lane: usize, trial: &Trial<W>) {
        self.boards.put(lane, &trial.board);
        self.tallies[lane] = trial.tally.clone();
        self.draws.iter_mut().for_each(|draws| draws[lane] = 0);
        self.idle &= !(1 << lane);
    }

    /// Takes a lane's trial away.
    pub fn clear(&mut self, lane: usize, empty_board: &Lane<W>) {
        self.boards.put(lane, empty_board);
        self.idle |= 1 << lane;
    }

    /// True if a lane's choice is a draw; else nothing happens in this step.
    pub fn is_draw(&self, lane: usize) -> bool {
        (self.drawn.on_open | self.drawn.on_slot) >> lane & 1 == 1
    }

    /// What is left of a step when the sites have been updated.
    #[inline(always)]
    pub fn finish(&mut self, kernel: &K) {
        self.stopped = 0;
        for lane in 0..LANES {
            let draws = &mut self.draws[self.drawn.open[lane] as usize][lane];
            *draws = draws.wrapping_add(1);
        }
        if self.drawn.on_open | self.drawn.on_slot != ALL {
            self.take_back();
        }
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
                self.wait(kernel, lane);
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

    /// Lanes in which there was no draw are not counted.
    #[cold]
    #[inline(never)]
    fn take_back(&mut self) {
        let none = !(self.drawn.on_open | self.drawn.on_slot);
        for lane in (0..LANES).filter(|lane| none >> lane & 1 == 1) {
            let draws = &mut self.draws[self.drawn.open[lane] as usize][lane];
            *draws = draws.wrapping_sub(1);
        }
    }

    /// Handles a draw without an open site, and so without slots: waits for the draw that changes
    /// something, if any can.
    #[cold]
    #[inline(never)]
    fn wait(&mut self, kernel: &K, lane: usize) {
        let slots = kernel.slots();
        let weight = kernel.closed_sites(&self.boards, lane).weight(slots);
        let tally = &mut self.tallies[lane];
        if weight == 0 {
            tally.is_still = true;
            self.stopped |= 1 << lane;
            return;
        }
        let wait = wait_alone(weight, slots, &mut tally.waits);
        tally.waited = tally.waited.saturating_add(wait);
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
        let tally = &mut self.tallies[lane];
        tally.moved = Some(moved);
        let (kinds, is_truly_safe) = kinds(&self.boards, layout, lane, moved);
        let had_hit = tally.counters.hit.is_some();
        tally.counters.moved(kinds);
        let is_solution = is_truly_safe && self.boards.is_solution(lane, layout);
        tally.counters.placed(is_solution, NOT_YET_KNOWN);
        if is_solution && !had_hit {
            self.stopped |= 1 << lane;
        }
    }
}

/// Updates of a draw without an open site, when the others change something with this probability
/// in units of 2⁻⁶⁴ of a site. `u64::MAX` means "beyond 2⁶⁴".
pub fn wait_alone(weight: u128, slots: &Slots, waits: &mut TrialStream) -> u64 {
    let p = weight as f64 / TWO_TO_64 / slots.n_sites() as f64;
    Geometric::new(p.min(1.0))
        .failures(waits.exponential())
        .saturating_add(1)
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
