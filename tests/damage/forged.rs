//! Tables that someone made, each with a right checksum: rows that no run can have, of another
//! plan, doubled, out of place, of other types; and bytes that are no table.

use std::fs;
use std::io::Cursor;

use polars::prelude::{
    Column, DataFrame, DataType, NamedFrom, ParquetReader, ParquetWriter, SerReader, Series,
};
use rayon::prelude::*;

use super::{
    MADE, MOVES, ROWS, SERIES, SPEC, TIMINGS, TRIALS, assert_as_whole, begun, complete, shard,
    sharded,
};
use crate::program::{Workplace, bytes_of, forge, has, save_part, stderr};

pub fn table(bytes: &[u8]) -> DataFrame {
    let reader = ParquetReader::new(Cursor::new(bytes.to_vec()));
    reader.finish().expect("our own file")
}

pub fn bytes(mut table: DataFrame) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = ParquetWriter::new(&mut bytes);
    writer.finish(&mut table).expect("a vector can be written");
    bytes
}

type Change = Box<dyn Fn(DataFrame) -> DataFrame + Send + Sync>;

/// What is forged: a name, words of the sentence in which it ends, and how.
type Forgery = (&'static str, &'static str, Change);

fn replaced(mut table: DataFrame, name: &str, values: Series) -> DataFrame {
    let column = Column::from(values.with_name(name.into()));
    table.with_column(column).expect("as many rows");
    table
}

/// One value of a column of integers becomes another one, or null.
pub fn count(name: &'static str, row: usize, value: Option<u64>) -> Change {
    Box::new(move |table| {
        let column = table.column(name).expect("a column of the table");
        let (kind, wide) = (column.dtype().clone(), column.cast(&DataType::UInt64));
        let wide = wide.expect("numbers");
        let mut values: Vec<Option<u64>> = wide.u64().expect("as cast").iter().collect();
        let row = row.min(values.len() - 1);
        values[row] = value;
        let values = Series::new("".into(), values);
        replaced(table, name, values.cast(&kind).expect("it fits"))
    })
}

/// One value of a column of real numbers becomes another one, or null.
fn real(name: &'static str, row: usize, value: Option<f64>) -> Change {
    Box::new(move |table| {
        let column = table.column(name).expect("a column of the table");
        let mut values: Vec<Option<f64>> = column.f64().expect("reals").iter().collect();
        values[row] = value;
        replaced(table, name, Series::new("".into(), values))
    })
}

fn without(name: &'static str) -> Change {
    Box::new(move |table| table.drop(name).expect("a column of the table"))
}

/// A column of texts in the place of one of numbers.
fn as_text(name: &'static str) -> Change {
    Box::new(move |table| {
        let values = vec!["1"; table.height()];
        replaced(table, name, Series::new("".into(), values))
    })
}

/// The rows in another order, or some of them several times, or not at all.
fn rows(order: fn(usize) -> Vec<usize>) -> Change {
    Box::new(move |table| {
        let rows = order(table.height()).into_iter();
        let pieces = rows.map(|row| table.slice(row as i64, 1));
        let join = |all: DataFrame, row: DataFrame| all.vstack(&row).expect("the same columns");
        pieces.reduce(join).expect("a row at least")
    })
}

/// What may be wrong with any table whose rows have keys.
fn of_keys() -> Vec<Forgery> {
    vec![
        ("no seeds", "", without("seed")),
        ("texts for seeds", "", as_text("seed")),
        ("no algorithm", "", without("algorithm")),
        ("a side that is null", "", count("n", 0, None)),
        ("a side of another plan", "", count("n", 0, Some(77))),
        ("a null trial", "null", count("trial", 0, None)),
        ("a trial of another plan", "", count("trial", 0, Some(99))),
        ("a seed of another plan", "", count("seed", 0, Some(9))),
        (
            "an ε that is none",
            "NaN",
            real("epsilon", 0, Some(f64::NAN)),
        ),
        ("a row too few", "", rows(|rows| (0..rows - 1).collect())),
        (
            "doubled",
            "",
            rows(|rows| (0..1).chain(0..1).chain(2..rows).collect()),
        ),
        (
            "swapped",
            "",
            rows(|rows| [1, 0].into_iter().chain(2..rows).collect()),
        ),
    ]
}

