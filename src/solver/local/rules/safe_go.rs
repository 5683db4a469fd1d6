//! SAFEGO, the certainty of the source text's rules.

use crate::solver::board::Directions;
use crate::solver::local::configuration::CellState;
use crate::solver::local::lanes::vector::Bits;
use crate::solver::local::sites::{Certainty, Concern, Side};

/// A threatened queen beside a safe cell moves for certain.
#[derive(Debug, Clone, Copy)]
pub struct SafeGo;

impl Certainty for SafeGo {
    const PART: &'static str = "safe-go";

    fn of(_: &str) -> Self {
        Self
    }

    #[inline(always)]
    fn certain_from(&self, _: CellState, b: CellState) -> Directions {
        b.safety().safe_from()
    }

    #[inline(always)]
    fn masks<B: Bits>(&self, _: &Side<B>, to: &Side<B>) -> B {
        to.safe
    }

    #[inline]
    fn concern(before: CellState, after: CellState) -> Concern {
        Concern::of_safety(before, after)
    }
}
