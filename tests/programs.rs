//! Programs as algorithms: `[[program]]` of a spec.
//!
//! Each file of `tests/programs` is a program that does something wrong, or (`right-…`) something
//! unusual; `errors.txt` beside them has what `reines run` says of each. `RENEW=programs` writes it
//! down anew. Without python3 these tests are skipped with a word.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::Value;

use crate::program::{Workplace, csv, files_of, name_of, root, skipped, stderr, stdout, text_of};

/// The environment variable by which the processes of a run are found; a child inherits it.
const MARK: &str = "REINES_TEST_MARK";

/// True if python3 starts; else a word is said.
pub fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output();
    let is_there = found.is_ok_and(|output| output.status.success());
    if !is_there {
        skipped("programs: python3 is not there");
    }
    is_there
}

/// A faulty program with its options, which stand in its first lines.
struct Case {
    path: PathBuf,
    text: String,
}

impl Case {
    fn option(&self, key: &str) -> Option<&str> {
        let mut lines = self.text.lines();
        let begin = format!("# {key} = ");
        lines.find_map(|line| line.strip_prefix(&*begin))
    }

    fn spec(&self) -> String {
        let name = name_of(&self.path);
        let interpreter = if name.ends_with(".py") {
            "python3"
        } else {
            "sh"
        };
        let command = format!("[{interpreter:?}, {name:?}]");
        let command = self.option("command").unwrap_or(&command);
        let timeout = self
            .option("timeout")
            .map(|seconds| format!("timeout = {seconds}\n"));
        format!(
            "seed = 1\n[[program]]\nname = 'x'\ncommand = {command}\n{}axes = {{ size = [1, 9] }}\n\
             fills = ['absorption_time']\n[program.columns]\nenergy = {{ type = 'real' }}\n\
             turns = {{ type = 'count' }}\nend = {{ type = 'text' }}\n[[sweep]]\nalgorithm = 'x'\n\
             size = [1, 2]\ntrials = 8\ncutoff = 100\n",
            timeout.unwrap_or_default()
        )
    }
}

fn cases() -> Vec<Case> {
    let folder = root().join("tests/programs");
    let mut paths = [files_of(&folder, ".py"), files_of(&folder, ".sh")].concat();
    paths.sort();
    let case = |path: PathBuf| Case {
        text: text_of(&path),
        path,
    };
    paths.into_iter().map(case).collect()
}

/// The processes that have this mark in their environment.
fn marked(mark: &str) -> Vec<String> {
    let entry = format!("{MARK}={mark}");
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let mut entries = environment.split(|byte| *byte == 0);
        if entries.any(|own| own == entry.as_bytes()) {
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            found.push(String::from_utf8_lossy(&words).replace('\0', " "));
        }
    }
    found
}

/// What a run of a program came to.
struct Ended {
    code: Option<i32>,
    said: String,
    /// Trials that are saved, by what `verify` reads.
    saved: u64,
}

/// Runs a program on so many threads; no process of it is left.
fn ended(case: &Case, threads: u32) -> Ended {
    let place = Workplace::new();
    let name = name_of(&case.path);
    place.write(&name, &case.text);
    if case.text.contains("# executable") {
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.path().join(&name), mode).expect("its owner is this process");
    }
    place.write("x.toml", &case.spec());
    let mark = format!("{name}-{threads}-{}", std::process::id());
    let mut run = place.command(format!("run --threads {threads} x.toml"));
    run.env(MARK, &mark).env_remove("PYTHONUNBUFFERED");
    let output = run.output().expect("it starts");
    // Those that were ended may not be gone at once.
    let begun = Instant::now();
    while !marked(&mark).is_empty() && begun.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(
        marked(&mark),
        Vec::<String>::new(),
        "{name}: left after the run"
    );
    let audit = place.reines("verify --json");
    let audit: Value = serde_json::from_str(&stdout(&audit)).unwrap_or_default();
    let saved = audit[0]["rows"].as_u64().unwrap_or(0);
    Ended {
        code: output.status.code(),
        said: plain(&stderr(&output), place.path()),
        saved,
    }
}

