//! Parts and their joining: whatever way rows were saved, the table has the same bytes, and a trial
//! that was saved twice counts once.

use std::cell::RefCell;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use polars::prelude::{Column, IdxCa, PolarsError};
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::experiment::store::rows::Rows;
use reines::experiment::store::schema::{self, SECONDS, TRIALS};
use reines::experiment::store::table::{Axes, GROUP, JoinError, Joined, Table, write};
use reines::experiment::store::{OwnColumns, Point, Record, Row};
use reines::solver::course::Course;
use reines::solver::{Dynamics, Ending, Outcome, Value};

use crate::program::{
    Workplace, bytes_of, files_of, has, lacks, name_of, records_of, root, save_part, stderr,
    text_of,
};

fn key(n: u64, epsilon: f64) -> Arc<Point> {
    let axes = [("n", Value::Integer(n)), ("epsilon", Value::real(epsilon))];
    Arc::new(Point::new("pair", axes))
}

fn record(point: &Arc<Point>, trial: u32, updates: u64) -> Record {
    let row = Row {
        seed: 1,
        trial,
        cutoff: 1 << 40,
        outcome: Outcome {
            absorption_time: Some(updates),
            hitting_time: Some(updates / 2),
            moves: Some(updates.min(7)),
            updates: Some(updates),
            solution: trial.is_multiple_of(2).then(|| {
                (0..point.integer("n").unwrap_or_default() as u32)
                    .rev()
                    .collect()
            }),
            ..Outcome::ended(Ending::Absorbed)
        },
    };
    Record {
        point: Arc::clone(point),
        row,
        dynamics: Some(Dynamics::Stepwise),
        seconds: vec![f64::from(trial)],
        course: Course::default(),
    }
}

/// The columns of a part.
fn part(records: &[Record]) -> Table {
    let axes = Axes::of(records.iter().map(|record| &*record.point));
    let part = schema::part(&axes, &OwnColumns::new(), false, records).expect("our own columns");
    Table::of(part).expect("our own columns")
}

/// The bytes of a file of tables' rows, joined.
fn joined(tables: &[Table]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let joined = Joined::of(tables, &[SECONDS]).map_err(|error| error.to_string())?;
    let header = tables[0].frame.clear();
    let written = write(&header, joined.slices(GROUP), GROUP, None, &mut bytes);
    written.expect("a vector can be written");
    Ok(bytes)
}

fn table(records: &[Record]) -> Table {
    let rows = schema::rows_in(TRIALS, &part(records).frame).expect("a part");
    let bytes = joined(&[Table::of(rows).expect("our own columns")]);
    let most = records.len() as u64;
    Table::of_bytes(bytes.expect("one of each"), most, None).expect("our own bytes")
}

/// Each table of the reference is taken apart into 20 pieces, each in reverse, and some rows are in
/// two of them: joined, they give the same bytes. A row that differs is refused.
#[test]
fn the_bytes_do_not_depend_on_how_rows_were_saved() {
    let mut n_tables = 0;
    for experiment in files_of(&root().join("results/reference"), "") {
        for run in files_of(&experiment, "").iter().filter(|it| it.is_dir()) {
            let bytes = bytes_of(run.join(TRIALS));
            let whole = Table::of_bytes(bytes.clone(), u64::MAX, None).expect("a table");
            // A run of schema 3 has integers without a sign.
            let manifest = text_of(run.join("manifest.toml"));
            let is_of_present_schema = manifest.lines().any(|line| line == "schema = 4");
            let bytes = if is_of_present_schema {
                bytes
            } else {
                let table = Table::of(whole.frame.clone()).expect("the same columns");
                joined(&[table]).expect("the same rows")
            };
            let rows = whole.frame.height() as u32;
            let piece = |rows: Vec<u32>| {
                let rows = whole.frame.take(&IdxCa::from_vec("".into(), rows));
                Table::of(rows.expect("rows that are there")).expect("the same columns")
            };
            let pieces = 0..20.min(rows);
            let reversed = |first| {
                (first..rows)
                    .step_by(20)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev()
            };
            let mut tables: Vec<Table> = pieces
                .map(|first| piece(reversed(first).collect()))
                .collect();
            tables.push(piece((0..rows.min(40)).collect()));
            assert!(joined(&tables).expect("the same rows") == bytes, "{run:?}");
            let mut other = piece(vec![rows / 2]).frame;
            let others = Column::new("moves".into(), [i64::MAX]);
            other.with_column(others).expect("one row");
            tables.push(Table::of(other).expect("the same columns"));
            let error = joined(&tables).expect_err("another row");
            assert!(error.contains("has two different rows"), "{run:?}: {error}");
            n_tables += 1;
        }
    }
    assert!(n_tables > 20, "{n_tables}");
}

