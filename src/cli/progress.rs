//! How far a run is: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::terminal::say;
use crate::cli::text::{counted, first_of, spaced};
use crate::experiment::plan::Plan;
use crate::experiment::runner::{Observer, Progress, Remark};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::SetAside;
use crate::solver;

/// The words are cut at the terminal's edge, so that no line wraps.
const BAR: &str = "{prefix} {bar:8} {wide_msg}";

/// Pieces of the work that a bar can show.
const BAR_LENGTH: u64 = 1000;

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows how far something is.
pub struct Display {
    name: String,
    /// What is counted, of a run: `updates`.
    unit: &'static str,
    quiet: bool,
    /// Hidden where standard error is no terminal, and plain lines stand in for it.
    bar: ProgressBar,
    last_line: Instant,
}

impl Display {
    /// `place` stands before the name on a bar: `3 of 19 · `, or nothing.
    pub fn new(name: &str, place: &str, unit: &'static str, quiet: bool) -> Self {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(5),
        };
        let style = ProgressStyle::with_template(BAR).expect("the template is valid");
        let bar = ProgressBar::with_draw_target(Some(BAR_LENGTH), target);
        Self {
            name: name.into(),
            unit,
            quiet,
            bar: bar.with_style(style).with_prefix(format!("{place}{name}")),
            last_line: Instant::now(),
        }
    }

    /// Shows the share that is done, where it is known, and what there is to say, in short beside a
    /// bar.
    pub fn show(&mut self, done: Option<f64>, short: String, words: &str) {
        let position = done.unwrap_or(0.0) * BAR_LENGTH as f64;
        self.bar.set_position(position as u64);
        self.bar.set_message(short);
        let is_due = self.bar.is_hidden() && self.last_line.elapsed() >= LINE_INTERVAL;
        if is_due && !self.quiet {
            self.last_line = Instant::now();
            say!("{}: {words}", self.name);
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Takes the bar away and prints a last line.
    pub fn finish(self, line: &str) {
        self.clear();
        if !self.quiet {
            say!("{}: {line}", self.name);
        }
    }

    /// Time since it started.
    pub fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }
}

impl Observer for Display {
    fn progress(&mut self, progress: &Progress) {
        let rate = count(progress.updates as f64 / progress.elapsed_seconds.max(1e-3));
        let rate = format!("{rate} {}/s", self.unit);
        let short = format!("{} · {rate}", in_short(progress));
        let words = format!("{}, {rate}", in_words(progress));
        self.show(progress.work_done, short, &words);
    }

    fn remark(&mut self, remark: &Remark) {
        if !self.quiet {
            self.bar.suspend(|| say!("{}: {remark}", self.name));
        }
    }
}

/// What a run does that its user might not expect, in words. Not in the runner: no word can reach a
/// row.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetAside(SetAside { path, reason }) => {
                let path = path.display();
                write!(f, "{path}: {reason}; set aside, its trials run again")
            }
            Self::TakenOver { from, rows } => {
                let (rows, from) = (spaced(*rows), from.display());
                write!(f, "{rows} trials taken over from {from}")
            }
            Self::NotTakenOver { from, reason } => {
                write!(f, "not taken over from {}: {reason}", from.display())
            }
            Self::Imprecise { points } => {
                let count = counted(points.len() as u64, "point");
                let points = points.iter().map(|(point, it)| format!("{point} ({it})"));
                let points = first_of(10, ", ", points.collect());
                write!(
                    f,
                    "precision not reached at {count} with all trials that are allowed: {points}"
                )
            }
        }
    }
}

/// `312 of 1 000 trials`, `of at least 1 000` while points may need more.
pub fn so_far(progress: &Progress) -> String {
    let least = if progress.may_grow { "at least " } else { "" };
    let [trials, total] = [progress.trials, progress.total].map(spaced);
    format!("{trials} of {least}{total} trials")
}

