//! Finished trials are saved at least every ten seconds.

use std::time::{Duration, Instant};

use crate::program::{Workplace, wait_until};

/// Trials of about a quarter of a second: n = 3 has no solution, so that each takes its cutoff.
const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 3\nepsilon = 0.5\ntrials = 100_000\ncutoff = CUTOFF\n";

#[test]
#[ignore = "31 seconds: `make verify`"]
fn ten_seconds_of_work_are_lost_at_most() {
    let place = Workplace::new();
    // How long a trial of so many updates takes here and now.
    let time_of = |cutoff: u64| {
        let probe = SPEC.replace("100_000", "1");
        place.write("probe.toml", &probe.replace("CUTOFF", &cutoff.to_string()));
        let started = Instant::now();
        // In a folder of its own: no trial is taken over from an earlier one.
        place.succeed(format!(
            "run probe.toml --threads 1 --dynamics stepwise --results probe-{cutoff}"
        ));
        started.elapsed()
    };
    let cutoff = (4e6 * 0.25 / time_of(4_000_000).as_secs_f64()).max(1000.0) as u64;
    place.write("a.toml", &SPEC.replace("CUTOFF", &cutoff.to_string()));
    let mut child = place.start("run a.toml --threads 1 --dynamics stepwise -q");
    let started = Instant::now();
    let saved = [1, 2, 3].map(|parts| {
        wait_until("a part is saved", || place.n_parts() >= parts);
        started.elapsed()
    });
    child.kill().expect("a child can be killed");
    child.wait().expect("it can be waited for");
    // A second and a half, or more where other work has slowed the machine down since.
    let most = Duration::from_secs(10) + 6 * time_of(cutoff).max(Duration::from_millis(250));
    println!("parts were saved after {saved:?}, expected within {most:?}");
    let mut before = Duration::ZERO;
    for time in saved {
        assert!(time - before < most, "{time:?}");
        before = time;
    }
}
