//! `experiments/<name>.toml` → [`Spec`]: serde reads its values from a tree with spans; what they
//! may be follows from the axes that each algorithm declares. Figures are read by `report::keys`.
//! The remark on combinations that cannot be is here, the greatest sizes of a spec are in `read`.
//!
//! `read` has the way: `source` (text, places, errors), `set` (the tree, and what commands change),
//! `sweep` (the keys of a sweep, and what may stand there) with `range`, `formula` and `number`,
//! `conditions` (of `only`), `name` (of what is changed), `error` and `did_you_mean`. A new key
//! belongs into `sweep` or `read`.
//!
//! A spec that passes is right in every value; one that does not gives its first error, with file,
//! line, column, the line and what is expected. Nothing is expanded before its size is known to be
//! bearable, so that no number in a file can ask for absurd amounts of memory.

mod brackets;
mod conditions;
mod did_you_mean;
mod error;
pub mod formula;
mod name;
mod not_toml;
pub(crate) mod number;
pub(crate) mod range;
mod read;
mod series;
pub(crate) mod set;
pub(crate) mod source;
mod strict;
mod sweep;
pub(crate) mod tree;
pub(crate) mod values;
mod variant;
mod zip;

use std::sync::Arc;

pub(crate) use conditions::key_named;
pub use conditions::{Conditions, NamedVariant, SIGNS, conditions, conditions_of_any};
pub use did_you_mean::did_you_mean;
pub use error::{Refused, one_of};
pub(crate) use formula::rounded;
pub use name::RESERVED;
pub(crate) use name::{TEXTS, check as check_name};
pub use read::{
    MAX_BYTES, MAX_KEPT_BYTES, MAX_POINTS, MAX_REPEATS, parse, parse_plan, parse_shown, read,
};
pub(crate) use series::joined;
pub use set::{KEYS, Setting};
pub use variant::SweptVariants;

use itertools::Itertools;

use super::program::Programs;
use crate::solver::goal::Goal;
use crate::solver::{Algorithm, Axis, DynamicsChoice, Point, Value};
use source::Source;

/// A validated experiment.
#[derive(Clone, Default)]
pub struct Spec {
    /// Stem of the file.
    pub name: String,
    /// The file as messages name it.
    pub file: String,
    /// What the experiment shows, in a line.
    pub title: Option<String>,
    /// The figure or passage of a text that it comes from.
    pub source: Option<String>,
    /// Heading on the page under which it stands.
    pub group: Option<String>,
    /// The rank on the page: experiments of least rank come first.
    pub rank: Option<u64>,
    /// What its reference run has found.
    pub finding: Option<String>,
    /// Independent repetitions, pooled; sorted, without duplicates, never empty.
    pub seeds: Vec<u64>,
    /// The programs that its sweeps may name.
    pub programs: Programs,
    /// The sweeps in the order of the file.
    pub sweeps: Vec<Sweep>,
    /// The conditions of the points that are run, and what errors of them begin with: their place
    /// in the file, or their option. All points are run if there are none.
    pub only: Option<(Conditions, Refused)>,
    /// True if only the first five trials of each point and seed are run.
    pub quick: bool,
    /// How the points are simulated.
    pub dynamics: DynamicsChoice,
    /// The words that each change by a command adds to the names of experiment and figures.
    pub changes: Vec<Vec<String>>,
    /// The file as read, kept beside the results.
    pub text: String,
    /// True for a text of which the keys of the plan alone were read.
    pub is_kept: bool,
}

/// A product of axes with one number of trials and one cutoff.
#[derive(Clone)]
pub struct Sweep {
    /// Line of `[[sweep]]` in the file, from 1.
    pub line: usize,
    /// What is run.
    pub algorithm: &'static Algorithm,
    /// The variants of the algorithm that are swept.
    pub variants: SweptVariants,
    /// The axes in the order of the algorithm; values ascending, without duplicates, never empty.
    pub axes: Vec<(&'static Axis, Vec<Value>)>,
    /// What a search is for; `None` where the algorithm has no goals.
    pub goal: Option<Goal>,
    /// Under each seed.
    pub trials: u32,
    /// Updates per trial, or checks or nodes of a search.
    pub cutoff: u64,
    /// Runs of each trial of a search, with nothing beside them; `None`: one, beside others.
    pub repeats: Option<u32>,
    /// Numbers of updates after which the state of a trial is written down, strictly ascending;
    /// none if there is no series.
    pub recorded: Arc<[u64]>,
}

impl Spec {
    /// One line for each sweep with combinations of choices that cannot be.
    pub fn left_out(&self) -> Vec<String> {
        let lines = self.sweeps.iter().filter_map(Sweep::left_out);
        lines.dedup().collect()
    }

