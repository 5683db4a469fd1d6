//! The shipped figures, drawn from the reference results: not a byte of a figure or of its table
//! changes unseen.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use itertools::Itertools;
use reines::experiment::spec;
use reines::report::{self, figure};

use crate::program::{Workplace, csv, files_of, name_of, root, skipped, text_of};

/// The figures that show seconds, which change with every run.
fn timed() -> Vec<String> {
    let mut timed = Vec::new();
    for path in files_of(&root().join("experiments"), ".toml") {
        let figures = spec::read(&path).and_then(|spec| figure::read(&spec));
        let mut figures = figures.expect("a spec");
        figures.retain(|it| report::Chart::of(it).shows_seconds());
        timed.extend(figures.iter().map(|it| it.name().to_owned()));
    }
    timed
}

/// A file of `figures/` is what `report` draws of the reference results, and one of
/// `docs/wall-clock` where it shows seconds, so that `make figures` leaves a clone clean.
#[test]
fn the_figures_in_the_repository_are_those_of_the_reference_results() {
    let timed = timed();
    assert!(!timed.is_empty());
    let renewed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("renewed");
    let (mut changed, mut shown) = (Vec::new(), Vec::new());
    for (name, text) in &drawn().0 {
        let figure = name.split('.').next().unwrap_or_default();
        let is_timed = timed.iter().any(|it| it == figure);
        let folder = if is_timed {
            "docs/wall-clock"
        } else {
            "figures"
        };
        shown.extend(is_timed.then(|| name.clone()));
        let file = format!("{folder}/{name}");
        if fs::read(root().join(&file)).ok().as_deref() != Some(text.as_bytes()) {
            fs::create_dir_all(renewed.join(folder)).expect("cargo's folder can be written");
            fs::write(renewed.join(&file), text).expect("cargo's folder can be written");
            changed.push(file);
        }
    }
    assert!(
        changed.is_empty(),
        "not as `report` draws them: {changed:?}. If that is meant, look at the figures in {renewed} and renew them: cp -r {renewed}/. .",
        renewed = renewed.display()
    );
    // `make reference` copies the files that are there.
    let kept = files_of(&root().join("docs/wall-clock"), "");
    let kept: Vec<String> = kept.iter().map(|it| name_of(it)).collect();
    assert_eq!(kept, shown, "docs/wall-clock");
}

/// docs/spec.md says of each key of a figure what the program does.
#[test]
fn the_docs_have_every_key_of_a_figure() {
    let docs = text_of(root().join("docs/spec.md"));
    let lines = figure::KEYS.iter();
    let lines = lines.map(|(key, doc)| format!("- `{key}`: {}", doc.trim()));
    let lines: Vec<String> = lines.collect();
    assert!(
        docs.contains(&lines.join("\n")),
        "docs/spec.md: expected\n{}",
        lines.join("\n")
    );
}

