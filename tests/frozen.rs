//! Trials of earlier code versions: each gives the same facts again.

use std::fs;

use reines::experiment::store::Record;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::solver::local;
use reines::solver::outcome::COLUMNS;
use reines::solver::{Control, Dynamics, Key, prepare};

use crate::program::{
    Workplace, bytes_of, copy_folder, files_of, has, interrupt, name_of, records_of, root, stderr,
    stdout, text_of, wait_until, write_manifest,
};

/// The trial of a row has the row's values in all columns that the row has: those that came later
/// are null in older files.
fn assert_same_again(record: &Record, dynamics: Dynamics) {
    let Record { point, row, .. } = record;
    let key = Key {
        seed: row.seed,
        trial: row.trial,
    };
    let prepared = prepare(point, Some(dynamics));
    let gave = prepared(key, row.cutoff, &Control::unstopped());
    let (outcome, _) = gave.expect("no stop is asked for");
    assert_eq!(outcome.ending, row.outcome.ending, "{point}");
    for column in COLUMNS.iter().filter(|it| it.is_filled(&row.outcome)) {
        let is_same = column.is_equal(&outcome, &row.outcome);
        assert!(is_same, "{} of trial {} of {point}", column.name, row.trial);
    }
}

/// Runs the first two trials of every point of a local rule again that says how it was simulated,
/// unless they take long. Returns how many.
fn again(records: &[Record]) -> u32 {
    let mut n_again = 0;
    for record in records {
        let is_rule = local::rule(&record.point.algorithm).is_some();
        let is_short = record.row.outcome.updates.is_some_and(|it| it < 500_000);
        let is_taken = is_rule && is_short && record.row.trial < 2;
        if let Some(dynamics) = record.dynamics.filter(|_| is_taken) {
            assert_same_again(record, dynamics);
            n_again += 1;
        }
    }
    n_again
}

/// The reference was written by earlier versions: new columns have not changed a value of the old
/// ones.
#[test]
fn trials_of_the_reference_have_the_same_facts_again() {
    let reference = root().join("results/reference");
    let mut n_again = 0;
    for experiment in ["epsilon", "rules", "epsilon-eta"] {
        let entries = fs::read_dir(reference.join(experiment)).expect("a reference");
        let paths = entries.map(|entry| entry.expect("readable").path());
        // Beside a run there is the link to its table.
        for path in paths.filter(|path| path.is_dir()) {
            let folder = RunFolder::at(path);
            let run = CompleteRun::at(folder).expect("a complete run");
            n_again += again(&records_of(&run));
        }
    }
    assert!(n_again > 100, "{n_again} trials were short enough");
}

/// A workplace with the runs that 9ffd26ee made: a search, local rules, one with courses, one of
/// another dynamics than now, and one that is unfinished.
fn frozen() -> Workplace {
    let place = Workplace::new();
    let runs = root().join("tests/data/frozen/9ffd26ee");
    copy_folder(&runs, &place.path().join("results"));
    place
}

#[test]
fn runs_of_an_earlier_program_are_listed_verified_reported_compared_and_exported() {
    let place = frozen();
    let said = stdout(&place.succeed("list"));
    let states: Vec<&str> = said.lines().collect();
    for complete in ["frozen-search", "frozen-rule", "frozen-course"] {
        let state = states.iter().find(|line| line.starts_with(complete));
        assert!(state.is_some_and(|it| it.contains(" complete")), "{said}");
        let run = format!("results/{complete}");
        place.succeed(format!("verify {run}"));
        place.succeed(format!("diff --identical {run} {run}"));
        let rows = stdout(&place.succeed(format!("export -o {complete}.csv {run}")));
        assert_eq!(rows, "", "{run}");
        let spec = format!("--results results --figures figures {complete}");
        place.succeed(format!("report -q {spec}"));
    }
    let said = place.ends(1, "list frozen-unfinished");
    assert!(said.contains("0 of 60 trials"), "{said}");
    let lines = |name: &str| place.text(format!("{name}.csv")).lines().count();
    let counts = ["frozen-search", "frozen-rule", "frozen-course"].map(lines);
    assert_eq!(counts, [1 + 3, 1 + 192, 1 + 12]);
    let svg = files_of(&place.path().join("figures"), ".svg");
    assert!(svg.len() >= 3, "{svg:?}");
}

