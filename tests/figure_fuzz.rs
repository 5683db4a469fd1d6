//! Random figures over one run: each is refused, said to be not drawn, or drawn within its canvas
//! and its frames, with numbers within their intervals and the words of its statistic.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use itertools::Itertools;
use reines::experiment::spec;
use reines::report::parse;

use crate::program::{Draws, Workplace, csv};

/// Figures tried at once: the program reads the rows once for all of them.
const BATCH: u64 = 100;

/// What is run: local rules and searches, exact and random, some of their trials cut off, with
/// series.
const SWEEPS: &str = r#"
seeds = [1, 2]
[[sweep]]
algorithm = "pair"
n         = [4, 5, 6, 7]
epsilon   = [0, 0.005, 0.02, 0.05, 0.1]
trials    = 30
cutoff    = 200_000
[sweep.series]
at = [0, 10, 100, 1000, 10_000]
[[sweep]]
algorithm = "cell"
n         = [4, 5, 6]
eta       = [0, 0.1, 0.3]
epsilon   = [0.02, 0.05, 0.1, 0.2]
trials    = 30
cutoff    = 100_000
[[sweep]]
algorithm = "cp"
variant   = ["PN_PL", "PA_PL", "PN_PR"]
n         = [4, 5, 6, 7, 8]
goal      = "first"
trials    = 12
cutoff    = 1e6
repeats   = 2
[[sweep]]
algorithm = "synchronous"
variant   = "blind"
n         = [4, 5]
epsilon   = [0.02, 0.05, 0.1]
trials    = 20
cutoff    = 1e5
"#;

const MEASURES: [&str; 13] = [
    "absorption_time",
    "hitting_time",
    "moves",
    "moves_at_hit",
    "dangerous_moves",
    "updates",
    "moves / updates",
    "absorption_time / n^3",
    "dangerous_moves / moves",
    "nodes",
    "entries",
    "absorption_time / hitting_time",
    "needless_moves",
];

/// Kinds that show other numbers than columns of trials.
const APART: [&str; 5] = [
    "distribution",
    "histogram",
    "run-length",
    "time-course",
    "best-epsilon",
];

const OTHER_KINDS: [&str; 5] = [
    "convergence-vs-epsilon",
    "convergence-vs-n",
    "scaling",
    "synchronous",
    "epsilon-eta",
];

const STATISTICS: [(&str, &str); 4] = [
    ("median", "median"),
    ("q05", "5 % quantile"),
    ("q95", "95 % quantile"),
    ("share", "share"),
];

/// Measures of other statistics and tables than those of a figure's other panels.
const OTHERS: [&str; 7] = [
    "median(moves)",
    "q95(absorption_time)",
    "share(censored)",
    "restart_time",
    "no_safe_move",
    "median(seconds)",
    "best_epsilon",
];

const KEPT: [&str; 7] = [
    "{ algorithm = 'pair' }",
    "{ algorithm = 'cell' }",
    "{ algorithm = ['pair', 'cell'], n = [4, 5, 6] }",
    "{ algorithm = 'pair', n = 6 }",
    "{ algorithm = 'cell', eta = 0.1 }",
    "{ algorithm = 'cp' }",
    "{ epsilon = [0.02, 0.05, 0.1] }",
];

/// The keys of a random figure.
struct Keys {
    draws: Draws,
    text: String,
    /// The word of the statistic that it has, if that is not the mean.
    word: Option<&'static str>,
}

