//! One plan, one table of bytes: whatever happens to a run on its way, its tables are those of a
//! run on one thread that nothing happened to. Each test is a spec, and goes through [`WAYS`].

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use reines::experiment::store::Record;
use reines::experiment::store::folder::RunFolder;

use crate::program::{
    Draws, Workplace, copy_part, has, lacks, name_of, part_of, stderr, wait_until,
};

/// A spec, and what is replaced in it to make one of fewer trials or points.
struct Case {
    spec: String,
    smaller: (&'static str, &'static str),
    /// More options of `run`.
    options: &'static str,
}

/// Leaves a complete run of `a.toml` in `results`; `whole` has taken so long.
type Way = fn(&Case, &Workplace, whole: Duration);

const WAYS: [(&str, Way); 13] = [
    ("two threads", |case, place, _| {
        case.run(place, "a.toml --threads 2");
    }),
    ("five threads", |case, place, _| {
        case.run(place, "a.toml --threads 5");
    }),
    ("sweeps and seeds in another order", in_another_order),
    ("three pieces", |case, place, _| {
        for piece in ["seed=3,trial>=3", "seed=7", "trial<3,seed=3"] {
            case.run(place, &format!("a.toml --only {piece}"));
        }
        has(&case.run(place, "a.toml"), "trials taken over from");
    }),
    ("two of three pieces", |case, place, _| {
        for piece in ["seed=3,trial>=4", "trial<2,seed=7", "n>4,trial<=4"] {
            case.run(place, &format!("a.toml --only {piece}"));
        }
        has(&case.run(place, "a.toml"), "trials taken over from");
    }),
    ("interrupted", interrupted),
    ("out of time", out_of_time),
    ("killed", killed),
    ("half saved", half_saved),
    ("saved in parts, one of them twice", |case, place, _| {
        place.save_some(case.options, |it| it.row.trial % 3 == 2);
        let run = place.save_some(case.options, |it| it.row.trial % 3 == 0);
        copy_part(&part_of(&run), &run, "000007");
        lacks(&case.run(place, "a.toml"), "set aside");
    }),
    ("grown", |case, place, _| {
        place.write("a.toml", &case.smaller());
        case.run(place, "a.toml");
        place.write("a.toml", &case.spec);
        let said = case.run(place, "a.toml");
        has(&said, "trials taken over from results/a/");
    }),
    ("grown from a half-saved run", |case, place, _| {
        place.write("a.toml", &case.smaller());
        place.save_some(case.options, |it| it.row.trial % 2 == 0);
        place.write("a.toml", &case.spec);
        case.run(place, "a.toml");
    }),
    ("taken over from another experiment", |case, place, _| {
        place.write("b.toml", &case.smaller());
        case.run(place, "b.toml");
        let said = case.run(place, "a.toml");
        has(&said, "trials taken over from results/b/");
    }),
];

impl Case {
    fn smaller(&self) -> String {
        let smaller = self.spec.replace(self.smaller.0, self.smaller.1);
        assert!(smaller != self.spec, "{:?} is not there", self.smaller);
        smaller
    }

    /// Runs into `results`, unless told otherwise; what is said.
    fn run(&self, place: &Workplace, arguments: &str) -> String {
        stderr(&place.succeed(format!("run {arguments} {}", self.options)))
    }

    /// Each way against the run on one thread; on failure, a line for every way.
    fn check(&self) {
        let oracle = Workplace::with(&self.spec);
        let started = Instant::now();
        self.run(&oracle, "a.toml --threads 1");
        let (whole, run) = (started.elapsed(), oracle.run("results"));
        let tables = oracle.files("results", "a");
        let mut told = Vec::new();
        for (name, way) in WAYS {
            let place = Workplace::with(&self.spec);
            way(self, &place, whole);
            // Of the same name: the same plan.
            let folder = place.path().join("results/a").join(name_of(&run));
            let differing = differing(&tables, &run, &folder);
            let verdict = ["OTHER", "same"][usize::from(differing.is_empty())];
            told.push(format!("{verdict:<6} {name}: {}", differing.join(", ")));
            place.succeed("verify");
            let manifest = RunFolder::at(&folder).manifest();
            let manifest = manifest.expect("a complete run");
            let timed: u64 = manifest.points.iter().map(|it| it.timed).sum();
            assert!(timed <= manifest.rows, "{name}: times count twice");
        }
        let is_same = told.iter().all(|line| line.starts_with("same"));
        assert!(is_same, "\n{}\n", told.join("\n"));
    }
}

