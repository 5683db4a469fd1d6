//! Test-only trials whose law is known: what the analysis and the figures are tried on before and
//! beside real runs.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::experiment::store::{Point, Row};
use crate::results::PointCourses;
use crate::results::{PointTimings, PointTrials, TrialTimes};
use crate::solver::course::{Course, Observation, QueenMove};
use crate::solver::density::inverse_density;
use crate::solver::goal::Goal;
use crate::solver::{Ending, Outcome, Value};

/// A small source of random times, apart from the solver's streams.
pub struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::from_seed(
            *blake3::hash(&seed.to_le_bytes()).as_bytes(),
        ))
    }

    /// Exponential with this mean, rounded to whole updates.
    pub fn exponential(&mut self, mean: f64) -> u64 {
        let uniform = ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        (-mean * libm::log(uniform)).round() as u64
    }
}

/// The law of a synthetic point: exponential waiting for the hit, a constant share more until
/// absorption, moves at a constant rate.
pub struct Law {
    pub key: Point,
    /// Mean absorption time, updates.
    pub mean: f64,
    /// absorption_time / hitting_time.
    pub settling: f64,
    pub updates_per_move: f64,
    pub cutoff: u64,
}

impl Law {
    /// About that of the pair rule at n = 8, ε = 0.01.
    pub fn of_pair_8(cutoff: u64) -> Self {
        Self {
            key: pair_key(8, 0.01),
            mean: 1e6,
            settling: 1.25,
            updates_per_move: 370.0,
            cutoff,
        }
    }
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

/// Of a search.
fn search_key(algorithm: &str, variant: &str, n: u32, goal: Goal) -> Point {
    Point {
        variant: variant.into(),
        goal: Some(goal),
        ..Point::new(algorithm, [("n", Value::Integer(n.into()))])
    }
}

/// `trials` trials of a point, half of them under each of two seeds.
pub fn trials(draws: &mut Draws, law: &Law, trials: u32) -> PointTrials {
    let rows = (0..trials)
        .map(|index| {
            row(
                draws,
                law,
                1 + u64::from(2 * index >= trials),
                index % trials.div_ceil(2),
            )
        })
        .collect();
    PointTrials {
        point: law.key.clone(),
        rows,
    }
}

/// The pair rule at n = 8 with means of the size of the real ones, the last point with many trials
/// cut off.
pub fn sweep_over_epsilon() -> Vec<PointTrials> {
    let mut draws = Draws::new(8);
    let law = |epsilon: f64| Law {
        key: pair_key(8, epsilon),
        mean: 2000.0 / epsilon + 2.5e5 * libm::pow(epsilon / 0.01, 2.15),
        settling: 1.0 + (epsilon / 0.03) * (epsilon / 0.03),
        updates_per_move: 25.0 / libm::pow(epsilon, 0.6),
        cutoff: 10_000_000,
    };
    let grid = [
        0.0003,
        0.000533483823013,
        0.000948683298051,
        0.00168701979652,
        0.003,
        0.00533483823013,
        0.00948683298051,
        0.0168701979652,
        0.03,
        0.06,
    ];
    grid.into_iter()
        .map(|epsilon| trials(&mut draws, &law(epsilon), 100))
        .collect()
}

/// Both rules against n, growing with a power of 1/d, the largest boards with trials cut off.
pub fn sweep_over_n() -> Vec<PointTrials> {
    let mut draws = Draws::new(6);
    let law = |key: Point, scale: f64, power: f64, settling: f64| {
        let n = key.integer("n").and_then(|n| u32::try_from(n).ok());
        let rarity = n.and_then(inverse_density).expect("a solvable board");
        Law {
            mean: scale * libm::pow(rarity, power),
            key,
            settling,
            updates_per_move: 400.0,
            cutoff: 100_000_000,
        }
    };
    let pair = (4..=12).map(|n| law(pair_key(n, 0.01), 300.0, 0.41, 1.02));
    let cool = (4..=14).map(|n| law(cell_key(n, 0.01, 0.1), 400.0, 0.35, 1.0));
    let warm = (4..=16).map(|n| law(cell_key(n, 0.1, 0.1), 200.0, 0.3, 1.3));
    pair.chain(cool)
        .chain(warm)
        .map(|law| trials(&mut draws, &law, 100))
        .collect()
}

fn row(draws: &mut Draws, law: &Law, seed: u64, trial: u32) -> Row {
    let absorption = draws.exponential(law.mean).max(1);
    let hitting = (absorption as f64 / law.settling) as u64;
    let within = |time: u64| (time <= law.cutoff).then_some(time);
    let moves = |time: u64| (time.min(law.cutoff) as f64 / law.updates_per_move) as u64;
    let ending = if absorption <= law.cutoff {
        Ending::Absorbed
    } else {
        Ending::Censored
    };
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

/// Two methods against n, the last search of the slower one cut off.
pub fn searches() -> Vec<PointTrials> {
    let row = |ending, checks| Row {
        seed: 1,
        trial: 0,
        cutoff: 100_000_000,
        outcome: Outcome {
            solutions: Some(1),
            checks: Some(checks),
            ..Outcome::ended(ending)
        },
    };
    let search = |algorithm, n: u32, base: u64| {
        let checks = base.pow(n).min(100_000_000);
        let ending = if checks < 100_000_000 {
            Ending::Exhausted
        } else {
            Ending::Censored
        };
        PointTrials {
            point: search_key(algorithm, "", n, Goal::Count),
            rows: vec![row(ending, checks)].into(),
        }
    };
    (4..=8)
        .map(|n| search("lines", n, 5))
        .chain((4..=8).map(|n| search("rows", n, 10)))
        .collect()
}

/// Variants of a constraint model: all boards at n = 8, 10 and 12 with the counts of Choco 6
/// (`tests/reference/choco.csv`), one board up to n = 60 with nodes that grow exponentially, 20
/// trials of a random branching; the last search of each goal is cut off.
pub fn constraint_searches() -> Vec<PointTrials> {
    const ALL: [(&str, [(u64, u64); 3]); 3] = [
        ("PA_PL", [(472, 289), (6334, 4887), (132_758, 104_359)]),
        ("PB_PL", [(487, 304), (6802, 5355), (145_205, 116_806)]),
        ("PN_PL", [(507, 324), (7389, 5942), (150_000, 120_000)]),
    ];
    let row = |trial, ending, (solutions, nodes, failures)| Row {
        seed: 1,
        trial,
        cutoff: 150_000,
        outcome: Outcome {
            solutions: Some(solutions),
            nodes: Some(nodes),
            failures: Some(failures),
            ..Outcome::ended(ending)
        },
    };
    let all = ALL.into_iter().flat_map(|(variant, counts)| {
        let points = [(8, 92), (10, 724), (12, 14_200)].into_iter().zip(counts);
        points.map(move |((n, solutions), (nodes, failures))| {
            let ending = if nodes < 150_000 {
                Ending::Exhausted
            } else {
                Ending::Censored
            };
            PointTrials {
                point: search_key("cp", variant, n, Goal::All),
                rows: vec![row(0, ending, (solutions, nodes, failures))].into(),
            }
        })
    });
    let mut draws = Draws::new(7);
    let first = [("PA_PD", 1.05, 1), ("PA_PR", 1.14, 20), ("PN_PL", 1.3, 1)]
        .into_iter()
        .flat_map(|(variant, base, trials)| {
            (4..=60).step_by(8).map(move |n| {
                (
                    variant,
                    f64::from(n) * libm::pow(base, f64::from(n)),
                    trials,
                    n,
                )
            })
        });
    let first = first.map(|(variant, mean, trials, n)| {
        let rows = (0..trials).map(|trial| {
            let nodes = if trials > 1 {
                draws.exponential(mean).max(u64::from(n))
            } else {
                mean as u64
            };
            let ending = if nodes < 150_000 {
                Ending::Solved
            } else {
                Ending::Censored
            };
            row(
                trial,
                ending,
                (
                    u64::from(nodes < 150_000),
                    nodes.min(150_000),
                    nodes.min(150_000) / 2,
                ),
            )
        });
        PointTrials {
            point: search_key("cp", variant, n, Goal::First),
            rows: rows.collect(),
        }
    });
    let mut points: Vec<PointTrials> = all.chain(first).collect();
    points.sort_by(|a, b| a.point.order(&b.point));
    points
}

/// Three times for each row, in proportion to the checks or else the nodes, or 1 s to 3 s.
pub fn timings(trials: &[PointTrials]) -> Vec<PointTimings> {
    let steps = |row: &Row| row.outcome.checks.or(row.outcome.nodes);
    let times = |row: Row| TrialTimes {
        seed: row.seed,
        trial: row.trial,
        seconds: [1.0, 3.0, 2.0]
            .map(|factor| factor * steps(&row).map_or(1.0, |steps| steps as f64 * 1e-8))
            .to_vec(),
    };
    let timings = |trials: &PointTrials| PointTimings {
        point: trials.point.clone(),
        trials: trials.rows.iter().map(times).collect(),
    };
    trials.iter().map(timings).collect()
}

/// A trial absorbed in `solution`: the row of the queen in each column.
pub fn solved_row(solution: &[u32]) -> Row {
    let law = Law {
        key: pair_key(solution.len() as u32, 0.01),
        ..Law::of_pair_8(u64::MAX)
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
    let mut draws = Draws::new(88);
    let mut points = Vec::new();
    for epsilon in [0.02, 0.05, 0.2, 0.5] {
        for eta in [0.0, 0.2, 1.0] {
            let mean = (1000.0 / epsilon + 2e4 * libm::exp(5.0 * epsilon)) * (1.0 + eta);
            let law = Law {
                key: cell_key(8, epsilon, eta),
                mean,
                settling: 1.0,
                updates_per_move: 300.0,
                cutoff: 800_000,
            };
            let mut point = trials(&mut draws, &law, 100);
            point.rows.edit(|rows| {
                let absorbed = |row: &Row| row.outcome.absorption_time.is_some();
                let rows = rows.iter_mut().enumerate();
                for (index, row) in rows.filter(|(_, row)| absorbed(row)) {
                    row.outcome.solution = Some(SOLUTIONS[index % 7 % 3].into());
                }
            });
            points.push(point);
        }
    }
    points
}

/// Both variants of the synchronous rule and the cell rule against ε, in steps and in updates, with
/// joint moves; the slowest with trials cut off.
pub fn synchronous_steps() -> Vec<PointTrials> {
    let mut draws = Draws::new(11);
    let mut points = Vec::new();
    for n in [4, 6] {
        for epsilon in [0.01, 0.03, 0.1] {
            let blind = Point {
                algorithm: "synchronous".to_owned(),
                variant: "blind".to_owned(),
                ..pair_key(n, epsilon)
            };
            let informed = Point {
                variant: "informed".to_owned(),
                ..blind.with("eta", Value::real(0.1))
            };
            for (key, mean) in [
                (cell_key(n, epsilon, 0.1), 4e4),
                (blind, 2e3),
                (informed, 1e3),
            ] {
                let law = Law {
                    key,
                    mean: mean * (1.0 + 0.001 / epsilon) * f64::from(n * n) / 16.0,
                    settling: 1.1,
                    updates_per_move: 3.0,
                    cutoff: 100_000,
                };
                let mut point = trials(&mut draws, &law, 40);
                if law.key.algorithm == "synchronous" {
                    point.rows.edit_each(|Row { outcome, .. }| {
                        outcome.moving_steps = outcome.moves;
                        outcome.joint_moves = outcome.moves.map(|moves| moves / 5);
                    });
                }
                points.push(point);
            }
        }
    }
    points
}

/// Products at two ε, with their factors; the greatest with trials cut off.
pub fn factored_products() -> Vec<PointTrials> {
    let mut draws = Draws::new(12);
    let mut points = Vec::new();
    for [a, b] in [[5, 3], [7, 5], [11, 7], [13, 11]] {
        for epsilon in [0.03, 0.1] {
            let values = [
                ("product", Value::Integer(u64::from(a * b))),
                ("epsilon", Value::real(epsilon)),
            ];
            let law = Law {
                key: Point::new("factor", values),
                mean: f64::from(a * b) * f64::from(a * b),
                settling: 1.2,
                updates_per_move: 10.0,
                cutoff: 40_000,
            };
            let mut point = trials(&mut draws, &law, 30);
            point.rows.edit_each(|Row { outcome, .. }| {
                let is_absorbed = outcome.absorption_time.is_some();
                outcome.solution = is_absorbed.then(|| [a, b].into());
            });
            points.push(point);
        }
    }
    points
}

/// Relaxation of the signals of both rules, the largest pair with trials cut off.
pub fn relaxations() -> Vec<PointTrials> {
    let mut draws = Draws::new(3);
    let mut points = Vec::new();
    for (algorithm, constant) in [("cell-relaxation", 1.35), ("pair-relaxation", 4.9)] {
        for n in [4_u32, 8, 16, 32] {
            let key = Point::new(algorithm, [("n", Value::Integer(n.into()))]);
            let mean = constant * libm::pow(f64::from(n), 3.0);
            let mut point = trials(
                &mut draws,
                &Law {
                    key,
                    mean,
                    settling: 1.0,
                    updates_per_move: 1.0,
                    cutoff: 200_000,
                },
                100,
            );
            point.rows.edit_each(|row| {
                let outcome = &mut row.outcome;
                (outcome.hitting_time, outcome.moves, outcome.moves_at_hit) = (None, None, None);
            });
            points.push(point);
        }
    }
    points
}

/// A trial of n = 8 that is absorbed at a time, or not before the cutoff, with a series at these
/// moments: half of the signals true up to the absorption, and moves as said.
pub fn course_trial(
    trial: u32,
    (absorption_time, cutoff): (Option<u64>, u64),
    moments: &[u64],
    moves: impl Fn(u64) -> u64,
) -> (Row, Course) {
    let end = absorption_time.unwrap_or(cutoff);
    let ending = absorption_time.map_or(Ending::Censored, |_| Ending::Absorbed);
    let state = |&update: &u64| {
        let living = u32::from(absorption_time.is_none_or(|time| update < time));
        Observation {
            update,
            signals: 420,
            true_signals: 420 - 210 * living,
            threatened: 4 * living,
            attacked: 6 * living,
            safe_cells: 3 * living,
            truly_safe_cells: living,
            safe_moves: 2 * living,
            conflicts: living * (1 + (update / 100_000 % 2) as u32),
            moves: moves(update),
        }
    };
    let is_seen = |moment: &&u64| absorption_time.is_some() || **moment <= cutoff;
    let course = Course {
        series: moments.iter().filter(is_seen).map(state).collect(),
        moves: Vec::new(),
    };
    let outcome = Outcome {
        absorption_time,
        hitting_time: absorption_time,
        moves: Some(moves(end)),
        moves_at_hit: absorption_time.map(&moves),
        updates: Some(end),
        dangerous_moves: Some(0),
        needless_moves: Some(0),
        deceived_moves: Some(0),
        entries: Some(u64::from(absorption_time.is_some())),
        ..Outcome::ended(ending)
    };
    let row = Row {
        seed: 1,
        trial,
        cutoff,
        outcome,
    };
    (row, course)
}

/// The course with moves at these updates, dangerous or not.
pub fn moving(course: Course, moves: &[(u64, bool)]) -> Course {
    let queen = |&(update, dangerous): &(u64, bool)| QueenMove {
        update,
        from: 0,
        to: 1,
        dangerous,
        needless: false,
        deceived: false,
        threatened: 4,
    };
    Course {
        moves: moves.iter().map(queen).collect(),
        ..course
    }
}

/// Trials of both rules at three ε with a series and moves; at each rule's largest ε they are the
/// fastest, and the last is cut off.
pub fn courses() -> Vec<PointCourses> {
    const CUTOFF: u64 = 1_000_000;
    let moments: Vec<u64> = (0..=12).map(|step| step * 100_000).collect();
    let mut draws = Draws::new(12);
    let mut trial = |index: u32, mean: f64, is_cut_off: bool| {
        let end = (20_000 + draws.exponential(mean)).min(CUTOFF);
        let moves = |t: u64| t.min(end) / 400;
        let absorbed = (!is_cut_off).then_some(end);
        let (mut row, course) = course_trial(index, (absorbed, CUTOFF), &moments, moves);
        row.outcome.dangerous_moves = row.outcome.moves.map(|moves| moves / 2);
        row.outcome.needless_moves = row.outcome.moves.map(|moves| moves / 20);
        row.outcome.deceived_moves = row.outcome.moves.map(|moves| moves / 5);
        let times = (1..moves(end)).map(|number| {
            let time = 400 * number + draws.exponential(100.0).min(399);
            (time, draws.exponential(1e6) < 800_000)
        });
        let times: Vec<(u64, bool)> = times.collect();
        (row, moving(course, &times))
    };
    let keys = [0.01, 0.02, 0.03].into_iter().flat_map(|epsilon| {
        let keys = [pair_key(8, epsilon), cell_key(8, epsilon, 0.1)];
        keys.into_iter().map(move |key| (key, epsilon))
    });
    let mut point = |(point, epsilon): (Point, f64)| {
        let (mean, cut_off) = if epsilon == 0.03 {
            (1e5, 19)
        } else {
            (2e5, 20)
        };
        let trials = (0..20).map(|index| trial(index, mean, index == cut_off));
        PointCourses {
            point,
            trials: trials.collect(),
        }
    };
    keys.map(&mut point).collect()
}
