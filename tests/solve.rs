//! `reines solve`, `count` and `density` as a user meets them.

use std::collections::BTreeSet;

use crate::program::{Words, Workplace, has, lacks, stderr, stdout};

fn told(arguments: impl Words) -> String {
    stdout(&Workplace::new().succeed(arguments))
}

fn json(arguments: impl Words) -> serde_json::Value {
    serde_json::from_str(&told(arguments)).expect("JSON")
}

/// The queens of boards printed with `--plain`, row by row.
fn columns(text: &str) -> Vec<usize> {
    text.lines()
        .filter_map(|line| line.find('Q').filter(|_| line.starts_with('|')))
        .map(|place| place / 4)
        .collect()
}

/// Both solutions of n = 4, by hand, in the text's style.
#[test]
fn boards_are_printed_as_the_text_prints_them() {
    let text = told("solve --n 4 --all");
    let board = "+---+---+---+---+\n|   | ♛ |   |   |\n+---+---+---+---+\n|   |   |   | ♛ |\n+---+---+---+---+\n\
                 | ♛ |   |   |   |\n+---+---+---+---+\n|   |   | ♛ |   |\n+---+---+---+---+\n\n";
    assert!(text.starts_with(board), "{text}");
    has(&text, "\nFound 2 solutions (bitboard n=4 goal=all");
    assert_eq!(
        columns(&told("solve --n 4 --all --plain")),
        [1, 3, 0, 2, 2, 0, 3, 1]
    );
    assert_eq!(
        columns(&told("solve --n 8 --plain --algorithm backtracking")),
        [0, 4, 7, 5, 2, 6, 1, 3]
    );
}

/// A002562 has 12 fundamental solutions at n = 8; 11 have 8 images and one has 4. All 92 boards of
/// two methods are one set.
#[test]
fn symmetries_and_methods_agree() {
    let text = told("solve --n 8 --all --symmetries");
    assert_eq!(
        (
            text.matches(": 8 boards").count(),
            text.matches(": 4 boards").count()
        ),
        (11, 1)
    );
    has(&text, "Found 92 solutions, 12 fundamental solutions");
    assert!(told("solve --n 4 --all --symmetries").contains("fundamental solution 1: 2 boards"));
    let boards = |algorithm| {
        let facts = json(format!("solve --n 6 --all --json --algorithm {algorithm}"));
        assert_eq!(
            (&facts["solutions"], &facts["goal"], &facts["outcome"]),
            (&4.into(), &"all".into(), &"exhausted".into())
        );
        facts["boards"]
            .as_array()
            .expect("a list")
            .iter()
            .map(ToString::to_string)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(boards("bitboard"), boards("heap"));
    assert_eq!(boards("bitboard").len(), 4);
}

/// The final board of a local rule is a solution, and trial 0 of the seed: what an experiment
/// stores.
#[test]
fn a_local_rule_shows_its_trial_0() {
    let workplace = Workplace::with(
        "seed = 7\n[[sweep]]\nalgorithm = \"cell\"\nn = 6\nepsilon = 0.05\neta = 0.1\ntrials = 1\ncutoff = 1e7\n",
    );
    workplace.succeed("run a.toml");
    let row = workplace.records("results", "a").remove(0).row;
    let facts = json("solve --algorithm cell --n 6 --epsilon 0.05 --eta 0.1 --seed 7 --json");
    let numbers = ["absorption_time", "hitting_time", "moves", "moves_at_hit"]
        .map(|name| facts[name].as_u64());
    assert_eq!(
        numbers,
        [
            row.outcome.absorption_time,
            row.outcome.hitting_time,
            row.outcome.moves,
            row.outcome.moves_at_hit
        ]
    );
    assert_eq!(
        facts["boards"],
        serde_json::json!([row.outcome.solution.expect("absorbed")])
    );
    let text = told("solve --algorithm cell --n 6 --epsilon 0.05 --eta 0.1 --seed 7 --plain");
    assert!(
        text.contains("Absorbed after") && text.contains("seed 7") && columns(&text).len() == 6,
        "{text}"
    );
    let cut = workplace.reines("solve --algorithm pair --n 8 --epsilon 0.01 --cutoff 10");
    assert!(
        cut.status.code() == Some(1) && stdout(&cut).starts_with("Cut off after 10 updates"),
        "{}",
        stdout(&cut)
    );
}

/// What has no board has its factors; what counts steps says so.
#[test]
fn factors_and_steps_are_shown_as_what_they_are() {
    let factor = [
        "solve",
        "--algorithm",
        "factor",
        "--parameter",
        "product=15",
    ];
    let text = told([&factor[..], &["--epsilon", "0.1"]].concat());
    assert!(
        text.starts_with("3 · 5: Absorbed after ") && text.contains(" update"),
        "{text}"
    );
    let json = json([&factor[..], &["--epsilon", "0.1", "--json"]].concat());
    assert_eq!(json["factors"], serde_json::json!([3, 5]));
    assert_eq!(json["boards"], serde_json::json!([]));
    let synchronous = [
        "solve",
        "--algorithm",
        "synchronous",
        "--n",
        "5",
        "--epsilon",
        "0.1",
    ];
    let text = told([&synchronous[..], &["--variant", "blind", "--plain"]].concat());
    assert!(
        text.contains(" steps and ") && columns(&text).len() == 5,
        "{text}"
    );
    let eta = [&synchronous[..], &["--variant", "blind", "--eta", "0.1"]].concat();
    let refused = Workplace::new().reines(&eta);
    let error = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{error}");
    let expected = "--eta: synchronous blind has no such parameter; allowed are --n, --epsilon";
    has(&error, expected);
}

#[test]
fn a_drawing_has_every_queen() {
    let workplace = Workplace::new();
    workplace.succeed("solve --n 8 --all --symmetries --svg boards.svg");
    let svg = workplace.text("boards.svg");
    assert_eq!(svg.matches("-queen\" x=").count(), 12 * 8);
    let many = workplace.reines("solve --n 9 --all --svg more.svg");
    assert_eq!(many.status.code(), Some(2));
    assert!(stderr(&many).contains("--symmetries") && !workplace.path().join("more.svg").exists());
}

#[test]
fn counts_and_densities() {
    for threads in ["1", "2"] {
        let text = told(format!("count --n 12 --threads {threads}"));
        // A002562 and, of classes of 4 and 2, A032522 and A033148: (80 − 8)/4 and 8/2.
        let expected =
            "S(12) = 14\u{202f}200, 1\u{202f}787 classes (1\u{202f}765 of 8, 18 of 4, 4 of 2); ";
        assert!(text.starts_with(expected), "{text}");
    }
    // Of the C(8, 4) = 70 sets of rows C(4, 2) = 6 are their own mirror images.
    has(
        &told("count --n 8"),
        "S(8) = 92, 12 classes (11 of 8, 1 of 4); 38 sets of rows, ",
    );
    assert!(told("count --n 3").starts_with("S(3) = 0, no class; "));
    assert!(told("count --n 1").starts_with("S(1) = 1, 1 class (1 of 1); "));
    let text = told("count --conflicts 1 --n 3..4");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("N1(3) = 8; ") && lines.len() == 2);
    has(lines[1], "N1(4) = 24, 12.00000 for each solution; ");
    // A method that shows no board counts when nothing is said.
    let text = told("solve --algorithm quadrants --n 8");
    has(&text, "Found 92 solutions (quadrants n=8 goal=count");
    let text = told("count --density --n 3..8");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(lines[1], ["3", "0", "0", "inf", "0", "0"]);
    // Exact: 92 · 8! / 8¹⁶ and its inverse, 92 / C(64, 8) and 92 / 8⁸, by Python's fractions.
    assert_eq!(
        lines[6],
        [
            "8",
            "92",
            "1.317857823e-8",
            "7.588071965e7",
            "2.078548639e-8",
            "5.483627319e-6"
        ]
    );
}

