//! Tables that someone made, each with a right checksum: rows that no run can have, of another
//! plan, doubled, out of place, of other types. Found by every command that reads them, and not
//! used. (`trust::forged_tables_end_in_one_sentence` has bytes that are no table.)

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::program::{Workplace, stderr, stdout};
use crate::trust::forge;
use polars::prelude::{
    Column, DataFrame, DataType, NamedFrom, ParquetReader, ParquetWriter, SerReader, Series,
};

/// Every table that a complete run can have.
const SPEC: &str = "seed = 1\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 6\ncutoff = 200_000\n\
    [sweep.series]\nat = [0, 10, 100, 1000]\n[sweep.events]\nkeep = \"moves\"\n\
    [[sweep]]\nalgorithm = \"lines\"\nn = [4, 5, 6]\ncutoff = 1e9\nrepeats = 2\n\
    [[figure]]\nkind = \"time-course\"\n[[figure]]\nkind = \"run-time-vs-n\"\n";

fn workplace() -> (Workplace, PathBuf) {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&["run", "a.toml", "-q", "--results", "whole"]);
    let run = workplace.runs("whole", "a")[0].clone();
    (workplace, run)
}

fn table(bytes: &[u8]) -> DataFrame {
    let reader = ParquetReader::new(Cursor::new(bytes.to_vec()));
    reader.finish().expect("our own file")
}

fn bytes(mut table: DataFrame) -> Vec<u8> {
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes)
        .finish(&mut table)
        .expect("a vector can be written");
    bytes
}

/// What is forged: a name, how, and words of the sentence in which it ends.
type Forgery = (
    &'static str,
    Box<dyn Fn(DataFrame) -> DataFrame>,
    &'static str,
);

fn forgery(
    name: &'static str,
    words: &'static str,
    change: impl Fn(DataFrame) -> DataFrame + 'static,
) -> Forgery {
    (name, Box::new(change), words)
}

fn replaced(mut table: DataFrame, name: &str, values: Series) -> DataFrame {
    let values = values.with_name(name.into());
    table
        .with_column(Column::from(values))
        .expect("as many rows");
    table
}

/// One value of a column of integers becomes another one, or null.
fn count(name: &'static str, row: usize, value: Option<u64>) -> impl Fn(DataFrame) -> DataFrame {
    move |table| {
        let column = table.column(name).expect("a column of the table");
        let (kind, wide) = (
            column.dtype().clone(),
            column.cast(&DataType::UInt64).expect("numbers"),
        );
        let mut values: Vec<Option<u64>> = wide.u64().expect("as cast").iter().collect();
        values[row] = value;
        let values = Series::new("".into(), values);
        replaced(table, name, values.cast(&kind).expect("it fits"))
    }
}

/// One value of a column of real numbers becomes another one, or null.
fn real(name: &'static str, row: usize, value: Option<f64>) -> impl Fn(DataFrame) -> DataFrame {
    move |table| {
        let column = table.column(name).expect("a column of the table");
        let mut values: Vec<Option<f64>> = column.f64().expect("reals").iter().collect();
        values[row] = value;
        replaced(table, name, Series::new("".into(), values))
    }
}

fn without(name: &'static str) -> impl Fn(DataFrame) -> DataFrame {
    move |table| table.drop(name).expect("a column of the table")
}

/// A column of texts in the place of one of numbers.
fn as_text(name: &'static str) -> impl Fn(DataFrame) -> DataFrame {
    move |table| {
        let values = vec!["1"; table.height()];
        replaced(table, name, Series::new("".into(), values))
    }
}

/// The rows in another order, or some of them several times, or not at all.
fn rows(order: impl Fn(usize) -> Vec<usize> + 'static) -> impl Fn(DataFrame) -> DataFrame {
    move |table| {
        let pieces = order(table.height()).into_iter();
        let mut pieces = pieces.map(|row| table.slice(row as i64, 1));
        let first = pieces.next().expect("a row at least");
        pieces.fold(first, |all, row| {
            all.vstack(&row).expect("the same columns")
        })
    }
}

fn doubled(rows: usize) -> Vec<usize> {
    (0..=0).chain(0..=0).chain(2..rows).collect()
}

fn without_the_last(rows: usize) -> Vec<usize> {
    (0..rows - 1).collect()
}

/// Two trials change places.
fn swapped(rows: usize) -> Vec<usize> {
    [1, 0].into_iter().chain(2..rows).collect()
}

