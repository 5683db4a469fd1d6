//! What a rule does to eight boards in one step. All lanes choose before any applies, so that two
//! batches in turn do not wait for each other.

use super::boards::Boards;
use super::layout::Layout;
use super::step::{Draw, Fall, LaneMove, Rest, Slots};
use super::vector::{LaneMask, Vector, Words};
use crate::solver::local::rule::LocalRule;

/// A rule in lanes, on boards of W words.
pub trait Kernel<const W: usize>: Sync {
    /// The rule itself.
    type Rule: LocalRule;

    /// What is found in the choice and used afterwards.
    type Found;

    fn new(rule: Self::Rule, layout: Layout<W>) -> Self;

    fn found() -> Self::Found;

    fn layout(&self) -> &Layout<W>;

    fn slots(&self) -> &Slots;

    /// Finds the open sites and draws one of them in each lane, or a slot. Changes nothing but the
    /// generators.
    fn choose<V: Vector>(&self, boards: &mut Boards<W>, drawn: &mut Draw, found: &mut Self::Found);

    /// Updates the site of each lane in [`Draw::on_open`]. Returns the lanes that
    /// [`Kernel::attend`] must see.
    fn apply<V: Vector>(
        &self,
        boards: &mut Boards<W>,
        drawn: &Draw,
        found: &mut Self::Found,
    ) -> LaneMask;

    /// Brings the update of a lane to its end. Returns the queen's move, if one took place.
    fn attend(
        &self,
        boards: &mut Boards<W>,
        drawn: &Draw,
        found: &Self::Found,
        lane: usize,
    ) -> Option<LaneMove>;

    /// The number among the rule's sites of the open site that a lane has drawn; `None` where it
    /// has drawn none.
    fn drawn_site(&self, found: &Self::Found, lane: usize) -> Option<u64>;

    /// The number of the site whose update makes this move.
    fn site_of(&self, moved: LaneMove) -> u64;

    /// A bound on the weight of [`Kernel::rest`], in units of 2⁻⁶⁴, for a lane in which nothing has
    /// changed since the choice.
    fn most_weight(&self, found: &Self::Found, lane: usize) -> u128;

    /// The sites of a lane that are not open and may change something.
    fn rest(&self, boards: &Boards<W>, lane: usize) -> Rest<W>;

    /// Updates the site where a draw on a slot has fallen, under the condition that it changes
    /// something.
    fn unlikely(
        &self,
        boards: &mut Boards<W>,
        drawn: &Draw,
        fall: Fall,
        lane: usize,
    ) -> Option<LaneMove>;
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

#[inline(always)]
pub fn load<V: Vector, const W: usize>(words: &[Words; W]) -> [V; W] {
    let mut all = [V::none(); W];
    for w in 0..W {
        all[w] = V::load(&words[w]);
    }
    all
}

#[inline(always)]
pub fn load_signals<V: Vector, const W: usize>(boards: &Boards<W>) -> [[V; W]; 8] {
    let mut all = [[V::none(); W]; 8];
    written_out!(D in 0 1 2 3 4 5 6 7 => {
        all[D] = load(&boards.signals[D]);
    });
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