#[test]
fn a_run_that_starts_in_a_solution_says_so() {
    for rule in ["cell-relaxation", "pair-relaxation"] {
        let text = told(format!("solve --algorithm {rule} --n 8"));
        has(&text, "; started in a solution; seed 1");
        lacks(&text, "never");
    }
    let place = Workplace::new();
    place.write("b.txt", ". Q . .\n. . . Q\nQ . . .\n. . Q .\n");
    let options = [
        "solve",
        "--algorithm",
        "pair",
        "--epsilon",
        "0.01",
        "--start",
        "b.txt",
    ];
    let text = stdout(&place.succeed(options));
    has(&text, "; started in a solution; seed 1");
}

/// Every number of a command line may be written as in a spec.
#[test]
fn numbers_are_written_as_in_a_spec() {
    let plain = [
        "--n",
        "4",
        "--epsilon",
        "0.1",
        "--cutoff",
        "10000",
        "--seed",
        "1000",
        "--trial",
        "10",
    ];
    let other = [
        "--n",
        "4.0",
        "--epsilon",
        "1e-1",
        "--cutoff",
        "1e4",
        "--seed",
        "1_000",
        "--trial",
        "1e1",
    ];
    let run = |options: &[&str]| told([&["solve", "--algorithm", "pair"], options].concat());
    assert_eq!(run(&plain), run(&other));
    let factored = |product| {
        let product = format!("product={product}");
        told(format!(
            "solve --algorithm factor --epsilon 0.1 --parameter {product}"
        ))
    };
    assert_eq!(factored("15"), factored("1.5e1"));
    assert_eq!(
        told("count --density --n 4..1e1"),
        told("density --n 4..10")
    );
    let refused = Workplace::new().reines("solve --n 4 --cutoff 0.5");
    let said = stderr(&refused);
    assert!(refused.status.code() == Some(2), "{said}");
    has(
        &said,
        "allowed is an integer from 1 to 18446744073709551615",
    );
}
