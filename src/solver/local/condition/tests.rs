//! Tests of the language of conditions and of the tables that are made of them.

use rayon::prelude::*;

use super::*;
use crate::board::{Direction, Directions};
use crate::local::certainty::Certainty;
use crate::local::configuration::CellState;
use crate::local::tests::samples::{self, VARIANTS, stream};
use crate::rng::{RandomSource, TrialStream};
use crate::tests::{mean, run, z};
use crate::{Dynamics, Point, algorithm};

fn printed(text: &str) -> String {
    Condition::parse(text).expect(text).to_string()
}

/// All that a condition may read, with up to three queens on the destination.
fn all_facts() -> impl Iterator<Item = Facts> {
    let signals = (0..=8).flat_map(|a| (0..=8).map(move |b| (a, b)));
    let others = (0..=3).flat_map(|queens| [false, true].map(move |own| (queens, own)));
    let others: Vec<(u8, bool)> = others.collect();
    let all = signals.flat_map(move |(a_signals, b_signals)| {
        others
            .clone()
            .into_iter()
            .map(move |(b_queens, b_own)| Facts {
                a_signals,
                b_signals,
                b_queens,
                b_own,
            })
    });
    // A cell without signals has not the one from a's direction, and one with all eight has it.
    all.filter(|it| it.b_signals != if it.b_own { 0 } else { 8 })
}

#[test]
fn a_condition_has_one_printed_form() {
    for (text, expected) in [
        ("  safe\t", "safe"),
        ("((safe))", "safe"),
        (
            "b.queens==0 and(b.signals<a.signals)",
            "b.queens == 0 and b.signals < a.signals",
        ),
        ("(safe or true) or false", "safe or true or false"),
        ("safe or (true or false)", "safe or (true or false)"),
        ("(safe and true) or false", "safe and true or false"),
        ("safe and (true or false)", "safe and (true or false)"),
        ("not (b.own == 1)", "not b.own == 1"),
        ("not (safe and true)", "not (safe and true)"),
        ("not not safe", "not not safe"),
        (
            "a.signals - (b.signals - 1) > - 007",
            "a.signals - (b.signals - 1) > -7",
        ),
        (
            "(a.signals - b.signals) - 1 != 0",
            "a.signals - b.signals - 1 != 0",
        ),
        (
            "a.signals - -1 >= b.own + b.own",
            "a.signals - -1 >= b.own + b.own",
        ),
    ] {
        assert_eq!(printed(text), expected, "{text}");
        assert_eq!(printed(expected), expected);
    }
    assert_eq!(
        Condition::parse(" (safe)").map(|it| it.variant()),
        Ok(String::new())
    );
}

/// Each meaning is written again, by the words of docs/rules.md, as a closure.
#[test]
fn conditions_mean_what_they_say() {
    type Meaning = fn(Facts) -> bool;
    let meanings: [(&str, Meaning); 9] = [
        ("safe", |it| {
            it.b_queens == 0 && (it.b_signals == 0 || it.b_signals == 1 && it.b_own)
        }),
        ("true", |_| true),
        ("not true or false", |_| false),
        ("b.signals < a.signals", |it| it.b_signals < it.a_signals),
        ("b.signals - b.own < a.signals", |it| {
            i32::from(it.b_signals) - i32::from(it.b_own) < i32::from(it.a_signals)
        }),
        ("b.queens == 0 or a.signals > 2 and b.own == 1", |it| {
            it.b_queens == 0 || (it.a_signals > 2 && it.b_own)
        }),
        ("(b.queens == 0 or a.signals > 2) and b.own == 1", |it| {
            (it.b_queens == 0 || it.a_signals > 2) && it.b_own
        }),
        ("not b.queens >= 2 and a.signals != 1", |it| {
            it.b_queens < 2 && it.a_signals != 1
        }),
        ("a.signals - b.signals - 1 <= -2 + b.queens", |it| {
            i32::from(it.a_signals) - i32::from(it.b_signals) < i32::from(it.b_queens)
        }),
    ];
    for (text, meaning) in meanings {
        let condition = Condition::parse(text).expect(text);
        for facts in all_facts() {
            assert_eq!(condition.holds(facts), meaning(facts), "{text}, {facts:?}");
        }
    }
}