/// The tables that are not the same, and files that only one run has.
fn differing(files: &[String], run: &Path, other: &Path) -> Vec<String> {
    let mut names = files.to_vec();
    let others = fs::read_dir(other).expect("the same plan has a folder of the same name");
    names.extend(others.flatten().map(|entry| name_of(&entry.path())));
    names.sort();
    names.dedup();
    names.retain(|name| {
        let [a, b] = [run, other].map(|it| fs::read(it.join(name)).ok());
        let varies = ["timings.parquet", "manifest.toml", "spec.toml"].contains(&&**name);
        a.is_some() != b.is_some() || !varies && a != b
    });
    names
}

fn in_another_order(case: &Case, place: &Workplace, _: Duration) {
    let (head, sweeps) = case.spec.split_once("[[sweep]]").expect("a sweep");
    let mut sweeps: Vec<&str> = sweeps.split("[[sweep]]").collect();
    sweeps.reverse();
    let head = head.replace("[7, 3]", "[3, 7]");
    let sweeps = sweeps.join("[[sweep]]");
    let text = format!("title = \"Other words\"\n{head}[[sweep]]{sweeps}");
    place.write("a.toml", &text);
    case.run(place, "a.toml");
}

/// A trial that does not end, for each of two seeds: with it every interruption meets a run of
/// three threads in its middle, however fast the machine is.
const ENDLESS: &str = "[[sweep]]\nalgorithm = \"pair\"\nn = 3\nepsilon = 0.001\ntrials = 1\n\
                       cutoff = 1_000_000_000_000_000\n";

fn interrupted(case: &Case, place: &Workplace, whole: Duration) {
    place.write("a.toml", &format!("{}{ENDLESS}", case.spec));
    let mut draws = Draws::new(1);
    for _ in 0..3 {
        let command = format!("run a.toml --threads 3 {}", case.options);
        let ended = place.interrupt(command, draws.moment(whole));
        assert_eq!(ended.status.code(), Some(130), "{}", stderr(&ended));
        has(&stderr(&ended), "interrupted with");
    }
    place.write("a.toml", &case.spec);
    case.run(place, "a.toml");
}

/// A time that is over is no error of the run, which goes on afterwards.
fn out_of_time(case: &Case, place: &Workplace, _: Duration) {
    place.write("a.toml", &format!("{}{ENDLESS}", case.spec));
    for time in ["0.1s", "0.005m"] {
        let command = format!("run a.toml --threads 3 --for {time} {}", case.options);
        has(&place.ends(1, command), "out of time with");
    }
    for wrong in ["2", "0s", "-1h", "1e99h", "nans"] {
        let said = place.ends(2, format!("run a.toml --for={wrong}"));
        has(
            &said,
            "expected a number and s, m, h or d, as 90s, 55m or 1.5h",
        );
    }
    place.write("a.toml", &case.spec);
    case.run(place, "a.toml --for 1d");
}

/// The run is killed at random moments, the first ones soon after something was saved.
fn killed(case: &Case, place: &Workplace, whole: Duration) {
    let mut draws = Draws::new(2);
    for kill in 0..4 {
        let mut child = place.start(format!("run a.toml --threads 2 {}", case.options));
        if kill < 2 {
            wait_until("a part is saved", || {
                place.n_parts() > 0 || child.try_wait().expect("ours").is_some()
            });
        }
        sleep(draws.moment(if kill < 2 { whole / 5 } else { whole }));
        child.kill().expect("a child can be killed");
        child.wait().expect("it can be waited for");
    }
    case.run(place, "a.toml");
}

