//! Tests: in any configuration, the next change has the distribution that single updates give it,
//! and the classes kept change by change are those found from scratch. Every update and every
//! random answer is tried, under every registered rule; and frozen trials.

use std::any::type_name;
use std::collections::BTreeSet;

use super::super::classes::SiteClasses;
use super::super::{Events, PreparedRule};
use crate::board::{Board, Cell};
use crate::local::condition::tests::generated;
use crate::local::configuration::Configuration;
use crate::local::rules::{OnCells, OnPairs, for_every_rule};
use crate::local::sites::{Class, LocalRule};
use crate::local::tests::samples::{
    self, Law, VARIANTS, add, chance_of_change, class, every_answer, law, reached, rule_at, same,
    sites, stream, unreached,
};
use crate::rng::TrialStream;
use crate::tests::run_with_seed;
use crate::{Dynamics, Outcome, algorithm};

/// The values of ε and of every other parameter.
const PROBABILITIES: [f64; 5] = [0.0, 0.003, 0.3, 0.9, 1.0];

/// Probability of every change in one update, as the rejection-free dynamics has it: waiting law ×
/// site × random answers. An error if an event leaves classes that are not those from scratch.
fn rejection_free_changes<R: LocalRule>(
    prepared: &PreparedRule<R>,
    x: &Configuration,
) -> Result<Law, String> {
    let events = Events::new(prepared, x.clone());
    let (counts, waiting) = (events.classes.counts(), &prepared.waiting);
    let outlook = waiting.outlook(counts);
    let mut changes = Law::new();
    if outlook.law.probability() == 0.0 {
        return Ok(changes);
    }
    let mut outdated = None;
    let results = every_answer(|random| {
        let mut events = events.clone();
        let moved = events
            .happen(waiting.fall(outlook.target(random), counts, random), random)
            .and_then(|(_, moved)| moved);
        outdated = outdated.take().or_else(|| outdated_at(&events));
        (events.configuration, moved)
    });
    add(&mut changes, results, x, outlook.law.probability());
    outdated.map_or(Ok(changes), Err)
}

/// A description of the first difference between the classes kept up to date and those from
/// scratch, if there is one.
fn outdated_at<R: LocalRule>(events: &Events<'_, R>) -> Option<String> {
    let (kept, x) = (&events.classes, &events.configuration);
    let rule = &events.prepared.rule;
    let afresh = SiteClasses::new(rule, x);
    let of_site = |classes: &SiteClasses, number: u16| {
        let site = classes.partition.sites[usize::from(number)];
        (site.stale, site.moves, site.has_queen)
    };
    let is_other = |&number: &u16| of_site(kept, number) != of_site(&afresh, number);
    if let Some(number) = (0..rule.n_sites() as u16).find(is_other) {
        let [found, expected] = [kept, &afresh].map(|classes| of_site(classes, number));
        return Some(format!("site {number}: {found:?} in place of {expected:?}"));
    }
    let differ = |cell: &Cell| kept.queens[cell.index()] != afresh.queens[cell.index()];
    if let Some(cell) = x.board().cells().find(differ) {
        return Some(format!("queens around {cell:?}"));
    }
    let members = |classes: &SiteClasses, class| -> BTreeSet<u16> {
        (0..classes.partition.len(class))
            .map(|position| classes.partition.member(class, position))
            .collect()
    };
    [Class::Open, Class::Dangerous, Class::Contested]
        .into_iter()
        .find(|&class| members(kept, class) != members(&afresh, class))
        .map(|class| format!("list of {class:?}"))
}

/// True if every site changes with the probability that its class says.
fn classes_are_right<R: LocalRule>(rule: &R, x: &Configuration) -> Result<(), String> {
    let epsilon = rule.epsilon().probability();
    for site in sites(rule) {
        let p = chance_of_change(rule, x, site);
        let class = class(rule, x, site);
        let expected = match class {
            Class::Idle => 0.0,
            Class::Open => p,
            Class::Dangerous => epsilon,
            Class::Contested => 2.0 * epsilon * (1.0 - epsilon),
        };
        if (p - expected).abs() > 1e-12 {
            return Err(format!(
                "{site:?} changes with probability {p}, its class is {class:?}"
            ));
        }
    }
    Ok(())
}

