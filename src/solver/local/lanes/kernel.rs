//! What a rule does to eight boards in one step, and the steps of all batches, compiled once for
//! each set of instructions and chosen when the program runs. All lanes choose before any applies,
//! so that two batches in turn do not wait for each other.

use super::boards::Boards;
use super::draw::{ClosedSites, Draw, Fall, Slots};
use super::layout::{BitLayout, BoardMasks, Mask, count};
use super::trial::{ALL, Batch};
#[cfg(target_arch = "x86_64")]
use super::vector::{Avx2, Avx512};
use super::vector::{Instructions, LANES, LaneMask, Plain, Vector, Words};
use crate::local::configuration::Move;
use crate::local::sites::LocalRule;

/// A rule in lanes, on boards of W words.
pub trait Kernel<const W: usize>: Sync {
    /// The rule itself.
    type Rule: LocalRule;

    /// What is found in the choice and used afterwards.
    type Scratch;

    fn new(rule: Self::Rule, layout: BitLayout<W>) -> Self;

    fn new_scratch() -> Self::Scratch;

    fn layout(&self) -> &BitLayout<W>;

    fn slots(&self) -> &Slots;

    /// Finds the open sites and draws one of them in each lane, or a slot. Changes nothing but the
    /// generators.
    fn choose<V: Vector>(
        &self,
        boards: &mut Boards<W>,
        drawn: &mut Draw,
        scratch: &mut Self::Scratch,
    );

    /// Updates the site of each lane in [`Draw::on_open`]. Returns the lanes that
    /// [`Kernel::finish_move`] must see.
    fn apply<V: Vector>(
        &self,
        boards: &mut Boards<W>,
        drawn: &Draw,
        scratch: &mut Self::Scratch,
    ) -> LaneMask;

    /// Brings the update of a lane to its end. Returns the queen's move, if one took place.
    fn finish_move(
        &self,
        boards: &mut Boards<W>,
        scratch: &Self::Scratch,
        lane: usize,
    ) -> Option<Move<usize>>;

    /// The number among the rule's sites of the open site that a lane has drawn; `None` where it
    /// has drawn none.
    fn drawn_site(&self, scratch: &Self::Scratch, lane: usize) -> Option<u64>;

    /// The number of the site whose update makes this move.
    fn site_of(&self, moved: Move<usize>) -> u64;

    /// A bound on the weight of [`Kernel::closed_sites`], in units of 2⁻⁶⁴, for a lane in which
    /// nothing has changed since the choice.
    fn most_weight(&self, scratch: &Self::Scratch, lane: usize) -> u128;

    /// The sites of a lane that are not open and may change something.
    fn closed_sites(&self, boards: &Boards<W>, lane: usize) -> ClosedSites<W>;

    /// Updates the site where a draw on a slot has fallen, under the condition that it changes
    /// something.
    fn apply_slot_event(
        &self,
        boards: &mut Boards<W>,
        fall: Fall,
        lane: usize,
    ) -> Option<Move<usize>>;
}

/// The loop by some instructions that the processor has.
pub struct Loop<K: Kernel<W>, const W: usize>(unsafe fn(&K, &mut [Batch<K, W>], u32));

impl<K: Kernel<W>, const W: usize> Loop<K, W> {
    /// The loop by these instructions.
    ///
    /// # Panics
    /// Where the processor does not have them.
    pub fn by(instructions: Instructions) -> Self {
        assert!(
            Instructions::available().contains(&instructions),
            "the processor has no such instructions"
        );
        Self(match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::OneLane if Instructions::available().contains(&Instructions::Avx2) => {
                by_one_lane::<K, W>
            }
            // Seldom: one lane of all is as good there.
            #[cfg(target_arch = "x86_64")]
            Instructions::OneLane => steps::<Plain<LANES>, K, W>,
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::OneLane => steps::<Plain<1>, K, W>,
            Instructions::Portable => steps::<Plain<LANES>, K, W>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => by_avx2::<K, W>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => by_avx512::<K, W>,
        })
    }

    /// Steps of all batches, until a trial has ended or there have been so many.
    pub fn run(&self, kernel: &K, batches: &mut [Batch<K, W>], most: u32) {
        // SAFETY: the processor has the instructions, or there would be no such loop.
        unsafe { (self.0)(kernel, batches, most) }
    }
}