/// It was made from a spec with `events`, which this program has no more.
#[test]
fn a_run_with_moves_keeps_its_rows_and_loses_its_plan() {
    let place = frozen();
    let run = place.runs("results", "frozen-course").remove(0);
    let path = format!("results/frozen-course/{}", name_of(&run));
    for named in ["frozen-course", &path] {
        let said = stderr(&place.succeed(format!("report {named}")));
        for words in [
            "spec.toml:12:1: events.keep = \"moves\": unknown key",
            "the run has its rows and no plan",
            "spec.toml:18:8: kind = \"waiting-times\": unknown figure kind",
        ] {
            has(&said, words);
        }
    }
    for command in ["run", "check", "replay"] {
        let said = place.ends(2, format!("{command} {path}"));
        has(&said, "spec.toml:12:1: events");
    }
    let moves = run.join("moves.parquet");
    let mut bytes = bytes_of(&moves);
    bytes[100] ^= 1;
    fs::write(&moves, bytes).expect("it can be written");
    let said = place.ends(1, format!("verify {path}"));
    has(&said, "moves.parquet: its BLAKE3 is");
}

/// Runs of schema 3, whose integers have no sign, are read: their rows are those that this program
/// makes of the same spec.
#[test]
fn rows_without_a_sign_are_those_of_today() {
    let place = Workplace::new();
    let runs = root().join("tests/data/frozen/4e0a64b0");
    copy_folder(&runs, &place.path().join("results"));
    let old = place.runs("results", "frozen-mixed").remove(0);
    fs::copy(
        old.join("spec.toml"),
        place.path().join("frozen-mixed.toml"),
    )
    .expect("its spec");
    place.succeed("run -q frozen-mixed.toml --results fresh");
    let path = format!("results/frozen-mixed/{}", name_of(&old));
    let said = stdout(&place.succeed(format!("diff --identical {path} fresh/frozen-mixed")));
    has(&said, "identical: 4 points with identical rows");
    place.succeed(format!("verify {path}"));
    place.succeed(format!("export -o old.csv {path}"));
    place.succeed("export -o new.csv fresh/frozen-mixed");
    assert_eq!(place.text("old.csv"), place.text("new.csv"));
}

/// A seed that the columns of this program cannot hold: the run is named and left as it is.
#[test]
fn a_run_with_a_seed_above_the_largest_integer_is_left_as_it_is() {
    let place = Workplace::new();
    let runs = root().join("tests/data/frozen/4e0a64b0");
    copy_folder(&runs, &place.path().join("results"));
    let old = place.runs("results", "frozen-large-seed").remove(0);
    let before: Vec<Vec<u8>> = files_of(&old, "")
        .iter()
        .map(|file| bytes_of(file))
        .collect();
    let path = format!("results/frozen-large-seed/{}", name_of(&old));
    let said = place.succeed(format!("report {path}"));
    has(&stderr(&said), "the run has its rows and no plan");
    for command in ["export -o a.csv", "diff results/frozen-mixed"] {
        let said = place.ends(3, format!("{command} {path}"));
        has(
            &said,
            "column seed: 18446744073709551615; this program reads integers to",
        );
        has(&said, "the run is left as it is");
    }
    let said = place.succeed(format!("list {path}"));
    has(&stdout(&said), "complete, 3 trials");
    let said = place.ends(1, format!("verify {path}"));
    assert!(!said.contains("DAMAGED"), "{said}");
    let after: Vec<Vec<u8>> = files_of(&old, "")
        .iter()
        .map(|file| bytes_of(file))
        .collect();
    assert!(before == after, "a file was changed");
}

