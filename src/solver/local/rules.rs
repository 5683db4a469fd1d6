//! The local rules: a table of them.

pub use super::Registered;
pub use super::sites::cells::OnCells;
pub use super::sites::pairs::OnPairs;

use super::lanes::cells::CellKernel;
use super::lanes::pairs::PairKernel;
use super::{EPSILON, ETA, N, lanes};

macro_rules! table {
    ($($Rule:ty { $($fields:tt)* })*) => {
        /// The local rules, sorted by name.
        pub const REGISTERED: &[Registered] = &[$(
            Registered { $($fields)* ..Registered::of::<$Rule>() },
        )*];

        /// `for_every_rule!(variant in check(variant, arguments))` is
        /// `check::<R>(variant, arguments);` for the type R of every rule and every variant of the
        /// tests.
        #[cfg(test)]
        macro_rules! for_every_rule {
            ($variant:ident in $check:ident $arguments:tt) => {{
                use crate::local::rules::*;
                $(for $variant in crate::local::samples::VARIANTS {
                    $check::<$Rule> $arguments;
                })*
            }};
        }
    };
}

table! {
    OnCells {
        name: "cell",
        doc: "Algorithm 2: a random cell per update, ω chooses the destination",
        axes: &[N, EPSILON, ETA],
        rejection_free_up_to: 0.1,
        lanes: &[
            (0.3, lanes::run::<CellKernel<1>, 1>),
            (0.3, lanes::run::<CellKernel<2>, 2>),
            (0.1, lanes::run::<CellKernel<3>, 3>),
        ],
    }
    OnPairs {
        name: "pair",
        doc: "Algorithm 1: a random pair of adjacent cells per update",
        axes: &[N, EPSILON],
        rejection_free_up_to: 0.03,
        lanes: &[
            (0.1, lanes::run::<PairKernel<1>, 1>),
            (0.1, lanes::run::<PairKernel<2>, 2>),
        ],
    }
}

#[cfg(test)]
pub(super) use for_every_rule;