impl Keys {
    fn has(&mut self, percent: usize) -> bool {
        self.draws.below(100) < percent
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.draws.below(of.len())]
    }

    fn say(&mut self, key: &str, value: impl std::fmt::Display) {
        writeln!(self.text, "{key} = {value}").expect("a text grows");
    }

    /// With this probability in per cent, the key with one of the values.
    fn may_say(&mut self, percent: usize, key: &str, values: &[&str]) {
        if self.has(percent) {
            let value = self.one(values);
            self.say(key, value);
        }
    }

    /// The figure of a case.
    fn of(case: u64) -> Self {
        let mut keys = Self {
            draws: Draws::new(case),
            text: format!("[[figure]]\nname = 'f{case}'\n"),
            word: None,
        };
        let kind = match keys.draws.below(12) {
            0..5 => None,
            5..8 => Some(keys.one(&APART)),
            _ => Some(keys.one(&OTHER_KINDS)),
        };
        if let Some(kind) = kind {
            keys.say("kind", format!("'{kind}'"));
        }
        if kind.is_some_and(|kind| APART.contains(&kind)) {
            keys.say_of_times(kind.unwrap_or_default());
        } else {
            keys.say_of_columns(kind == Some("epsilon-eta"));
        }
        keys.say_of_axes();
        keys
    }

    fn say_of_columns(&mut self, is_map: bool) {
        let statistic = if !is_map && self.has(25) {
            let (name, word) = self.one(&STATISTICS);
            self.word = Some(word);
            Some(name)
        } else {
            None
        };
        let axes = ["n", "epsilon", "eta", "seed", "moves", "moves / updates"];
        let axes = axes.map(|axis| format!("'{axis}'"));
        let axes = axes.each_ref().map(String::as_str);
        // A mean across has its own word.
        let axes = if statistic.is_some() {
            &axes[..4]
        } else {
            &axes
        };
        if self.has(5) {
            self.say("x", "'permutations_per_solution'");
        } else {
            self.may_say(70, "x", axes);
        }
        let of_statistic = |measure: &str| match statistic {
            Some(name) => format!("'{name}({measure})'"),
            None => format!("'{measure}'"),
        };
        if !is_map && (self.has(80) || statistic.is_some()) {
            let count = self.one(&[1, 1, 1, 2, 3]);
            let first = self.draws.below(MEASURES.len());
            let measures = MEASURES.iter().cycle().skip(first).step_by(3).take(count);
            let mut measures = measures.map(|measure| of_statistic(measure)).collect_vec();
            // Of another statistic, or of another table.
            if statistic.is_none() && self.has(20) {
                measures.push(format!("'{}'", self.one(&OTHERS)));
            }
            let measures = measures.join(", ");
            let value = if count > 1 && self.has(20) {
                format!("[{{ measures = [{measures}] }}]")
            } else {
                format!("[{measures}]")
            };
            self.say("y", value);
        }
        if statistic.is_none() {
            self.may_say(
                15,
                "band",
                &["['q25(moves)', 'q75(moves)']", "['nodes', 'q95(nodes)']"],
            );
        }
        let laws = [
            "'power'",
            "'exponential'",
            "{ law = 'power', drawn = true }",
        ];
        self.may_say(20, "fit", &laws);
        self.may_say(20, "mark", &["'line'", "'points'", "'dots'", "'band'"]);
        self.may_say(
            15,
            "over",
            &["{ algorithm = 'pair' }", "{ algorithm = 'cell' }"],
        );
        self.may_say(15, "vary", &["['epsilon']", "['eta']", "['n']"]);
        let keys = [
            "'algorithm'",
            "'n'",
            "'epsilon'",
            "'eta'",
            "'seed'",
            "'variant'",
        ];
        self.may_say(20, "colour", &keys);
    }

    fn say_of_times(&mut self, kind: &str) {
        if kind != "distribution" && kind != "histogram" {
            return;
        }
        let column = self.one(&["moves", "dangerous_moves", "entries", "updates"]);
        let range = self.one(&["[1, 1000]", "[0, 50]", "[10, 1e5]"]);
        let count = self.one(&["2", "5", "7", "60", "200"]);
        let keys = [
            format!("column = '{column}'"),
            format!("range = {range}"),
            format!("count = {count}"),
        ];
        let keys = keys.into_iter().filter(|_| self.has(45)).collect_vec();
        if !keys.is_empty() {
            self.say("bin", format!("{{ {} }}", keys.join(", ")));
        }
    }

    fn say_of_axes(&mut self) {
        self.may_say(40, "x_scale", &["'log'", "'linear'"]);
        self.may_say(40, "y_scale", &["'log'", "'linear'"]);
        let ranges = ["[1, 1000]", "[0.001, 1]", "[0, 1e5]", "[100, 20_000]"];
        self.may_say(25, "y_range", &ranges);
        let facets = ["'n'", "'algorithm'", "'epsilon'", "'eta'", "'seed'"];
        self.may_say(25, "facet", &facets);
        self.may_say(70, "where", &KEPT);
        self.may_say(20, "width", &["'single'", "'double'"]);
        self.may_say(20, "x_range", &["[1, 1000]", "[0.01, 0.1]", "[5, 6]"]);
        self.may_say(10, "most_curves", &["30"]);
    }
}

