//! SAFEGO, the certainty of the source text's rules.

use crate::board::Direction;
use crate::local::configuration::{CellState, Neighbourhood};
use crate::local::lanes::kernel::{ByMasks, PairSide};
use crate::local::lanes::vector::Bits;
use crate::local::sites::Certainty;

/// A threatened queen beside a safe cell moves for certain.
#[derive(Debug, Clone, Copy)]
pub struct SafeGo;

impl Certainty for SafeGo {
    fn of(_: &str) -> Self {
        Self
    }

    #[inline(always)]
    fn is_certain(&self, _: CellState, b: CellState, from: Direction) -> bool {
        b.safety().directions().contains(from)
    }

    #[inline]
    fn concern(before: CellState, after: CellState) -> Neighbourhood {
        before.safety().difference(after.safety())
    }
}

impl ByMasks for SafeGo {
    const COUNTS_SIGNALS: bool = false;

    #[inline(always)]
    fn are_certain<B: Bits>(&self, _: &PairSide<B>, to: &PairSide<B>) -> B {
        to.safe
    }
}