/// The rows of the searches come first: those of `lines`, each of a trial, then those of the rule.
const OF_THE_RULE: usize = 3;

/// The last row, one of the rule's: a part or a shard has some of the rows.
const LAST: usize = usize::MAX;

fn of_table(file: &str) -> Vec<Forgery> {
    const HUGE: Option<u64> = Some(u64::MAX);
    const HUGE_32: Option<u64> = Some(u32::MAX as u64);
    let own: Vec<Forgery> = match file {
        TRIALS => vec![
            (
                "later than the cutoff",
                "",
                count("absorption_time", OF_THE_RULE, Some(200_001)),
            ),
            (
                "huge",
                "hitting_time",
                count("hitting_time", OF_THE_RULE, HUGE),
            ),
            ("huge", "updates", count("updates", OF_THE_RULE, HUGE)),
            ("huge", "moves", count("moves", OF_THE_RULE, HUGE)),
            (
                "huge",
                "moves_at_hit",
                count("moves_at_hit", OF_THE_RULE, HUGE),
            ),
            ("another cutoff", "", count("cutoff", OF_THE_RULE, Some(7))),
            ("no cutoff", "", count("cutoff", OF_THE_RULE, None)),
            ("outcomes of no kind", "outcome", as_text("outcome")),
            ("no outcomes", "", without("outcome")),
        ],
        TIMINGS => vec![
            ("null", "column seconds", real("seconds", 4, None)),
            (
                "no number",
                "column seconds",
                real("seconds", 4, Some(f64::NAN)),
            ),
            (
                "before it began",
                "column seconds",
                real("seconds", 4, Some(-1.0)),
            ),
            (
                "endless",
                "column seconds",
                real("seconds", 4, Some(f64::INFINITY)),
            ),
            ("null", "column repeat", count("repeat", 1, None)),
            (
                "another repeat",
                "column repeat",
                count("repeat", 1, Some(7)),
            ),
            ("huge", "column repeat", count("repeat", 1, HUGE_32)),
            ("no times", "", without("seconds")),
            ("texts for times", "", as_text("seconds")),
        ],
        SERIES => vec![
            ("null", "", count("update", 1, None)),
            ("huge", "", count("update", 1, HUGE)),
            ("between the moments", "", count("update", 1, Some(5))),
            ("huge", "", count("threatened", 1, HUGE_32)),
            ("huge", "", count("conflicts", 1, HUGE_32)),
            ("null", "", count("signals", 1, None)),
            ("huge", "", count("moves", 1, HUGE)),
            ("null", "", real("true_signals", 1, None)),
            ("no number", "", real("true_signals", 1, Some(f64::NAN))),
            ("more than all", "", real("true_signals", 1, Some(1.5))),
            ("no counts", "", without("attacked")),
        ],
        MOVES => vec![
            ("null", "", count("update", 0, None)),
            ("before the start", "", count("update", 0, Some(0))),
            ("huge", "", count("update", 0, HUGE)),
            ("beyond the board", "", count("from", 0, HUGE_32)),
            ("beyond the board", "", count("to", 0, HUGE_32)),
            ("huge", "", count("threatened", 0, HUGE_32)),
            ("no answers", "", as_text("dangerous")),
            ("no cells", "", without("to")),
        ],
        _ => vec![
            ("null", "", real("seconds", 2, None)),
            ("no number", "", real("seconds", 2, Some(f64::NAN))),
            ("null", "", count("repeat", 1, None)),
            ("another repeat", "", count("repeat", 1, Some(7))),
            ("huge", "", count("updates", LAST, HUGE)),
            ("texts for courses", "", as_text("course")),
            (
                "courses of other trials",
                "",
                Box::new(|table| {
                    let shifted = table.column("course").expect("a column").shift(1);
                    replaced(table, "course", shifted.take_materialized_series())
                }),
            ),
        ],
    };
    let all = of_keys().into_iter().chain(own);
    // A part may well have one row less.
    let all = all.filter(|(name, ..)| file.ends_with(".parquet") || *name != "a row too few");
    #[allow(clippy::modulo_one, reason = "`make verify` tries each")]
    let chosen = file.len() % crate::FORGERIES;
    all.skip(chosen).step_by(crate::FORGERIES).collect()
}