/// The whole numbers of an attribute, up to its quote.
fn numbers(svg: &str, attribute: &str) -> Vec<i64> {
    let values = svg.split(attribute).skip(1);
    let values = values.filter_map(|rest| rest.split('"').next()?.parse().ok());
    values.collect()
}

/// The places of each line and polygon.
fn lines(svg: &str, element: &str) -> Vec<Vec<(i64, i64)>> {
    let begin = format!("<{element} ");
    let elements = svg.split(&*begin).skip(1);
    let lists = elements.filter_map(|rest| rest.split(" points=\"").nth(1)?.split('"').next());
    let place = |text: &str| {
        let (x, y) = text.split_once(',').expect("two numbers");
        let whole = |text: &str| text.parse().expect("a whole number");
        (whole(x), whole(y))
    };
    let places = lists.map(|list| list.split_whitespace().map(place).collect());
    places.collect()
}

/// Half the width of the cap of an error bar, which a mark on the edge of a frame has beyond it,
/// and a line's width.
const CAP: i64 = 16;

/// What of a figure lies outside its canvas, and which line outside all frames.
fn outside(svg: &str) -> Option<String> {
    let size = svg.split("viewBox=\"0 0 ").nth(1)?.split('"').next()?;
    let (width, height) = size.split_once(' ')?;
    let (width, height): (i64, i64) = (width.parse().ok()?, height.parse().ok()?);
    let drawn = lines(svg, "polyline");
    let all = drawn
        .iter()
        .chain(&lines(svg, "polygon"))
        .flatten()
        .copied()
        .collect_vec();
    let round = numbers(svg, " cx=\"")
        .into_iter()
        .zip(numbers(svg, " cy=\""));
    let all = all.into_iter().chain(round);
    let is_outside = |&(x, y): &(i64, i64)| x < 0 || y < 0 || x > width || y > height;
    if let Some(place) = all.clone().find(is_outside) {
        return Some(format!("{place:?} is outside {width} × {height}"));
    }

    // A frame is a closed line of four sides; the legend is below all of them.
    let is_frame = |line: &&Vec<(i64, i64)>| line.len() == 5 && line[0] == line[4];
    let frames = drawn.iter().filter(is_frame).map(|line| {
        let (left, right) = line.iter().map(|place| place.0).minmax().into_option()?;
        let (top, bottom) = line.iter().map(|place| place.1).minmax().into_option()?;
        Some([left - CAP, right + CAP, top - CAP, bottom + CAP])
    });
    let frames = frames.flatten().collect_vec();
    let foot = frames.iter().map(|frame| frame[3]).max()?;
    let is_within = |&(x, y): &(i64, i64)| {
        let holds = |&[left, right, top, bottom]: &[i64; 4]| {
            (left..=right).contains(&x) && (top..=bottom).contains(&y)
        };
        y > foot || frames.iter().any(holds)
    };
    let place = drawn.iter().flatten().find(|place| !is_within(place))?;
    Some(format!("a line is outside its frame at {place:?}"))
}

