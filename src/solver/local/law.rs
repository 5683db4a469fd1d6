//! The law of one update of a rule: every outcome of its coins and draws, with its probability,
//! enumerated by [`LocalRule::update`] itself.
//!
//! `update` is the one statement of a rule. Its law is enumerated in many states (`law/cases.rs`)
//! by a random source that gives every answer (`law/answers.rs`). It is used for two things:
//!
//! - Its hashes, one for each group of states, stand in the manifest of a run, so that two code
//!   versions are known to have the same rule or another one, whatever their rows. What is hashed
//!   is the distribution: for each state the outcomes and their probabilities as polynomials in ε
//!   and η, added up over all answers that lead to the same outcome. Neither the order of the coins
//!   nor their number counts, nor a name.
//! - What the faster dynamics take an update for is held against it.

mod answers;
mod cases;
mod cells;
mod compared;
mod pairs;
mod sheet;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use self::answers::Weight as _;
pub(crate) use self::answers::{EPSILON_AT, ETA_AT, Polynomial, Script};
use self::cases::Cases;
pub(crate) use self::cases::drawn;
pub(super) use self::compared::difference_of;
pub use self::compared::{Difference, difference, take_as_held};
use self::sheet::SIDE_MAX;
pub(super) use self::sheet::{INDICES, Outcome, Trier, UpdateLaw};
pub(crate) use self::sheet::{Sheet, StateLaw, mixed};
use super::sites::LocalRule;
use crate::algorithm::Law;
use crate::board::{Board, N_MAX};
use crate::{Algorithm, Point, Value};

/// The law of an update of an algorithm in a variant; `None` for an algorithm that has none. It is
/// enumerated once in a process.
pub fn law(algorithm: &Algorithm, variant: &str) -> Option<Law> {
    static KNOWN: Mutex<BTreeMap<(&str, String), Law>> = Mutex::new(BTreeMap::new());
    let enumerate = algorithm.law?;
    let variant = super::condition_of(variant);
    let key = (algorithm.name, variant.to_owned());
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(law) = known.get(&key) {
        return Some(law.clone());
    }
    // Not held while threads of the pool enumerate: one of them might ask for another law.
    drop(known);
    let law = enumerate(variant);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.insert(key, law.clone());
    Some(law)
}

/// The groups in which two laws differ, and those that only one of them has; sorted.
pub fn differing(a: &Law, b: &Law) -> Vec<String> {
    let groups: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let differing = groups
        .into_iter()
        .filter(|group| a.get(*group) != b.get(*group));
    differing.cloned().collect()
}

/// The law of a rule under a condition.
pub(super) fn of<R: Cases>(condition: &str) -> Law {
    let rules = Rules::<R>::under(condition);
    let blocks = (0..R::BLOCKS).into_par_iter();
    let blocks: Vec<Vec<(usize, Vec<u8>)>> = blocks.map(|block| rules.hashed(block)).collect();
    let mut hashers = vec![blake3::Hasher::new(); R::groups().len()];
    for (group, hash) in blocks.into_iter().flatten() {
        hashers[group].update(&hash);
    }
    let groups = R::groups().into_iter().zip(hashers);
    let mut law: Law = groups
        .map(|(group, hasher)| (group, digits(&hasher)))
        .collect();
    law.insert("sites".to_owned(), sites::<R>(condition));
    law
}

/// The first 8 hex digits of a hash.
pub(crate) fn digits(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..8].to_owned()
}

/// A rule where its law is enumerated: at ([`EPSILON_AT`], [`ETA_AT`]), by the side of the board.
struct Rules<R>(Vec<R>);

impl<R: Cases> Rules<R> {
    fn under(condition: &str) -> Self {
        let at = (EPSILON_AT, ETA_AT);
        Self((1..=SIDE_MAX).map(|n| rule(condition, n, at)).collect())
    }

    fn on(&self, side: usize) -> &R {
        &self.0[side - 1]
    }

    /// The groups of a block, and the hash of the laws of their states there.
    fn hashed(&self, block: usize) -> Vec<(usize, Vec<u8>)> {
        let side = R::side(block);
        let rule = self.on(side);
        let mut trier = Trier::new(Board::new(side));
        let mut numbers: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        let mut law = StateLaw::default();
        rule.visit(block, &mut |sheet, site, group| {
            law.0.clear();
            let update = |sheet: &mut _, script: &mut _| rule.update(sheet, site, script);
            trier.begin(sheet);
            trier.try_all(sheet, Polynomial::ONE, update, &mut law);
            let number = law.fingerprint().to_le_bytes();
            numbers.entry(group).or_default().extend(number);
        });
        let hashed = |(group, numbers): (usize, Vec<u8>)| {
            let hash = blake3::hash(&numbers);
            (group, hash.as_bytes().to_vec())
        };
        numbers.into_iter().map(hashed).collect()
    }
}

/// A rule on a board of side n at these ε and η.
fn rule<R: LocalRule>(condition: &str, n: usize, (epsilon, eta): (f64, f64)) -> R {
    let values = [
        ("n", Value::Integer(n as u64)),
        ("epsilon", Value::real(epsilon)),
        ("eta", Value::real(eta)),
    ];
    let point = Point {
        variant: condition.to_owned(),
        ..Point::new("", values)
    };
    R::at(&point, Board::new(n))
}

/// The hash of the sites from which one is drawn on boards of some sides: the coordinates of the
/// cells that each writes.
fn sites<R: LocalRule>(condition: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for n in [1, 2, 3, 4, 8, N_MAX] {
        let board = Board::new(n);
        let rule = rule::<R>(condition, n, (EPSILON_AT, ETA_AT));
        let site = |&site: &R::Site| {
            let cells = rule.signal_cells(site).into_iter();
            let mut cells: Vec<_> = cells.map(|cell| board.coordinates(cell)).collect();
            cells.sort_unstable();
            cells
        };
        let mut sites: Vec<_> = rule.sites().iter().map(site).collect();
        sites.sort_unstable();
        hasher.update(format!("{n}: {sites:?}\n").as_bytes());
    }
    digits(&hasher)
}

#[cfg(test)]
mod tests;
