//! Finished trials are saved at least every ten seconds.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::Workplace;

/// Trials of about a quarter of a second: n = 3 has no solution, so that each takes its cutoff.
const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 3\nepsilon = 0.5\ntrials = 100_000\ncutoff = CUTOFF\n";

#[test]
#[ignore = "34 seconds: `make faults`"]
fn ten_seconds_of_work_are_lost_at_most() {
    let place = Workplace::new();
    // How many updates a quarter of a second has here.
    let probe = SPEC.replace("100_000", "1").replace("CUTOFF", "4_000_000");
    place.write("probe.toml", &probe);
    let started = Instant::now();
    place.succeed("run probe.toml --threads 1 --dynamics stepwise");
    let cutoff = (4e6 * 0.25 / started.elapsed().as_secs_f64()).max(1000.0) as u64;
    place.write("a.toml", &SPEC.replace("CUTOFF", &cutoff.to_string()));
    let mut child = place.start("run a.toml --threads 1 --dynamics stepwise -q");
    let started = Instant::now();
    let mut saved = Vec::new();
    while started.elapsed() < Duration::from_secs(34) {
        if place.n_parts() > saved.len() {
            saved.push(started.elapsed());
        }
        sleep(Duration::from_millis(20));
    }
    child.kill().expect("a child can be killed");
    child.wait().expect("it can be waited for");
    println!("parts were saved after {saved:?}");
    assert!(saved.len() >= 3, "{saved:?}");
    let mut before = Duration::ZERO;
    for time in saved {
        assert!(time - before < Duration::from_millis(11_500), "{time:?}");
        before = time;
    }
}
