//! After any sequence of actions `run`, `report`, `list` and `export` show what a fresh folder with
//! the same specs would show: rows, figures, exit codes, and a word where something is left out.
//!
//! Actions are drawn from fixed seeds and carried out by a shell; a sequence that ends elsewhere is
//! made as short as it can be and printed as a script. What may differ is in `compare::ALLOWED`.
//! Whoever adds an action to the command line adds it to `actions::Action`.
//!
//! Slips that were planted by hand, and how many sequences it took to find them:
//!
//! | slip | where | sequences |
//! |---|---|---|
//! | the run with the most rows is meant | `results::runs::choose` | 2 |
//! | an old link beside the runs stays | `RunFolder::link_table` | 2 |
//! | names of conditions are those of the run, not of the present spec | `Word::condition_names` | 8 |

mod actions;
mod cases;
mod compare;
mod specs;

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use self::actions::{Action, Change};
use self::compare::{ALLOWED, Question, differences, printed};
use crate::effort;
use crate::program::Draws;

/// Actions of a sequence.
const LEAST: usize = 3;
const MOST: usize = 16;

/// The sequence of this number, and what is asked for after it.
fn sequence(number: u64) -> (Vec<Action>, [Question; 1]) {
    let mut draws = Draws::new(number);
    let length = LEAST + draws.below(MOST + 1 - LEAST);
    let mut actions = Vec::new();
    // A third begins with named conditions, which few would come to have; of the others half have
    // one experiment.
    let has_names = draws.below(3) == 0;
    if has_names || draws.below(2) == 0 {
        actions.push(Action::Remove("b"));
    }
    if has_names {
        let names = Change::Conditions(Some(["one", "two"]));
        actions.push(Action::Edit("a", names));
    }
    for _ in 0..length {
        actions.push(Action::draw(&mut draws));
    }
    if !has_names {
        return (actions, [Question::ALL[draws.below(4)]]);
    }
    // In half of them names come to stand for other conditions than when they ran.
    let changes = [
        Change::SwapConditions,
        Change::Conditions(Some(["three", "two"])),
    ];
    if let Some(change) = changes.into_iter().nth(draws.below(4)) {
        actions.push(Action::Edit("a", change));
    }
    (actions, [Question::Conditions])
}

/// The sequence without every action that is not needed for it to end elsewhere.
fn shortest(mut actions: Vec<Action>, asked: &[Question]) -> Vec<Action> {
    let mut at = actions.len();
    while at > 0 {
        at -= 1;
        let mut fewer = actions.clone();
        fewer.remove(at);
        if !differences(&fewer, asked).is_empty() {
            actions = fewer;
            at = at.min(actions.len());
        }
    }
    actions
}

/// What is told of a sequence that ends elsewhere.
fn told(what: &str, actions: Vec<Action>, asked: &[Question]) -> String {
    let actions = shortest(actions, asked);
    let found = differences(&actions, asked).join("\n  ");
    let script = printed(&actions, asked);
    format!("{what} ends elsewhere than a fresh folder:\n  {found}\n{script}\n")
}

#[test]
fn after_any_sequence_all_is_as_in_a_fresh_folder() {
    let numbers = 0..effort(60, 2000);
    let found = numbers.into_par_iter().find_map_first(|number| {
        let (actions, asked) = sequence(number);
        let differs = !differences(&actions, &asked).is_empty();
        differs.then(|| told(&format!("sequence {number}"), actions, &asked))
    });
    assert!(found.is_none(), "{}", found.unwrap_or_default());
    for entry in effort(&[][..], &ALLOWED[..]) {
        let times = entry.used.load(Ordering::Relaxed);
        println!("{}: {times} times, since {}", entry.what, entry.reason);
        assert!(times > 0, "{}: no sequence has used it", entry.what);
    }
}

/// All of them, with the questions that once had other answers.
#[test]
fn what_once_went_wrong_is_as_in_a_fresh_folder() {
    let found = cases::cases()
        .into_par_iter()
        .filter_map(|(what, asked, actions)| {
            let found = differences(&actions, asked);
            let found = found.join("\n  ");
            (!found.is_empty()).then(|| format!("{what}:\n  {found}\n"))
        });
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
