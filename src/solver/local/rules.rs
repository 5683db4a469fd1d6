//! The local rules: a table of them. Each row has the rule's name, its axes (ε, η), its columns,
//! its line of `reines list`, and its relaxation. What an update does is in `sites/pairs.rs` and
//! `sites/cells.rs`.

pub use super::Rule;
pub use super::sites::cells::OnCells;
pub use super::sites::pairs::OnPairs;

use super::relaxation::RELAXATION;
use super::sites::{LocalRule as _, cells, pairs};
use super::{EPSILON, ETA, N, RULE, lanes, law, prepared};
use crate::Algorithm;

macro_rules! table {
    ($($Rule:ty {
        algorithm: { $($algorithm:tt)* },
        relaxation: { $($relaxation:tt)* },
        $($fields:tt)*
    })*) => {
        /// The local rules, sorted by name.
        pub static RULES: &[Rule] = &[$(Rule {
            algorithm: Algorithm {
                $($algorithm)*
                sites: Some(<$Rule>::sites_on),
                law: Some(law::of::<$Rule>),
                ..RULE
            },
            relaxation: Algorithm {
                $($relaxation)*
                sites: Some(<$Rule>::sites_on),
                // Its queens stand still under any condition.
                law: Some(|_| law::of::<$Rule>("")),
                ..RELAXATION
            },
            $($fields)*
            #[cfg(test)]
            rule: std::any::TypeId::of::<$Rule>,
            side_by_side: lanes::run::<$Rule, _>,
            difference: law::difference_of::<$Rule, _>,
            prepare: prepared::<$Rule, _>,
        },)*];

        /// `for_every_rule!(variant in check(variant, arguments))` is
        /// `check::<R>(variant, arguments);` for the type R of every rule and every variant of the
        /// tests, which the caller brings in as `VARIANTS`.
        #[cfg(test)]
        macro_rules! for_every_rule {
            ($variant:ident in $check:ident $arguments:tt) => {{
                use crate::local::rules::*;
                $(for $variant in VARIANTS {
                    $check::<$Rule> $arguments;
                })*
            }};
        }
    };
}

table! {
    OnCells {
        algorithm: {
            name: "cell",
            doc: "Algorithm 2: a random cell per update, ω chooses the destination",
            axes: &[N, EPSILON, ETA],
            reads: Some(cells::reads),
        },
        relaxation: {
            name: "cell-relaxation",
            doc: "updates of the cell rule until all signals are true, from a placed solution without signals",
            reads: Some(cells::reads),
        },
    }
    OnPairs {
        algorithm: {
            name: "pair",
            doc: "Algorithm 1: a random pair of adjacent cells per update",
            axes: &[N, EPSILON],
            reads: Some(pairs::reads),
        },
        relaxation: {
            name: "pair-relaxation",
            doc: "updates of the pair rule until all signals are true, from a placed solution without signals",
            reads: Some(pairs::reads),
        },
    }
}

#[cfg(test)]
pub(super) use for_every_rule;