/// The figures that a user may want of trials, written in TOML alone. What the kind `curve` shows
/// is taken again from the rows as `export` writes them.
#[test]
fn figures_of_ones_own_show_what_the_rows_say() {
    let workplace = Workplace::new();
    workplace.write("own.toml", include_str!("data/own-figures.toml"));
    workplace.succeed("run -q own.toml");
    workplace.succeed("report -q own.toml");
    workplace.succeed("export -o rows.csv own.toml");
    let rows = workplace.text("rows.csv");
    let rows = csv(&rows);
    let of = |algorithm: &str, n: &str, epsilon: &str| -> Vec<_> {
        let key = [("algorithm", algorithm), ("n", n), ("epsilon", epsilon)];
        let is_own =
            |row: &&BTreeMap<String, String>| key.iter().all(|(name, value)| row[*name] == *value);
        rows.iter().filter(is_own).collect()
    };
    let shows = |figure: &str, key: [&str; 3], column: &str, expected: f64| {
        let table = workplace.text(format!("figures/{figure}.csv"));
        let table = csv(&table);
        let names = ["algorithm", "n", "epsilon"];
        let is_own = |row: &&BTreeMap<String, String>| {
            names.iter().zip(key).all(|(it, key)| row[*it] == key)
        };
        let row = table.iter().find(is_own).expect("a row of this point");
        let found: f64 = row[column].parse().expect("a number");
        assert!((found / expected - 1.0).abs() < 1e-5, "{found}, {expected}");
    };
    let own = of("pair", "4", "0.1");
    assert_eq!(own.len(), 120);
    let numbers = |column: &str| -> Vec<u64> {
        let cells = own.iter().map(|row| &*row[column]);
        cells.filter_map(|it| it.parse().ok()).collect()
    };
    let sum = |column: &str| numbers(column).iter().sum::<u64>() as f64;
    let key = ["pair", "4", "0.1"];
    let ratio = sum("moves") / sum("updates");
    shows("moves-per-update", key, "mean", ratio);
    let mut times = numbers("absorption_time");
    times.resize(120, 20_000);
    times.sort_unstable();
    shows("median-time", key, "median", times[59] as f64);
    let key = ["cell", "7", "0.05"];
    let mut censored = of("cell", "7", "0.05");
    censored.retain(|row| row["absorption_time"].is_empty());
    let share = censored.len() as f64 / 120.0;
    shows("share-censored", key, "share", share);
    let times = |algorithm: &str, seed: &str| -> Vec<f64> {
        let rows = of(algorithm, "5", "0.04").into_iter();
        let rows = rows.filter(|row| seed.is_empty() || row["seed"] == seed);
        let times = rows.map(|row| row["absorption_time"].parse().expect("it ended"));
        times.sorted_by(f64::total_cmp).collect()
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let [of_pair, of_cell] = ["pair", "cell"].map(|it| times(it, ""));
    let key = ["pair", "5", "0.04"];
    shows("slowest-trials", key, "q95", of_pair[75]);
    shows(
        "pair-over-cell",
        key,
        "ratio_of_mean",
        mean(&of_pair) / mean(&of_cell),
    );
    let of_seed = times("pair", "11");
    assert_eq!(of_seed.len(), 40);
    shows("each-seed", key, "mean", mean(&of_seed));
    let histogram = workplace.text("figures/histogram.csv");
    let bins = csv(&histogram);
    assert_eq!(bins.len(), 80, "40 bins of each rule");
    let shares = bins
        .iter()
        .map(|bin| -> f64 { bin["in_bin"].parse().expect("a share") });
    let all: f64 = shares.sum();
    assert!((all - 2.0).abs() < 1e-4, "each trial is in one bin: {all}");
    for bin in bins {
        let is_pair = bin["algorithm"] == "pair";
        is_of(&bin, if is_pair { &of_pair } else { &of_cell }, 1.0);
    }
    // The last trials are cut off.
    let of_eight = of("pair", "8", "0.01");
    let [updates, times] = ["updates", "absorption_time"].map(|column| -> Vec<f64> {
        let cells = of_eight.iter().map(|row| row[column].parse());
        cells.map(|it| it.unwrap_or(f64::INFINITY)).collect()
    });
    let ended = times.iter().filter(|it| it.is_finite()).count();
    let unit = updates.iter().sum::<f64>() / ended as f64;
    let key = ["pair", "8", "0.01"];
    shows("survival", key, "unit", unit);
    let survival = workplace.text("figures/survival.csv");
    for bin in csv(&survival) {
        is_of(&bin, &times, unit);
    }
    let key = ["pair", "4", "0.1"];
    shows("time-against-moves", key, "moves", sum("moves") / 120.0);
    shows("seeds", ["pair", "5", "0.04"], "mean", mean(&of_seed));
    // Of 24 points 83 trials each, or all.
    let trials = workplace.text("figures/trials.csv");
    let trials = csv(&trials);
    assert_eq!(trials.len(), 12 * 83 + 9 * 80 + 3 * 16);
    for trial in trials {
        let id = ["algorithm", "n", "epsilon", "seed", "trial"];
        let mut all = rows.iter().enumerate();
        let row = all.find(|row| id.iter().all(|it| row.1[*it] == trial[*it]));
        let (at, row) = row.expect("its row");
        let earlier = rows[..at].iter().rev();
        let earlier = earlier.take_while(|it| id[..3].iter().all(|key| it[*key] == row[*key]));
        assert!(earlier.count() < 83);
        let number = |it: &BTreeMap<_, String>| it["moves"].parse::<f64>().expect("moves");
        assert!((number(&trial) / number(row) - 1.0).abs() < 1e-5);
        let is_open = ["mean_is_bound", "moves_is_bound"].map(|it| trial[it] == "true");
        assert_eq!(is_open, [row["absorption_time"].is_empty(); 2]);
    }
    let bins = workplace.text("figures/moves.csv");
    let bins = csv(&bins);
    assert_eq!(bins.len(), 10);
    let own = of("pair", "5", "0.1");
    let (ended, cut_off): (Vec<_>, Vec<_>) = own
        .iter()
        .partition(|row| !row["absorption_time"].is_empty());
    let moves = |row: &&BTreeMap<String, String>| row["moves"].parse().expect("moves");
    let least = cut_off
        .into_iter()
        .map(&moves)
        .fold(f64::INFINITY, f64::min);
    let mut ends: Vec<f64> = ended.into_iter().map(moves).collect();
    ends.resize(120, f64::INFINITY);
    for bin in bins {
        let is_bound = bin["to"].parse::<f64>().expect("a number") > least;
        assert_eq!(bin["in_bin_is_bound"] == "true", is_bound);
        if !is_bound {
            is_of(&bin, &ends, 1.0);
        }
    }
    are_drawn(&workplace);
}

/// A bin has the shares of these times, its ends in this unit.
fn is_of(bin: &BTreeMap<String, String>, times: &[f64], unit: f64) {
    let number = |column: &str| -> f64 { bin[column].parse().expect("a number") };
    let (from, to) = (number("from") * unit, number("to") * unit);
    let share = |is_so: &dyn Fn(f64) -> bool| {
        times.iter().filter(|it| is_so(**it)).count() as f64 / times.len() as f64
    };
    // Ends are written with six digits.
    let slack = 1e-5 * to;
    let [least, most] =
        [-slack, slack].map(|it| share(&|time| time <= to + it) + it.signum() * 1e-6);
    assert!((least..=most).contains(&number("ended")), "{bin:?}");
    let [least, most] = [slack, -slack]
        .map(|it| share(&|time| time > from + it && time <= to - it) - it.signum() * 1e-6);
    assert!((least..=most).contains(&number("in_bin")), "{bin:?}");
}

/// The figures of one's own are whole, and say in words what they show.
fn are_drawn(workplace: &Workplace) {
    let figure = |name: &str| workplace.text(format!("figures/{name}.svg"));
    let words = [
        ("map", "least mean number of queen moves"),
        ("seconds-per-node", "time per node (µs)"),
        ("absorbed-by", "two cells"),
        ("own-words", "probability of a dangerous move"),
        ("pair-over-cell", "over that with algorithm = cell"),
        ("map-of-n", "least median absorption time of each n"),
        ("each-seed", "seed = 12"),
        ("panels", "n = 6"),
    ];
    for (name, words) in words {
        assert!(figure(name).contains(words), "{name}: {words}");
    }
    // There is a panel for each ε, and no lower one whose shapes would tell them apart.
    assert!(!figure("time-against-eta").contains("last panel"));
    for name in [
        "time-against-eta",
        "nodes",
        "seconds-per-node",
        "conflicts",
        "survival",
        "dangerous",
        "map",
    ] {
        assert!(figure(name).ends_with("</svg>\n"), "{name}");
    }
}

/// Name and text of every file that `reines report` writes of the reference results, in order of
/// the names, and the page with all of them; drawn once for all tests.
pub fn drawn() -> &'static (Vec<(String, String)>, String) {
    static DRAWN: LazyLock<(Vec<(String, String)>, String)> = LazyLock::new(draw);
    &DRAWN
}

