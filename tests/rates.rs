//! The rate of lanes, which rests on vector code that the compiler makes: `make ci` holds it.

use std::time::Instant;

use reines::solver::local::{self, lanes::Instructions};
use reines::solver::{
    Control, Course, Dynamics, Interrupted, Key, Outcome, Point, TrialSource, Value, prepare,
};

/// Updates of one measurement, and those at which a trial ends.
const UPDATES: u64 = 60_000_000;
const CUTOFF: u64 = UPDATES / 64;

/// Trials until there have been so many updates.
struct Trials {
    updates: u64,
    next: u32,
}

impl TrialSource for Trials {
    fn next(&mut self, _: usize) -> Option<Key> {
        let (seed, trial) = (1, self.next);
        self.next += 1;
        (self.updates < UPDATES).then_some(Key { seed, trial })
    }

    fn ended(&mut self, _: usize, gave: (Outcome, Course)) -> Result<(), Interrupted> {
        self.updates += gave.0.updates.unwrap_or(0);
        Ok(())
    }
}

/// Updates per second, the most of five times.
fn rate(run: impl Fn(&mut Trials)) -> f64 {
    let rates = (0..5).map(|_| {
        let mut trials = Trials {
            updates: 0,
            next: 0,
        };
        let start = Instant::now();
        run(&mut trials);
        trials.updates as f64 / start.elapsed().as_secs_f64()
    });
    rates.fold(0.0, f64::max)
}

/// Measured: 2.9 times. Without vector code it is 0.9.
#[test]
#[ignore = "a machine that does other work has no rate; part of make ci"]
fn lanes_with_avx2_are_faster_than_the_rejection_free_dynamics() {
    let values = [("n", Value::Integer(8)), ("epsilon", Value::real(0.01))];
    let (point, control) = (Point::new("pair", values), Control::unstopped());
    let all = Instructions::available();
    let Some(&avx2) = all.get(1) else {
        println!("the rate of lanes: skipped, the processor has no AVX2");
        return;
    };
    let rule = local::rule(&point.algorithm).expect("registered");
    let in_lanes = rate(|trials| {
        let run = (rule.side_by_side)(avx2, &point, CUTOFF, trials, &control);
        run.expect("no stop is asked for");
    });
    let prepared = prepare(&point, Some(Dynamics::RejectionFree));
    let rejection_free = rate(|trials| {
        while let Some(key) = trials.next(0) {
            let ended = prepared(key, CUTOFF, &control).expect("no stop is asked for");
            trials.ended(0, ended).expect("it takes all");
        }
    });
    let ratio = in_lanes / rejection_free;
    println!("lanes with {avx2:?}: {ratio:.2} times the rate of the rejection-free dynamics");
    assert!(ratio >= 1.5, "{ratio}");
}