/// Three tables, of which the first two share a point and the last two some trials of another one.
fn tables_of_two_points() -> [Vec<Record>; 3] {
    let a = key(4, 0.1);
    let b = key(5, 0.1);
    let of = |point: &Arc<Point>, trials: Range<u32>| -> Vec<Record> {
        trials.map(|trial| record(point, trial, 3)).collect()
    };
    [
        of(&a, 0..50_000),
        [of(&a, 50_000..90_000), of(&b, 0..10)].concat(),
        of(&b, 5..20),
    ]
}

/// The rows are those of one table of all trials. Tables whose rows lie together are loaded once,
/// when their turn comes.
#[test]
fn tables_are_loaded_when_their_turn_comes() {
    let tables = tables_of_two_points();
    let expected = [&tables[0][..], &tables[1], &tables[2][5..]].concat();
    let expected = part(&expected).frame;
    let tables = tables.map(|records| part(&records));
    let orders = tables.each_ref().map(|table| table.order(0).expect("ours"));
    let orders = orders.each_ref().map(Vec::as_slice);
    let loaded = RefCell::new(Vec::new());
    let load = |table: usize| {
        loaded.borrow_mut().push(table);
        Ok(tables[table].frame.clone())
    };
    let header = tables[0].frame.clear();
    let joined = Joined::loading(&orders, header.clone(), Box::new(load), &[SECONDS]);
    let joined = joined.expect("the same rows");
    assert_eq!(joined.height(), 90_020);
    assert_eq!(
        loaded.take(),
        [1, 2],
        "those that share trials are compared"
    );

    let mut rows = header;
    let mut heights = Vec::new();
    for slice in joined.slices(GROUP) {
        let slice = slice.expect("tables in memory");
        heights.push(slice.height());
        rows.vstack_mut(&slice).expect("the same columns");
    }
    assert_eq!(heights, [65_536, 90_020 - 65_536]);
    assert!(rows.equals_missing(&expected));
    assert_eq!(loaded.take(), [0, 1, 2]);
}

/// What a table that cannot be read says reaches the reader of the slices; a row that another table
/// has otherwise is refused when the tables are joined.
#[test]
fn a_table_that_cannot_be_loaded_is_an_error() {
    let [first, second, _] = tables_of_two_points();
    let mut other = second[40_003].clone();
    other.row.outcome.moves = Some(1);
    let tables = [part(&first), part(&second), part(&[other])];
    let orders = tables.each_ref().map(|table| table.order(0).expect("ours"));
    let orders = orders.each_ref().map(Vec::as_slice);
    let header = tables[0].frame.clear();
    let load = |table: usize| match table {
        1 => Err(PolarsError::ComputeError("gone".into())),
        _ => Ok(tables[table].frame.clone()),
    };
    let joined = Joined::loading(&orders[..2], header.clone(), Box::new(load), &[SECONDS]);
    let joined = joined.expect("no trial is in two tables");
    let errors = joined
        .slices(40_000)
        .map(|slice| slice.err().map(|error| error.to_string()));
    let errors: Vec<Option<String>> = errors.collect();
    assert_eq!(
        errors,
        [None, Some("gone".to_owned()), Some("gone".to_owned())]
    );

    let load = |table: usize| Ok(tables[table].frame.clone());
    let joined = Joined::loading(&orders, header, Box::new(load), &[SECONDS]);
    match joined.err() {
        Some(JoinError::Differ { trial, tables }) => {
            assert_eq!(tables, [1, 2]);
            assert!(trial.starts_with("trial 3 of seed 1 at "), "{trial}");
        }
        error => panic!("expected two rows that differ, found {error:?}"),
    }
}

