//! Test-only trials whose law is known: what the analysis and the figures are tried on before and
//! beside real runs.

mod courses;
mod searches;

pub use courses::{course_trial, courses};
pub use searches::{constraint_searches, searches, timings};

use crate::analysis::quantile::Bounded;
use crate::experiment::spec::number::MOST_INTEGER;
use crate::experiment::store::rows::PointTrials;
use crate::experiment::store::{Point, Row};
use crate::solver::density::inverse_density;
use crate::solver::rng::{Generator, Words as _, midpoint};
use crate::solver::{Ending, Outcome, Value};

/// A small source of random times, apart from the solver's streams.
pub struct Draws(Generator);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(Generator::of(&seed.to_le_bytes()))
    }

    /// Exponential with this mean, rounded to whole updates.
    pub fn exponential(&mut self, mean: f64) -> u64 {
        (-mean * libm::log(midpoint(self.0.word()))).round() as u64
    }

    /// True with this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        (self.exponential(1e9) as f64) < -1e9 * libm::log(1.0 - probability)
    }
}

/// The law of a synthetic point: exponential waiting for the hit, a constant share more until
/// absorption, moves at a constant rate.
pub struct SyntheticLaw {
    pub key: Point,
    /// Mean absorption time, updates.
    pub mean: f64,
    /// absorption_time / hitting_time.
    pub settling: f64,
    pub updates_per_move: f64,
    pub cutoff: u64,
}

impl SyntheticLaw {
    /// Absorbed at the hit.
    pub fn of(key: Point, mean: f64, cutoff: u64) -> Self {
        Self {
            key,
            mean,
            settling: 1.0,
            updates_per_move: 300.0,
            cutoff,
        }
    }

    /// About that of the pair rule at n = 8, ε = 0.01.
    pub fn of_pair_8(cutoff: u64) -> Self {
        Self {
            settling: 1.25,
            ..Self::of(pair_key(8, 0.01), 1e6, cutoff)
        }
    }
}

/// So many trials of each law, with outcomes as `edit` leaves them.
fn drawn(
    (seed, count): (u64, u32),
    laws: impl IntoIterator<Item = SyntheticLaw>,
    edit: impl Fn(&Point, &mut Row),
) -> Vec<PointTrials> {
    let mut draws = Draws::new(seed);
    let point = |law: SyntheticLaw| {
        let PointTrials { point, mut rows } = trials(&mut draws, &law, count);
        rows.edit_each(|row| edit(&point, row));
        PointTrials { point, rows }
    };
    laws.into_iter().map(point).collect()
}

pub fn pair_key(n: u32, epsilon: f64) -> Point {
    let values = [
        ("n", Value::Integer(n.into())),
        ("epsilon", Value::real(epsilon)),
    ];
    Point::new("pair", values)
}

pub fn cell_key(n: u32, epsilon: f64, eta: f64) -> Point {
    Point {
        algorithm: "cell".to_owned(),
        ..pair_key(n, epsilon).with("eta", Value::real(eta))
    }
}

/// `trials` trials of a point, half of them under each of two seeds.
pub fn trials(draws: &mut Draws, law: &SyntheticLaw, trials: u32) -> PointTrials {
    let row = |index| {
        let seed = 1 + u64::from(2 * index >= trials);
        row(draws, law, seed, index % trials.div_ceil(2))
    };
    PointTrials {
        point: law.key.clone(),
        rows: (0..trials).map(row).collect(),
    }
}

/// The pair rule at n = 8 with means of the size of the real ones, the last point with many trials
/// cut off.
pub fn sweep_over_epsilon() -> Vec<PointTrials> {
    let law = |step: i32| {
        let epsilon = 0.0168 * libm::pow(10.0, f64::from(step) / 8.0);
        let mean = 2000.0 / epsilon + 2.5e5 * libm::pow(epsilon / 0.01, 2.15);
        SyntheticLaw {
            settling: 1.0 + (epsilon / 0.03) * (epsilon / 0.03),
            updates_per_move: 25.0 / libm::pow(epsilon, 0.6),
            ..SyntheticLaw::of(pair_key(8, epsilon), mean, 10_000_000)
        }
    };
    drawn((8, 100), (-14..=4).step_by(2).map(law), |_, _| {})
}