/// What may be wrong with any table whose rows have keys.
fn of_keys() -> Vec<Forgery> {
    vec![
        forgery("no seeds", "", without("seed")),
        forgery("texts for seeds", "", as_text("seed")),
        forgery("no algorithm", "", without("algorithm")),
        forgery("a side that is null", "", count("n", 0, None)),
        forgery("a side of another plan", "", count("n", 0, Some(77))),
        forgery("a null trial", "null", count("trial", 0, None)),
        forgery("a trial of another plan", "", count("trial", 0, Some(99))),
        forgery("a seed of another plan", "", count("seed", 0, Some(9))),
        forgery(
            "an ε that is none",
            "NaN",
            real("epsilon", 0, Some(f64::NAN)),
        ),
        forgery("a row too few", "", rows(without_the_last)),
        forgery("doubled", "", rows(doubled)),
        forgery("swapped", "", rows(swapped)),
    ]
}

/// One in [`crate::FORGERIES`] of them, others for each file.
fn some(file: &str, forgeries: Vec<Forgery>) -> impl Iterator<Item = Forgery> {
    #[allow(clippy::modulo_one, reason = "`make verify` tries each")]
    let chosen = (file.len() % crate::FORGERIES..).step_by(crate::FORGERIES);
    let mut forgeries: Vec<Option<Forgery>> = forgeries.into_iter().map(Some).collect();
    let taken: Vec<Forgery> = chosen
        .map_while(|number| forgeries.get_mut(number)?.take())
        .collect();
    assert!(!taken.is_empty(), "nothing is tried");
    taken.into_iter()
}

/// Forges a table of a complete run, one time after the other: none of the commands may use it.
fn assert_found(file: &str, forgeries: Vec<Forgery>, commands: &[&[&str]]) {
    let (workplace, run) = workplace();
    let sound = fs::read(run.join(file)).expect("a complete run has it");
    for (name, change, words) in some(file, forgeries) {
        forge(&run, file, &bytes(change(table(&sound))));
        for arguments in commands {
            let output = workplace.reines(arguments);
            let said = stderr(&output) + &stdout(&output);
            let case = format!("{file}: {name}: {arguments:?}: {said}");
            assert!(matches!(output.status.code(), Some(1 | 2)), "{case}");
            assert!(!said.contains("panicked"), "{case}");
            let is_named = [file, "the course of trial"]
                .iter()
                .any(|it| said.contains(it));
            assert!(is_named && said.contains(words), "{case}");
            for made in ["a.csv", "figures"] {
                assert!(!workplace.path().join(made).exists(), "{case}");
            }
        }
    }
    forge(&run, file, &sound);
    for arguments in commands {
        workplace.succeed(arguments);
    }
}

const VERIFY: &[&str] = &["verify-files", "whole"];
const REPORT: &[&str] = &["report", "--results", "whole"];
const EXPORT: &[&str] = &["export", "a", "--results", "whole", "-o", "a.csv"];

/// The rows of the searches come first: those of `lines`, each of a trial, then those of the rule.
const OF_THE_RULE: usize = 3;

#[test]
fn forged_rows_are_found() {
    let mut forgeries = of_keys();
    let huge = Some(u64::MAX);
    for (name, value) in [
        ("absorption_time", Some(200_001)),
        ("hitting_time", huge),
        ("updates", huge),
        ("moves", huge),
        ("moves_at_hit", huge),
        ("cutoff", Some(7)),
        ("cutoff", None),
    ] {
        let words = if value == huge { name } else { "" };
        forgeries.push(forgery(name, words, count(name, OF_THE_RULE, value)));
    }
    forgeries.push(forgery(
        "outcomes of no kind",
        "outcome",
        as_text("outcome"),
    ));
    forgeries.push(forgery("no outcomes", "", without("outcome")));
    assert_found("trials.parquet", forgeries, &[VERIFY, REPORT, EXPORT]);
}

/// Times that are those of other trials, as many as there are rows, are found by their keys.
#[test]
fn forged_times_are_found() {
    let mut forgeries = of_keys();
    for value in [None, Some(f64::NAN), Some(-1.0), Some(f64::INFINITY)] {
        forgeries.push(forgery(
            "no time",
            "column seconds",
            real("seconds", 4, value),
        ));
    }
    for value in [None, Some(7), Some(u64::from(u32::MAX))] {
        forgeries.push(forgery(
            "no run",
            "column repeat",
            count("repeat", 1, value),
        ));
    }
    forgeries.push(forgery("no times", "", without("seconds")));
    forgeries.push(forgery("texts for times", "", as_text("seconds")));
    assert_found("timings.parquet", forgeries, &[VERIFY, REPORT]);
}