/// How much is tried: some in every test, more in `make verify`.
#[derive(Debug, Clone, Copy)]
enum Extent {
    Some = 1,
    More = 14,
}

/// 5 unreached and 5 reached configurations (1 at n = 6) at each of 25 pairs of ε and the other
/// parameters and 5 sizes, or more: each update, each random answer. n = 1, 2 and 3 make every cell
/// a boundary or a corner cell.
fn every_change_is_right<R: LocalRule>(variant: &str, extent: Extent) -> Result<(), String> {
    let mut stream = stream("tests/exactness", 1);
    for n in [1, 2, 3, 4, 6] {
        for (epsilon, other) in PROBABILITIES
            .iter()
            .flat_map(|&epsilon| PROBABILITIES.map(|other| (epsilon, other)))
        {
            let count = extent as u32 * if n == 6 { 1 } else { 5 };
            every_change_is_right_at::<R>(variant, (n, epsilon, other), count, &mut stream)?;
        }
    }
    Ok(())
}

/// So many unreached and as many reached configurations at this n, ε and other parameter.
fn every_change_is_right_at<R: LocalRule>(
    variant: &str,
    (n, epsilon, other): (usize, f64, f64),
    count: u32,
    stream: &mut TrialStream,
) -> Result<(), String> {
    let board = Board::new(n);
    let prepared = PreparedRule::new(rule_at::<R>(variant, n, epsilon, other), board);
    let rule = &prepared.rule;
    for _ in 0..count {
        for x in [unreached(board, stream), reached(rule, board, 100, stream)] {
            let rejection_free = rejection_free_changes(&prepared, &x);
            rejection_free
                .and_then(|changes| same(&changes, &law(rule, &x)))
                .and_then(|()| classes_are_right(rule, &x))
                .map_err(|error| format!("{} {variant}, n = {n}: {error}", type_name::<R>()))?;
        }
    }
    Ok(())
}

/// Random runs of so many events at these sizes, or of more, at a small and at a large ε.
fn classes_stay_right<R: LocalRule>(variant: &str, extent: Extent) -> Result<(), String> {
    let mut stream = stream("tests/exactness", 3);
    for (n, events) in [(2, 400), (5, 1000), (8, 1500), (13, 750), (64, 200)] {
        for epsilon in [0.003, 0.3] {
            let rule = rule_at::<R>(variant, n, epsilon, 0.1);
            classes_stay_right_along(
                &PreparedRule::new(rule, Board::new(n)),
                n,
                events * extent as u32,
                &mut stream,
            )
            .map_err(|error| {
                format!(
                    "{} {variant}, n = {n}, ε = {epsilon}: {error}",
                    type_name::<R>()
                )
            })?;
        }
    }
    Ok(())
}

/// Each event at n ≤ 5, every sixteenth and the last hundred on larger boards.
fn classes_stay_right_along<R: LocalRule>(
    prepared: &PreparedRule<R>,
    n: usize,
    n_events: u32,
    stream: &mut TrialStream,
) -> Result<(), String> {
    let mut events = Events::new(prepared, Configuration::random_start(Board::new(n), stream));
    let waiting = &prepared.waiting;
    for event in 0..n_events {
        let counts = events.classes.counts();
        let outlook = waiting.outlook(counts);
        if outlook.law.probability() == 0.0 {
            return Ok(());
        }
        events.happen(waiting.fall(outlook.target(stream), counts, stream), stream);
        if n <= 5 || event % 16 == 0 || event + 100 > n_events {
            match outdated_at(&events) {
                Some(error) => return Err(format!("after event {event}, {error}")),
                None => continue,
            }
        }
    }
    Ok(())
}

fn assert_every_change_is_right<R: LocalRule>(variant: &str, extent: Extent) {
    every_change_is_right::<R>(variant, extent).unwrap();
}

fn assert_classes_stay_right<R: LocalRule>(variant: &str, extent: Extent) {
    classes_stay_right::<R>(variant, extent).unwrap();
}