/// Both rules against n, growing with a power of 1/d, the largest boards with trials cut off.
pub fn sweep_over_n() -> Vec<PointTrials> {
    let law = |key: Point, scale: f64, power: f64, settling: f64| {
        let n = key.integer("n").and_then(|n| u32::try_from(n).ok());
        let rarity = n.and_then(inverse_density).expect("a solvable board");
        SyntheticLaw {
            settling,
            ..SyntheticLaw::of(key, scale * libm::pow(rarity, power), 100_000_000)
        }
    };
    let pair = (4..=12).map(|n| law(pair_key(n, 0.01), 300.0, 0.41, 1.02));
    let cool = (4..=14).map(|n| law(cell_key(n, 0.01, 0.1), 400.0, 0.35, 1.0));
    let warm = (4..=16).map(|n| law(cell_key(n, 0.1, 0.1), 200.0, 0.3, 1.3));
    drawn((6, 100), pair.chain(cool).chain(warm), |_, _| {})
}

fn row(draws: &mut Draws, law: &SyntheticLaw, seed: u64, trial: u32) -> Row {
    let absorption = draws.exponential(law.mean).max(1);
    let hitting = (absorption as f64 / law.settling) as u64;
    let within = |time: u64| (time <= law.cutoff).then_some(time);
    let moves = |time: u64| (time.min(law.cutoff) as f64 / law.updates_per_move) as u64;
    let ending = within(absorption).map_or(Ending::Censored, |_| Ending::Absorbed);
    Row {
        seed,
        trial,
        cutoff: law.cutoff,
        outcome: Outcome {
            absorption_time: within(absorption),
            hitting_time: within(hitting),
            moves: Some(moves(absorption)),
            moves_at_hit: within(hitting).map(moves),
            updates: Some(absorption.min(law.cutoff)),
            ..Outcome::ended(ending)
        },
    }
}

/// A trial absorbed in `solution`: the row of the queen in each column.
pub fn solved_row(solution: &[u32]) -> Row {
    let law = SyntheticLaw {
        key: pair_key(solution.len() as u32, 0.01),
        ..SyntheticLaw::of_pair_8(MOST_INTEGER)
    };
    let mut row = row(&mut Draws::new(1), &law, 1, 0);
    row.outcome.solution = Some(solution.into());
    row
}

/// The cell rule at n = 8 over ε and η, one corner with many trials cut off, with solutions of
/// three classes.
pub fn sweep_over_epsilon_and_eta() -> Vec<PointTrials> {
    const SOLUTIONS: [[u32; 8]; 3] = [
        [0, 4, 7, 5, 2, 6, 1, 3],
        [2, 5, 3, 1, 7, 4, 6, 0],
        [3, 6, 2, 7, 1, 4, 0, 5],
    ];
    let laws = [0.02, 0.05, 0.2, 0.5].into_iter().flat_map(|epsilon| {
        [0.0, 0.2, 1.0].map(|eta| {
            let mean = (1000.0 / epsilon + 2e4 * libm::exp(5.0 * epsilon)) * (1.0 + eta);
            SyntheticLaw::of(cell_key(8, epsilon, eta), mean, 800_000)
        })
    });
    drawn((88, 100), laws, |_, row| {
        let solution = SOLUTIONS[row.trial as usize % 7 % 3];
        let end = row.outcome.absorption_time;
        row.outcome.solution = end.map(|_| solution.into());
    })
}