/// What the commands say of a table of the run in `results` that was forged.
fn assert_found(place: &Workplace, commands: &[&str], case: &str, words: &[&str]) {
    for command in commands {
        let output = place.reines(*command);
        let said = stderr(&output) + &crate::program::stdout(&output);
        let is_refused = matches!(output.status.code(), Some(1 | 2)) && !said.contains("panicked");
        assert!(is_refused, "{case}: {command}: {said}");
        let is_named = words.iter().any(|words| said.contains(words));
        assert!(is_named, "{case}: {command}: none of {words:?} in {said}");
        for made in MADE {
            assert!(!place.path().join(made).exists(), "{case}: {command}");
        }
    }
}

/// None of the commands uses it, and a grown spec takes nothing of it.
#[test]
fn forged_tables_are_found() {
    let ready = complete();
    ready.write("a.toml", &SPEC.replace("trials = 6", "trials = 7"));
    ready.succeed("run a.toml -q --results fresh");
    let run = ready.run("results");
    [TRIALS, TIMINGS, SERIES, MOVES]
        .par_iter()
        .for_each(|file| {
            let place = ready.copy();
            let own = place
                .path()
                .join(run.strip_prefix(ready.path()).expect("in it"));
            let sound = bytes_of(own.join(file));
            let export = &["export a -o a.csv"][..usize::from(*file == TRIALS)];
            let commands = [&["verify results", "report"], export].concat();
            for (name, words, change) in of_table(file) {
                let case = format!("{file}: {name}");
                forge(&own, file, &bytes(change(table(&sound))));
                assert_found(&place, &commands, &case, &[file, "the course of trial"]);
                let output = place.reines("verify results");
                has(&crate::program::stdout(&output), words);
                if of_keys().iter().any(|it| it.0 == name) {
                    assert_not_taken_over(&place, &own, &case);
                }
            }
            forge(&own, file, &sound);
            place.succeed("verify results");
        });
}

fn assert_not_taken_over(place: &Workplace, forged: &std::path::Path, case: &str) {
    lacks_panic(&stderr(&place.succeed("run a.toml")), case);
    let runs = place.runs("results", "a");
    let own = runs
        .iter()
        .find(|it| *it != forged)
        .expect("two plans, two folders");
    for table in ROWS {
        let is_same = bytes_of(own.join(table)) == place.bytes("fresh", "a", table);
        assert!(is_same, "{case}: {table}");
    }
    fs::remove_dir_all(own).expect("it is there");
}

fn lacks_panic(said: &str, case: &str) {
    assert!(!said.contains("panicked"), "{case}: {said}");
}

/// Bytes that are no table of ours, though the manifest has their checksum.
#[test]
fn what_is_no_table_ends_in_one_sentence() {
    let place = complete();
    let run = place.run("results");
    let sound = bytes_of(run.join(TRIALS));
    let cases: [(&[u8], &str); 6] = [
        (b"", "too short"),
        (&sound[..7], "too short"),
        (&sound[..sound.len() - 9], ""),
        (b"PAR1 this is no table at all PAR1", ""),
        (&[&[0xff; 40][..], b"PAR1"].concat(), "its footer is longer"),
        (
            include_bytes!("../data/hostile/decimal.parquet"),
            "column n",
        ),
    ];
    for (bytes, words) in cases {
        forge(&run, TRIALS, bytes);
        let commands = ["report", "export a -o a.csv", "verify results"];
        assert_found(&place, &commands, words, &[TRIALS]);
        has(&place.ends(1, "verify results"), words);
    }
}

