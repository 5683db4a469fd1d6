//! Seconds against n for each exhaustive method, and what the source texts measured.

use crate::analysis::search_time::SearchTime;
use crate::report::canvas::{self, Canvas};
use crate::report::legend::{Entry, Sample, Words, sentences};
use crate::report::number::short;
use crate::report::panel::{Frame, Mark, Panel, Weight};
use crate::report::scale::Scale;
use crate::report::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, SeriesStyle, WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::Ending;
use crate::solver::goal::Goal;

const HEIGHT: i32 = 1240;

/// What the texts measured: algorithm, n, their words. Seconds; the first number of a pair is that of an i7-4790, the second of a Ryzen 1700X.
const TEXTS: [(&str, u32, &str); 8] = [
    ("permutations", 12, "1780; 2036 (four methods, Python)"),
    ("attacks", 12, "33.4; 50.1 (four methods, Python)"),
    ("fill", 12, "15.3; 22.2 (four methods, Python)"),
    ("lines", 12, "3.7; 6.0 (four methods, Python), 0.5; 0.6 (C++)"),
    ("heap", 8, "0.083 (three ways, brute force, Python)"),
    ("heap", 10, "tens of minutes (three ways, brute force, Python)"),
    ("partial-lists", 8, "0.055 (three ways, backtracking, Python)"),
    ("partial-lists", 12, "less than 10 (three ways, backtracking, Python)"),
];

pub struct RunTimeVsN;

impl Figure for RunTimeVsN {
    fn kind(&self) -> &'static str {
        "run-time-vs-n"
    }

    fn doc(&self) -> &'static str {
        "seconds of each exhaustive method against n, beside what the texts measured; times differ from run to run"
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let times = SearchTime::of(input.trials, input.timings);
        let mut curves: Vec<Curve> = times.chunk_by(is_same_curve).filter(|times| times.len() > 1).map(Curve::of).collect();
        if curves.is_empty() {
            return Err(NothingToDraw { kind: self.kind(), reason: "no search has run at two values of n".into() });
        }
        curves.sort_by(|a, b| b.slowness().total_cmp(&a.slowness()));
        let lead = "Wall-clock seconds of each exhaustive method against n, one search at a time. Markers: median of the repeats; bars: from the least to the greatest";
        let caption = sentences([input.title, lead, VARIES, &format!("Measured on {}", input.machine), input.provenance]);
        Ok(Drawing { svg: paint(input.title, &caption, &curves), table: table(&times, input.machine), caption })
    }
}

const VARIES: &str = "Times vary from run to run and from machine to machine, unlike every other figure's numbers";

fn is_same_curve(a: &SearchTime, b: &SearchTime) -> bool {
    (&a.point.algorithm, a.point.goal) == (&b.point.algorithm, b.point.goal)
}

struct Curve<'a> {
    times: Vec<&'a SearchTime>,
    label: String,
}

impl<'a> Curve<'a> {
    fn of(times: &'a [SearchTime]) -> Self {
        let point = &times[0].point;
        let goal = match point.goal {
            Some(Goal::First) => ", first board",
            Some(Goal::All) => ", all boards",
            _ => "",
        };
        Self { times: times.iter().collect(), label: format!("{}{goal}", point.algorithm) }
    }

    /// Of two curves the one that reaches so many seconds at the smaller board stands first: seconds at the largest n, taken down to a common n by
    /// a factor of 6 for each row, which is that of the number of solutions.
    fn slowness(&self) -> f64 {
        self.times.last().map_or(0.0, |time| libm::log10(time.median.max(1e-9)) - 0.78 * f64::from(time.point.n))
    }

    fn marks(&self) -> Vec<Mark> {
        let mark = |time: &&SearchTime| Mark {
            x: f64::from(time.point.n),
            y: time.median,
            low: time.least,
            high: time.greatest,
            is_lower_bound: time.is_lower_bound(),
        };
        self.times.iter().map(mark).filter(|mark| mark.low > 0.0).collect()
    }

    fn in_words(&self) -> String {
        let last = self.times.last().expect("a curve has points");
        let least = if last.is_lower_bound() { "at least " } else { "" };
        format!("{}: {least}{} s at n = {}", self.label, short(last.median, 2), last.point.n)
    }
}

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let curve = |(index, curve): (usize, &Curve)| Entry { sample: Sample::Curve(SeriesStyle::of(index)), text: curve.in_words() };
    let mut entries: Vec<Entry> = curves.iter().enumerate().map(curve).collect();
    entries.push(Entry { sample: Sample::ErrorBar, text: "from the least to the greatest of the repeats".into() });
    if curves.iter().any(|curve| curve.times.iter().any(|time| time.is_lower_bound())) {
        entries.push(Entry { sample: Sample::LowerBound, text: "lower bound: the search was cut off".into() });
    }
    entries
}