/// No two runs of a trial take the same time: the first counts.
#[test]
fn times_need_not_agree() {
    let first = [record(&key(4, 0.1), 0, 5), record(&key(4, 0.1), 1, 6)];
    let mut second = first[1].clone();
    second.seconds = vec![77.0];
    let tables = [part(&first), part(&[second])];
    assert!(joined(&tables) == joined(&tables[..1]));
}

/// Each point is a range of the rows: points of one row, of more than a row group, and of exactly
/// as many; several seeds; trials cut off; and a table without rows.
#[test]
fn points_have_all_rows() {
    for sizes in [
        vec![],
        vec![1],
        vec![65_536, 1],
        vec![1, 65_535, 2, 70_000, 1],
        vec![16_384, 16_385, 16_383],
    ] {
        let row = |point: &Arc<Point>, place: u32| {
            let mut record = record(point, place / 2, u64::from(place) * 977);
            record.row.seed = 5;
            if place % 7 == 3 {
                record.row.outcome.ending = Ending::Censored;
                record.row.outcome.absorption_time = None;
            }
            record
        };
        let all: Vec<Record> = (4..)
            .zip(&sizes)
            .flat_map(|(n, &size)| {
                let point = key(n, 0.01);
                let mut records: Vec<Record> = (0..size).map(|it| row(&point, it)).collect();
                let second = records.iter_mut().skip(1).step_by(2);
                second.for_each(|record| record.row.seed = i64::MAX as u64);
                records.sort_by_key(|record| (record.row.seed, record.row.trial));
                records
            })
            .collect();
        let points = Rows::by_point(table(&all), &OwnColumns::new()).expect("our own columns");
        let mut points = points.into_iter();
        let mut rest = &all[..];
        for size in sizes {
            let point = points.next().expect("one more");
            let expected;
            (expected, rest) = rest.split_at(size as usize);
            assert_eq!(point.point, *expected[0].point);
            let rows = expected.iter().map(|it| it.row.clone());
            assert!(point.rows.iter().eq(rows));
        }
        assert!(points.next().is_none());
    }
}

/// A process waits for the lock of a damaged run that another one sets aside meanwhile: what it
/// gets then would be the lock of the folder that was set aside.
#[test]
fn a_lock_is_that_of_the_folder_that_is_there() {
    let workplace = Workplace::new();
    let run = workplace.path().join("results/a/0.1.0-00000000-11111111");
    let held = RunFolder::at(&run).lock().expect("nobody has it");
    let waiting = run.clone();
    let waiter = std::thread::spawn(move || RunFolder::at(waiting).lock());
    // The waiter has met the held lock by now, and tries it once more.
    std::thread::sleep(Duration::from_millis(30));
    fs::rename(&run, run.with_extension("damaged-1")).expect("it is there");
    let again = RunFolder::at(&run).lock().expect("nobody has it");
    drop(held);
    let waited = waiter.join().expect("no panic");
    let error = waited.expect_err("it is held").to_string();
    has(&error, "another process is running this plan");
    drop(again);
    RunFolder::at(&run).lock().expect("nobody has it");
}

