//! What users of other programs guess works here, or is told the line to write.

use std::fs;

use crate::program::{Workplace, has, stdout};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\ntrials = 3\ncutoff = 1e6\n\
                    [[sweep]]\nalgorithm = \"cell\"\nn = 4\nepsilon = 0.1\neta = 0\ntrials = 3\ncutoff = 1e6\n";

/// Options for keys change every sweep that has the key, and the name says so.
#[test]
fn options_are_keys_of_the_spec() {
    let place = Workplace::with(SPEC);
    let checked = |options: &str| {
        let json = place.json(format!("check a.toml --json {options}"));
        let points = json[0]["points"].as_array().map_or(0, Vec::len);
        let name = json[0]["experiment"].as_str().map(str::to_owned);
        (name.unwrap_or_default(), points, json[0]["trials"].as_u64())
    };
    for (options, name, points, trials) in [
        ("", "a", 3, 9),
        ("--trials 20", "a-with-trials-20", 3, 60),
        ("--n 4..6", "a-with-n-4..6", 6, 18),
        ("--n 4,6", "a-with-n-4-6", 4, 12),
        ("--epsilon 0.1,0.2", "a-with-epsilon-0.1-0.2", 6, 18),
        ("--seed 7 --trials 4", "a-with-trials-4-seed-7", 3, 12),
        ("-s seeds=4,5,6", "a-with-seeds-4-5-6", 3, 27),
        ("--only n=4..4", "a", 2, 6),
        ("--only n=5..9", "a", 1, 3),
    ] {
        assert_eq!(
            checked(options),
            (name.to_owned(), points, Some(trials)),
            "{options}"
        );
    }
}

#[test]
fn run_takes_a_file_of_experiments_and_can_run_nothing() {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    place.write("experiments/b.toml", SPEC);
    let told = stdout(&place.succeed("run b.toml --dry-run"));
    assert_eq!(told, stdout(&place.succeed("check b")));
    assert!(!place.path().join("results").exists());
}

#[test]
fn what_cannot_work_is_told_the_form() {
    let place = Workplace::with(&SPEC.replace("[4, 5]", "\"4-7\""));
    has(
        &place.ends(2, "check a.toml"),
        "n = \"4-7\": expected an integer from 1 to 64, or a range as \"4..7\"",
    );
    place.write(
        "a.toml",
        &SPEC.replacen("\"pair\"", "[\"pair\", \"cell\"]", 1),
    );
    has(
        &place.ends(2, "check a.toml"),
        "expected one algorithm, and a second [[sweep]] for another",
    );
}

/// Every column of the table is listed, in its order, and only those.
#[test]
fn list_columns_has_all_columns() {
    let place = Workplace::with(SPEC);
    place.succeed("run -q a.toml");
    place.succeed("export -q a -o a.csv");
    let csv = place.text("a.csv");
    let header = csv.lines().next().expect("a header");
    let listed = place.json("list columns --json");
    let listed = listed["columns"].as_array().expect("a list");
    let listed: Vec<&str> = listed.iter().filter_map(|it| it["name"].as_str()).collect();
    for column in header.split(',').filter(|it| *it != "experiment") {
        assert!(listed.contains(&column), "{column}");
    }
    assert_eq!(
        &listed[..5],
        ["algorithm", "variant", "n", "epsilon", "eta"]
    );
}

/// A board without a solution is told before its trial runs to the cutoff.
#[test]
fn solve_warns_of_boards_without_a_solution() {
    let place = Workplace::new();
    let output = place.reines("solve --algorithm pair --n 3 --epsilon 0.1 --cutoff 1000");
    has(
        &crate::program::stderr(&output),
        "warning: n = 3 has no solution",
    );
}

/// The README's spec is what `new` writes, and it can be run as it is.
#[test]
fn a_new_spec_is_the_one_of_the_readme() {
    let place = Workplace::new();
    place.succeed("new mine");
    let spec = place.text("experiments/mine.toml");
    has(
        &crate::program::text_of("README.md"),
        &format!("# experiments/mine.toml\n{spec}```\n"),
    );
    has(
        &place.ends(2, "new mine"),
        "experiments/mine.toml: it exists",
    );
    has(
        &place.ends(2, "new ../mine"),
        "expected 1 to 70 ASCII letters",
    );
    place.succeed("check mine");
}