#[test]
fn forged_series_are_found() {
    let mut forgeries = of_keys();
    for (name, value) in [
        ("update", None),
        ("update", Some(u64::MAX)),
        ("update", Some(5)),
        ("threatened", Some(u64::from(u32::MAX))),
        ("conflicts", Some(u64::from(u32::MAX))),
        ("signals", None),
        ("moves", Some(u64::MAX)),
    ] {
        forgeries.push(forgery(name, "", count(name, 1, value)));
    }
    for value in [None, Some(f64::NAN), Some(1.5), Some(1e300)] {
        let change = real("true_signals", 1, value);
        forgeries.push(forgery("a share that is none", "", change));
    }
    forgeries.push(forgery("no counts", "", without("attacked")));
    assert_found("series.parquet", forgeries, &[VERIFY, REPORT]);
}

#[test]
fn forged_moves_are_found() {
    let mut forgeries = of_keys();
    let huge = Some(u64::from(u32::MAX));
    for (name, value) in [
        ("update", None),
        ("update", Some(0)),
        ("update", Some(u64::MAX)),
        ("from", huge),
        ("to", huge),
        ("threatened", huge),
    ] {
        forgeries.push(forgery(name, "", count(name, 0, value)));
    }
    forgeries.push(forgery("no answers", "", as_text("dangerous")));
    forgeries.push(forgery("no cells", "", without("to")));
    assert_found("moves.parquet", forgeries, &[VERIFY, REPORT]);
}

/// The tables of a run of another plan, under this one's checksums.
#[test]
fn tables_of_another_run_are_found() {
    let (workplace, run) = workplace();
    let other = SPEC.replace("seed = 1", "seed = 2");
    workplace.write("b.toml", &other);
    workplace.succeed(&["run", "b.toml", "-q", "--results", "other"]);
    let other = workplace.runs("other", "b")[0].clone();
    let tables = ["trials", "timings", "series", "moves"];
    for file in tables.map(|name| format!("{name}.parquet")) {
        let sound = fs::read(run.join(&file)).expect("a complete run has it");
        forge(
            &run,
            &file,
            &fs::read(other.join(&file)).expect("so has this"),
        );
        for arguments in [VERIFY, REPORT] {
            let output = workplace.reines(arguments);
            let said = stderr(&output) + &stdout(&output);
            assert_eq!(output.status.code(), Some(1), "{file}: {said}");
            assert!(!workplace.path().join("figures").exists(), "{file}");
        }
        forge(&run, &file, &sound);
    }
}

/// What is wrong in a complete run is not taken over from it.
#[test]
fn nothing_forged_is_taken_over() {
    let (workplace, run) = workplace();
    let grown = SPEC.replace("trials = 6", "trials = 7");
    workplace.write("a.toml", &grown);
    workplace.succeed(&["run", "a.toml", "-q", "--results", "fresh"]);
    let tables = ["trials", "series", "moves"].map(|name| format!("{name}.parquet"));
    let expected = tables
        .clone()
        .map(|name| workplace.bytes("fresh", "a", &name));
    for file in [
        "trials.parquet",
        "timings.parquet",
        "series.parquet",
        "moves.parquet",
    ] {
        let sound = fs::read(run.join(file)).expect("a complete run has it");
        for (name, change, _) in some(file, of_keys()) {
            forge(&run, file, &bytes(change(table(&sound))));
            let output = workplace.reines(&["run", "a.toml", "--results", "whole"]);
            let said = stderr(&output);
            let case = format!("{file}: {name}: {said}");
            assert!(
                output.status.success() && !said.contains("panicked"),
                "{case}"
            );
            let own = workplace
                .runs("whole", "a")
                .into_iter()
                .find(|it| *it != run);
            let own = own.expect("two plans, two folders");
            for (table, expected) in tables.iter().zip(&expected) {
                assert!(
                    fs::read(own.join(table)).is_ok_and(|it| it == *expected),
                    "{case}"
                );
            }
            fs::remove_dir_all(own).expect("it is there");
        }
        forge(&run, file, &sound);
    }
}

/// A run of which a half is saved in one part, courses included.
fn begun() -> (Workplace, PathBuf, Vec<u8>) {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&["run", "a.toml", "-q", "--results", "whole"]);
    workplace.succeed(&["run", "a.toml", "-q", "--shard", "0/2"]);
    let run = workplace.runs("results", "a")[0].clone();
    let shard = run.join("shards/0-of-2");
    let part = fs::read(shard.join("shard.parquet")).expect("the shard is complete");
    fs::copy(shard.join("spec.toml"), run.join("spec.toml")).expect("it can be copied");
    fs::remove_dir_all(run.join("shards")).expect("it is there");
    (workplace, run, part)
}

