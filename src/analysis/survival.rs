//! The share of trials that go on beyond a time, when some were cut off before their event. The
//! Kaplan–Meier estimate with its pointwise interval; which trials are at risk is decided here.

use super::distribution::NORMAL_975;
use super::estimate::Estimate;
use super::quantile::Bounded;
use super::share::share;

/// What happened at one time at which events happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    pub time: u64,
    /// Ŝ from this time on.
    pub survival: f64,
    /// Greenwood's sum Σ d / (r (r − d)) up to here: the variance of ln Ŝ; infinite where Ŝ is 0.
    pub greenwood: f64,
}

/// The Kaplan–Meier estimate Ŝ(t) = Π (1 − dᵢ/rᵢ) over event times tᵢ ≤ t.
///
/// With one common cutoff it is one minus the empirical distribution function, and Greenwood's
/// variance is the binomial one. Source: Kaplan and Meier, J. Am. Stat. Assoc. 53 (1958) 457.
#[derive(Debug, Clone, PartialEq)]
pub struct SurvivalCurve {
    /// The times of the events, in increasing order.
    events: Vec<u64>,
    /// The times up to which trials were seen without an event, in increasing order.
    cut_off: Vec<u64>,
}

impl SurvivalCurve {
    /// A trial cut off at the time of an event was still at risk then. `None` without trials.
    pub fn of(observed: &[Bounded]) -> Option<Self> {
        let sorted = |cut_off: bool| {
            let these = observed.iter().filter(|trial| trial.at_least == cut_off);
            let mut times: Vec<u64> = these.map(|trial| trial.value).collect();
            times.sort_unstable();
            times
        };
        (!observed.is_empty()).then(|| Self {
            events: sorted(false),
            cut_off: sorted(true),
        })
    }

    /// The steps in order of time. They are made as they are asked for: a curve may have 10⁷.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        // Events that come, and the trials cut off later, of which some may be before the last
        // step.
        let mut rest = &self.events[..];
        let mut cut_off = &self.cut_off[..];
        let mut survival = 1.0;
        let mut greenwood = 0.0;
        std::iter::from_fn(move || {
            let time = *rest.first()?;
            let earlier = cut_off.iter().take_while(|&&seen| seen < time).count();
            cut_off = &cut_off[earlier..];
            let at_risk = (rest.len() + cut_off.len()) as u64;
            let events = rest.iter().take_while(|&&event| event == time).count();
            rest = &rest[events..];
            let left = at_risk - events as u64;
            let events = events as u64;
            survival *= left as f64 / at_risk as f64;
            greenwood += events as f64 / (at_risk as f64 * left as f64);
            Some(Step {
                time,
                survival,
                greenwood,
            })
        })
    }

    pub fn trials(&self) -> u64 {
        (self.events.len() + self.cut_off.len()) as u64
    }

    /// The last time at which anything is known.
    pub fn horizon(&self) -> u64 {
        let ends = [self.events.last(), self.cut_off.last()];
        ends.into_iter().flatten().copied().max().unwrap_or(0)
    }

    /// Ŝ from a step on (`None`: before the first one) with its pointwise 95 % interval: log-log,
    /// Ŝ^exp(±1.96 √G / |ln Ŝ|), G Greenwood's sum.
    ///
    /// At Ŝ = 1 and Ŝ = 0 that has no value; there it is the [`share`] of all m trials, or of none.
    pub fn share(&self, step: Option<&Step>) -> Estimate {
        let trials = self.trials();
        match step {
            None => share(trials, trials),
            Some(step) if step.survival == 0.0 => share(0, trials),
            Some(step) => {
                let log = libm::log(step.survival);
                let factor = libm::exp(NORMAL_975 * step.greenwood.sqrt() / -log);
                let ends = [libm::exp(log * factor), libm::exp(log / factor)];
                Estimate::within(step.survival, ends)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, remission};

    /// SciPy's `ecdf(CensoredData).sf` and its log-log interval, by tests/reference/statistics.py.
    #[test]
    fn curve_and_interval_are_scipys() {
        let curve = SurvivalCurve::of(&remission()[0]).expect("there are trials");
        let numbers = |step: Step| {
            let share = curve.share(Some(&step));
            [step.time as f64, share.value, share.low, share.high]
        };
        let found: Vec<f64> = curve.steps().flat_map(numbers).collect();
        assert_close(&found, SCIPY.as_flattened(), 1e-11);
        assert_eq!((curve.horizon(), SurvivalCurve::of(&[])), (35, None));
    }

    /// Wilson's bound for 0 of 20 is z² / (20 + z²) = 3.8414588 / 23.8414588, by hand.
    #[test]
    fn certain_survival_and_certain_end_have_the_bounds_of_shares() {
        let all_end: Vec<Bounded> = (1..=20).map(Bounded::exactly).collect();
        let curve = SurvivalCurve::of(&all_end).expect("there are trials");
        let last = curve.steps().last();
        let [start, end] = [None, last.as_ref()].map(|step| curve.share(step));
        let found = [1.0 - start.low, start.high, end.high];
        assert_close(&found, &[0.1611251580, 1.0, 0.1611251580], 1e-9);
        assert_eq!(end.low, 0.0);
    }

    const SCIPY: [[f64; 4]; 7] = [
        [6.0, 0.857142857143, 0.619717955266, 0.951551747647],
        [7.0, 0.806722689076, 0.563146564622, 0.922809019203],
        [10.0, 0.752941176471, 0.503199510800, 0.889361835169],
        [13.0, 0.690196078431, 0.431610222486, 0.849065963349],
        [16.0, 0.627450980392, 0.367510855988, 0.804912189472],
        [22.0, 0.537815126050, 0.267778936767, 0.746790717635],
        [23.0, 0.448179271709, 0.188052005959, 0.680142628495],
    ];
}