fn draw() -> (Vec<(String, String)>, String) {
    let mut paths = files_of(&root().join("experiments"), ".toml");
    paths.insert(0, root().join("results/reference"));
    let words = paths.iter().map(|it| format!(" '{}'", it.display()));
    let words: String = words.collect();
    let workplace = Workplace::new();
    workplace.succeed(format!(
        "report --figures figures --html index.html --results{words}"
    ));
    let files = files_of(&workplace.path().join("figures"), "");
    let file = |path: &PathBuf| (name_of(path), text_of(path));
    let files = files.iter().map(file).collect();
    let page = workplace.text("index.html");
    (files, page)
}

/// The commands of docs/spec.md make a PDF and a PNG of a figure.
#[test]
fn figures_become_pdf_and_png_by_the_commands_of_the_docs() {
    if Command::new("rsvg-convert")
        .arg("--version")
        .output()
        .is_err()
    {
        return skipped("no rsvg-convert");
    }
    let place = Workplace::new();
    let svg = text_of(root().join("figures/convergence-vs-epsilon.svg"));
    place.write("figure.svg", &svg);
    let docs = text_of(root().join("docs/spec.md"));
    let commands = docs.split('`').filter(|it| it.starts_with("rsvg-convert "));
    let commands: Vec<&str> = commands.collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        let mut words = command.split(' ');
        let program = words.next().expect("a word");
        let status = Command::new(program)
            .args(words)
            .current_dir(place.path())
            .status();
        assert!(status.expect("it is there").success(), "{command}");
    }
    let begins = |file: &str| fs::read(place.path().join(file)).expect(file)[..4].to_vec();
    assert_eq!(begins("figure.pdf"), *b"%PDF");
    assert_eq!(begins("figure.png"), *b"\x89PNG");
}