fn paint(title: &str, description: &str, curves: &[Curve]) -> String {
    let words = Words::new(title, legend(curves));
    let top = words.head();
    let frame = Frame { left: MARGIN + AXIS_ROOM, right: WIDTH - MARGIN, top, bottom: top + HEIGHT };
    let legend_top = frame.bottom + FOOT_ROOM;
    canvas::draw(legend_top + words.foot(), title, description, |canvas| {
        paint_panel(canvas, frame, curves);
        words.draw(canvas, legend_top);
    })
}

fn paint_panel(canvas: &Canvas, frame: Frame, curves: &[Curve]) {
    let marks: Vec<Vec<Mark>> = curves.iter().map(Curve::marks).collect();
    let sides = || marks.iter().flatten().map(|mark| mark.x as u32);
    let Some(y) = Scale::logarithmic(marks.iter().flatten().flat_map(|mark| [mark.low, mark.high]), frame.upwards()) else { return };
    let x = Scale::integers(sides().min().unwrap_or_default(), sides().max().unwrap_or_default(), frame.across());
    let panel = Panel { canvas, frame, x, y: y.with_room(0.0, 0.05) };
    panel.draw_grid();
    marks.iter().enumerate().for_each(|(index, marks)| panel.draw_curve(marks, SeriesStyle::of(index), Weight::Full));
    panel.draw_frame();
    panel.draw_x_axis(Some("n, side of the board and number of queens"));
    panel.draw_y_axis("wall-clock time (seconds)");
}

/// The largest boards first, and of one n the slowest method first, as in the text's table.
fn table(times: &[SearchTime], machine: &str) -> Table {
    let mut times: Vec<&SearchTime> = times.iter().collect();
    times.sort_by(|a, b| b.point.n.cmp(&a.point.n).then(b.median.total_cmp(&a.median)));
    const HEADER: [&str; 12] = [
        "algorithm",
        "n",
        "goal",
        "outcome",
        "solutions",
        "checks",
        "nodes",
        "repeats",
        "seconds_least",
        "seconds_median",
        "seconds_greatest",
        "seconds_in_the_text",
    ];
    let mut notes = vec![
        format!("Wall-clock seconds, measured on {machine}: the least, the median and the greatest of the repeats. {VARIES}."),
        "What a check and a node are for each method, `reines list --algorithms` says: they cannot be compared between methods.".to_owned(),
        "`seconds_in_the_text`: as measured by the source texts, each on a machine and in a language of its own. Their generator of permutations for brute \
         force is Python's; their \"backtracking\" extends lists of partial boards, which is `partial-lists` here."
            .to_owned(),
    ];
    if times.iter().any(|time| time.is_lower_bound()) {
        notes.push("A censored search was cut off at its cutoff, one that timed out at its time limit: its seconds and its counts are a lower bound.".into());
    }
    Table { header: HEADER.map(str::to_owned).to_vec(), rows: times.into_iter().map(row).collect(), notes }
}

fn row(time: &SearchTime) -> Vec<String> {
    let count = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
    let text = TEXTS.iter().find(|(algorithm, n, _)| *algorithm == time.point.algorithm && *n == time.point.n);
    // The texts have all boards searched for.
    let text = text.filter(|_| time.point.goal != Some(Goal::First) && time.ending == Ending::Exhausted);
    let mut cells = vec![time.point.algorithm.clone(), time.point.n.to_string()];
    cells.push(time.point.goal.map_or_else(String::new, |goal| goal.name().into()));
    cells.push(time.ending.name().into());
    cells.extend([time.counts.solutions, time.counts.checks, time.counts.nodes].map(count));
    cells.push(time.repeats.to_string());
    cells.extend([time.least, time.median, time.greatest].map(seconds));
    cells.push(text.map_or_else(String::new, |(.., words)| (*words).to_owned()));
    cells
}

/// Three significant digits: a time differs in the second one from run to run.
fn seconds(value: f64) -> String {
    let decimals = if value > 0.0 { (2 - libm::floor(libm::log10(value)) as i32).clamp(0, 9) as usize } else { 0 };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_three_digits() {
        let cases = [(1780.0, "1780"), (0.083_21, "0.0832"), (3.7, "3.70"), (0.0, "0"), (1.234e-7, "0.000000123")];
        for (value, expected) in cases {
            assert_eq!(seconds(value), expected);
        }
    }
}