/// The run under way has a part that is a folder, as 9ffd26ee saved it. Its other trials take
/// days.
#[test]
fn a_part_that_is_a_folder_is_set_aside_with_a_word() {
    let place = frozen();
    let old = place.runs("results", "frozen-unfinished").remove(0);
    let spec = place.path().join("frozen-unfinished.toml");
    fs::copy(old.join("spec.toml"), spec).expect("its spec");
    let run = |results: &str, begun: &dyn Fn() -> bool| {
        let child = place.start(format!("run frozen-unfinished.toml --results {results}"));
        wait_until("it has begun", begun);
        stderr(&interrupt(child))
    };
    let fresh = place.path().join("fresh/frozen-unfinished");
    let has_run = || fresh.exists() && !place.runs("fresh", "frozen-unfinished").is_empty();
    run("fresh", &has_run);
    let here = old.with_file_name(name_of(&files_of(&fresh, "")[0]));
    fs::rename(&old, &here).expect("a name that is free");
    let kept = here.join("part-000000.damaged-1");
    let said = run("results", &|| kept.exists());
    has(
        &said,
        "parts/000000: a folder, as an earlier program saved a part",
    );
    assert!(kept.join("trials.parquet").exists(), "{said}");
}

/// Of its points, n = 9 ran in lanes; `auto` now takes the stepwise dynamics there.
#[test]
fn a_run_whose_dynamics_auto_takes_no_more_keeps_its_rows_and_loses_its_plan() {
    let place = frozen();
    let old = place.runs("results", "frozen-auto").remove(0);
    let path = format!("results/frozen-auto/{}", name_of(&old));
    let said = stderr(&place.succeed(format!("report {path}")));
    has(&said, "this program makes no plan f30ea99e of it");
    has(&said, "the run has its rows and no plan");
    place.succeed(format!("verify {path}"));
    fs::copy(old.join("spec.toml"), place.path().join("frozen-auto.toml")).expect("its spec");
    place.succeed("run -q frozen-auto.toml --results fresh");
    let said = stdout(&place.succeed(format!("diff {path} fresh/frozen-auto")));
    has(&said, "1 point with 20 trials identical, 1 with other rows");
    has(&said, "compatible: 1 of 2 points");
    place.ends(1, format!("diff --identical {path} fresh/frozen-auto"));
}

/// Its parts of the code have other hashes. With those of the present code in their place its rows
/// are taken over, and those that are missing run.
#[test]
fn rows_of_an_earlier_program_are_taken_over_where_its_code_was_the_same() {
    let place = frozen();
    let old = place.runs("results", "frozen-rule").remove(0);
    fs::copy(old.join("spec.toml"), place.path().join("frozen-rule.toml")).expect("its spec");
    place.succeed("run -q frozen-rule.toml --results fresh");
    let fresh = place.runs("fresh", "frozen-rule").remove(0);
    let present: toml::Table = text_of(fresh.join("manifest.toml")).parse().expect("TOML");
    let mut manifest: toml::Table = text_of(old.join("manifest.toml")).parse().expect("TOML");
    for key in ["parts", "code_version"] {
        manifest[key] = present[key].clone();
    }
    write_manifest(old.join("manifest.toml"), &manifest.to_string());
    let here = old.with_file_name(name_of(&fresh));
    fs::rename(&old, &here).expect("a name that is free");
    let again = stderr(&place.succeed("run frozen-rule.toml"));
    assert!(again.contains("complete already"), "{again}");
    let more = stderr(&place.succeed("run frozen-rule.toml -s trials=13"));
    assert!(more.contains("192 trials taken over from"), "{more}");
    place.succeed("run -q frozen-rule.toml -s trials=13 --results fresh");
    let table = |results: &str| {
        let run = place.runs(results, "frozen-rule-with-trials-13").remove(0);
        bytes_of(run.join("trials.parquet"))
    };
    assert!(table("results") == table("fresh"), "other bytes");
}
