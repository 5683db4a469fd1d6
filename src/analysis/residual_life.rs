//! Whether starting over helps: the mean residual life.

use super::mean::Mean;
use super::survival::Observed;

/// Fewest later events behind a mean residual life.
const LEAST_LATER: usize = 5;

/// The mean time still to come of the trials that have lasted a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResidualLife {
    /// Updates already spent.
    pub time: u64,
    /// Mean of T − time over the trials with T > time; with trials cut off, of min(T, cutoff) −
    /// time: a lower bound.
    pub mean: Mean,
}

/// Mean residual life after each of the times at which 0, 1, …, 9 tenths and 19 twentieths of the
/// trials have ended; times with fewer than five later events are left out.
///
/// Restarting after a time helps if and only if the mean residual life there exceeds the mean from
/// the start.
pub fn residual_life(observed: &[Observed]) -> Vec<ResidualLife> {
    let mut sorted = observed.to_vec();
    sorted.sort_unstable_by_key(|trial| trial.value);
    let trials = sorted.len();
    let ended_by = |twentieths: usize| sorted[(trials * twentieths / 20).max(1) - 1].value;
    let mut times: Vec<u64> = if trials == 0 {
        Vec::new()
    } else {
        [2, 4, 6, 8, 10, 12, 14, 16, 18, 19].map(ended_by).to_vec()
    };
    times.insert(0, 0);
    times.dedup();
    let mut lives = Vec::new();
    for time in times {
        let later = &sorted[sorted.partition_point(|trial| trial.value <= time)..];
        if later.iter().filter(|trial| !trial.cut_off).count() >= LEAST_LATER {
            let residual = later.iter().map(|trial| trial.value - time);
            lives.push(ResidualLife {
                time,
                mean: Mean::over(residual),
            });
        }
    }
    lives
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1 … 40; after the time 20, half of the trials are left, with 1 … 20 to come.
    #[test]
    fn residual_life_is_the_mean_of_what_is_left() {
        let trial = |cut_off| move |value| Observed { value, cut_off };
        let trials: Vec<Observed> = (1..=40).map(trial(false)).collect();
        let lives = residual_life(&trials);
        assert_eq!(lives[0].mean.value, 20.5);
        let half = lives.iter().find(|life| life.time == 20);
        let half = half.expect("ten twentieths").mean;
        assert_eq!((half.value, half.trials), (10.5, 20));
        assert!(lives.iter().all(|life| life.mean.trials >= 5));
        let cut_off: Vec<Observed> = (1..=40).map(trial(true)).collect();
        assert!(residual_life(&cut_off).is_empty());
    }
}