/// What is said, without what differs from run to run: the name of a run's folder, times, means.
fn plain(said: &str, place: &Path) -> String {
    let said = said.replace(&format!("{}/", place.display()), "");
    let mut lines = String::new();
    for line in said.lines() {
        let is_of_times = line.contains("trials in ") || line.starts_with("next: ");
        if is_of_times || line.starts_with("  point") || line.starts_with("  x ") {
            continue;
        }
        let is_hex = |word: &&str| word.len() == 16 && u64::from_str_radix(word, 16).is_ok();
        let mut line = line.to_owned();
        for random in line.clone().split(' ').filter(is_hex) {
            line = line.replace(random, "HEX");
        }
        if let Some((before, after)) = line.split_once("kept in results/x/") {
            let rest = after.split_once(';').map_or("", |(_, rest)| rest);
            line = format!("{before}kept in FOLDER;{rest}");
        }
        lines += &format!("{line}\n");
    }
    lines
}

/// The first words of an error, up to the trial, which on several threads may be another one.
fn reason(said: &str) -> String {
    let mut lines = said.lines();
    let error = lines.find(|line| line.starts_with("error: "));
    let error = error.unwrap_or_default();
    let reason = error.split_once("size=").map_or(error, |(_, rest)| rest);
    let reason = reason.replace("trials", "trial");
    reason
        .chars()
        .skip(1)
        .filter(|c| !c.is_ascii_digit())
        .collect()
}

/// What each says, with one thread to the letter, with three the same reason; the trials that are
/// saved are those that the message counts.
#[test]
fn what_goes_wrong_in_a_program_is_told_and_nothing_is_lost() {
    if !has_python() {
        return;
    }
    let cases = cases();
    let wrong = cases
        .iter()
        .filter(|case| !name_of(&case.path).starts_with("right"));
    assert!(wrong.count() >= 40);
    let told: Vec<String> = cases.par_iter().map(told).collect();
    let told = told.concat();
    let beside = root().join("tests/programs/errors.txt");
    if std::env::var("RENEW").is_ok_and(|what| what == "programs") {
        fs::write(&beside, &told).expect("writable");
    }
    let expected = text_of(&beside);
    for (told, expected) in told.split("\n\n").zip(expected.split("\n\n")) {
        assert_eq!(told, expected);
    }
    assert_eq!(told.len(), expected.len());
}

fn told(case: &Case) -> String {
    let name = name_of(&case.path);
    let [one, three] = [1, 3].map(|threads| ended(case, threads));
    assert_eq!(one.code, three.code, "{name}: {}\n{}", one.said, three.said);
    assert_eq!(reason(&one.said), reason(&three.said), "{name}");
    for ended in [&one, &three] {
        let is_right = name.starts_with("right");
        let is_whole = ended.saved == 16;
        assert_eq!(
            ended.code == Some(0),
            is_right || name == "ignores-random.py",
            "{name}: {}",
            ended.said
        );
        if ended.said.contains("are kept in") {
            let counted = format!("{} of 16 trials", ended.saved);
            assert!(
                ended.said.contains(&counted),
                "{name}: {counted}: {}",
                ended.said
            );
        } else if is_right {
            assert!(is_whole, "{name}");
        }
    }
    let code = one
        .code
        .map_or_else(|| "none".to_owned(), |code| code.to_string());
    format!(
        "# {name}: code {code}, {} trials saved\n{}\n",
        one.saved, one.said
    )
}

/// A spec with a program, two sizes of 8 trials each, and what else stands in it.
fn spec(command: &str, more: &str) -> String {
    format!(
        "seed = 1\n[[program]]\nname = 'x'\ncommand = {command}\naxes = {{ size = [1, 9] }}\n\
         [program.columns]\nenergy = {{ type = 'real', unit = 'J' }}\n[[sweep]]\nalgorithm = 'x'\n\
         size = [1, 2]\ntrials = 8\ncutoff = 100\n{more}"
    )
}