/// Both variants of the synchronous rule and the cell rule against ε, in steps and in updates, with
/// joint moves; the slowest with trials cut off.
pub fn synchronous_steps() -> Vec<PointTrials> {
    let law = |(n, epsilon): (u32, f64)| {
        let synchronous = |variant: &str, point: Point| Point {
            algorithm: "synchronous".to_owned(),
            variant: variant.to_owned(),
            ..point
        };
        let cell = cell_key(n, epsilon, 0.1);
        let blind = synchronous("blind", pair_key(n, epsilon));
        let informed = synchronous("informed", cell.clone());
        [(cell, 4e4), (blind, 2e3), (informed, 1e3)].map(|(key, mean)| {
            let mean = mean * (1.0 + 0.001 / epsilon) * f64::from(n * n) / 16.0;
            SyntheticLaw {
                updates_per_move: 3.0,
                ..SyntheticLaw::of(key, mean, 100_000)
            }
        })
    };
    let both = |epsilon| [(4, epsilon), (6, epsilon)];
    let laws = [0.01, 0.03, 0.1].into_iter().flat_map(both).flat_map(law);
    drawn((11, 40), laws, |point, row| {
        let is_synchronous = point.algorithm == "synchronous";
        let moves = row.outcome.moves.filter(|_| is_synchronous);
        row.outcome.moving_steps = moves;
        row.outcome.joint_moves = moves.map(|moves| moves / 5);
    })
}

/// Products at two ε, with their factors; the greatest with trials cut off.
pub fn factored_products() -> Vec<PointTrials> {
    let laws = [15, 35, 77, 143_u32].into_iter().flat_map(|product| {
        [0.03, 0.1].map(|epsilon| {
            let values = [
                ("product", Value::Integer(product.into())),
                ("epsilon", Value::real(epsilon)),
            ];
            let mean = f64::from(product * product);
            SyntheticLaw {
                updates_per_move: 10.0,
                ..SyntheticLaw::of(Point::new("factor", values), mean, 40_000)
            }
        })
    });
    drawn((12, 30), laws, |point, row| {
        let product = point.integer("product").unwrap_or_default() as u32;
        let factor = (2..product).find(|factor| product.is_multiple_of(*factor));
        let end = row.outcome.absorption_time.and(factor);
        row.outcome.solution = end.map(|factor| [product / factor, factor].into());
    })
}

/// Relaxation of the signals of both rules, the largest pair with trials cut off.
pub fn relaxations() -> Vec<PointTrials> {
    let rules = [("cell-relaxation", 1.35), ("pair-relaxation", 4.9)];
    let laws = rules.into_iter().flat_map(|(algorithm, constant)| {
        [4_u32, 8, 16, 32].map(|n| {
            let key = Point::new(algorithm, [("n", Value::Integer(n.into()))]);
            let mean = constant * libm::pow(f64::from(n), 3.0);
            SyntheticLaw::of(key, mean, 200_000)
        })
    });
    drawn((3, 100), laws, |_, Row { outcome: it, .. }| {
        (it.hitting_time, it.moves, it.moves_at_hit) = (None, None, None);
    })
}

/// 20 times that scatter like exponential ones.
pub const TIMES: [u64; 20] = [
    3, 141, 59, 26, 535, 897, 93, 238, 46, 264, 33, 83, 279, 502, 88, 41, 971, 69, 399, 37,
];

/// Freireich and others, Blood 21 (1963) 699: weeks of remission under 6-mercaptopurine (+: still
/// in remission) and under placebo.
pub fn remission() -> [Vec<Bounded>; 2] {
    let treated = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+";
    let placebo = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23";
    let trial = |word: &str| {
        let weeks = word.trim_end_matches('+').parse();
        Bounded {
            value: weeks.expect("a number of weeks"),
            at_least: word.ends_with('+'),
        }
    };
    [treated, placebo].map(|text| text.split(' ').map(trial).collect())
}

/// Numbers against those of another program, or by hand.
#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64], relative: f64) {
    let is_close = |(found, expected): (&f64, &f64)| {
        *found == *expected || (found - expected).abs() < relative * expected.abs()
    };
    let are_close = found.len() == expected.len() && found.iter().zip(expected).all(is_close);
    assert!(are_close, "{found:?} instead of {expected:?}");
}

/// Z of the share of hits against an expected one that another program measured on `of` samples,
/// infinitely many where it is known.
pub fn z_of_share((hits, samples): (usize, u32), (expected, of): (f64, f64)) -> f64 {
    let samples = f64::from(samples);
    let variance = expected * (1.0 - expected) * (1.0 / samples + 1.0 / of);
    (hits as f64 / samples - expected) / variance.sqrt()
}
