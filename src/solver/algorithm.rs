//! What an algorithm is to the other rooms.

use super::course::{Course, Recording};
use super::goal::Goal;
use super::variants::Variants;
use super::{Axis, Column, Control, Dynamics, Interrupted, Outcome, Point, TrialSource};

/// One way of looking for a solution: its parameters, its columns, and one trial of it.
pub trait Algorithm: Sync {
    /// Registry name, as in a spec's `algorithm = "…"`.
    fn name(&self) -> &'static str;

    /// One line for `reines list --algorithms`.
    fn doc(&self) -> &'static str;

    /// The parameters; a spec is validated against these and the trial's stream is keyed by them.
    fn axes(&self) -> &[Axis];

    /// Whether this variant (empty where there are none) has the axis of this name, one of
    /// [`Algorithm::axes`]. A point has values on the axes of its variant alone.
    fn has_axis(&self, _variant: &str, _axis: &str) -> bool {
        true
    }

    /// Whether it can only be simulated one update at a time: [`Dynamics::Stepwise`]. Without
    /// effect on a search.
    fn is_only_stepwise(&self) -> bool {
        false
    }

    /// The greatest n of a point whose trials can run side by side ([`Dynamics::Lanes`]); `None`
    /// where they cannot at any.
    fn n_max_in_lanes(&self) -> Option<u64> {
        None
    }

    /// The goals of a search; empty where there is no search, as for the local rules. A
    /// search has no dynamics.
    fn goals(&self) -> &'static [Goal] {
        &[]
    }

    /// The variants that it comes in; `None` where there is one way only.
    fn variants(&self) -> Option<&dyn Variants> {
        None
    }

    /// Whether the trials of this variant (empty where there are none) differ. A search that draws
    /// nothing has one trial, whose counts are the same every time.
    fn is_random(&self, variant: &str) -> bool {
        self.variants().map_or(self.goals().is_empty(), |variants| {
            variants.is_random(variant)
        })
    }

    /// Whether a trial can write down its steps: [`Control::tracing`].
    fn traces(&self) -> bool {
        false
    }

    /// What a cutoff counts; of what is no search also the unit of its times.
    fn cutoff_unit(&self) -> &'static str {
        if self.goals().is_empty() {
            "updates"
        } else {
            "checks"
        }
    }

    /// The columns of `trials.parquet` that this algorithm fills, and what each means for it.
    fn columns(&self) -> &[Column];

    /// The parts of the sources (build/parts.rs) that this variant's trials depend on, by name;
    /// what these use follows from their imports, and the engine is a part of all. Only results of
    /// these parts' present code are valid.
    fn parts(&self, _variant: &str) -> Vec<String> {
        vec![self.name().to_owned()]
    }

    /// Runs one trial: a pure function of `job` and `trial`.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` is stopped before the trial has ended; nothing of the trial
    /// is kept.
    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted>;

    /// Whether a trial can write down its course: [`Algorithm::trial_with_course`].
    fn records_course(&self) -> bool {
        false
    }

    /// [`Algorithm::trial`], and what `recording` asks for of its course. The outcome does not
    /// depend on the recording. The course is empty where [`Algorithm::records_course`] is false.
    ///
    /// # Errors
    /// As [`Algorithm::trial`].
    fn trial_with_course(
        &self,
        job: &Job,
        trial: u32,
        _recording: Recording,
        control: &Control,
    ) -> Result<(Outcome, Course), Interrupted> {
        Ok((self.trial(job, trial, control)?, Course::default()))
    }

    /// Runs the trials of a source side by side until it has no more, each to its end or to the
    /// cutoff. What a trial is depends on its point, seed and index alone.
    ///
    /// # Errors
    /// As [`Algorithm::trial`], and when the source wants no more.
    ///
    /// # Panics
    /// Where [`Algorithm::n_max_in_lanes`] has no such n.
    fn run_side_by_side(
        &self,
        _point: &Point,
        _cutoff: u64,
        _trials: &mut dyn TrialSource,
        _control: &Control,
    ) -> Result<(), Interrupted> {
        unreachable!("{} has no lanes", self.name())
    }
}

/// Everything but the trial index that a trial depends on.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Algorithm, axis values, variant and goal.
    pub point: &'a Point,
    /// Seed of the experiment.
    pub seed: u64,
    /// Updates allowed, or checks or nodes of a search; not part of the stream.
    pub cutoff: u64,
    /// How a local rule is simulated; without effect on a search.
    pub dynamics: Dynamics,
}