/// A number of a table outside its interval. Numbers have six digits.
fn outside_interval(table: &[BTreeMap<String, String>]) -> Option<String> {
    let number =
        |row: &BTreeMap<String, String>, column: &str| row.get(column)?.parse::<f64>().ok();
    for row in table {
        for name in row.keys() {
            let Some(value) = number(row, name) else {
                continue;
            };
            let slack = 1e-5 * value.abs();
            let low = number(row, &format!("{name}_low"));
            let high = number(row, &format!("{name}_high"));
            let is_below = low.is_some_and(|low| low > value + slack);
            let is_above = high.is_some_and(|high| high < value - slack);
            if is_below || is_above {
                return Some(format!("{name}: {value} is outside {low:?} to {high:?}"));
            }
        }
    }
    None
}

/// What is wrong with the words of a figure of this statistic: in its axis, caption and table.
fn other_words(word: &str, svg: &str, table: &str) -> Option<String> {
    let (head, shown) = svg.split_once("</desc>")?;
    let caption = head.split("<desc>").nth(1)?.to_lowercase();
    let texts = shown.split("<g class=\"points\"").next()?;
    let is_mean = |text: &str| {
        text.split(|c: char| !c.is_alphabetic())
            .any(|own| own == "mean")
    };
    let has_word = |text: &str| text.to_lowercase().contains(word);
    let column = match word.split_once(" %") {
        Some((percent, _)) => format!("q{percent:0>2}"),
        None => word.to_owned(),
    };
    let header = table.lines().next().unwrap_or_default();
    if is_mean(&caption) || !has_word(&caption) {
        return Some(format!("the caption of a {word}: {caption}"));
    }
    if is_mean(texts) || !has_word(texts) {
        return Some(format!("the axes of a {word}"));
    }
    let mut names = header.split(',');
    let has_column = names.any(|own| own.starts_with(&format!("{column}(")));
    (!has_column).then(|| format!("the table of a {word}: {header}"))
}

/// Random figures are sound: none leaves its canvas or frames, no number its interval, all say
/// their statistic, and nothing panics.
#[test]
fn random_figures_are_within_their_frames_and_say_what_they_show() {
    let place = Workplace::with(SWEEPS);
    place.succeed("run -q a.toml");
    let cases = crate::effort(300, 20_000);
    let (mut drawn, mut wrong) = (0, Vec::new());
    for batch in 0..cases / BATCH {
        let cases = batch * BATCH..(batch + 1) * BATCH;
        let figures = cases.map(|case| (case, Keys::of(case)));
        let is_read = |figure: &(u64, Keys)| {
            let text = format!("{SWEEPS}{}", figure.1.text);
            let spec = spec::parse("a", "a.toml", &text).expect("its sweeps are right");
            parse::read(&spec).is_ok()
        };
        let figures = figures.filter(is_read).collect_vec();
        let texts = figures.iter().map(|figure| &*figure.1.text);
        place.write("a.toml", &format!("{SWEEPS}{}", texts.collect::<String>()));
        let folder = format!("figures-{batch}");
        let output = place.reines(format!("report -q --figures {folder} a.toml"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code < 3), "{said}");
        assert!(!said.contains("panicked"), "{said}");
        for (case, Keys { text, word, .. }) in figures {
            let file = place.path().join(&folder).join(format!("f{case}.svg"));
            let Ok(svg) = std::fs::read_to_string(&file) else {
                continue;
            };
            drawn += 1;
            let table = place.text(file.with_extension("csv"));
            let found = outside(&svg);
            let found = found.or_else(|| outside_interval(&csv(&table)));
            let found = found.or_else(|| other_words(word?, &svg, &table));
            wrong.extend(found.map(|found| format!("{found}\n{text}")));
        }
        std::fs::remove_dir_all(place.path().join(&folder)).expect("it can be removed");
    }
    assert!(
        wrong.is_empty(),
        "{} of {drawn}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(drawn > cases / 5, "{drawn} of {cases}");
}
