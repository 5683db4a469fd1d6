//! `reines replay` and `reines solve` against rows, and what the films in docs/ show.
//! (`transcripts/replay.txt` has what is printed, and holds the films against their commands.)

use std::sync::Mutex;

use rayon::prelude::*;
use reines::solver::{
    Change, Control, DynamicsChoice, Key, Observation, Outcome, Point, Value, algorithm, prepare,
};

use crate::program::{Workplace, forge_column, has, root, stdout, text_of, words};

const SPEC: &str = "seeds = [1, 2]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\n\
                    trials = 6\ncutoff = 1e6\n[[sweep]]\nalgorithm = \"cell\"\nn = 5\n\
                    epsilon = 0.1\neta = 0.1\ntrials = 6\ncutoff = 900\n";

/// A folder with results of [`SPEC`] in `results/a`.
fn with_results() -> Workplace {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml");
    workplace
}

/// Both rules, every trial: both commands agree on the row that an experiment stores.
#[test]
fn solve_shows_any_trial() {
    let workplace = with_results();
    for record in workplace.records("results", "a") {
        let (point, row) = (&record.point, &record.row);
        let eta = point
            .real("eta")
            .map_or(String::new(), |eta| format!("eta={eta}"));
        let line = format!(
            "solve {} n={} epsilon=0.1 {eta} --cutoff {} --json --seed {} --trial {}",
            point.algorithm,
            point.integer("n").expect("n"),
            row.cutoff,
            row.seed,
            row.trial
        );
        let output = workplace.reines(&line);
        let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let outcome = &row.outcome;
        for (name, stored) in [
            ("absorption_time", outcome.absorption_time),
            ("hitting_time", outcome.hitting_time),
            ("updates", outcome.updates),
            ("moves", outcome.moves),
            ("moves_at_hit", outcome.moves_at_hit),
        ] {
            assert_eq!(told[name].as_u64(), stored, "{name}: {line}");
        }
        let boards: Vec<_> = outcome.solution.iter().collect();
        assert_eq!(told["boards"], serde_json::json!(boards), "{line}");
    }
}

/// A placed solution is hit at 0. With true signals it is absorbed there; without them no queen is
/// seen from the cells beside hers, so that signals must spread first.
#[test]
fn the_trials_of_a_sweep_start_in_its_position() {
    let sweep = "[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 3\ncutoff = 1e6\n\
                 start = [\". Q . .\", \"...Q\", \"Q...\", \"..Q.\"]\n";
    let workplace = Workplace::with(&format!("seed = 1\n{sweep}{sweep}signals = \"true\"\n"));
    workplace.succeed("run a.toml");
    let records = workplace.records("results", "a");
    assert_eq!(records.len(), 6);
    for (record, is_true) in records.iter().zip([false, false, false, true, true, true]) {
        let signals = if is_true { " true" } else { "" };
        let variant = format!("from .Q../...Q/Q.../..Q.{signals}");
        assert_eq!(record.point.variant, variant);
        let outcome = &record.row.outcome;
        let times = (outcome.hitting_time, outcome.absorption_time == Some(0));
        assert_eq!(times, (Some(0), is_true), "{variant}");
        assert_eq!(outcome.solution.as_deref(), Some(&[2, 0, 3, 1][..]));
    }
    let variant = "variant=from .Q../...Q/Q.../..Q. true";
    let mut replay = workplace.command("replay results/a --trial 2");
    assert!(
        replay
            .arg(variant)
            .output()
            .expect("it starts")
            .status
            .success()
    );
}

/// A row with another number of moves than its trial has: exit code 1, and nothing is written.
#[test]
fn a_trial_that_is_not_the_one_in_the_row_is_no_replay() {
    let workplace = with_results();
    let run = workplace.runs("results", "a").remove(0);
    // The last of 36 rows.
    let one_more = |row, moves| moves + u64::from(row == 35);
    forge_column(&run, "trials.parquet", "moves", one_more);
    let told = workplace.ends(1, "replay results/a algorithm=pair n=5 --seed 2 --trial 5");
    has(
        &told,
        "is not the one in the row of a: they differ in moves;",
    );
    assert!(!workplace.path().join("replay.html").exists());
    workplace.succeed("replay results/a n=4 --seed 2 --trial 5");
}

/// A trial as the solver runs and records it.
pub struct Recorded {
    pub outcome: Outcome,
    /// The start, and the state after each update that changes something.
    pub series: Vec<Observation>,
}