/// By a run that goes on, too.
#[test]
fn saved_trials_that_differ_are_refused() {
    let workplace = Workplace::with(
        "seed = 1\n[[sweep]]\nalgorithm = \"lines\"\nn = [4, 6]\ncutoff = 1e9\nrepeats = 3\n",
    );
    workplace.succeed("run a.toml --results whole");
    let run = workplace.save_some("", |it| it.point.integer("n") == Some(4));
    let place = workplace.copy();
    place.succeed("run a.toml");
    let bytes = |results| place.bytes(results, "a", "trials.parquet");
    assert!(bytes("results") == bytes("whole"));
    let whole = workplace.complete("whole", "a");
    let mut other = records_of(&whole);
    other.truncate(1);
    other[0].row.outcome.checks = Some(1);
    save_part(&whole, &run, other);
    has(&workplace.ends(1, "run a.toml"), "two different rows");
}

/// Searches and the pair rule, with courses of some: every kind of table.
const TABLES: &str = "title = \"Tables\"\nseed = 1\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 20\ncutoff = 100_000\n\
    series = { at = [0, 100] }\n\
    [[sweep]]\nalgorithm = \"cell\"\nn = 4\nepsilon = 0.1\neta = 0.1\ntrials = 10\n\
    cutoff = 100_000\n\
    [[sweep]]\nalgorithm = \"lines\"\nn = [4, 6]\ncutoff = 1e6\n\
    [[sweep]]\nalgorithm = \"bitboard\"\nn = 4\ncutoff = 1e6\nrepeats = 3\n";

/// How many trials `run` simulated: all but those that it took over.
fn simulated(said: &str, all: usize) -> usize {
    let words: Vec<&str> = said.split_whitespace().collect();
    let taken = words.windows(3).filter(|it| it[1..] == ["trials", "taken"]);
    let taken = taken.map(|it| it[0].parse::<usize>().expect("a number"));
    all - taken.sum::<usize>()
}

