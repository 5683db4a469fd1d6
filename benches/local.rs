//! Updates per second of the local rules on one core, and how that compares with the plain C rival
//! beside this file.

mod rival;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use reines::solver::local::lanes::Instructions;
use reines::solver::{
    Control, Course, Dynamics, Interrupted, Key, Outcome, Point, TrialSource, Value, algorithm,
    local, prepare,
};

use crate::rival::Rival;

/// Turns of rival and program.
const ROUNDS: usize = 9;

/// Rule, n, ε, η.
type Setting = (&'static str, u64, f64, f64);

const SETTINGS: [Setting; 4] = [
    ("pair", 8, 0.01, 0.0),
    ("cell", 8, 0.01, 0.1),
    ("pair", 12, 0.01, 0.0),
    ("cell", 16, 0.01, 0.1),
];

fn main() {
    // `cargo test --benches` only wants to see that this compiles.
    if std::env::args().any(|argument| argument == "--bench") {
        compare_with_the_rival();
    }
}

/// Settings where most updates change nothing, written as in [`SETTINGS`], and the multiple of the
/// rival's rate that the rejection-free dynamics is to reach.
const MULTIPLES: [(Setting, f64); 5] = [
    (("pair", 8, 0.01, 0.0), 5.0),
    (("pair", 8, 0.001, 0.0), 45.0),
    (("pair", 12, 0.01, 0.0), 5.0),
    (("cell", 8, 0.01, 0.1), 40.0),
    (("cell", 16, 0.01, 0.1), 45.0),
];

/// The same as [`MULTIPLES`] for the dynamics in lanes on a processor with AVX-512; with AVX2 four
/// fifths of it.
const MULTIPLES_OF_LANES: [(Setting, f64); 4] = [
    (("pair", 8, 0.01, 0.0), 10.0),
    (("pair", 8, 0.001, 0.0), 90.0),
    (("cell", 8, 0.01, 0.1), 80.0),
    (("cell", 8, 0.1, 0.1), 9.0),
];

fn point((rule, n, epsilon, eta): Setting) -> Point {
    let algorithm = algorithm(rule).expect("the settings name registered rules");
    let values = [
        ("n", Value::Integer(n)),
        ("epsilon", Value::real(epsilon)),
        ("eta", Value::real(eta)),
    ];
    Point::new(
        algorithm.name,
        values
            .into_iter()
            .filter(|&(name, _)| algorithm.axes.iter().any(|axis| axis.name == name)),
    )
}

/// Updates in trials 0, 1, … until there have been `updates` of them: whole trials, but for the
/// last.
fn simulate(point: &Point, dynamics: Dynamics, updates: u64) -> u64 {
    let (stop, counted) = (AtomicBool::new(false), AtomicU64::new(0));
    let prepared = prepare(point, Some(dynamics));
    let control = Control::new(&stop, &counted);
    let mut left = updates;
    for trial in 0.. {
        let gave = prepared(Key { seed: 1, trial }, left, &control);
        let (outcome, _) = gave.expect("no stop is asked for");
        left -= black_box(outcome)
            .updates
            .expect("a local rule counts updates");
        if left == 0 {
            break;
        }
    }
    counted.into_inner()
}

/// Rival and program in turn, so that both meet the same moods of the machine; the middle one of
/// the ratios is printed.
fn compare_with_the_rival() {
    let Some(rival) = Rival::compile("local") else {
        return;
    };
    println!(
        "Million updates per second, best and middle ratio of {ROUNDS} rounds in turn with benches/rivals/local.c:"
    );
    for setting in SETTINGS {
        let point = point(setting);
        let (middle, best) = rounds_in_turn(|| {
            (
                rival_rate(&rival, setting),
                our_rate(&point, Dynamics::Stepwise, 1.0),
            )
        });
        println!(
            "  {point}: C {:.1}, stepwise {:.1}; stepwise = {middle:.2} × C",
            best.0 / 1e6,
            best.1 / 1e6
        );
    }
    for (setting, multiple) in MULTIPLES {
        let point = point(setting);
        let (middle, best) = rounds_in_turn(|| {
            (
                rival_rate(&rival, setting),
                our_rate(&point, Dynamics::RejectionFree, multiple),
            )
        });
        let rates = (best.0 / 1e6, best.1 / 1e6);
        println!(
            "  {point}: C {:.1}, rejection-free {:.0}; rejection-free = {middle:.1} × C, to reach {multiple}",
            rates.0, rates.1
        );
    }
    compare_lanes(&rival);
}

/// The dynamics in lanes by each set of instructions of this processor, and beside it the
/// rejection-free one, in turn with the rival.
fn compare_lanes(rival: &Rival) {
    for (setting, multiple) in MULTIPLES_OF_LANES {
        let point = point(setting);
        let rate = || our_rate(&point, Dynamics::RejectionFree, multiple / 4.0);
        let (free, _) = rounds_in_turn(|| (rival_rate(rival, setting), rate()));
        for instructions in Instructions::available() {
            let rate = || lanes_rate(&point, instructions, multiple);
            let (middle, best) = rounds_in_turn(|| (rival_rate(rival, setting), rate()));
            println!(
                "  {point}: C {:.1}, lanes {instructions:?} {:.0}; lanes = {middle:.1} × C, rejection-free {free:.1} × C, to reach {multiple} with AVX-512",
                best.0 / 1e6,
                best.1 / 1e6
            );
        }
    }
}

/// Trials until there have been so many updates.
struct Enough {
    wanted: u64,
    simulated: u64,
    next: u32,
}

impl TrialSource for Enough {
    fn next(&mut self, _: usize) -> Option<Key> {
        self.next += 1;
        let key = Key {
            seed: 1,
            trial: self.next,
        };
        (self.simulated < self.wanted).then_some(key)
    }

    fn ended(&mut self, _: usize, gave: (Outcome, Course)) -> Result<(), Interrupted> {
        self.simulated += black_box(gave.0)
            .updates
            .expect("a local rule counts updates");
        Ok(())
    }
}

/// The rate of [`our_rate`] in lanes. A trial has a small part of all updates, so that lanes are
/// not idle for long at the end.
fn lanes_rate(point: &Point, instructions: Instructions, multiple: f64) -> f64 {
    let rule = local::rule(&point.algorithm).expect("the settings name local rules");
    let wanted = (updates_per_round(&point.algorithm) as f64 * multiple) as u64;
    let mut trials = Enough {
        wanted,
        simulated: 0,
        next: 0,
    };
    let start = Instant::now();
    let control = Control::unstopped();
    (rule.side_by_side)(instructions, point, wanted / 64, &mut trials, &control)
        .expect("no stop is asked for");
    trials.simulated as f64 / start.elapsed().as_secs_f64()
}

/// The middle ratio and the best rates of [`ROUNDS`] rounds of rival and program.
fn rounds_in_turn(round: impl Fn() -> (f64, f64)) -> (f64, (f64, f64)) {
    let mut rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| round()).collect();
    rounds.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let middle = rounds[ROUNDS / 2];
    (
        middle.1 / middle.0,
        rounds
            .iter()
            .fold((0.0, 0.0), |best, r| (r.0.max(best.0), r.1.max(best.1))),
    )
}

/// Updates in one round: about half a second.
fn updates_per_round(rule: &str) -> u64 {
    if rule == "pair" {
        40_000_000
    } else {
        15_000_000
    }
}

/// Updates per second; `multiple` times as many are simulated as by the rival.
fn our_rate(point: &Point, dynamics: Dynamics, multiple: f64) -> f64 {
    let n_updates = (updates_per_round(&point.algorithm) as f64 * multiple) as u64;
    let start = Instant::now();
    let updates = simulate(point, dynamics, n_updates);
    updates as f64 / start.elapsed().as_secs_f64()
}

fn rival_rate(rival: &Rival, (rule, n, epsilon, eta): Setting) -> f64 {
    let numbers = [
        n.to_string(),
        epsilon.to_string(),
        eta.to_string(),
        updates_per_round(rule).to_string(),
        "1".to_owned(),
    ];
    let arguments: Vec<&str> = std::iter::once(rule)
        .chain(numbers.iter().map(String::as_str))
        .collect();
    let (text, _) = rival.run(&arguments);
    text.split_whitespace()
        .last()
        .and_then(|rate| rate.parse().ok())
        .expect("the rival prints its rate last")
}
