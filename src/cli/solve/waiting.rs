//! What `solve` says of a search that takes long, to somebody who waits for it at a terminal. It
//! says so after 3 seconds; the words are here.

use std::io::{IsTerminal as _, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::cli::terminal::{is_quiet, optional_message};
use crate::cli::text::counted;
use crate::replay::film::SingleTrial;
use crate::solver::Algorithm;

/// After so long a search says what it does.
const LONG: Duration = Duration::from_secs(3);

/// Does the work of a trial; if that takes long and somebody waits at a terminal, a line says how
/// far it is. `steps` counts while it runs.
pub fn with_word<T: Send>(
    trial: &SingleTrial,
    algorithm: &Algorithm,
    steps: &AtomicU64,
    work: impl FnOnce() -> T,
) -> T {
    if !algorithm.is_search || is_quiet() || !stderr().is_terminal() {
        return work();
    }
    let (ended, end) = channel::<()>();
    rayon::in_place_scope(|scope| {
        scope.spawn(move |_| {
            if end.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                optional_message!("{}", words(trial, algorithm, steps.load(Ordering::Relaxed)));
            }
        });
        let found = work();
        drop(ended);
        found
    })
}

/// How far a search is, and what would end at once.
fn words(trial: &SingleTrial, algorithm: &Algorithm, steps: u64) -> String {
    let unit = algorithm.cutoff_unit.trim_end_matches('s');
    let so_far = format!("{}: {} so far", trial.point, counted(steps, unit));
    if algorithm.name == "cp" {
        format!(
            "{so_far}; variant=PN_PD and variant=AA_DC find a board of n = 100 in 0.01 s, and --cutoff K ends after K {unit}s"
        )
    } else {
        format!("{so_far}; --cutoff K ends after K {unit}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{self, Key, Point, Value};

    #[test]
    fn a_long_search_says_how_far_it_is() {
        let algorithm = solver::algorithm("cp").expect("an algorithm");
        let point = Point::new("cp", [("n", Value::Integer(50))]);
        let trial = SingleTrial {
            point,
            key: Key { seed: 1, trial: 0 },
            cutoff: u64::MAX,
            dynamics: None,
            start: None,
        };
        let words = words(&trial, algorithm, 120_000);
        assert!(
            words.contains("n=50: ") && words.contains(" nodes so far; variant=PN_PD"),
            "{words}"
        );
    }
}
