//! Quantiles that stay defined when some trials were cut off. Here are the rank ⌈m p / 100⌉ (of an
//! even number the lower of the middle two), the interval by ranks, and when an end is missing or a
//! quantile is a lower bound.

use super::distribution::binomial_lower_rank;

/// A value, or what is known of it. Packed: a point may have 10⁷ of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, packed)]
pub struct Bounded {
    /// The value, or a lower bound of it.
    pub value: u64,
    /// The true value is this or more: the trial was cut off.
    pub at_least: bool,
}

impl Bounded {
    /// What is known.
    pub fn exactly(value: u64) -> Self {
        let at_least = false;
        Self { value, at_least }
    }
}

/// A quantile and its 95 % interval, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantile {
    /// Value of rank ⌈m · percent / 100⌉ among the m values: the inverse of the empirical
    /// distribution function.
    pub value: Bounded,
    /// Lower end; 0 where the sample is too small to say more.
    pub low: Bounded,
    /// Upper end; `None`, unbounded, where the sample is too small to give one, and where it is
    /// itself a lower bound.
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
    /// Values of which so many are exact and come before all others, whose rank is not known.
    pub fn of(mut values: Vec<u64>, exact: usize) -> Self {
        values.sort_unstable();
        Self { values, exact }
    }

    /// Values of which some are only known to be this or more. Exact ones up to the least of these
    /// bounds have their rank, since no bound can be of a smaller value; the ranks of all others
    /// are not known. So it is of times that were cut off and of whatever grows within a trial.
    pub fn of_bounded(values: &[Bounded]) -> Self {
        let bounds = values.iter().filter(|value| value.at_least);
        let least = bounds.map(|bound| bound.value).min().unwrap_or(u64::MAX);
        let exact = values
            .iter()
            .filter(|value| !value.at_least && value.value <= least);
        let exact = exact.count();
        Self::of(values.iter().map(|value| value.value).collect(), exact)
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
        let low = binomial_lower_rank(trials, share);
        let high = trials + 1 - binomial_lower_rank(trials, 1.0 - share);
        Quantile {
            value: self.of_rank((trials * u64::from(percent)).div_ceil(100)),
            low: self.of_rank(low),
            high: (high <= trials)
                .then(|| self.of_rank(high))
                .filter(|bounded| !bounded.at_least),
        }
    }

    /// Ranks count from 1; before that there is 0.
    fn of_rank(&self, rank: u64) -> Bounded {
        let index = rank.checked_sub(1).map(|index| index as usize);
        Bounded {
            value: index.map_or(0, |index| self.values[index]),
            at_least: index.is_some_and(|index| index >= self.exact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value in 1 … 100 is the rank. Ranks of the intervals: SciPy, by
    /// tests/reference/analysis.py; of three values by hand: P(B < 2) = 0.007 for probability 0.95.
    #[test]
    fn ranks_are_those_of_the_definition() {
        let exact = Bounded::exactly;
        let many = Ordered::of((1..=100).rev().collect(), 100);
        let few = Ordered::of(vec![8, 3, 5], 3);
        for (ordered, percent, value, low, high) in [
            (&many, 50, 50, 40, Some(61)),
            (&many, 5, 5, 1, Some(11)),
            (&few, 50, 5, 0, None),
            (&few, 5, 3, 0, Some(5)),
        ] {
            let expected = Quantile {
                value: exact(value),
                low: exact(low),
                high: high.map(exact),
            };
            assert_eq!(ordered.quantile(percent), expected);
        }
    }

    /// Nodes of ten searches, the last cut off at 20: its rank is the last one, so all others have
    /// theirs, and the interval of the median is that of ranks 2 and 9 (SciPy, as above). A search
    /// that ended with 20 nodes comes before it. Cut off at 9, it may have any rank from the sixth
    /// on.
    #[test]
    fn values_up_to_the_least_bound_are_exact() {
        let nodes = [4, 7, 8, 8, 9, 11, 15, 18, 19];
        let with = |last: u64, others: &[u64]| {
            let last = Bounded {
                value: last,
                at_least: true,
            };
            let exact = others.iter().map(|&value| Bounded::exactly(value));
            Ordered::of_bounded(&exact.chain([last]).collect::<Vec<_>>())
        };
        let median = with(20, &nodes).quantile(50);
        let expected = Quantile {
            value: Bounded::exactly(9),
            low: Bounded::exactly(7),
            high: Some(Bounded::exactly(19)),
        };
        assert_eq!(median, expected);
        let tied = with(20, &[3, 20, 20]).quantile(75).value;
        assert_eq!(tied, Bounded::exactly(20));
        let early = with(9, &nodes);
        let is_bound = [50, 60].map(|percent| early.quantile(percent).value.at_least);
        assert_eq!(is_bound, [false, true]);
        assert_eq!(early.quantile(50).high, None);
    }

    /// By whole numbers: of 1 … m the value is ⌈m p / 100⌉ where that is a whole number without
    /// rounding, m p / 100. In doubles 0.07 · 100 is above 7, and NumPy's `inverted_cdf` gives 8.
    #[test]
    fn a_rank_is_not_rounded_up() {
        for trials in [100, 200, 3200] {
            let ordered = Ordered::of((1..=trials).collect(), trials as usize);
            for percent in [7, 14, 28, 55, 56] {
                let value = ordered.quantile(percent).value;
                let expected = Bounded::exactly(trials / 100 * u64::from(percent));
                assert_eq!(value, expected, "{percent} % of {trials}");
            }
        }
    }

    #[test]
    fn what_has_no_known_rank_is_a_bound() {
        let ordered = Ordered::of(vec![10, 10, 4, 10, 2], 3);
        let found = [5, 25, 50, 75].map(|percent| ordered.quantile(percent).value);
        let found = found.map(|it| (it.value, it.at_least));
        assert_eq!(found, [(2, false), (4, false), (10, false), (10, true)]);
    }
}