/// What a trial has come to.
#[derive(Debug)]
pub struct Counts {
    /// The share of the updates for which no threatened queen had a safe cell beside it.
    pub blocked: f64,
    /// How often the queens became a solution.
    pub solutions: u64,
    /// How often they left it.
    pub left: u64,
}

impl Recorded {
    pub fn of(point: &Point, key: Key, cutoff: u64) -> Self {
        let (prepared, moments) = (
            prepare(
                point,
                DynamicsChoice::Auto.at(algorithm(&point.algorithm).expect("known"), point, false),
            ),
            Mutex::new(vec![0]),
        );
        let watch = |change: Change| moments.lock().expect("one thread").push(change.update);
        let run = |control: Control| prepared(key, cutoff, &control).expect("no stop");
        run(Control::unstopped().watching(&watch));
        let moments = moments.into_inner().expect("one thread");
        let (outcome, course) = run(Control::unstopped().observing(&moments));
        let series = course.series;
        Self { outcome, series }
    }

    /// What it has come to after so many updates.
    pub fn counts(&self, until: u64) -> Counts {
        let states = || self.series.iter().take_while(|it| it.update <= until);
        let ends = states().skip(1).map(|it| it.update).chain([until]);
        let waits = states().zip(ends).filter(|(it, _)| it.safe_moves == 0);
        let blocked: u64 = waits.map(|(it, end)| end - it.update).sum();
        let mut is_solved = false;
        let (mut solutions, mut left) = (0, 0);
        for state in states() {
            let was_solved = std::mem::replace(&mut is_solved, state.conflicts == 0);
            solutions += u64::from(is_solved && !was_solved);
            left += u64::from(was_solved && !is_solved);
        }
        Counts {
            blocked: blocked as f64 / until as f64,
            solutions,
            left,
        }
    }
}

/// The films of the pair rule in docs/, which the Makefile makes, are of typical trials. A trial of
/// the first 99 of a point is usual if its share without a safe step is within 0.01 of that of all,
/// and if it leaves as many solutions as the mean, rounded. The film is that with the number of
/// updates nearest to the mean. The lesson has their numbers.
#[test]
fn the_films_of_the_lesson_are_typical() {
    let makefile = text_of(root().join("Makefile"));
    let films: Vec<_> = makefile.split("\t$(REINES) replay pair ").skip(1).collect();
    let films = films
        .iter()
        .map(|it| words(it.lines().next().expect("a line")));
    let answer = |film: Vec<String>| {
        let number = |it: &str| -> f64 { it.parse().expect("a number") };
        let key = |name| {
            number(
                film.iter()
                    .find_map(|it| it.strip_prefix(name))
                    .expect(name),
            )
        };
        let trial = film.iter().skip_while(|it| *it != "--trial").nth(1);
        let (epsilon, n) = (key("epsilon="), Value::Integer(key("n=") as u64));
        let epsilon = Value::real(epsilon);
        let point = Point::new("pair", [("n", n), ("epsilon", epsilon)]);
        let trials: Vec<(f64, Counts)> = (0..99)
            .into_par_iter()
            .map(|trial| {
                let trial = Recorded::of(&point, Key { seed: 1, trial }, 10_000_000_000);
                let updates = trial.outcome.updates.expect("counted");
                let counts = trial.counts(updates);
                assert_eq!(Some(counts.solutions), trial.outcome.entries);
                assert_eq!(counts.left + 1, counts.solutions, "it was absorbed");
                (updates as f64, counts)
            })
            .collect();
        let mean = |of: &dyn Fn(&(f64, Counts)) -> f64| trials.iter().map(of).sum::<f64>() / 99.0;
        let updates = mean(&|it| it.0);
        let blocked = mean(&|it| it.0 * it.1.blocked) / updates;
        let left = mean(&|it| it.1.left as f64).round() as u64;
        let is_usual = |it: &Counts| it.left == left && (it.blocked - blocked).abs() < 0.01;
        let usual = (0..99).filter(|&trial: &usize| is_usual(&trials[trial].1));
        let distance = |trial: &usize| (trials[*trial].0 - updates).abs();
        let typical = usual.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let typical = typical.expect("some trial is usual");
        assert_eq!(typical as f64, number(trial.expect("a trial")), "{point}");
        let counts = &trials[typical].1;
        format!("{} % and {}", (100.0 * counts.blocked).round(), counts.left)
    };
    let answers: Vec<String> = films.map(answer).collect();
    assert_eq!(answers.len(), 3);
    let lesson = text_of(root().join("docs/teaching.md"));
    has(&lesson, &format!("*Answers to 2*: {}.", answers.join("; ")));
}