/// A program whose energy is a number of the trial's stream, and which leaves a file when it is
/// started.
const RIGHT: &str = "import json, sys\nopen('started', 'a').write('x')\nfor line in sys.stdin:\n    \
    request = json.loads(line)\n    if 'reines' in request:\n        continue\n    \
    print(json.dumps({'energy': int(request['random']) / 2**64 - 0.5}), flush=True)\n";

fn with_right(more: &str) -> Workplace {
    let place = Workplace::new();
    place.write("x.py", RIGHT);
    place.write("x.toml", &spec("['python3', 'x.py']", more));
    place
}

/// Threads, an interruption that goes on, and pieces: the same bytes.
#[test]
fn the_rows_of_a_program_are_the_same_bytes_on_any_number_of_threads() {
    if !has_python() {
        return;
    }
    let bytes = [1, 2, 7].map(|threads| {
        let place = with_right("");
        place.succeed(format!("run --threads {threads} x.toml"));
        place.bytes("results", "x", "trials.parquet")
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
    let place = with_right("");
    place.succeed("run --only size=2 x.toml");
    let said = place.succeed("run x.toml");
    assert!(stderr(&said).contains("8 trials taken over"));
    let whole = place.runs("results", "x").into_iter();
    let whole = whole.map(|run| fs::read(run.join("trials.parquet")).expect("complete"));
    assert!(whole.into_iter().any(|rows| rows == bytes[0]));
}

/// Only `run` and `solve` start it.
#[test]
fn nothing_but_run_and_solve_starts_a_program() {
    if !has_python() {
        return;
    }
    let figure = "[[figure]]\nx = 'size'\ny = 'energy'\n";
    let place = with_right(figure);
    let started = || {
        fs::read_to_string(place.path().join("started"))
            .unwrap_or_default()
            .len()
    };
    place.succeed("check x.toml");
    assert_eq!(started(), 0);
    place.succeed("run --threads 1 x.toml");
    // The trials, and once more to see whether they are the same.
    assert_eq!(started(), 2);
    for command in [
        "check x.toml",
        "run x.toml",
        "list",
        "list x",
        "list x --csv",
        "report x.toml",
        "diff x x",
        "verify",
        "export -o all.csv",
        "check --json x.toml",
    ] {
        place.succeed(command);
        assert_eq!(started(), 2, "{command}");
    }
    place.succeed("solve x --spec x.toml size=3");
    assert_eq!(started(), 3);
    // The t interval of reals has its mean in the middle.
    for point in csv(&place.text("figures/x-curve.csv")) {
        let [mean, low, high] = ["", "_low", "_high"].map(|end| {
            let cell = &point[&format!("mean(energy){end}")];
            cell.parse::<f64>().expect("a number")
        });
        assert!(
            low < mean && (low + high - 2.0 * mean).abs() < 1e-5,
            "{point:?}"
        );
    }
}

/// Own columns have the statistics of all others: the median of a point is the fourth of eight
/// numbers.
#[test]
fn own_columns_are_measures_with_statistics() {
    if !has_python() {
        return;
    }
    let y = "y = ['energy', 'median(energy)', 'share(censored)']";
    let place = with_right(&format!("[[figure]]\nx = 'size'\n{y}\n"));
    for command in ["run x.toml", "report x.toml", "export -o all.csv"] {
        place.succeed(command);
    }
    let rows = csv(&place.text("all.csv"));
    let points = csv(&place.text("figures/x-curve.csv"));
    assert_eq!(points.len(), 2);
    for point in points {
        let of_point = rows.iter().filter(|row| row["size"] == point["size"]);
        let energies = of_point.map(|row| row["energy"].parse().expect("a number"));
        let mut energies: Vec<f64> = energies.collect();
        energies.sort_by(f64::total_cmp);
        let mean = energies.iter().sum::<f64>() / 8.0;
        for (column, expected) in [("mean(energy)", mean), ("median(energy)", energies[3])] {
            let found: f64 = point[column].parse().expect("a number");
            assert!((found - expected).abs() < 1e-5, "{column}: {point:?}");
        }
        assert_eq!(point["share(censored)"].parse::<f64>(), Ok(0.0));
    }
}

/// An edited file, and a word more, are another version: nothing is taken over.
#[test]
fn a_changed_program_begins_anew() {
    if !has_python() {
        return;
    }
    let place = with_right("");
    place.succeed("run x.toml");
    for (file, text) in [
        ("x.py", format!("{RIGHT}# changed\n")),
        ("x.toml", spec("['python3', 'x.py', 'more']", "")),
    ] {
        place.write(file, &text);
        let said = stderr(&place.succeed("run x.toml"));
        assert!(said.contains("16 trials in "), "{said}");
        let taken = said.replace("not taken over from", "");
        assert!(!taken.contains("taken over from"), "{said}");
    }
    assert_eq!(place.runs("results", "x").len(), 3);
    // A program that has changed since is told, and the rows of the old one are not taken for its.
    place.write("x.py", &format!("{RIGHT}# changed again\n"));
    let of_this_code = || {
        let listed = stdout(&place.reines("list x.toml"));
        listed.matches("(this code").count()
    };
    assert_eq!(of_this_code(), 0);
    place.write("x.py", &format!("{RIGHT}# changed\n"));
    assert_eq!(of_this_code(), 1);
    let runs = place.runs("results", "x");
    let [a, b] = [&runs[0], &runs[1]].map(|run| run.display().to_string());
    let said = stdout(&place.reines(format!("diff {a} {b}")));
    assert!(said.contains("identical"), "{said}");
    // The files that its version is made of are kept with the run, which goes on without others.
    for run in runs {
        assert!(run.join("x.py").is_file());
    }
    fs::remove_file(place.path().join("x.py")).expect("it was there");
    place.succeed(format!("list {a}"));
    place.succeed(format!("run {a}"));
}

/// A path that begins with `/` is no part of the version, so its file could change in silence.
#[test]
fn a_file_with_an_absolute_path_is_refused() {
    let place = Workplace::new();
    place.write("x.sh", "echo energy=1\n");
    let inside = place.path().join("x.sh");
    let inside = inside.display();
    for (command, words) in [
        (format!("['sh', '{inside}']"), "expected \"x.sh\""),
        (format!("['{inside}']"), "expected \"./x.sh\""),
        (
            "['sh', '/bin/sh']".to_owned(),
            "outside of the spec's folder",
        ),
    ] {
        place.write("x.toml", &spec(&command, ""));
        let said = place.ends(2, "check x.toml");
        assert!(said.contains(words), "{said}");
    }
    // The interpreter is one of the machine.
    place.write("x.toml", &spec("['/bin/sh', 'x.sh']", ""));
    place.succeed("check x.toml");
}

/// Trials 0 to 5 of each point hit at 1 … 6, and two of eight do not: the summary says it of the
/// hitting time, which is a bound, and counts the two as censored.
#[test]
fn hitting_times_alone_are_summed_up_as_such() {
    let place = Workplace::new();
    let command = "['sh', '-c', 'if [ {trial} -lt 6 ]; then echo hitting_time=$(({trial} + 1)); else echo energy=0; fi']\nfills = ['hitting_time']";
    place.write("x.toml", &spec(command, ""));
    let said = stderr(&place.succeed("run x.toml"));
    assert!(said.contains("4 of them censored"), "{said}");
    let is_line = |line: &&str| line.contains("hitting_time") && line.contains("≥ 27.6");
    // (1 + … + 6 + 2 · 100) / 8.
    assert_eq!(said.lines().filter(is_line).count(), 2, "{said}");
    assert!(!said.contains("absorption_time"), "{said}");
}

/// A column of the spec's own is what its author means, whatever measure of the queens is called
/// so.
#[test]
fn an_own_column_may_have_the_name_of_a_measure() {
    let place = Workplace::new();
    for name in [
        "weight",
        "mean",
        "hit",
        "running",
        "best_epsilon",
        "conflicts",
    ] {
        let figure = format!("[[figure]]\nx = 'size'\ny = '{name}'\n");
        let command = format!("['sh', '-c', 'echo {name}={{trial}}']");
        let spec = spec(&command, &figure).replace("energy", name);
        place.write("x.toml", &spec);
        place.succeed("run x.toml");
        place.succeed("report x.toml");
        let points = csv(&place.text("figures/x-curve.csv"));
        for point in points {
            assert_eq!(point[&format!("mean({name})")], "3.50000");
        }
    }
}

/// Of eight trials three have no energy: no mean is drawn, and the reason is told, with one panel
/// and beside another.
#[test]
fn a_column_that_is_empty_in_some_trials_is_told() {
    let place = Workplace::new();
    let command = "['sh', '-c', 'if [ {trial} -lt 5 ]; then echo energy=1; else echo turns=1; fi']";
    for y in ["'energy'", "['energy', 'share(energy)']"] {
        let figure = format!("[[figure]]\nx = 'size'\ny = {y}\n");
        let spec = spec(command, &figure).replace(
            "unit = 'J' }\n",
            "unit = 'J' }\nturns = { type = 'count' }\n",
        );
        place.write("x.toml", &spec);
        place.succeed("run x.toml");
        let said = stderr(&place.reines("report x.toml"));
        assert!(said.contains("energy is empty in 3 of 8 trials"), "{said}");
    }
}

/// A new column of a program changes none of the rows in the columns that both sides have.
#[test]
fn a_diff_is_of_the_columns_of_both_sides() {
    let place = Workplace::new();
    let columns = "unit = 'J' }\n";
    let more = "unit = 'J' }\nturns = { type = 'count' }\n";
    for (results, said, columns) in [
        ("one", "energy={trial}", columns),
        ("two", "energy={trial} turns=1", more),
        ("other", "energy=$(({trial} + 9)) turns=1", more),
    ] {
        let spec = spec(&format!("['sh', '-c', 'echo {said}']"), "");
        place.write("x.toml", &spec.replace("unit = 'J' }\n", columns));
        place.succeed(format!("run x.toml --results {results}"));
    }
    let said = stdout(&place.succeed("diff one two"));
    assert!(said.contains("identical: 2 points"), "{said}");
    // What differs is drawn: there is no absorption time beside it.
    place.ends(1, "diff one other --figure ratios.svg");
    let rows = csv(&place.text("ratios.csv"));
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!((&*row["quantity"], &*row["different"]), ("energy", "true"));
        assert!(!row["ratio"].is_empty());
    }
    let svg = place.text("ratios.svg");
    assert!(svg.contains("B / A, energy"));
}

/// A run's folder has all that is needed to show it, whatever became of the program.
#[test]
fn a_folder_of_a_run_needs_no_file_of_the_program() {
    let place = Workplace::new();
    let figure = "[[figure]]\nx = 'size'\ny = 'energy'\n";
    place.write("x.toml", &spec("['sh', 'x.sh', '{trial}']", figure));
    place.write("x.sh", "echo energy=$1\n");
    place.succeed("run x.toml");
    fs::remove_file(place.path().join("x.sh")).expect("it was there");
    let run = &place.runs("results", "x")[0];
    let run = run.display();
    let said = stderr(&place.succeed(format!("report {run}")));
    assert!(said.contains("there is no file"), "{said}");
    place.succeed(format!("diff {run} {run}"));
    place.succeed(format!("export {run} -o all.csv"));
    assert!(place.text("figures/x-curve.csv").contains("3.50000"));
}

/// An axis `n` of a program is no side of a board, and its values do not end.
#[test]
fn what_programs_call_n_is_no_board() {
    let place = Workplace::new();
    let figures = "[[figure]]\nname = 'bars'\nkind = 'histogram'\nbin = { column = 'energy' }\n\
                   where = { n = 1 }\n[[figure]]\nname = 'curve'\nx = 'n'\ny = 'energy'\n";
    let command = "['sh', '-c', 'echo energy={trial}']";
    let spec = spec(command, figures).replace("size", "n");
    place.write("x.toml", &spec);
    place.succeed("run x.toml");
    place.succeed("report x.toml");
    let curve = place.text("figures/curve.svg");
    assert!(!curve.contains("side of the board"));
    let bars = place.text("figures/bars.svg");
    assert!(bars.contains("Share of trials in a bin against energy"));
}

/// Two specs may have programs of one name with other axes and columns.
#[test]
fn a_program_belongs_to_its_spec() {
    if !has_python() {
        return;
    }
    let place = with_right("");
    let other = spec("['python3', 'y.py']", "")
        .replace("size = [1, 9]", "size = [0.0, 9.0]")
        .replace("size = [1, 2]", "size = [1.5, 2.0]")
        .replace(
            "energy = { type = 'real', unit = 'J' }",
            "turns = { type = 'count' }",
        );
    place.write(
        "y.py",
        &RIGHT.replace(
            "'energy': int(request['random']) / 2**64 - 0.5",
            "'turns': int(request['random']) % 9",
        ),
    );
    place.write("y.toml", &other);
    place.succeed("run x.toml y.toml");
    place.succeed("list");
    let said = stdout(&place.succeed("list x y"));
    assert!(
        said.contains("size=1.5") && said.contains("size=1 "),
        "{said}"
    );
}

/// Eight trials whose real is −2, −1 … 5: each of four bins from the least to the greatest has two,
/// the ends included. Of their distribution the shares grow by a quarter, after a first step of the
/// least value alone.
#[test]
fn an_own_real_has_a_histogram_and_a_distribution() {
    let place = Workplace::new();
    let bin = "bin = { column = 'energy', count = 4 }\nwhere = { size = 1 }\n";
    let figures = format!(
        "[[figure]]\nname = 'bars'\nkind = 'histogram'\n{bin}\
         [[figure]]\nname = 'steps'\nkind = 'distribution'\n{bin}"
    );
    let command = "['sh', '-c', 'echo energy=$(({trial} - 2))']";
    place.write("x.toml", &spec(command, &figures));
    place.succeed("run x.toml");
    place.succeed("report x.toml");
    let of = |figure: &str, column: &str| -> Vec<f64> {
        let rows = csv(&place.text(format!("figures/{figure}.csv")));
        let numbers = rows
            .iter()
            .map(|row| row[column].parse().expect("a number"));
        numbers.collect()
    };
    assert_eq!(of("bars", "from"), [-2.0, -0.25, 1.5, 3.25]);
    assert_eq!(of("bars", "absorbed_in_bin"), [0.25; 4]);
    assert_eq!(of("steps", "to"), [-2.0, -0.25, 1.5, 3.25, 5.0]);
    assert_eq!(of("steps", "absorbed"), [0.125, 0.25, 0.5, 0.75, 1.0]);
}

/// A search in Python: the rows of the built-in one but for its name.
#[test]
fn a_search_in_python_has_the_rows_of_the_built_in_one() {
    if !has_python() {
        return;
    }
    let place = Workplace::new();
    fs::copy(
        root().join("experiments/programs/lines.py"),
        place.path().join("lines.py"),
    )
    .expect("there");
    let sweep = |name: &str, goal: &str| {
        format!("[[sweep]]\nalgorithm = '{name}'\nn = '1..7'\ngoal = '{goal}'\ncutoff = 2000\n")
    };
    let sweeps = ["count", "first"]
        .map(|goal| sweep("py-lines", goal) + &sweep("lines", goal))
        .concat();
    let spec = format!(
        "seed = 1\n[[program]]\nname = 'py-lines'\ncommand = ['python3', 'lines.py']\nsearch = true\n\
         axes = {{ n = [1, 12] }}\nfills = ['solution', 'solutions', 'nodes', 'checks', 'failures']\n{sweeps}"
    );
    place.write("a.toml", &spec);
    place.succeed("run a.toml");
    let records = place.records("results", "a");
    let of = |name: &str| {
        let own = records
            .iter()
            .filter(|record| record.point.algorithm == name);
        own.map(|record| record.row.outcome.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("py-lines").len(), 14);
    assert_eq!(of("py-lines"), of("lines"));
}

/// Ctrl-C while a program works: its group ends, what is finished stays.
#[test]
fn an_interrupted_run_leaves_no_process() {
    let place = Workplace::new();
    place.write("x.sh", "sleep 300 & sleep 300\n");
    place.write("x.toml", &spec("['sh', 'x.sh']", ""));
    let mark = format!("interrupted-{}", std::process::id());
    let mut run = place.command("run --threads 2 x.toml");
    let run = run
        .env(MARK, &mark)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    crate::program::wait_until("a program is started", || marked(&mark).len() > 2);
    let begun = Instant::now();
    let id = run.id().to_string();
    // SIGINT is ignored where a shell has started the tests in the background.
    Command::new("kill")
        .args(["-TERM", &id])
        .status()
        .expect("kill is there");
    let output = run.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(begun.elapsed() < Duration::from_secs(20));
    crate::program::wait_until("no process is left", || marked(&mark).is_empty());
}

/// The blocks of code of the page on programs, in one language.
fn blocks(language: &str) -> Vec<String> {
    let text = text_of(root().join("docs/programs.md"));
    let begin = format!("\n```{language}\n");
    let behind = text.split(&*begin).skip(1);
    let blocks = behind.filter_map(|block| Some(block.split_once("\n```")?.0.to_owned() + "\n"));
    blocks.collect()
}

/// The walk of the page runs as it stands there, in at most 35 lines, and its figures have
/// intervals. From the middle of −4 … 4 a fair walk takes 16 steps on average to an end, with a
/// standard deviation of √(2/3 · 4 · (16 − 1) · 4) ≈ 12.6: 100 trials, |Z| < 4, a false failure of
/// 6·10⁻⁵ (fixed seed).
#[test]
fn the_walk_of_the_page_runs() {
    if !has_python() {
        return;
    }
    let place = Workplace::new();
    let (walk, spec) = (&blocks("python")[0], &blocks("toml")[0]);
    assert!(walk.lines().count() <= 35);
    place.write("walk.py", walk);
    place.write("walk.toml", spec);
    for command in ["check walk.toml", "run walk.toml", "report walk.toml"] {
        place.succeed(command);
    }
    let table = place.text("figures/walk-time.csv");
    let line = table
        .lines()
        .find(|line| line.starts_with("walk,,,,,0.5,4,"))
        .expect("a point");
    let cells: Vec<&str> = line.split(',').collect();
    let numbers: Vec<f64> = cells[cells.len() - 3..]
        .iter()
        .filter_map(|cell| cell.parse().ok())
        .collect();
    assert!(numbers[1] < numbers[0] && numbers[0] < numbers[2], "{line}");
    let z = (numbers[0] - 16.0) / 1.26;
    assert!(z.abs() < 4.0, "{line}");
    let energy = place.text("figures/walk-energy.svg");
    assert!(energy.contains("mean energy (J)"));
}

/// A spec with a program whose axes and columns are those of an example of the page.
fn example(command: &str, axes: &str, columns: &str, sweep: &str) -> String {
    format!(
        "seed = 1\n[[program]]\nname = 'x'\ncommand = {command}\naxes = {{ {axes} }}\n\
         columns = {{ {columns} }}\n[[sweep]]\nalgorithm = 'x'\n{sweep}\ntrials = 1000\ncutoff = 100\n"
    )
}

/// The numbers of an own column.
fn counts(place: &Workplace, column: &str) -> Vec<u64> {
    use reines::solver::OwnValue;
    let records = place.records("results", "a").into_iter();
    let value = |record: reines::experiment::store::Record| match record.row.outcome.own.get(column)
    {
        Some(OwnValue::Count(count)) => Some(*count),
        _ => None,
    };
    records.filter_map(value).collect()
}

/// The programs of the page in C, a shell and awk. The one that is seeded by `atoi` has as many
/// different streams as there are different numbers of 31 bits: of 1000 trials some 0.0002 pairs
/// are alike.
#[test]
fn the_programs_of_the_page_in_other_languages_run() {
    let place = Workplace::new();
    let counted = |name: &str| format!("{name} = {{ type = 'count' }}");
    if let Some(compiler) = ["cc", "gcc", "clang"].into_iter().find(|name| {
        Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    }) {
        for (name, text) in ["walk", "dice"].iter().zip(blocks("c")) {
            place.write(&format!("{name}.c"), &text);
            let built = place
                .tool(compiler)
                .args(["-O1", "-o", name, &format!("{name}.c")])
                .status();
            assert!(built.is_ok_and(|status| status.success()), "{name}.c");
        }
        let command = "['./walk']\nfiles = ['walk.c']";
        let columns = format!("{}, energy = {{ type = 'real' }}", counted("steps"));
        let spec = example(command, "size = [1, 100]", &columns, "size = 4");
        place.write("a.toml", &spec);
        place.succeed("run a.toml");
        let steps = counts(&place, "steps");
        let mean = steps.iter().sum::<u64>() as f64 / 1000.0;
        // 1000 trials of mean 16 and standard deviation 12.6, as above; |Z| < 4.
        assert!((mean - 16.0).abs() < 4.0 * 0.4, "{mean}");
        fs::remove_dir_all(place.path().join("results")).expect("it is there");
        let command = "['./dice', '--sides={sides}', '--seed={random}', '{random}']";
        let spec = example(
            command,
            "sides = [2, 2000000]",
            &counted("sum"),
            "sides = 2000000",
        );
        place.write("a.toml", &spec);
        place.succeed("run a.toml");
        let mut sums = counts(&place, "sum");
        sums.sort_unstable();
        sums.dedup();
        assert!(sums.len() > 990, "{} different streams", sums.len());
        fs::remove_dir_all(place.path().join("results")).expect("it is there");
    } else {
        skipped("programs in C: no compiler is there");
    }
    place.write("x.sh", &blocks("sh")[1]);
    place.write(
        "a.toml",
        &example(
            "['sh', 'x.sh']",
            "size = [1, 9]",
            &counted("turns"),
            "size = 1",
        ),
    );
    place.succeed("run a.toml");
    let turns = counts(&place, "turns");
    assert!(
        (0..6).all(|turn| turns.contains(&turn)),
        "a shell cannot count so far"
    );
    fs::remove_dir_all(place.path().join("results")).expect("it is there");
    let awk = blocks("toml")
        .into_iter()
        .find(|block| block.starts_with("command = [\"awk\""));
    let awk = awk.expect("an example in awk");
    let command = awk.trim_start_matches("command = ").trim_end();
    let spec = example(
        command,
        "bias = [0.0, 1.0]",
        &counted("turns"),
        "bias = 0.5",
    );
    place.write("a.toml", &spec);
    place.succeed("run a.toml");
    let mean = counts(&place, "turns").iter().sum::<u64>() as f64 / 1000.0;
    // Geometric: mean 1, standard deviation √2; |Z| < 4.
    assert!(
        (mean - 1.0).abs() < 4.0 * 2_f64.sqrt() / 1000_f64.sqrt(),
        "{mean}"
    );
}