#[test]
fn an_error_names_its_place_and_what_was_expected() {
    for (text, expected) in [
        ("", "at character 1: found the end; expected safe, true"),
        (
            "safe or",
            "at character 8: found the end; expected safe, true",
        ),
        ("sfe", "at character 1: found \"sfe\"; expected safe, true"),
        ("safe = true", "at character 6: found '='; expected =="),
        ("b.queens = 0", "at character 10: found '='; expected =="),
        ("é safe", "at character 1: found \"é\"; expected safe, true"),
        ("safe é", "at character 6: found \"é\"; expected and, or"),
        (
            "b.signals",
            "at character 1: \"b.signals\" is a number; expected a condition",
        ),
        (
            "safe and b.signals + 1",
            "at character 10: \"b.signals + 1\" is a number; expected a condition",
        ),
        (
            "not b.own",
            "at character 5: \"b.own\" is a number; expected a condition",
        ),
        (
            "safe < 1",
            "at character 1: \"safe\" is a condition; expected a number",
        ),
        (
            "1 < (true)",
            "at character 5: \"true\" is a condition; expected a number",
        ),
        (
            "0 < b.own < 2",
            "at character 11: found \"<\"; expected and between two comparisons",
        ),
        (
            "(safe",
            "at character 6: found the end; expected a closing bracket",
        ),
        ("safe)", "at character 5: found \")\"; expected and, or"),
        (
            "a.signals > 1000",
            "at character 13: found \"1000\"; expected an integer, at most 999",
        ),
        (
            "a.signals > 1e2",
            "at character 13: found \"1e2\"; expected an integer",
        ),
        (
            "a.signals > - b.own",
            "at character 15: found \"b.own\"; expected an integer after -",
        ),
        (
            "safe & true",
            "at character 6: found '&'; expected safe, true",
        ),
    ] {
        let error = Condition::parse(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text:?}: {error}");
    }
    for text in [
        "(".repeat(100),
        "not ".repeat(30) + "safe",
        "safe or ".repeat(30) + "safe",
    ] {
        let error = Condition::parse(&text).expect_err(&text).to_string();
        assert!(error.contains("expected at most"), "{error}");
    }
}

/// A condition at random, of some depth.
fn truth(random: &mut TrialStream, depth: u32) -> Expression {
    let two = |operator, parts| Expression::Two(operator, Box::new(parts));
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0 => Expression::Safe,
        1 => Expression::Truth(random.below(2) == 0),
        2..=4 => {
            let comparisons = Operator::SIGNS.map(|(_, it)| it).into_iter();
            let comparisons: Vec<Operator> = comparisons
                .filter(|it| it.strength() == COMPARISON)
                .collect();
            let operator = comparisons[random.below(comparisons.len() as u64) as usize];
            two(operator, [number(random, depth), number(random, depth)])
        }
        5 => Expression::Not(Box::new(truth(random, depth - 1))),
        other => {
            let operator = if other == 6 {
                Operator::Or
            } else {
                Operator::And
            };
            two(
                operator,
                [truth(random, depth - 1), truth(random, depth - 1)],
            )
        }
    }
}

fn number(random: &mut TrialStream, depth: u32) -> Expression {
    match random.below(if depth == 0 { 5 } else { 7 }) {
        0 => Expression::Number(random.below(12) as i32 - 3),
        fact @ 1..=4 => Expression::NamedNumber(NamedNumber::WORDS[fact as usize - 1].1),
        other => {
            let operator = if other == 5 {
                Operator::Plus
            } else {
                Operator::Minus
            };
            let parts = [number(random, depth - 1), number(random, depth - 1)];
            Expression::Two(operator, Box::new(parts))
        }
    }
}

