//! How far a run is: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::cli::terminal::{is_quiet, remark, say};
use crate::cli::text::{counted, spaced};
use crate::experiment::runner::{Observer, Progress, Remark};

/// The words are cut at the terminal's edge, so that no line wraps.
const BAR: &str = "{prefix} {bar:8} {wide_msg}";

/// Characters of an experiment's name before a bar.
const LONGEST_PREFIX: usize = 30;

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows how far something is; dropped, it leaves nothing on a terminal.
pub struct Display {
    name: String,
    /// Hidden where standard error is no terminal, and plain lines stand in for it.
    bar: ProgressBar,
    last_line: Instant,
}

impl Display {
    /// `prefix` stands before the name on a bar: `3 of 19 · `, or nothing.
    pub fn new(name: &str, prefix: &str) -> Self {
        let target = match is_quiet() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr_with_hz(5),
        };
        let style = ProgressStyle::with_template(BAR).expect("the template is valid");
        let short: String = name.chars().take(LONGEST_PREFIX).collect();
        // In percent.
        let bar = ProgressBar::with_draw_target(Some(100), target)
            .with_finish(ProgressFinish::AndClear)
            .with_prefix(format!("{prefix}{short}"))
            .with_style(style);
        Self {
            name: name.into(),
            bar,
            last_line: Instant::now(),
        }
    }

    /// Takes the bar away and prints a last line.
    pub fn finish(self, line: &str) {
        if !is_quiet() {
            self.end(line);
        }
    }

    /// [`Self::finish`], also with `--quiet`.
    pub fn end(self, line: &str) {
        drop(self.bar);
        say!("{}: {line}", self.name);
    }

    /// Time since it started.
    pub fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }
}

impl Observer for Display {
    fn progress(&mut self, progress: &Progress) {
        let words = in_words(progress);
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            remark!("{}: {words}", self.name);
        }
        self.bar
            .set_position(progress.trials * 100 / progress.total.max(1));
        self.bar.set_message(words);
    }

    fn remark(&mut self, remark: &Remark) {
        let warning = match remark {
            Remark::SetAside(_) | Remark::RunSetAside { .. } | Remark::Link(_) => "warning: ",
            _ => "",
        };
        self.bar
            .suspend(|| remark!("{warning}{}: {remark}", self.name));
    }
}

/// What a run does that its user might not expect, in words. Not in the runner: no word can reach a
/// row.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetAside(words) => write!(f, "{words}; set aside, its trials run again"),
            Self::RunSetAside { path, to, reason } => write!(
                f,
                "{} is damaged ({reason}); set aside as {}, what is missing runs again",
                path.display(),
                to.display()
            ),
            Self::TakenOver { from, rows } => {
                let (trials, from) = (counted(*rows, "trial"), from.display());
                write!(f, "{trials} taken over from {from}")
            }
            Self::Link(words) => write!(f, "{words}"),
            Self::NotTakenOver { from, reason } => {
                write!(f, "not taken over from {}: {reason}", from.display())
            }
        }
    }
}

/// `312 of 1 000 trials`.
pub fn so_far(progress: &Progress) -> String {
    let [trials, total] = [progress.trials, progress.total].map(spaced);
    format!("{trials} of {total} trials")
}

/// `312 of 1 000 trials, about 3 min 07 s left`.
pub fn in_words(progress: &Progress) -> String {
    let about = if progress.is_more {
        "at least"
    } else {
        "about"
    };
    let ahead = match progress.seconds_left {
        _ if progress.trials == progress.total => "writing the tables".to_owned(),
        None => "time left not known".to_owned(),
        // The work is not done yet: the rest takes some time.
        Some(seconds) => {
            let left = Duration::from_secs_f64(seconds.ceil().clamp(1.0, 1e15));
            format!("{about} {} left", duration(left))
        }
    };
    format!("{}, {ahead}", so_far(progress))
}

/// Two digits below ten seconds, whole seconds above, minutes and hours as a clock has them.
pub fn about(seconds: f64) -> String {
    if seconds < 0.05 {
        "< 0.1 s".to_owned()
    } else if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else {
        duration(Duration::from_secs_f64(seconds.min(1e15).round()))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ahead_is_said_as_far_as_it_is_known() {
        for (trials, seconds_left, is_more, words) in [
            (312, Some(0.2), false, "312 of 500 trials, about 1 s left"),
            (
                312,
                Some(187.0),
                true,
                "312 of 500 trials, at least 3 min 07 s left",
            ),
            (0, None, true, "0 of 500 trials, time left not known"),
            (500, None, false, "500 of 500 trials, writing the tables"),
        ] {
            let progress = Progress {
                trials,
                total: 500,
                seconds_left,
                is_more,
            };
            assert_eq!(in_words(&progress), words);
        }
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(Duration::from_secs(7505)), "2 h 05 min");
        assert_eq!(duration(Duration::from_secs(187)), "3 min 07 s");
        assert_eq!(duration(Duration::from_millis(900)), "0 s");
    }
}
