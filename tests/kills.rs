//! `kill -9` at random moments, the merge included: nothing saved is lost, and the bytes are those
//! of a run that nobody killed.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::Workplace;

/// Many short trials, so that saving and merging take a good share of the time; and a few long
/// ones, so that points end at different times.
const SPEC: &str = "seed = 3\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.01\ntrials = 10_000\ncutoff = 30\n\
                    [[sweep]]\nalgorithm = \"cell\"\nn = 6\nepsilon = 0.05\neta = 0.1\ntrials = 20\ncutoff = 1e6\n\
                    [sweep.series]\nat = { from = 1, to = 1e6, points = 40, scale = \"log\" }\n[sweep.events]\nkeep = \"moves\"\n";

/// Xorshift64*: the moments of killing.
struct Moments(u64);

impl Moments {
    /// A moment between 0 and `end`.
    fn draw(&mut self, end: Duration) -> Duration {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        end.mul_f64(
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64,
        )
    }
}

/// What the kills have met.
#[derive(Debug, Default)]
struct Met {
    kills: u32,
    /// Kills that left finished trials in parts.
    with_parts: u32,
    /// Kills while the tables were written.
    in_merge: u32,
    /// Runs that were completed in spite of them.
    completed: u32,
}

#[test]
fn kills_at_random_moments_on_one_thread_leave_the_bytes_alone() {
    survive("1", 0x5eed_0001);
}

#[test]
fn kills_at_random_moments_on_two_threads_leave_the_bytes_alone() {
    survive("2", 0x5eed_0002);
}

fn survive(threads: &str, seed: u64) {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    let started = Instant::now();
    workplace.succeed(&["run", "a.toml", "--results", "whole", "--threads", threads]);
    let (whole, mut moments, mut met) = (started.elapsed(), Moments(seed), Met::default());
    while met.kills < crate::KILLS {
        let results = format!("killed-{}", met.completed);
        // At most six deaths to a run, so that all of its ages are met: at any moment, soon after a
        // part was saved, and while the tables are written.
        for wait in [None, Some(Wait::Part), Some(Wait::Tables)]
            .into_iter()
            .cycle()
            .take(6)
        {
            let moment = moments.draw(if wait.is_some() { whole / 20 } else { whole });
            kill_once(&workplace, &results, threads, wait, moment, &mut met);
        }
        workplace.succeed(&["run", "a.toml", "--results", &results, "--threads", threads]);
        for file in ["trials.parquet", "series.parquet", "moves.parquet"] {
            assert!(
                workplace.bytes(&results, "a", file) == workplace.bytes("whole", "a", file),
                "{file}: {met:?}"
            );
        }
        assert_eq!(
            workplace.files(&results, "a"),
            [
                "manifest.toml",
                "moves.parquet",
                "series.parquet",
                "spec.toml",
                "timings.parquet",
                "trials.parquet"
            ],
            "{met:?}"
        );
        workplace.succeed(&["verify-files", &results]);
        met.completed += 1;
    }
    println!("{threads} threads: {met:?}");
    assert!(
        met.with_parts > 0,
        "no kill came after something was saved: {met:?}"
    );
    assert!(
        met.in_merge > 0 || met.kills < 50,
        "no kill came while the tables were written: {met:?}"
    );
}

/// What is waited for before the moment of killing is counted.
#[derive(Clone, Copy)]
enum Wait {
    Part,
    Tables,
}

impl Wait {
    fn is_over(self, workplace: &Workplace, results: &str) -> bool {
        let run = workplace
            .runs_begun(results, "a")
            .then(|| workplace.runs(results, "a").pop())
            .flatten();
        run.is_some_and(|run| match self {
            Self::Part => has_parts(&run),
            Self::Tables => has_begun_tables(&run),
        })
    }
}

fn has_parts(run: &Path) -> bool {
    has(&run.join("parts"), |name| name.ends_with(".parquet"))
}

fn has_begun_tables(run: &Path) -> bool {
    // The spec is written under a temporary name too, but before there is a folder for parts.
    run.join("parts").exists()
        && has(run, |name| {
            name.starts_with(".partial-") || name == "trials.parquet"
        })
}

fn kill_once(
    workplace: &Workplace,
    results: &str,
    threads: &str,
    wait: Option<Wait>,
    moment: Duration,
    met: &mut Met,
) {
    let arguments = ["run", "a.toml", "--results", results, "--threads", threads];
    let mut child = workplace
        .command(&arguments)
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let has_ended = |child: &mut Child| child.try_wait().expect("the child can be asked").is_some();
    while wait.is_some_and(|wait| !wait.is_over(workplace, results)) && !has_ended(&mut child) {
        sleep(Duration::from_micros(500));
    }
    sleep(moment);
    child.kill().expect("a child can be killed");
    if child.wait().expect("the child can be waited for").success() {
        return;
    }
    met.kills += 1;
    if workplace.runs_begun(results, "a") {
        let Some(run) = workplace.runs(results, "a").pop() else {
            return;
        };
        met.with_parts += u32::from(has_parts(&run));
        met.in_merge += u32::from(has_begun_tables(&run) && !run.join("manifest.toml").exists());
    }
}

fn has(folder: &Path, wanted: impl Fn(&str) -> bool) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| wanted(&entry.file_name().to_string_lossy()))
    })
}