/// Conditions at random: each once, of any length that a spec may have.
pub(in crate::local) fn generated(seed: u64, count: usize) -> Vec<String> {
    let mut random = stream("tests/conditions", seed);
    let mut found = Vec::new();
    while found.len() < count {
        let text = Condition(truth(&mut random, 3)).to_string();
        if text.len() <= 200 && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

#[test]
fn what_is_printed_is_read_back() {
    let mut random = stream("tests/conditions/printed", 1);
    for _ in 0..2000 {
        let condition = Condition(truth(&mut random, 3));
        let text = condition.to_string();
        if text.len() <= 200 {
            assert_eq!(Condition::parse(&text), Ok(condition), "{text}");
        }
    }
}

fn states(queens: u8) -> impl Iterator<Item = CellState> {
    let of = |queens| (0..=255).map(move |bits| (queens, bits));
    (0..=queens).flat_map(of).map(|(queens, bits)| CellState {
        queens,
        signals: Directions::from_bits(bits),
    })
}

/// The table against the condition, for every destination and one cell a of each number of signals.
#[test]
fn a_table_is_its_condition() {
    let variants = VARIANTS.map(str::to_owned).into_iter();
    for variant in variants.chain(generated(1, 12)) {
        let condition = Condition::of_variant(&variant).expect(&variant);
        let table = Certainty::of_variant(&variant);
        for count in 0..=8 {
            let a = CellState {
                queens: 1,
                signals: Directions::from_bits(((1_u16 << count) - 1) as u8),
            };
            for b in states(4) {
                for from in Direction::ALL {
                    let facts = Facts {
                        a_signals: count,
                        b_signals: b.signals.len() as u8,
                        b_queens: b.queens,
                        b_own: b.signals.contains(from),
                    };
                    let expected = condition.holds(facts);
                    assert_eq!(table.is_certain(a, b, from), expected, "{variant}");
                }
            }
        }
    }
}

/// SAFEGO is the definition of `configuration`, whatever the queen's own cell.
#[test]
fn safe_is_safego() {
    let table = Certainty::of_variant("");
    for b in states(3) {
        for from in Direction::ALL {
            let a = CellState {
                queens: 2,
                signals: Directions::only(from),
            };
            assert_eq!(table.is_certain(a, b, from), b.safe_go(from));
        }
    }
}

/// No move is another after a change of a cell unless the table says that the change concerns it.
#[test]
fn a_change_concerns_every_move_that_is_another_after_it() {
    let mut random = stream("tests/conditions/concern", 2);
    let variants = VARIANTS.map(str::to_owned).into_iter();
    for variant in variants.chain(generated(2, 12)) {
        let table = Certainty::of_variant(&variant);
        let state = |random: &mut TrialStream| CellState {
            queens: random.below(4) as u8,
            signals: Directions::from_bits(random.below(256) as u8),
        };
        for _ in 0..3000 {
            let (before, other) = (state(&mut random), state(&mut random));
            let mut after = state(&mut random);
            if random.below(2) == 0 {
                // One signal, as most changes are.
                let flipped = Directions::from_bits(1 << random.below(8));
                after = CellState {
                    signals: before.signals.difference(flipped),
                    ..before
                };
            }
            let concern = table.concern(before, after);
            for from in Direction::ALL {
                if !concern.directions().contains(from) {
                    let [x, y] = [before, after].map(|it| table.is_certain(other, it, from));
                    assert_eq!(x, y, "{variant}: {before:?} to {after:?}");
                }
                if !concern.own() {
                    let leaves =
                        |it: CellState| it.threatened().then(|| table.is_certain(it, other, from));
                    assert_eq!(leaves(before), leaves(after), "{variant}");
                }
            }
        }
    }
}

/// A rule, a condition, n, ε and η; mean absorption time and standard error of
/// benches/rivals/local.c with `-DCERTAIN` as here, 1.5·10⁹ updates, seeds 11 and 12.
type Reference = (&'static str, &'static str, (usize, f64, f64), (f64, f64));

const REFERENCES: [Reference; 2] = [
    (
        "pair",
        "safe or b.queens == 0 and b.signals < a.signals",
        (6, 0.02, 0.0),
        (70_135.5, 465.2),
    ),
    (
        "cell",
        "b.queens == 0 and b.signals - b.own < a.signals - 1 or b.own > a.signals",
        (6, 0.1, 0.2),
        (17_652.0, 57.55),
    ),
];

/// |Z| < 4.5: a false failure with probability 7·10⁻⁶ for each of four.
#[test]
fn conditions_take_as_long_as_in_a_program_in_c() {
    for (name, condition, at, expected) in REFERENCES {
        let axes = algorithm(name).expect("registered").axes;
        let point = Point {
            variant: printed(condition),
            ..samples::point(name, axes, at)
        };
        for (dynamics, trials) in [(Dynamics::RejectionFree, 3000), (Dynamics::Stepwise, 400)] {
            let time = |trial| run(&point, dynamics, trial, u64::MAX).absorption_time;
            let times = (0..trials).into_par_iter();
            let times = times.map(|trial| time(trial).expect("no cutoff") as f64);
            let times: Vec<f64> = times.collect();
            let z = z(
                mean(times.into_iter()),
                (expected.0, expected.1 * expected.1),
            );
            assert!(z.abs() < 4.5, "{point}, {dynamics:?}: Z = {z}");
        }
    }
}