/// [`steps`] compiled for a processor that has more than every one has.
macro_rules! compiled {
    ($($(#[$doc:meta])* $name:ident: $Vector:ty, $features:literal;)+) => {$(
        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        unsafe fn $name<K: Kernel<W>, const W: usize>(
            kernel: &K,
            batches: &mut [Batch<K, W>],
            most: u32,
        ) {
            steps::<$Vector, K, W>(kernel, batches, most)
        }
    )+};
}

compiled! {
    /// A processor with AVX2 also counts bits in one instruction, which plain code may not use.
    by_one_lane: Plain<1>, "bmi1,bmi2,popcnt,lzcnt";
    by_avx2: Avx2, "avx2,bmi1,bmi2,popcnt,lzcnt";
    by_avx512: Avx512,
        "avx512vpopcntdq,avx512vbmi2,avx512f,avx512bw,avx2,bmi1,bmi2,popcnt,lzcnt";
}

#[inline(always)]
fn steps<V: Vector, K: Kernel<W>, const W: usize>(
    kernel: &K,
    batches: &mut [Batch<K, W>],
    most: u32,
) {
    // A batch without a trial is left alone: those with trials come first or are few.
    for _ in 0..most {
        for batch in batches.iter_mut().filter(|batch| batch.idle != ALL) {
            batch.drawn.clocks.draw::<V>(&kernel.slots().waits);
            kernel.choose::<V>(&mut batch.boards, &mut batch.drawn, &mut batch.scratch);
        }
        for batch in batches.iter_mut().filter(|batch| batch.idle != ALL) {
            batch.unfinished =
                kernel.apply::<V>(&mut batch.boards, &batch.drawn, &mut batch.scratch);
        }
        let mut has_ended = false;
        for batch in batches.iter_mut().filter(|batch| batch.idle != ALL) {
            batch.finish(kernel);
            has_ended |= batch.ended != 0;
        }
        if has_ended {
            return;
        }
    }
}

/// A loop that is written out, so that what depends on its number is known when it is compiled. The
/// vectors of a loop that is not would wait in memory.
macro_rules! written_out {
    ($number:ident in $($value:literal)+ => $body:block) => {
        $({
            const $number: usize = $value;
            $body
        })+
    };
}

pub(super) use written_out;

/// The masks of all lanes.
#[inline(always)]
pub fn masks<V: Vector, const W: usize>(boards: &Boards<W>) -> BoardMasks<V, W> {
    let mut signals = [[V::none(); W]; 8];
    written_out!(D in 0 1 2 3 4 5 6 7 => {
        signals[D] = load(&boards.signals[D]);
    });
    BoardMasks::of(signals, load(&boards.occupied), &load(&boards.crowded))
}

/// The masks of one lane.
pub fn masks_of_lane<const W: usize>(boards: &Boards<W>, lane: usize) -> BoardMasks<u64, W> {
    let signals = std::array::from_fn(|direction| boards.signals(lane, direction));
    BoardMasks::of(signals, boards.occupied(lane), &boards.crowded(lane))
}

/// Cells of one lane in a mask of all.
#[inline]
pub fn n_cells<const W: usize>(mask: &[Words; W], lane: usize) -> u64 {
    let here: Mask<W> = std::array::from_fn(|w| mask[w][lane]);
    count(&here)
}

#[inline(always)]
fn load<V: Vector, const W: usize>(words: &[Words; W]) -> [V; W] {
    let mut all = [V::none(); W];
    for w in 0..W {
        all[w] = V::load(&words[w]);
    }
    all
}

/// Lanes in which a mask has the lane's one cell.
#[inline(always)]
pub fn at<V: Vector, const W: usize>(mask: &[Words; W], cell: &[V; W]) -> LaneMask {
    let mut found = V::none();
    for w in 0..W {
        found = found | V::load(&mask[w]) & cell[w];
    }
    found.lanes()
}
