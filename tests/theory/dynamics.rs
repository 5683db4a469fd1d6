//! The rejection-free dynamics, and the one in lanes, against the stepwise one: the same
//! distributions of all observables.
//!
//! 5 points of every rule and 6 more of the cell rule, 10⁴ trials on each side under different
//! seeds, none censored. For absorption time, hitting time, moves, moves at the hit, the three
//! kinds of moves, and entries:
//! - means: Z of the difference;
//! - variances: Z of the difference, the standard error of each from the fourth central moment,
//!   `√((m₄ − s⁴) / n)`, since near-exponential times have kurtosis about 9;
//! - distributions: the two-sample Kolmogorov–Smirnov distance, with Stephens' correction of the
//!   asymptotic law (with ties it errs on the safe side).
//!
//! The p-values, 24 for each point and faster dynamics, are held against each other by Holm's
//! method: the whole test fails falsely with probability below 10⁻³.

use rayon::prelude::*;
use reines::solver::local::rules::RULES;
use reines::solver::{Control, Dynamics, Key, Outcome, Point, algorithm, prepare};

use crate::naive::{CONDITIONS, point};

const N_TRIALS: u32 = 10_000;

/// Probability of a false failure of all tests together.
const LEVEL: f64 = 1e-3;

/// Updates after which a trial would be censored: over a thousand times the longest mean.
const CUTOFF: u64 = 1_000_000_000_000;

/// n, ε and, where the rule has it, η: for every rule.
const POINTS: [(u64, f64, f64); 5] = [
    (4, 0.3, 0.0),
    (4, 0.003, 0.1),
    (5, 0.1, 0.5),
    (6, 0.03, 0.1),
    (7, 0.01, 0.1),
];

/// Further points of the cell rule: n, ε and η.
const MORE_POINTS: [(u64, f64, f64); 6] = [
    (4, 0.3, 1.0),
    (5, 0.003, 0.1),
    (5, 0.1, 0.0),
    (6, 0.05, 0.5),
    (7, 0.03, 0.1),
    (8, 0.1, 0.1),
];

type Observable = (&'static str, fn(&Outcome) -> Option<u64>);

const OBSERVABLES: [Observable; 8] = [
    ("absorption time", |outcome| outcome.absorption_time),
    ("hitting time", |outcome| outcome.hitting_time),
    ("moves", |outcome| outcome.moves),
    ("moves at the hit", |outcome| outcome.moves_at_hit),
    ("dangerous moves", |outcome| outcome.dangerous_moves),
    ("needless moves", |outcome| outcome.needless_moves),
    ("deceived moves", |outcome| outcome.deceived_moves),
    ("entries", |outcome| outcome.entries),
];

fn outcomes(point: &Point, dynamics: Dynamics, seed: u64) -> Vec<Outcome> {
    let prepared = prepare(point, Some(dynamics));
    let outcome = |trial| {
        let gave = prepared(Key { seed, trial }, CUTOFF, &Control::unstopped());
        gave.expect("no stop is asked for").0
    };
    (0..N_TRIALS).into_par_iter().map(outcome).collect()
}

/// Values of an observable, sorted.
fn sample(outcomes: &[Outcome], observable: fn(&Outcome) -> Option<u64>) -> Vec<f64> {
    let mut values: Vec<f64> = outcomes
        .iter()
        .map(|outcome| observable(outcome).expect("absorbed before the cutoff") as f64)
        .collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Mean, variance, and the standard error of each.
struct Moments {
    mean: (f64, f64),
    variance: (f64, f64),
}

fn moments(values: &[f64]) -> Moments {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let central = |power: i32| {
        values
            .iter()
            .map(|value| (0..power).fold(1.0, |product, _| product * (value - mean)))
            .sum::<f64>()
            / n
    };
    let (variance, fourth) = (central(2), central(4));
    Moments {
        mean: (mean, (variance / n).sqrt()),
        variance: (variance, ((fourth - variance * variance) / n).sqrt()),
    }
}

/// Two-sided p-value of a difference; 1 without one, as where all trials have the same value.
fn p_of_difference(a: (f64, f64), b: (f64, f64)) -> f64 {
    if a.0 == b.0 {
        return 1.0;
    }
    let z = (a.0 - b.0).abs() / (a.1 * a.1 + b.1 * b.1).sqrt();
    libm::erfc(z / std::f64::consts::SQRT_2)
}

/// p-value of the greatest distance between the two distribution functions.
fn p_of_kolmogorov_smirnov(a: &[f64], b: &[f64]) -> f64 {
    let share = |values: &[f64], at: f64| {
        values.partition_point(|&value| value <= at) as f64 / values.len() as f64
    };
    let distance = a
        .iter()
        .chain(b)
        .map(|&at| (share(a, at) - share(b, at)).abs())
        .fold(0.0, f64::max);
    let root = (a.len() as f64 * b.len() as f64 / (a.len() + b.len()) as f64).sqrt();
    let lambda = (root + 0.12 + 0.11 / root) * distance;
    if lambda < 0.3 {
        return 1.0; // Where the series below converges slowly, it is 1 to five digits.
    }
    let term = |k: i32| {
        (if k % 2 == 1 { 2.0 } else { -2.0 }) * libm::exp(-2.0 * f64::from(k * k) * lambda * lambda)
    };
    (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0)
}

#[test]
#[ignore = "slow: `make verify`"]
fn trials_of_all_dynamics_have_the_same_distributions() {
    let mut tests: Vec<(f64, String)> = Vec::new();
    let cell = algorithm("cell").expect("a registered rule");
    let more = MORE_POINTS.iter().map(|&values| point(cell, "", values));
    let points = RULES.iter().flat_map(|rule| {
        let of_variant = move |(variant, _)| {
            let points = POINTS.iter();
            points.map(move |&values| point(&rule.algorithm, variant, values))
        };
        CONDITIONS[..4].iter().copied().flat_map(of_variant)
    });
    for point in points.chain(more) {
        let stepwise = outcomes(&point, Dynamics::Stepwise, 2);
        let mut faster = vec![outcomes(&point, Dynamics::RejectionFree, 1)];
        if point.no_lanes().is_none() {
            faster.push(outcomes(&point, Dynamics::Lanes, 1));
        }
        for ((number, faster), (name, observable)) in faster
            .iter()
            .enumerate()
            .flat_map(|it| OBSERVABLES.map(|observable| (it, observable)))
        {
            let point = format!("{point}, {}", ["rejection-free", "lanes"][number]);
            let (a, b) = (sample(faster, observable), sample(&stepwise, observable));
            let (moments_a, moments_b) = (moments(&a), moments(&b));
            tests.push((
                p_of_difference(moments_a.mean, moments_b.mean),
                format!("{point}: mean of {name}"),
            ));
            tests.push((
                p_of_difference(moments_a.variance, moments_b.variance),
                format!("{point}: variance of {name}"),
            ));
            tests.push((
                p_of_kolmogorov_smirnov(&a, &b),
                format!("{point}: distribution of {name}"),
            ));
        }
    }
    tests.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!(
        "{} tests; the smallest p-values, and what each must exceed:",
        tests.len()
    );
    // Holm: the smallest p-value is held against level / m, the next against level / (m − 1), until
    // one exceeds.
    let allowed = |rank: usize| LEVEL / (tests.len() - rank) as f64;
    for (rank, (p, what)) in tests.iter().enumerate().take(5) {
        println!("  {p:.2e} > {:.2e}  {what}", allowed(rank));
    }
    assert!(
        tests[0].0 > allowed(0),
        "different: {}, p = {:.2e}",
        tests[0].1,
        tests[0].0
    );
}