/// A name, and what it does to the folder of a run.
type Loss = (&'static str, fn(&Path));

/// What may be lost of a run whose trials are sound: 33 trials, 3 of them searches.
fn losses() -> [Loss; 6] {
    fn lose_times(run: &Path) {
        fs::remove_file(run.join("timings.parquet")).expect("it is there");
    }
    fn harm_times(run: &Path) {
        fs::write(run.join("timings.parquet"), "another machine's").expect("it can be written");
    }
    fn lose_courses(run: &Path) {
        fs::remove_file(run.join("series.parquet")).expect("it is there");
    }
    fn edit_spec(run: &Path, edit: fn(&str) -> String) {
        let file = run.join("spec.toml");
        fs::write(&file, edit(&text_of(&file))).expect("it can be written");
    }
    [
        ("times lost", lose_times),
        ("other times", harm_times),
        ("courses lost", lose_courses),
        ("spec lost", |run| {
            fs::remove_file(run.join("spec.toml")).expect("it is there")
        }),
        ("another title", |run| {
            edit_spec(run, |text| text.replace("Tables", "Other"))
        }),
        ("line ends", |run| {
            edit_spec(run, |text| text.replace('\n', "\r\n"))
        }),
    ]
}

/// Rows whose checksum is right are never made again; what is lost is what is lost: the seconds of
/// searches, and the courses of the 20 trials that have one.
#[test]
fn sound_trials_outlive_the_loss_of_any_other_file() {
    let ready = Workplace::with(TABLES);
    ready.succeed("run -q a");
    let name = name_of(&ready.run("results"));
    let table = |place: &Workplace, file: &str| {
        let run = place.path().join("results/a").join(&name);
        bytes_of(run.join(file))
    };
    for (what, lose) in losses() {
        let place = ready.copy();
        let run = place.run("results");
        lose(&run);
        let said = stderr(&place.succeed("run a"));
        let anew = if what == "courses lost" { 20 } else { 0 };
        assert_eq!(simulated(&said, 33), anew, "{what}: {said}");
        for file in ["trials.parquet", "series.parquet"] {
            assert!(table(&place, file) == table(&ready, file), "{what}: {file}");
        }
        place.succeed("verify");
        has(&stderr(&place.succeed("run a")), "complete already");
        let complete = CompleteRun::at(RunFolder::at(&run)).expect("a complete run");
        let points = complete.points().expect("our own rows");
        let times = complete
            .timings_of_searches(&points)
            .expect("our own times");
        let seconds = times.iter().flat_map(|point| &point.seconds).flatten();
        let are_lost = ["times lost", "other times"].contains(&what);
        let expected = if are_lost { 0 } else { 5 };
        assert_eq!(seconds.count(), expected, "{what}");
        let is_told = said.contains("the seconds of 3 searches");
        assert_eq!(is_told, are_lost, "{what}: {said}");
    }
}

/// A spec with one trial more of the pair rule takes them, too; of the timed search none, since
/// its repeats are timed anew.
#[test]
fn another_plan_takes_sound_trials_whatever_else_is_lost() {
    let ready = Workplace::with(TABLES);
    ready.succeed("run -q a");
    for (what, lose) in losses() {
        let place = ready.copy();
        lose(&place.run("results"));
        place.write("b.toml", &TABLES.replace("trials = 20", "trials = 21"));
        let said = stderr(&place.succeed("run b"));
        let anew = match what {
            "courses lost" => 22,
            _ => 2,
        };
        assert_eq!(simulated(&said, 34), anew, "{what}: {said}");
        place.succeed("run -q b --results fresh");
        let [own, fresh] = ["results", "fresh"].map(|it| place.bytes(it, "b", "trials.parquet"));
        assert!(own == fresh, "{what}");
    }
}

/// A figure of seconds says which it lacks.
#[test]
fn a_figure_says_that_seconds_are_lost() {
    let figure = "[[figure]]\nkind = \"run-time-vs-n\"\nname = \"times\"\n";
    let place = Workplace::with(&format!("{TABLES}{figure}"));
    place.succeed("run -q a");
    lacks(&stderr(&place.succeed("report a")), "lost");
    fs::remove_file(place.run("results").join("timings.parquet")).expect("it is there");
    place.succeed("run -q a");
    has(
        &place.ends(1, "report a"),
        "the seconds of 3 of 3 searches are lost",
    );
    // The searches at a third n are new, and have their seconds.
    let more = TABLES.replace("n = [4, 6]", "n = [4, 6, 7, 8]");
    place.write("a.toml", &format!("{more}{figure}"));
    place.succeed("run -q a");
    place.succeed("report -q a");
    let lost = "he seconds of 2 of 5 searches are lost";
    has(&place.text("figures/times.md"), lost);
}

/// A run whose folder has the name of another gets its own name back, or is set aside where that is
/// taken: its rows count, and the run of the folder's name is made.
#[test]
fn a_run_in_the_place_of_another_makes_way_and_its_rows_count() {
    let present = TABLES.replace("seed = 1", "seed = 2");
    for is_taken in [false, true] {
        let place = Workplace::with(&present);
        place.succeed("run -q a");
        let own = place.run("results");
        let rows = place.bytes("results", "a", "trials.parquet");
        fs::remove_dir_all(&own).expect("it is there");
        place.write("a.toml", TABLES);
        place.succeed("run -q a");
        let old = place.run("results");
        fs::rename(&old, &own).expect("it is there");
        if is_taken {
            let said = stderr(&place.succeed("run a"));
            assert_eq!(simulated(&said, 33), 1, "the timed search alone: {said}");
        }
        place.write("a.toml", &present);
        let said = stderr(&place.succeed("run a"));
        has(&said, "has another run");
        assert_eq!(said.contains(".damaged-1"), is_taken, "{said}");
        assert!(bytes_of(own.join("trials.parquet")) == rows);
        assert!(old.exists());
        place.succeed("verify");
    }
}