fn of_parts() -> Vec<Forgery> {
    let mut forgeries = of_keys();
    forgeries.retain(|(name, ..)| *name != "a row too few");
    for value in [None, Some(f64::NAN), Some(-1.0)] {
        forgeries.push(forgery("no time", "", real("seconds", 2, value)));
    }
    forgeries.extend([
        forgery("no run", "", count("repeat", 1, None)),
        forgery("a run of another plan", "", count("repeat", 1, Some(7))),
        forgery("huge counts", "", count("updates", 6, Some(u64::MAX))),
        forgery("texts for courses", "", as_text("course")),
        forgery("no courses", "", without("course")),
        forgery("no rows", "", |table| table.clear()),
    ]);
    forgeries
}

/// A part is set aside, its trials run again, and nothing is drawn of it.
#[test]
fn forged_parts_are_set_aside() {
    let (workplace, run, sound) = begun();
    for (name, change, _) in some("part", of_parts()) {
        let forged = bytes(change(table(&sound)));
        let parts = run.join("parts");
        fs::create_dir_all(&parts).expect("it can be made");
        let file = format!("000000-{}.parquet", blake3::hash(&forged).to_hex());
        fs::write(parts.join(&file), &forged).expect("it can be written");
        let is_empty = name == "no rows";
        let report = ["report", "a.toml", "--partial"];
        // A report on an unfinished run does not use courses.
        let commands = if name == "no courses" { 1 } else { 2 };
        for arguments in [&["verify-files"][..], &report].into_iter().take(commands) {
            let output = workplace.reines(arguments);
            let said = stderr(&output) + &stdout(&output);
            let case = format!("{name}: {arguments:?}: {said}");
            assert!(!said.contains("panicked"), "{case}");
            assert!(
                is_empty || !output.status.success() && said.contains(&file),
                "{case}"
            );
            assert!(!workplace.path().join("figures").exists(), "{case}");
        }
        let said = stderr(&workplace.succeed(&["run", "a.toml"]));
        assert!(!said.contains("panicked"), "{name}: {said}");
        assert!(is_empty || said.contains(&file), "{name}: {said}");
        for table in ["trials", "series", "moves"].map(|it| format!("{it}.parquet")) {
            let [own, whole] = ["results", "whole"].map(|it| workplace.bytes(it, "a", &table));
            assert!(own == whole, "{name}: {table}");
        }
        fs::remove_dir_all(&run).expect("it is there");
        fs::create_dir_all(&run).expect("it can be made");
        fs::write(run.join("spec.toml"), SPEC).expect("it can be written");
    }
}

/// A shard with a right checksum is not merged, and the merge says which.
#[test]
fn forged_shards_are_not_merged() {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    for shard in ["0/2", "1/2"] {
        workplace.succeed(&["run", "a.toml", "-q", "--shard", shard]);
    }
    workplace.succeed(&["verify-files"]);
    let run = workplace.runs("results", "a")[0].clone();
    let (shard, kept) = (run.join("shards/0-of-2"), workplace.path().join("kept"));
    copy(&shard, &kept);
    let sound = fs::read(shard.join("shard.parquet")).expect("the shard is complete");
    for (name, change, _) in some("shard", of_parts()) {
        forge(&shard, "shard.parquet", &bytes(change(table(&sound))));
        for arguments in [&["verify-files"][..], &["merge", "a.toml"]] {
            let output = workplace.reines(arguments);
            let said = stderr(&output) + &stdout(&output);
            let case = format!("{name}: {arguments:?}: {said}");
            assert_eq!(output.status.code(), Some(1), "{case}");
            let words = [
                "0-of-2",
                "the rows of the shards are not the trials of the plan",
            ];
            let is_named = words.iter().any(|words| said.contains(words));
            assert!(is_named && !said.contains("panicked"), "{case}");
        }
        assert!(!run.join("manifest.toml").exists(), "{name}");
        for entry in fs::read_dir(run.join("shards")).expect("shards") {
            let path = entry.expect("an entry").path();
            if path.display().to_string().contains("0-of-2") {
                fs::remove_dir_all(path).expect("ours");
            }
        }
        copy(&kept, &shard);
    }
    workplace.succeed(&["merge", "a.toml"]);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it can be listed") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a file");
    }
}
