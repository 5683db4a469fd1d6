//! The share of trials that go on beyond a time, when some were cut off before their event.

use super::distribution::{NORMAL_975, least_share_of_all};
use super::mean::Interval;

/// One trial: when its event came, or how long it was seen without one. Packed: a point may
/// have 10⁷ of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, packed)]
pub struct Observed {
    /// Updates for times, moves for counts.
    pub value: u64,
    /// The event did not come up to here.
    pub cut_off: bool,
}

/// What happened at one time at which events happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    pub time: u64,
    /// Trials seen up to this time without an earlier event.
    pub at_risk: u64,
    pub events: u64,
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
    /// In increasing order.
    events: Vec<u64>,
    /// The times up to which trials were seen without an event, in increasing order.
    cut_off: Vec<u64>,
}

impl SurvivalCurve {
    /// A trial cut off at the time of an event was still at risk then. `None` without trials.
    pub fn of(observed: &[Observed]) -> Option<Self> {
        let sorted = |cut_off: bool| {
            let these = observed.iter().filter(|trial| trial.cut_off == cut_off);
            let mut times: Vec<u64> = these.map(|trial| trial.value).collect();
            times.sort_unstable();
            times
        };
        (!observed.is_empty()).then(|| Self {
            events: sorted(false),
            cut_off: sorted(true),
        })
    }

    /// In order of time. They are made as they are asked for: a curve may have 10⁷.
    pub fn steps(&self) -> Steps<'_> {
        Steps {
            events: &self.events,
            cut_off: &self.cut_off,
            survival: 1.0,
            greenwood: 0.0,
        }
    }

    /// The last of [`Self::steps`].
    pub fn last_step(&self) -> Option<Step> {
        self.steps().last()
    }

    pub fn trials(&self) -> u64 {
        (self.events.len() + self.cut_off.len()) as u64
    }

    /// The last time at which anything is known.
    pub fn horizon(&self) -> u64 {
        let ends = [self.events.last(), self.cut_off.last()];
        ends.into_iter()
            .flatten()
            .copied()
            .max()
            .unwrap_or_default()
    }

    /// Pointwise 95 % interval of S from a step on (`None`: before the first one): log-log,
    /// Ŝ^exp(±1.96 √G / |ln Ŝ|), G Greenwood's sum.
    ///
    /// At Ŝ = 1 and Ŝ = 0 that has no value; there the exact binomial bounds of no event, and of
    /// nothing but events, among m trials are given: from 0.025^(1/m) to 1, and from 0 to 1 −
    /// 0.025^(1/m).
    pub fn interval(&self, step: Option<&Step>) -> Interval {
        let bound = least_share_of_all(self.trials());
        match step {
            None => Interval {
                low: bound,
                high: 1.0,
            },
            Some(step) if step.survival == 0.0 => Interval {
                low: 0.0,
                high: 1.0 - bound,
            },
            Some(step) => {
                let log = libm::log(step.survival);
                let factor = libm::exp(NORMAL_975 * step.greenwood.sqrt() / -log);
                Interval {
                    low: libm::exp(log * factor),
                    high: libm::exp(log / factor),
                }
            }
        }
    }

    /// ∫ Ŝ from 0 to the horizon: the restricted mean E[min(T, horizon)].
    pub fn restricted_mean(&self) -> f64 {
        let ends = self.steps().map(|step| step.time);
        let ends = ends.chain([self.horizon()]);
        let levels = std::iter::once(1.0).chain(self.steps().map(|step| step.survival));
        let mut from = 0;
        let area = |(to, level): (u64, f64)| {
            let width = (to - from) as f64;
            from = to;
            width * level
        };
        ends.zip(levels).map(area).sum()
    }
}