/// Parts in an order that no run saves them in: later trials before earlier ones, with holes.
fn half_saved(case: &Case, place: &Workplace, _: Duration) {
    place.save_some(case.options, |it| it.row.trial % 3 == 1);
    let are_first = |it: &Record| it.row.trial.is_multiple_of(3) && it.row.trial < 40;
    place.save_some(case.options, are_first);
    lacks(&case.run(place, "a.toml"), "set aside");
}

const PLAIN: &str = "seeds = [7, 3]\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = [0.02, 0.05]\ntrials = 20\ncutoff = 1e4\n\
    [[sweep]]\nalgorithm = \"cell\"\nn = [4, 8]\nepsilon = 0.05\neta = [0, 0.1]\ntrials = 20\ncutoff = 10_000\n";

const RECORDED: &str = "[sweep.series]\nat = { from = 1, to = 9e3, points = 9, scale = \"log\" }\n";

/// [`PLAIN`] with a course of each trial, and half as many: none runs beside another one.
fn recorded() -> String {
    let sweeps = PLAIN.replace(FEWER.0, FEWER_RECORDED.0);
    let sweeps = sweeps.replace("1e4\n", &format!("1e4\n{RECORDED}"));
    sweeps + "[sweep.series]\nat = [1000, 0, 250.5, 0]\n"
}

/// Every algorithm that is neither of these rules.
const OTHERS: &str = "seeds = [7, 3]\n\
    [[sweep]]\nalgorithm = \"synchronous\"\nvariant = [\"blind\", \"informed\"]\nn = 5\nepsilon = 0.1\neta = 0.1\ntrials = 20\ncutoff = 2000\n\
    [[sweep]]\nalgorithm = \"factor\"\nproduct = [15, 21]\nepsilon = 0.1\ntrials = 20\ncutoff = 2000\n\
    [[sweep]]\nalgorithm = \"pair\"\ncertain = \"safe or b.signals < a.signals\"\nn = 4\nepsilon = 0.1\ntrials = 20\ncutoff = 2000\n\
    [[sweep]]\nalgorithm = \"cell\"\ncertain = \"b.queens == 0\"\nn = 4\nepsilon = 0.1\neta = 0.1\ntrials = 20\ncutoff = 2000\n\
    [[sweep]]\nalgorithm = \"cell-relaxation\"\nn = 4\ntrials = 20\ncutoff = 2000\n\
    [[sweep]]\nalgorithm = \"lines\"\nn = [4, 5, 6]\ncutoff = 1e9\nrepeats = 3\n\
    [[sweep]]\nalgorithm = \"bitboard\"\nn = [5, 6]\ncutoff = 1e9\n\
    [[sweep]]\nalgorithm = \"rows\"\nn = [3, 4]\ngoal = \"first\"\ncutoff = 1e9\n\
    [[sweep]]\nalgorithm = \"cp\"\nvariant = [\"PN_PR\", \"PA_PD\"]\nn = [4, 8]\ngoal = \"all\"\ntrials = 20\ncutoff = 1e6\n";

const FEWER: (&str, &str) = ("trials = 20", "trials = 7");
const FEWER_RECORDED: (&str, &str) = ("trials = 10", "trials = 4");

fn check(spec: String, smaller: (&'static str, &'static str), options: &'static str) {
    Case {
        spec,
        smaller,
        options,
    }
    .check();
}

#[test]
fn of_trials_in_lanes() {
    check(PLAIN.to_owned(), FEWER, "--dynamics lanes");
}

#[test]
fn of_trials_one_by_one() {
    check(PLAIN.to_owned(), FEWER, "--dynamics one-by-one");
}

#[test]
fn of_single_updates() {
    check(PLAIN.to_owned(), FEWER, "--dynamics stepwise");
}

#[test]
fn of_courses_in_lanes() {
    check(recorded(), FEWER_RECORDED, "--dynamics lanes");
}

#[test]
fn of_courses_one_by_one() {
    check(recorded(), FEWER_RECORDED, "--dynamics one-by-one");
}

#[test]
fn of_the_other_algorithms() {
    check(OTHERS.to_owned(), FEWER, "");
}
