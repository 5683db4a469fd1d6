//! Slow statistical checks of the local rules against theory and against implementations that share
//! no code with the program.
//!
//! Each check is deterministic (fixed seeds). The rate given for a false failure is the
//! probability, over the choice of a seed, that a right program fails; the five together fail
//! falsely with probability below 4·10⁻⁴.

mod dynamics;

use rayon::prelude::*;
use reines::solver::local::rules::RULES;
use reines::solver::{Control, Dynamics, Key, Outcome, algorithm, prepare};

/// |Z| that no check may reach: exceeded by chance with probability 6.3·10⁻⁵.
const Z_MAX: f64 = 4.0;

const SEED: u64 = 20_120_531;

fn trials(rule: &str, values: (u64, f64, f64), cutoff: u64, n_trials: u32) -> Vec<Outcome> {
    let algorithm = algorithm(rule).unwrap();
    let point = crate::naive::point(algorithm, "", values);
    let prepared = prepare(&point, Some(Dynamics::Stepwise));
    let outcome = |trial| {
        let key = Key { seed: SEED, trial };
        let gave = prepared(key, cutoff, &Control::unstopped());
        gave.unwrap().0
    };
    (0..n_trials).into_par_iter().map(outcome).collect()
}

/// Mean absorption time and its standard error; every trial must be absorbed.
fn mean_absorption_time(rule: &str, values: (u64, f64, f64), n_trials: u32) -> (f64, f64) {
    let outcomes = trials(rule, values, 1_000_000_000, n_trials);
    let times: Vec<f64> = outcomes
        .iter()
        .map(|outcome| {
            outcome
                .absorption_time
                .expect("absorbed long before the cutoff") as f64
        })
        .collect();
    let n = f64::from(n_trials);
    let mean = times.iter().sum::<f64>() / n;
    let variance = times
        .iter()
        .map(|time| (time - mean) * (time - mean))
        .sum::<f64>()
        / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// A mean that is expected: of which rule at which ε; from how many trials here; the mean, its
/// standard error, and the most that its printed value may differ from it by rounding.
type Reference = (&'static str, f64, u32, f64, f64, f64);

/// Known means at n = 8, and η = 0.1 in the cell rule; |Z| < 4, false failure < 6.3·10⁻⁵ each.
///
/// The pair rule's are of 10⁶ trials of an independent implementation (docs/rules.md, measured
/// facts), to three digits; their coefficient of variation is near 1, which gives the standard
/// errors. The cell rule's is of 92 215 trials (4·10⁹ updates) of benches/rivals/local.c, seed 77;
/// the measured facts say "about 4·10⁴".
const REFERENCES: [Reference; 3] = [
    ("pair", 0.01, 10_000, 4.47e5, 447.0, 500.0),
    ("pair", 0.003, 10_000, 7.71e5, 771.0, 500.0),
    ("cell", 0.1, 50_000, 43_376.8, 128.0, 0.05),
];

#[test]
#[ignore = "slow: `make verify`"]
fn rules_take_as_long_as_in_implementations_that_share_no_code() {
    for (rule, epsilon, trials, expected, expected_error, rounding) in REFERENCES {
        let (mean, error) = mean_absorption_time(rule, (8, epsilon, 0.1), trials);
        let distance = ((mean - expected).abs() - rounding).max(0.0);
        let z = distance / (error * error + expected_error * expected_error).sqrt();
        let told = format!(
            "{rule}, ε = {epsilon}: {mean:.0} ± {error:.0} in {trials} trials; expected {expected:.0} ± {expected_error:.0}; |Z| = {z:.2}"
        );
        println!("{told}");
        assert!(z < Z_MAX, "{told}");
    }
}

/// A start is a solution with probability d(4) = S(4)·4!/4⁸ = 48/65 536, whatever the rule. n = 10⁶
/// starts for each rule, |Z| < 4 of the binomial law, false failure 6.3·10⁻⁵ each.
#[test]
#[ignore = "slow: `make verify`"]
fn starts_are_solutions_with_the_density_of_solutions() {
    const N_TRIALS: u32 = 1_000_000;
    let density = 2.0 * 24.0 / 65_536.0;
    for rule in RULES {
        let rule = rule.algorithm.name;
        let hits = trials(rule, (4, 0.01, 0.1), 1, N_TRIALS)
            .iter()
            .filter(|outcome| outcome.hitting_time == Some(0))
            .count() as f64;
        let expected = f64::from(N_TRIALS) * density;
        let z = (hits - expected) / (expected * (1.0 - density)).sqrt();
        println!(
            "{rule}, n = 4: {hits} of {N_TRIALS} starts are solutions; expected {expected:.1}; Z = {z:.2}"
        );
        assert!(z.abs() < Z_MAX, "{rule}: Z = {z:.2}");
    }
}