    /// The spec with keys that a command changes; an error names the option.
    ///
    /// # Errors
    /// As [`parse`].
    pub fn with(&self, settings: &[Setting]) -> Result<Self, Refused> {
        if settings.is_empty() {
            return Ok(self.clone());
        }
        let (text, options) = set::text(&self.text, settings);
        if text.len() as u64 > MAX_KEPT_BYTES {
            let reason = format!("with its changes it is larger than {MAX_KEPT_BYTES} bytes");
            return Err(Refused::of_file(
                &self.file,
                reason + "; expected shorter ones",
            ));
        }
        let source = Source::new(&self.file, &text, &options);
        let mut spec = read::read_parts(&self.name, &source, self.is_kept)?;
        let words = spec.changes.last().map(Vec::as_slice);
        spec.name = name::changed(&self.name, words.unwrap_or_default());
        Ok(spec)
    }

    /// The spec under the changes of `-s` with which a run has kept another spec, or an earlier
    /// state of this one.
    ///
    /// # Errors
    /// As [`parse`].
    pub fn with_changes_of(&self, kept: &Self) -> Result<Self, Refused> {
        let mut spec = self.clone();
        for settings in set::kept_changes(&kept.text)? {
            spec = spec.with(&settings)?;
        }
        Ok(spec)
    }

    /// The name that a figure, or the unchanged experiment of this name, has after the changes.
    pub(crate) fn changed_name(&self, name: &str) -> String {
        let changes = self.changes.iter();
        changes.fold(name.to_owned(), |name, words| name::changed(&name, words))
    }

    /// The names of the conditions of its sweeps, each with its condition.
    pub fn condition_names(&self) -> impl Iterator<Item = &(String, String)> + Clone {
        self.sweeps.iter().flat_map(|sweep| &sweep.variants.names)
    }

    /// An error of its conditions.
    pub(super) fn wrong_only(&self, reason: &str) -> Refused {
        match &self.only {
            Some((_, place)) => place.clone().and(reason),
            None => Refused::of_file(&self.file, reason),
        }
    }

    /// The error where none of its points meets the conditions, or none of the trials of those
    /// that do, of which a point has at most so many.
    pub(super) fn nothing_meant(&self, trials: Option<u32>) -> Refused {
        let seeds = ends_of_many(self.seeds.iter());
        let (what, there) = match trials {
            Some(most) => ("trial", format!("trials 0 to {} of seed {seeds}", most - 1)),
            None => ("point", self.sweeps.iter().map(Sweep::values).join("; ")),
        };
        self.wrong_only(&format!("no such {what}; there are {there}"))
    }
}

/// `4, 5, 8`; of many values the ends.
fn ends_of_many(values: impl Iterator<Item: ToString>) -> String {
    const MOST: usize = 10;
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    match &values[..] {
        [first, .., last] if values.len() > MOST => format!("{first} to {last}"),
        all => all.join(", "),
    }
}

impl Sweep {
    /// Trials of one of its points under each seed; one where nothing is drawn at random, whatever
    /// other variants have.
    pub(super) fn trials_at(&self, point: &Point) -> u32 {
        if self.algorithm.is_random(&point.variant) {
            self.trials
        } else {
            1
        }
    }

    /// Points of the product, at most `u64::MAX`: for each variant over the axes that it has.
    pub fn size(&self) -> u64 {
        let of = |variant: &String| {
            let has = |axis: &Axis| self.algorithm.has_axis(variant, axis.name);
            let axes = self.axes.iter().filter(|(axis, _)| has(axis));
            let sizes = axes.map(|(_, values)| values.len() as u64);
            sizes.fold(1, u64::saturating_mul)
        };
        self.variants.of.iter().map(of).fold(0, u64::saturating_add)
    }

    /// `pair n=4, 5 epsilon=0.05`.
    fn values(&self) -> String {
        let axes = self.axes.iter();
        let axes = axes.map(|axis| format!(" {}={}", axis.0.name, ends_of_many(axis.1.iter())));
        self.algorithm.name.to_owned() + &axes.collect::<String>()
    }

    /// One line on the combinations that cannot be, if there are any.
    fn left_out(&self) -> Option<String> {
        let line = self.line;
        let impossible = self.variants.impossible;
        let all = impossible + self.variants.of.len();
        let reason = self.variants.reason.as_ref()?;
        Some(format!(
            "line {line}: {impossible} of {all} combinations cannot be and are left out, such as: {reason}"
        ))
    }
}