/// A part is set aside, its trials run again, and nothing is drawn of it.
#[test]
fn forged_parts_are_set_aside() {
    let (ready, _, sound) = begun();
    of_table("part").par_iter().for_each(|(name, _, change)| {
        let place = ready.copy();
        let run = place.run("results");
        fs::remove_dir_all(run.join("parts")).expect("it is there");
        let part = save_part(&run, 0, &bytes(change(table(&sound))));
        println!("{name}");
        super::assert_set_aside(&place, &part, name);
    });
    // Without rows it is no damage; without courses, a report needs none of them.
    for change in [
        Box::new(|table: DataFrame| table.clear()) as Change,
        without("course"),
    ] {
        let place = ready.copy();
        let run = place.run("results");
        fs::remove_dir_all(run.join("parts")).expect("it is there");
        save_part(&run, 0, &bytes(change(table(&sound))));
        lacks_panic(
            &stderr(&place.succeed("run a.toml")),
            "no rows or no courses",
        );
        assert_as_whole(&place, "no rows or no courses");
    }
}

/// A shard with a right checksum, and rows that are none of its plan: `run` says which, takes no
/// row of it, and simulates its trials again.
#[test]
fn forged_shards_are_not_taken() {
    let ready = sharded();
    let sound = bytes_of(shard(&ready, "0-of-2").join("shard.parquet"));
    for (name, _, change) in of_table("shard") {
        let place = ready.copy();
        let own = shard(&place, "0-of-2");
        forge(&own, "shard.parquet", &bytes(change(table(&sound))));
        has(&place.ends(1, "verify results"), "0-of-2");
        let said = stderr(&place.succeed("run a.toml"));
        has(&said, "0-of-2");
        has(&said, "set aside");
        assert_as_whole(&place, name);
    }
}

/// Rows of a plain plan under the name of one whose rows decide when it ends: every checksum is
/// right, the number of rows is not. Those that are missing run, those that are too many are left.
#[test]
fn shards_that_lack_trials_or_have_too_many_make_the_same_run() {
    let spec = |trials: &str| {
        let sweep = "[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.05\ncutoff = 2e6\n";
        format!("seed = 1\n{sweep}trials = {trials}\n")
    };
    let sequential = "{ min = 30, max = 5000, precision = 0.1 }";
    let place = Workplace::with(&spec(sequential));
    place.succeed("run a.toml -q --results whole");
    let right = place.trials("whole", "a")[0].rows.len();
    let hash = |run: &std::path::Path| {
        let name = crate::program::name_of(run);
        name.rsplit_once('-').expect("a plan hash").1.to_owned()
    };
    for trials in [right / 2, right * 2] {
        let _ = fs::remove_dir_all(place.path().join("results"));
        place.write("a.toml", &spec(&trials.to_string()));
        place.succeed("run a.toml -q --shard 0/1");
        let plain = place.run("results");
        place.write("a.toml", &spec(sequential));
        place.succeed("run a.toml -q --shard 0/1");
        let runs = place.runs("results", "a");
        let own = runs
            .iter()
            .find(|run| **run != plain)
            .expect("two plans, two folders");
        let [from, to] = [&plain, own].map(|run| run.join("shards/0-of-1"));
        fs::copy(from.join("shard.parquet"), to.join("shard.parquet")).expect("a copy");
        let text = crate::program::text_of(from.join("manifest.toml"));
        let text = text.replace(&hash(&plain), &hash(own));
        crate::program::write_manifest(to.join("manifest.toml"), &text);
        place.succeed("run a.toml -q");
        let tables = [own.clone(), place.run("whole")].map(|run| bytes_of(run.join(TRIALS)));
        assert!(tables[0] == tables[1], "{trials} trials");
    }
}
