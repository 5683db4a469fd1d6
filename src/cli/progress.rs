//! How far a run is: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::underway::Notice;

use crate::cli::terminal::{plain, say};
use crate::experiment::runner::{Observer, Progress, Remark};

/// Fewer columns have no room for a bar beside the words.
const BAR_FROM: u16 = 80;
const BAR: &str = "{prefix:>14} {bar:20} {wide_msg}";
/// Cut at the terminal's edge, so that no line wraps.
const WORDS: &str = "{prefix} {wide_msg}";

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows one experiment's run.
pub struct Display {
    experiment: String,
    form: Form,
    started: Instant,
    /// For other terminals.
    notice: Option<Notice>,
}

enum Form {
    Bar(ProgressBar),
    Lines { last: Instant },
    Silent,
}

impl Display {
    pub fn new(experiment: &str, quiet: bool) -> Self {
        let form = match (quiet, super::stderr_is_terminal()) {
            (true, _) => Form::Silent,
            (false, true) => Form::Bar(bar(experiment)),
            (false, false) => Form::Lines {
                last: Instant::now(),
            },
        };
        Self {
            experiment: experiment.into(),
            form,
            started: Instant::now(),
            notice: None,
        }
    }

    /// Also says how far the run is beside what it saves, for `reines status`.
    pub fn noticed(self, notice: Notice) -> Self {
        Self {
            notice: Some(notice),
            ..self
        }
    }

    /// Says for other terminals how far a run is that stops here.
    pub fn stops_at(&mut self, progress: Progress) {
        let elapsed = self.started.elapsed();
        if let Some(notice) = &mut self.notice {
            notice.write(progress, elapsed);
        }
    }

    /// Takes the bar away and prints a last line.
    pub fn finish(self, line: &str) {
        match self.form {
            Form::Bar(bar) => {
                bar.finish_and_clear();
                say!("{}: {line}", self.experiment);
            }
            Form::Lines { .. } => say!("{}: {line}", self.experiment),
            Form::Silent => {}
        }
    }

    /// Time since the run started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn state(&self, progress: Progress) -> String {
        let elapsed = self.started.elapsed();
        // Updates, or checks of searches.
        let rate = progress.updates as f64 / elapsed.as_secs_f64().max(1e-3);
        format!("{}, {} steps/s", left(progress, elapsed), count(rate))
    }
}

impl Observer for Display {
    fn progress(&mut self, progress: Progress) {
        let elapsed = self.started.elapsed();
        if let Some(notice) = &mut self.notice {
            notice.progress(progress, elapsed);
        }
        let state = self.state(progress);
        match &mut self.form {
            Form::Bar(bar) => {
                // Of a total that grows a bar would go back.
                if progress.may_grow {
                    bar.set_style(style(WORDS));
                }
                bar.set_length(progress.total);
                bar.set_position(progress.trials);
                bar.set_message(format!("{}, {state}", so_far(progress)));
            }
            Form::Lines { last } if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                say!("{}: {}, {state}", self.experiment, so_far(progress));
            }
            Form::Lines { .. } | Form::Silent => {}
        }
    }

    fn remark(&mut self, remark: &Remark) {
        let line = format!("{}: {remark}", self.experiment);
        match &self.form {
            Form::Bar(bar) => bar.println(plain(&line)),
            Form::Lines { .. } => say!("{line}"),
            Form::Silent => {}
        }
    }
}

fn bar(experiment: &str) -> ProgressBar {
    let (_, columns) = console::Term::stderr().size();
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5))
        .with_style(style(template(columns)))
        .with_prefix(experiment.to_owned())
}

fn template(columns: u16) -> &'static str {
    if columns < BAR_FROM { WORDS } else { BAR }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is a constant and valid")
}

/// `312 of 1000 trials`, `of at least 1000` while points may need more.
pub fn so_far(
    Progress {
        trials,
        total,
        may_grow,
        ..
    }: Progress,
) -> String {
    let least = if may_grow { "at least " } else { "" };
    format!("{trials} of {least}{total} trials")
}

/// `3 min 07 s left`, as far as is known.
pub fn left(progress: Progress, elapsed: Duration) -> String {
    match remaining(progress, elapsed) {
        // Rows yet to come decide how many trials are needed.
        _ if progress.may_grow => "time left not known".to_owned(),
        None => "? left".to_owned(),
        Some(left) => format!("{} left", duration(left)),
    }
}

/// The runner mixes the points so that each has done the same share of its trials at any moment;
/// the time left follows from that share.
fn remaining(progress: Progress, elapsed: Duration) -> Option<Duration> {
    let done = progress.trials.saturating_sub(progress.resumed);
    let missing = progress.total.saturating_sub(progress.trials);
    (done > 0).then(|| elapsed.mul_f64(missing as f64 / done as f64))
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
    let (divisor, unit) = match value {
        value if value >= 1e9 => (1e9, " G"),
        value if value >= 1e6 => (1e6, " M"),
        value if value >= 1e3 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let scaled = value / divisor;
    let decimals = if scaled < 10.0 && divisor > 1.0 { 1 } else { 0 };
    format!("{scaled:.decimals$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_trials_of_this_attempt() {
        let progress = Progress {
            trials: 600,
            resumed: 400,
            total: 1000,
            may_grow: false,
            updates: 0,
        };
        assert_eq!(
            remaining(progress, Duration::from_secs(10)),
            Some(Duration::from_secs(20))
        );
        assert_eq!(
            remaining(
                Progress {
                    trials: 400,
                    ..progress
                },
                Duration::from_secs(10)
            ),
            None
        );
    }

    #[test]
    fn an_unknown_total_is_marked_as_such() {
        let progress = Progress {
            trials: 312,
            resumed: 0,
            total: 1000,
            may_grow: false,
            updates: 0,
        };
        assert_eq!(so_far(progress), "312 of 1000 trials");
        assert_eq!(
            so_far(Progress {
                may_grow: true,
                ..progress
            }),
            "312 of at least 1000 trials"
        );
    }

    /// What does not fit is cut by `wide_msg`, and all else is narrower than the terminal.
    #[test]
    fn a_narrow_terminal_has_words_alone() {
        assert_eq!([50, 79, 80].map(template), [WORDS, WORDS, BAR]);
        assert!([WORDS, BAR].iter().all(|it| it.ends_with("{wide_msg}")));
    }

    /// How many trials are needed is not known, and so neither is the time.
    #[test]
    fn a_total_that_may_grow_has_no_time_left() {
        let display = Display::new("a", true);
        let state = |may_grow| {
            display.state(Progress {
                trials: 100,
                resumed: 0,
                total: 100,
                may_grow,
                updates: 0,
            })
        };
        assert!(
            state(true).starts_with("time left not known, "),
            "{}",
            state(true)
        );
        assert!(state(false).starts_with("0 s left, "), "{}", state(false));
    }

    #[test]
    fn durations_and_counts_read_well() {
        assert_eq!(duration(Duration::from_secs(7505)), "2 h 05 min");
        assert_eq!(duration(Duration::from_secs(187)), "3 min 07 s");
        assert_eq!(duration(Duration::from_millis(900)), "0 s");
        assert_eq!(
            [
                count(0.0),
                count(999.0),
                count(1234.0),
                count(1.5e8),
                count(2.5e9)
            ],
            ["0", "999", "1.2 k", "150 M", "2.5 G"]
        );
    }
}