#[test]
fn every_change_has_the_probability_that_single_updates_give_it() {
    for_every_rule!(variant in assert_every_change_is_right(variant, Extent::Some));
}

#[test]
#[ignore = "slow: make verify"]
fn every_change_of_more_configurations_has_that_probability() {
    for_every_rule!(variant in assert_every_change_is_right(variant, Extent::More));
}

#[test]
fn classes_stay_up_to_date_along_trajectories() {
    for_every_rule!(variant in assert_classes_stay_right(variant, Extent::Some));
}

/// Conditions written by a generator; none knows what a table makes of it.
#[test]
fn every_change_is_right_under_any_condition() {
    fn check<R: LocalRule>(condition: &str, stream: &mut TrialStream) {
        for at in [(2, 0.3, 0.3), (4, 0.3, 0.1), (4, 0.0, 0.3)] {
            every_change_is_right_at::<R>(condition, at, 4, stream).unwrap();
        }
        let prepared = PreparedRule::new(rule_at::<R>(condition, 5, 0.1, 0.1), Board::new(5));
        classes_stay_right_along(&prepared, 5, 300, stream).expect(condition);
    }
    let mut stream = stream("tests/exactness/conditions", 1);
    for condition in generated(3, 10) {
        check::<OnPairs>(&condition, &mut stream);
        check::<OnCells>(&condition, &mut stream);
    }
}

#[test]
#[ignore = "slow: make verify"]
fn classes_stay_up_to_date_along_longer_trajectories() {
    for_every_rule!(variant in assert_classes_stay_right(variant, Extent::More));
}

/// Rule, n, ε, η, cutoff; then sums over trials 0 to 7, seed 2012: updates, moves,
/// hitting times, moves at the hits, absorptions. Those of `pair` and `cell` are from version 0.1.0
/// before it had any short cut: published results rest on them. So the short cuts change neither
/// what happens nor the order of the lists, which later draws refer to, nor the coins.
const FROZEN: &str = "
    pair                    4   0.0 0.0  1000000  5001677 58 1315 29 3
    pair                    5   0.5 0.0   200000  1600000 236165 140351 20724 0
    pair                    7   1.0 0.0   200000  1600000 339575 0 0 0
    pair                    8  0.01 0.0  5000000  3541069 9780 2939207 8074 8
    pair                    8 0.001 0.0 20000000  15617982 3785 15604968 3783 8
    pair                   12  0.01 0.0  3000000  24000000 46323 0 0 0
    pair                   64  0.03 0.0  2000000  16000000 14713 0 0 0
    cell                    4   0.0 0.0  1000000  5000551 45 400 23 3
    cell                    5   0.5 0.0  2000000  12583 995 9009 805 8
    cell                    7   1.0 0.3   200000  1600000 180116 200004 22746 0
    cell                    8  0.01 0.1  5000000  2603872 2043 2599537 2043 8
    cell                    8 0.001 1.0 20000000  36693197 4122 36688315 4120 8
    cell                   16  0.01 0.1  5000000  36571864 13805 11562623 4274 3
    cell                   64  0.03 0.1  2000000  16000000 11667 0 0 0
";

#[test]
fn trials_are_frozen() {
    for row in FROZEN.trim().lines() {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let number = |at: usize| fields[at].parse::<f64>().expect("a number");
        let algorithm = algorithm(fields[0]).expect("registered");
        let at = (number(1) as usize, number(2), number(3));
        let point = samples::point(algorithm.name, algorithm.axes, at);
        let cutoff = number(4) as u64;
        let outcomes = (0..8)
            .map(|trial| run_with_seed(2012, &point, Dynamics::RejectionFree, trial, cutoff))
            .collect::<Vec<_>>();
        let facts: [fn(&Outcome) -> Option<u64>; 5] = [
            |it| it.updates,
            |it| it.moves,
            |it| it.hitting_time,
            |it| it.moves_at_hit,
            |it| it.absorption_time.map(|_| 1),
        ];
        let sums = facts.map(|fact| outcomes.iter().filter_map(fact).sum::<u64>().to_string());
        assert_eq!(sums, fields[5..], "{point}");
    }
}