/// The steps of a curve.
#[derive(Debug, Clone)]
pub struct Steps<'a> {
    /// Those that come.
    events: &'a [u64],
    /// Of the trials that are at risk, and of some that were cut off before the last step.
    cut_off: &'a [u64],
    survival: f64,
    greenwood: f64,
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let time = *self.events.first()?;
        let earlier = self.cut_off.iter().take_while(|&&seen| seen < time);
        self.cut_off = &self.cut_off[earlier.count()..];
        let at_risk = (self.events.len() + self.cut_off.len()) as u64;
        let same = self.events.iter().take_while(|&&event| event == time);
        let events = same.count() as u64;
        self.events = &self.events[events as usize..];
        let left = (at_risk - events) as f64;
        self.survival *= left / at_risk as f64;
        self.greenwood += events as f64 / (at_risk as f64 * left);
        Some(Step {
            time,
            at_risk,
            events,
            survival: self.survival,
            greenwood: self.greenwood,
        })
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Freireich and others, Blood 21 (1963) 699: weeks of remission under 6-mercaptopurine (0:
    /// still in remission) and under placebo.
    pub fn remission() -> [Vec<Observed>; 2] {
        let treated = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+";
        let placebo = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23";
        [treated, placebo].map(|text| {
            let trial = |word: &str| {
                let value = word
                    .trim_end_matches('+')
                    .parse()
                    .expect("a number of weeks");
                Observed {
                    value,
                    cut_off: word.ends_with('+'),
                }
            };
            text.split(' ').map(trial).collect()
        })
    }

    /// SciPy's `ecdf(CensoredData).sf` and its log-log interval, by tests/reference/statistics.py.
    #[test]
    fn curve_and_interval_are_scipys() {
        let curve = SurvivalCurve::of(&remission()[0]).expect("there are trials");
        let found: Vec<u64> = curve.steps().map(|step| step.time).collect();
        assert_eq!(found, SCIPY_STEPS.map(|step| step.0));
        for (step, (time, survival, low, high)) in curve.steps().zip(SCIPY_STEPS) {
            let interval = curve.interval(Some(&step));
            for (found, expected) in [
                (step.survival, survival),
                (interval.low, low),
                (interval.high, high),
            ] {
                assert!(
                    (found - expected).abs() < 1e-12,
                    "at {time}: {found} instead of {expected}"
                );
            }
        }
        assert!((curve.restricted_mean() - LIFELINES_RESTRICTED_MEAN).abs() < 1e-9);
    }

    /// By hand: 3 of 4 trials end before the common cutoff 10; the mean of 2, 4, 4 and 10 is 5, Ŝ
    /// is 3/4, then 1/4, and Greenwood's sum at 4 is 1/(4·3) + 2/(3·1) = 3/4 = (1 − Ŝ)/(m Ŝ), the
    /// binomial variance of ln Ŝ.
    #[test]
    fn one_cutoff_gives_the_empirical_distribution() {
        let trial = |value, cut_off| Observed { value, cut_off };
        let curve = SurvivalCurve::of(&[
            trial(4, false),
            trial(10, true),
            trial(2, false),
            trial(4, false),
        ])
        .expect("there are trials");
        let levels: Vec<(u64, f64)> = curve
            .steps()
            .map(|step| (step.time, step.survival))
            .collect();
        assert_eq!((levels[0], levels[1].0), ((2, 0.75), 4));
        assert!(
            (levels[1].1 - 0.25).abs() < 1e-15
                && (curve.last_step().expect("two").greenwood - 0.75).abs() < 1e-15
        );
        assert!((curve.restricted_mean() - 5.0).abs() < 1e-12);
        assert_eq!(curve.horizon(), 10);
        assert_eq!(SurvivalCurve::of(&[]), None);
    }

    /// Clopper and Pearson's bounds for 0 of 20 and 20 of 20, SciPy's `binomtest(0,
    /// 20).proportion_ci()`: 0 to 0.16843347098308536.
    #[test]
    fn certain_survival_and_certain_end_have_exact_bounds() {
        let all_end: Vec<Observed> = (1..=20)
            .map(|value| Observed {
                value,
                cut_off: false,
            })
            .collect();
        let curve = SurvivalCurve::of(&all_end).expect("there are trials");
        let (start, end) = (
            curve.interval(None),
            curve.interval(curve.last_step().as_ref()),
        );
        assert!((1.0 - start.low - 0.16843347098308536).abs() < 1e-14 && start.high == 1.0);
        assert!((end.high - 0.16843347098308536).abs() < 1e-14 && end.low == 0.0);
    }

    const SCIPY_STEPS: [(u64, f64, f64, f64); 7] = [
        (6, 0.8571428571428571, 0.6197179552659838, 0.951551747646997),
        (
            7,
            0.8067226890756302,
            0.5631465646222333,
            0.9228090192028804,
        ),
        (
            10,
            0.7529411764705881,
            0.5031995107999564,
            0.8893618351692655,
        ),
        (
            13,
            0.6901960784313724,
            0.43161022248618397,
            0.8490659633494507,
        ),
        (
            16,
            0.6274509803921567,
            0.36751085598750205,
            0.8049121894718412,
        ),
        (
            22,
            0.53781512605042,
            0.26777893676713505,
            0.7467907176353944,
        ),
        (
            23,
            0.4481792717086834,
            0.18805200595923235,
            0.6801426284952414,
        ),
    ];
    const LIFELINES_RESTRICTED_MEAN: f64 = 23.287394957983185;
}
