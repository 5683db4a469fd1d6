//! SAFEGO, the certainty of the source text's rules.

use crate::solver::board::Directions;
use crate::solver::local::configuration::{Around, CellState};
use crate::solver::local::lanes::vector::Bits;
use crate::solver::local::sites::{Certainty, Side};

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
        b.safety().beside()
    }

    #[inline(always)]
    fn masks<B: Bits>(&self, _: &Side<B>, to: &Side<B>) -> B {
        to.safe
    }

    #[inline]
    fn concern(before: CellState, after: CellState) -> Around {
        before.safety().difference(after.safety())
    }
}
