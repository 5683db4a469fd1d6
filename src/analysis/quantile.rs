//! Quantiles that stay defined when some trials were cut off.

use super::distribution::binomial_lower_rank;

/// A value, or what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounded {
    /// The value, or a lower bound of it.
    pub value: u64,
    /// The true value is this or more: the trial was cut off.
    pub at_least: bool,
}

/// A quantile and its 95 % interval, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantile {
    /// Which quantile, in per cent.
    pub percent: u32,
    /// Value of rank ⌈m · percent / 100⌉ among the m values: the inverse of the empirical
    /// distribution function.
    pub value: Bounded,
    /// Lower end; 0 where the sample is too small to say more.
    pub low: Bounded,
    /// Upper end; `None`, unbounded, where the sample is too small to give one.
    pub high: Option<Bounded>,
}

/// The values of one quantity in increasing order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordered {
    values: Vec<u64>,
    /// The first so many are exact, the others lower bounds.
    exact: usize,
}

impl Ordered {
    /// Times within a common cutoff: `cut_off` of them did not happen within it and are in
    /// `values` with the cutoff itself, so that each of the others is known to come before them.
    pub fn times(values: impl Into<Vec<u64>>, cut_off: usize) -> Self {
        let values = sorted(values);
        Self {
            exact: values.len() - cut_off,
            values,
        }
    }

    /// Values of which some, marked `true`, are known to be at least so large: the true order is
    /// known below the least of those.
    pub fn with_bounds(values: &[(u64, bool)]) -> Self {
        let mut values = values.to_vec();
        values.sort_unstable();
        let exact = values
            .iter()
            .position(|&(_, at_least)| at_least)
            .unwrap_or(values.len());
        Self {
            values: values.into_iter().map(|(value, _)| value).collect(),
            exact,
        }
    }

    /// Counts that grow with time: when some trials were cut off, a cut-off trial's final rank is
    /// unknown, and each quantile of the counts so far is a lower bound of the final one.
    pub fn counts(values: impl Into<Vec<u64>>, cut_off: usize) -> Self {
        let values = sorted(values);
        Self {
            exact: if cut_off == 0 { values.len() } else { 0 },
            values,
        }
    }

    /// The quantile with the interval between the order statistics of ranks l and u, whose coverage
    /// is at least 95 % whatever the distribution: P(B < l) ≤ 0.025 and P(B ≥ u) ≤ 0.025, B
    /// binomial with m trials of probability percent / 100.
    ///
    /// # Panics
    /// Without values, or unless 0 < `percent` < 100.
    pub fn quantile(&self, percent: u32) -> Quantile {
        let trials = self.values.len() as u64;
        let share = f64::from(percent) / 100.0;
        let low = binomial_lower_rank(trials, share, 0.025);
        let high = trials + 1 - binomial_lower_rank(trials, 1.0 - share, 0.025);
        Quantile {
            percent,
            value: self.of_rank((trials * u64::from(percent)).div_ceil(100)),
            low: if low == 0 {
                Bounded {
                    value: 0,
                    at_least: false,
                }
            } else {
                self.of_rank(low)
            },
            high: (high <= trials).then(|| self.of_rank(high)),
        }
    }

    /// Ranks count from 1.
    fn of_rank(&self, rank: u64) -> Bounded {
        let index = rank as usize - 1;
        Bounded {
            value: self.values[index],
            at_least: index >= self.exact,
        }
    }
}

fn sorted(values: impl Into<Vec<u64>>) -> Vec<u64> {
    let mut values = values.into();
    values.sort_unstable();
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: u64) -> Bounded {
        Bounded {
            value,
            at_least: false,
        }
    }

    fn at_least(value: u64) -> Bounded {
        Bounded {
            value,
            at_least: true,
        }
    }

    /// Of 1 … 100 the value is the rank. Ranks of the intervals: SciPy, by
    /// tests/reference/analysis.py; of three values by hand: P(B < 2) = 0.007 for probability 0.95.
    #[test]
    fn ranks_are_those_of_the_definition() {
        let values: Vec<u64> = (1..=100).rev().collect();
        let ordered = Ordered::times(values, 0);
        let few = Ordered::times([8, 3, 5], 0);
        for (ordered, percent, value, low, high) in [
            (&ordered, 50, 50, 40, Some(61)),
            (&ordered, 5, 5, 1, Some(11)),
            (&few, 50, 5, 0, None),
            (&few, 5, 3, 0, Some(5)),
        ] {
            let expected = Quantile {
                percent,
                value: exact(value),
                low: exact(low),
                high: high.map(exact),
            };
            assert_eq!(ordered.quantile(percent), expected);
        }
    }

    /// Times cut off come last. A trial that was stopped at 5 may have gone on to 100: only what is
    /// smaller than 5 has a known rank. Of counts none has, when one trial was cut off.
    #[test]
    fn what_may_lie_above_a_bound_is_a_bound() {
        let values = |ordered: Ordered, percents: [u32; 5]| {
            percents.map(|percent| ordered.quantile(percent).value)
        };
        let times = Ordered::times([10, 10, 4, 10, 2], 2);
        let expected = [exact(2), exact(4), exact(10), at_least(10), at_least(10)];
        assert_eq!(values(times, [5, 25, 50, 75, 95]), expected);
        let bounds = [(9, false), (5, true), (2, false), (5, false), (7, true)];
        let expected = [exact(2), exact(5), at_least(5), at_least(7), at_least(9)];
        let found = values(Ordered::with_bounds(&bounds), [20, 40, 60, 80, 99]);
        assert_eq!(found, expected);
        assert_eq!(
            Ordered::with_bounds(&[(9, false), (5, false)]),
            Ordered::times([5, 9], 0)
        );
        assert_eq!(
            Ordered::counts([7, 1, 9], 1).quantile(50).value,
            at_least(7)
        );
        assert_eq!(Ordered::counts([7, 1, 9], 0).quantile(50).value, exact(7));
    }
}
