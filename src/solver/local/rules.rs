//! The local rules: one file for each, and one line for each in the list below.
//!
//! A rule's file uses the rooms above it (`rule`, `configuration`, …) and no other rule's file, so
//! that results of one rule do not depend on the code of another.

pub mod cell;

pub mod cell_fewer;

pub mod pair;

pub mod pair_fewer;

use super::LocalAlgorithm;
use super::relaxation::Relaxation;
use super::rule::LocalRule;
use super::watch::{self, Watch};
use crate::solver::Algorithm;

/// Gives the registered rules to the macro `$to`, after the tokens `$with`.
macro_rules! registered {
    ($to:ident $($with:tt)*) => {
        $to! { [$($with)*]
            cell::CellRule,
            cell_fewer::CellFewerRule,
            pair::PairRule,
            pair_fewer::PairFewerRule,
        }
    };
}

/// A registered rule, as the algorithms that it gives.
pub struct Registered {
    /// The rule itself.
    pub rule: &'static dyn Algorithm,
    /// The relaxation of its signals.
    pub relaxation: &'static dyn Algorithm,
    /// [`LocalRule::REJECTION_FREE_UP_TO`].
    pub rejection_free_up_to: f64,
    /// [`LocalRule::LANES_UP_TO`].
    pub lanes_up_to: &'static [(u64, f64)],
    /// A trial of the rule, change by change.
    pub watch: Watch,
}

impl Registered {
    const fn new<R: LocalRule>() -> Self {
        Self {
            rule: LocalAlgorithm::<R>::ALGORITHM,
            relaxation: Relaxation::<R>::ALGORITHM,
            rejection_free_up_to: R::REJECTION_FREE_UP_TO,
            lanes_up_to: R::LANES_UP_TO,
            watch: watch::trial::<R>,
        }
    }
}

macro_rules! list {
    ([] $($file:ident::$Rule:ident,)*) => {
        /// The registered rules.
        pub const REGISTERED: &[Registered] = &[$(Registered::new::<$file::$Rule>(),)*];
    };
}

registered!(list);

/// `for_every_rule!(check(arguments))` is `check::<R>(arguments);` for every registered rule R;
/// `for_every_rule!(variant in check(variant, arguments))` for every variant of it.
#[cfg(test)]
macro_rules! for_every_rule {
    ([$check:ident $arguments:tt] $($file:ident::$Rule:ident,)*) => {{
        $($check::<crate::solver::local::rules::$file::$Rule> $arguments;)*
    }};
    ([$variant:ident in $check:ident $arguments:tt] $($file:ident::$Rule:ident,)*) => {{
        $(for variant in
            crate::solver::local::samples::variants::<crate::solver::local::rules::$file::$Rule>()
        {
            let $variant = variant.as_str();
            $check::<crate::solver::local::rules::$file::$Rule> $arguments;
        })*
    }};
    ($variant:ident in $check:ident $arguments:tt) => {
        crate::solver::local::rules::registered!(for_every_rule $variant in $check $arguments)
    };
    ($check:ident $arguments:tt) => {
        crate::solver::local::rules::registered!(for_every_rule $check $arguments)
    };
}

#[cfg(test)]
pub(super) use {for_every_rule, registered};