/// What the trials of a plan count: `updates`, `checks`, …; `steps` where that is not one thing.
pub fn unit(plan: &Plan) -> &'static str {
    let algorithms = plan.points.iter();
    let algorithms = algorithms.filter_map(|it| solver::algorithm(&it.point.algorithm));
    let mut units = algorithms.map(|it| it.cutoff_unit());
    let first = units.next().unwrap_or("steps");
    match units.all(|it| it == first) {
        true => first,
        false => "steps",
    }
}

/// The share of the work in percent and the time left, where they are known.
fn work(progress: &Progress) -> Option<(f64, String)> {
    let percent = (progress.work_done? * 100.0).floor();
    // A trial runs as yet: it is not done in no time.
    let left = progress.seconds_left?.ceil().clamp(1.0, 1e15);
    Some((percent, duration(Duration::from_secs_f64(left))))
}

/// `312 of 1 000 trials, 7 % of the work, 3 min 07 s left`, as far as is known.
fn in_words(progress: &Progress) -> String {
    let trials = so_far(progress);
    match work(progress) {
        _ if progress.trials == progress.total => format!("{trials}, writing the tables"),
        Some((percent, left)) => format!("{trials}, {percent} % of the work, {left} left"),
        // Nothing like them has ended yet, or rows yet to come decide how many are needed.
        None => format!("{trials}, time left not known"),
    }
}

/// `7 % · 3 min 07 s left`, or the trials: what has room beside a bar.
fn in_short(progress: &Progress) -> String {
    match work(progress) {
        _ if progress.trials == progress.total => "writing the tables".to_owned(),
        Some((percent, left)) => format!("{percent} % · {left} left"),
        None => so_far(progress),
    }
}

/// How far the run in this folder is, and how long it still takes, which it says itself while it
/// runs.
pub fn of_run(run: &RunFolder) -> Option<String> {
    let (progress, age) = Progress::read(run)?;
    if !run.is_locked() {
        let trials = so_far(&progress);
        return Some(format!("stopped with {trials}; run again to go on"));
    }
    let (state, age) = (in_words(&progress), duration(age));
    Some(format!("running: {state}, as of {age} ago"))
}

/// `2 h 05 min`, `3 min 07 s`, `12 s`.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

/// `123 M`: three digits and a prefix.
fn count(value: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let unit = units.into_iter().find(|(divisor, _)| value >= *divisor);
    let Some((divisor, unit)) = unit else {
        return format!("{value:.0}");
    };
    let scaled = value / divisor;
    let decimals = usize::from(scaled < 10.0);
    format!("{scaled:.decimals$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRESS: Progress = Progress {
        trials: 312,
        resumed: 0,
        total: 1000,
        may_grow: false,
        updates: 0,
        elapsed_seconds: 1.0,
        work_done: Some(0.079),
        seconds_left: Some(0.2),
    };

    #[test]
    fn work_and_time_stand_beside_the_trials() {
        assert_eq!(
            in_words(&PROGRESS),
            "312 of 1\u{202f}000 trials, 7 % of the work, 1 s left"
        );
        assert_eq!(in_short(&PROGRESS), "7 % · 1 s left");
        let unknown = Progress {
            may_grow: true,
            seconds_left: None,
            ..PROGRESS
        };
        assert_eq!(
            in_words(&unknown),
            "312 of at least 1\u{202f}000 trials, time left not known"
        );
        let whole = Progress {
            trials: 1000,
            ..PROGRESS
        };
        assert!(in_words(&whole).ends_with(" trials, writing the tables"));
    }

    #[test]
    fn durations_and_counts_read_well() {
        assert_eq!(duration(Duration::from_secs(7505)), "2 h 05 min");
        assert_eq!(duration(Duration::from_secs(187)), "3 min 07 s");
        assert_eq!(duration(Duration::from_millis(900)), "0 s");
        let counts = [0.0, 999.0, 1234.0, 1.5e8, 2.5e9].map(count);
        assert_eq!(counts, ["0", "999", "1.2 k", "150 M", "2.5 G"]);
    }
}
