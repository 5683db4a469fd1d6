//! How far a run is: a bar on a terminal, a line a minute on one that cannot draw a bar, nothing
//! elsewhere and with `--quiet`. Here are the words of remarks (set aside, taken over, held up, no
//! link), and how times are written (`2 h 05 min`, `< 0.1 s`, whole seconds from ten on). How long
//! the rest takes is reckoned in `experiment/runner/progress.rs`.

use std::fmt;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::cli::terminal::{is_quiet, message, optional_message};
use crate::cli::text::{counted, spaced};
use crate::experiment::runner::{Observer, Progress, Remark};
use crate::experiment::store::folder::Unlinked;

/// The words are cut at the terminal's edge, so that no line wraps.
const BAR: &str = "{prefix} {bar:8} {wide_msg}";

/// Characters of an experiment's name before a bar.
const LONGEST_PREFIX: usize = 30;

/// Between two lines on a terminal that cannot draw a bar.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// Shows how far something is; dropped, it leaves nothing on a terminal.
pub struct Display {
    bar: ProgressBar,
    /// In place of the bar on a terminal that cannot draw one, as with `TERM=dumb`.
    lines: Option<Lines>,
    name: String,
    links: Links,
    /// True if it was said here that no links can be made.
    has_told: bool,
}

/// What is known of the tables beside the runs of several experiments.
#[derive(Debug, Clone, Copy, Default)]
pub struct Links {
    /// True if it was said that the file system makes no links.
    pub are_told: bool,
    /// True if a table with other rows stands in the place of one.
    pub are_stale: bool,
}

impl Display {
    /// `prefix` stands before the name on a bar: `3 of 19 · `, or nothing. That no links can be
    /// made is said of the first experiment alone: `links` is what is known from those before.
    pub fn new(name: &str, prefix: &str, links: Links) -> Self {
        let target = if is_quiet() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(5)
        };
        let style = ProgressStyle::with_template(BAR).expect("the template is valid");
        let short: String = name.chars().take(LONGEST_PREFIX).collect();
        let bar = ProgressBar::with_draw_target(None, target)
            .with_finish(ProgressFinish::AndClear)
            .with_prefix(format!("{prefix}{short}"))
            .with_style(style);
        let cannot_draw = bar.is_hidden() && !is_quiet() && io::stderr().is_terminal();
        let name = name.to_owned();
        Self {
            bar,
            lines: cannot_draw.then(|| Lines::starting(Instant::now())),
            name,
            links,
            has_told: false,
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
        message!("{}: {line}", self.name);
    }

    /// Time since it started.
    pub fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }

    /// What is known of the tables beside the runs so far.
    pub fn links(&self) -> Links {
        Links {
            are_told: self.links.are_told || self.has_told,
            ..self.links
        }
    }

    /// Says that a table is no link: with `--quiet` only where other rows stand in its place.
    fn tell_of_link(&mut self, unlinked: &Unlinked) {
        let name = &self.name;
        let words = &unlinked.words;
        if unlinked.is_stale {
            self.links.are_stale = true;
            self.bar.suspend(|| message!("warning: {name}: {words}"));
        } else if !self.links.are_told {
            self.has_told = true;
            self.bar
                .suspend(|| optional_message!("warning: {name}: {words}"));
        }
    }
}

/// Lines with a pause between them.
struct Lines {
    last: Instant,
}

impl Lines {
    /// The first line comes after a pause, too.
    fn starting(now: Instant) -> Self {
        Self { last: now }
    }

    /// True if the next line is to be printed now, after which another pause begins.
    fn is_next_due(&mut self, now: Instant) -> bool {
        let is_due = now.duration_since(self.last) >= BETWEEN_LINES;
        if is_due {
            self.last = now;
        }
        is_due
    }
}

impl Observer for Display {
    fn progress(&mut self, progress: &Progress) {
        let left = progress.seconds_left.map(about);
        let left = left.map_or_else(String::new, |left| format!(", about {left} left"));
        let words = so_far(progress) + &left;
        if let Some(lines) = &mut self.lines
            && lines.is_next_due(Instant::now())
        {
            message!("{}: {words}", self.name);
        }
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.trials);
        self.bar.set_message(words);
    }

    fn remark(&mut self, remark: &Remark) {
        let warning = match remark {
            Remark::Link(unlinked) => return self.tell_of_link(unlinked),
            Remark::SetAside(_) | Remark::RunSetAside { .. } | Remark::SecondsLost { .. } => {
                "warning: "
            }
            Remark::TakenOver { .. }
            | Remark::NotTakenOver { .. }
            | Remark::HeldUp(_)
            | Remark::Program(_) => "",
        };
        self.bar
            .suspend(|| optional_message!("{warning}{}: {remark}", self.name));
    }
}

/// What a run does that its user might not expect, in words. Not in the runner: no word can reach a
/// row.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(words) => f.write_str(words),
            Self::SetAside(words) => write!(f, "{words}; set aside, its trials run again"),
            Self::RunSetAside {
                path,
                to,
                reason,
                is_damaged,
            } => {
                let path = path.display();
                let to = to.display();
                let what = if *is_damaged {
                    "is damaged"
                } else {
                    "has another run"
                };
                let then = "what is missing runs again";
                write!(f, "{path} {what} ({reason}); set aside as {to}, {then}")
            }
            Self::SecondsLost {
                from,
                searches,
                reason,
            } => {
                let searches = counted_searches(*searches);
                let from = from.display();
                write!(
                    f,
                    "the seconds of {searches} of {from} are lost and stay empty: {reason}"
                )
            }
            Self::TakenOver { from, rows } => {
                let trials = counted(*rows, "trial");
                let from = from.display();
                write!(f, "{trials} taken over from {from}")
            }
            Self::Link(unlinked) => write!(f, "{}", unlinked.words),
            Self::HeldUp(times) => {
                let times = counted(*times, "time");
                write!(
                    f,
                    "{times} of searches held up: the machine was busy with other programs, or the run was stopped; manifest.toml names each"
                )
            }
            Self::NotTakenOver { from, reason } => {
                write!(f, "not taken over from {}: {reason}", from.display())
            }
        }
    }
}

/// `1 search`, `1 000 searches`.
fn counted_searches(searches: u64) -> String {
    match searches {
        1 => "1 search".to_owned(),
        _ => format!("{} searches", spaced(searches)),
    }
}

/// `312 of 1 000 trials`.
pub fn so_far(progress: &Progress) -> String {
    let trials = spaced(progress.trials);
    let total = spaced(progress.total);
    format!("{trials} of {total} trials")
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

/// A range of times: `1.1 s to 10 s`, `up to 0.3 s`, and one where its ends read alike.
pub fn about_to(low: f64, high: f64) -> String {
    let from = about(low);
    let to = about(high);
    match () {
        () if from == to => to,
        () if low < 0.05 => format!("up to {to}"),
        () => format!("{from} to {to}"),
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
    fn a_line_a_minute_comes_where_no_bar_can_be_drawn() {
        let start = Instant::now();
        let mut lines = Lines::starting(start);
        let ticks = (0..1200).map(|tick| Duration::from_millis(250 * tick));
        let printed = ticks.filter(|elapsed| lines.is_next_due(start + *elapsed));
        let seconds: Vec<u64> = printed.map(|elapsed| elapsed.as_secs()).collect();
        assert_eq!(seconds, [60, 120, 180, 240]);
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(Duration::from_secs(7505)), "2 h 05 min");
        assert_eq!(duration(Duration::from_secs(187)), "3 min 07 s");
        assert_eq!(duration(Duration::from_millis(900)), "0 s");
    }
}
