//! Tests: in any configuration, the next change has the distribution that single updates give it;
//! every update and every outcome of its coins is tried.

use std::collections::BTreeMap;

use super::Events;
use super::classes::Classes;
use super::waiting::Waiting;
use crate::solver::board::{Board, Cell, Directions};
use crate::solver::local::configuration::{Configuration, Move, State};
use crate::solver::local::outcomes::all_outcomes;
use crate::solver::local::rule::{Class, LocalRule, class};
use crate::solver::local::rules::cell::{CellRule, omega};
use crate::solver::local::rules::pair::PairRule;
use crate::solver::rng::{Chance, Coins, TrialStream};
use crate::solver::{Point, Value};

const PROBABILITIES: [f64; 5] = [0.0, 0.003, 0.3, 0.9, 1.0];

fn stream(seed: u64) -> TrialStream {
    TrialStream::new("tests/exactness", seed, &Point::new("pair", []), 0)
}

fn rule_at<R: LocalRule>(n: usize, epsilon: f64, eta: f64) -> R {
    R::at(
        &Point::new(
            R::NAME,
            [("epsilon", Value::real(epsilon)), ("eta", Value::real(eta))],
        ),
        Board::new(n),
    )
}

/// Queens and signals as no trial would leave them: queens anywhere, crowded or alone, and signals
/// at random or, but for a few, true.
fn unreached(board: Board, stream: &mut TrialStream) -> Configuration {
    let crowd = 1 + stream.below(board.n() as u64) as usize;
    let cell = |stream: &mut TrialStream| {
        let mut coordinate = || stream.below(crowd as u64) as usize;
        board.cell(coordinate(), coordinate())
    };
    let queens: Vec<Cell> = (0..board.n()).map(|_| cell(stream)).collect();
    let mut x = Configuration::with_queens(board, queens);
    let truth = x.true_signals();
    let (from_truth, changed) = (
        stream.below(3) > 0,
        Chance::new([0.0, 0.02, 0.1, 0.5][stream.below(4) as usize]),
    );
    for cell in board.cells() {
        let start = if from_truth {
            truth[cell.index()]
        } else {
            Directions::NONE
        };
        let signals = board.directions(cell).iter().fold(start, |set, d| {
            set.with(d, set.contains(d) != stream.flip(changed))
        });
        x.set_signals(cell, signals);
    }
    x
}

/// A configuration that a trial of the rule meets.
fn reached<R: LocalRule>(rule: &R, board: Board, stream: &mut TrialStream) -> Configuration {
    let mut x = Configuration::random_start(board, stream);
    for _ in 0..stream.below(100 * rule.n_sites().max(1)) {
        rule.update(&mut x, rule.site(stream.below(rule.n_sites())), stream);
    }
    x
}

type Change = (Vec<State>, Option<(Cell, Cell)>);

fn change(x: &Configuration, moved: Option<Move>) -> Change {
    (
        x.board().cells().map(|cell| x[cell]).collect(),
        moved.map(|queen| (queen.from, queen.to)),
    )
}

/// Probability of every way in which one update of this site changes the configuration.
fn changes_at<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> Vec<(f64, Change)> {
    let outcomes = all_outcomes(|coins| {
        let mut x = x.clone();
        let moved = rule.update(&mut x, site, coins);
        (moved, x)
    });
    let changed = outcomes
        .into_iter()
        .filter(|(p, (_, y))| *p > 0.0 && y != x);
    changed
        .map(|(p, (moved, y))| (p, change(&y, moved)))
        .collect()
}

fn add(
    to: &mut BTreeMap<Change, f64>,
    changes: impl IntoIterator<Item = (f64, Change)>,
    factor: f64,
) {
    for (p, change) in changes {
        *to.entry(change).or_default() += p * factor;
    }
}

/// Probability of every change in one stepwise update.
fn stepwise_changes<R: LocalRule>(rule: &R, x: &Configuration) -> BTreeMap<Change, f64> {
    let mut changes = BTreeMap::new();
    for number in 0..rule.n_sites() {
        add(
            &mut changes,
            changes_at(rule, x, rule.site(number)),
            1.0 / rule.n_sites() as f64,
        );
    }
    changes
}

/// Probability of every change in one update, as the rejection-free dynamics has it: waiting law ×
/// site × coins.
fn rejection_free_changes<R: LocalRule + Clone>(
    rule: &R,
    x: &Configuration,
) -> BTreeMap<Change, f64> {
    let events = Events::new(rule, x.clone());
    let counts = events.classes.counts();
    let waiting = Waiting::new(rule.epsilon(), rule.n_sites());
    let outlook = waiting.outlook(counts);
    let law = outlook.law;
    let mut changes = BTreeMap::new();
    if law.probability() == 0.0 {
        return changes;
    }
    let outcomes = all_outcomes(|coins| {
        let mut events = events.clone();
        let moved = events
            .happen(waiting.fall(outlook.place(coins), counts, coins), coins)
            .and_then(|(_, moved)| moved);
        assert_up_to_date(&events);
        (moved, events.configuration)
    });
    let changed = outcomes
        .into_iter()
        .filter(|(p, (_, y))| *p > 0.0 && y != x)
        .map(|(p, (moved, y))| (p, change(&y, moved)));
    add(&mut changes, changed, law.probability());
    changes
}

/// What was kept up to date change by change is what one finds by looking at every site afresh.
fn assert_up_to_date<R: LocalRule>(events: &Events<'_, R>) {
    let sorted = |classes: &Classes, class| {
        let mut members: Vec<u16> = (0..classes.len(class))
            .map(|place| classes.member(class, place))
            .collect();
        members.sort_unstable();
        members
    };
    let afresh = Classes::new(events.rule, &events.configuration);
    for number in 0..events.rule.n_sites() as u16 {
        let moves = events
            .rule
            .class_of_moves(&events.configuration, events.rule.site(u64::from(number)));
        assert_eq!(
            events.classes.moves(number),
            moves,
            "moves at site {number}"
        );
        assert_eq!(
            events.classes.may_move::<R>(number),
            afresh.may_move::<R>(number),
            "queens at site {number}"
        );
    }
    for kind in [Class::Open, Class::Dangerous, Class::Contested] {
        let expected: Vec<u16> = (0..events.rule.n_sites() as u16)
            .filter(|&number| {
                class(
                    events.rule,
                    &events.configuration,
                    events.rule.site(u64::from(number)),
                ) == kind
            })
            .collect();
        assert_eq!(sorted(&events.classes, kind), expected, "{kind:?}");
        assert_eq!(sorted(&afresh, kind), expected, "{kind:?}, afresh");
    }
}

fn assert_same(rejection_free: &BTreeMap<Change, f64>, stepwise: &BTreeMap<Change, f64>) {
    for (change, expected) in stepwise {
        let p = rejection_free.get(change).copied().unwrap_or(0.0);
        assert!((p - expected).abs() <= 1e-12, "{p} instead of {expected}");
    }
    assert!(
        rejection_free
            .keys()
            .all(|change| stepwise.contains_key(change)),
        "a change that no update makes"
    );
}

/// What a class promises, site by site; `open` is the probability that it leaves to the update.
fn assert_classes_tell<R: LocalRule>(rule: &R, x: &Configuration, open: impl Fn(R::Site) -> f64) {
    let epsilon = rule.epsilon().probability();
    for number in 0..rule.n_sites() {
        let site = rule.site(number);
        let p: f64 = changes_at(rule, x, site).iter().map(|(p, _)| p).sum();
        let expected = match class(rule, x, site) {
            Class::Idle => 0.0,
            Class::Open => open(site),
            Class::Dangerous => epsilon,
            Class::Contested => 2.0 * epsilon * (1.0 - epsilon),
        };
        assert!(
            (p - expected).abs() <= 1e-12,
            "{site:?} changes with probability {p}, its class says {expected}"
        );
    }
}

/// `p = ε + (1 − ε)·p_safe` for a threatened queen among true signals, else 1.
fn open_cell(
    rule: &CellRule,
    x: &Configuration,
    site: <CellRule as LocalRule>::Site,
    eta: f64,
) -> f64 {
    let board = x.board();
    let neighbours: Vec<_> = site
        .neighbours
        .iter()
        .map(|d| (d, x[board.neighbour(site.cell, d)]))
        .collect();
    if neighbours
        .iter()
        .any(|&(d, state)| x[site.cell].signals.contains(d) != state.shows().contains(d))
    {
        return 1.0;
    }
    let least = neighbours
        .iter()
        .map(|&(_, state)| omega(state))
        .min()
        .expect("a false signal or a queen's move needs a neighbour");
    let best: Vec<_> = neighbours
        .iter()
        .filter(|(_, state)| omega(*state) == least)
        .collect();
    let share = |cells: &[&(_, State)]| {
        cells.iter().filter(|(d, state)| safe(*d, *state)).count() as f64 / cells.len() as f64
    };
    fn safe(towards: crate::solver::board::Direction, state: State) -> bool {
        state.safe_go(towards.opposite())
    }
    let p_safe = (1.0 - eta) * share(&best) + eta * share(&neighbours.iter().collect::<Vec<_>>());
    let epsilon = rule.epsilon().probability();
    epsilon + (1.0 - epsilon) * p_safe
}

/// 40 unreached and 40 reached configurations at each of 25 (ε, η) and 5 sizes for the cell rule,
/// and at each of 5 ε for the pair rule, five times over: each update, each outcome of its coins. n
/// = 1, 2 and 3 make every cell a boundary or a corner cell.
#[test]
fn every_change_has_the_probability_that_single_updates_give_it() {
    let mut stream = stream(1);
    for n in [1, 2, 3, 4, 6] {
        for (epsilon, eta) in PROBABILITIES
            .iter()
            .flat_map(|&epsilon| PROBABILITIES.map(|eta| (epsilon, eta)))
        {
            let pair: PairRule = rule_at(n, epsilon, 0.0);
            let cell: CellRule = rule_at(n, epsilon, eta);
            let board = Board::new(n);
            for _ in 0..if n == 6 { 4 } else { 40 } {
                for x in [
                    unreached(board, &mut stream),
                    reached_if_any(&pair, board, &mut stream),
                ] {
                    assert_same(
                        &rejection_free_changes(&pair, &x),
                        &stepwise_changes(&pair, &x),
                    );
                    assert_classes_tell(&pair, &x, |_| 1.0);
                }
                for x in [
                    unreached(board, &mut stream),
                    reached(&cell, board, &mut stream),
                ] {
                    assert_same(
                        &rejection_free_changes(&cell, &x),
                        &stepwise_changes(&cell, &x),
                    );
                    assert_classes_tell(&cell, &x, |site| open_cell(&cell, &x, site, eta));
                }
            }
        }
    }
}

/// The pair rule has no update at n = 1.
fn reached_if_any(rule: &PairRule, board: Board, stream: &mut TrialStream) -> Configuration {
    if rule.n_sites() == 0 {
        Configuration::random_start(board, stream)
    } else {
        reached(rule, board, stream)
    }
}

/// The claim on which thinning rests: where a threatened queen has a safe cell beside it, an update
/// moves it with probability 1/8 at least.
#[test]
fn an_open_cell_is_rarely_without_effect() {
    let mut stream = stream(2);
    for eta in PROBABILITIES {
        let rule: CellRule = rule_at(5, 0.0, eta);
        for _ in 0..2000 {
            let x = unreached(Board::new(5), &mut stream);
            let open = (0..rule.n_sites())
                .map(|number| rule.site(number))
                .filter(|&site| class(&rule, &x, site) == Class::Open);
            assert!(
                open.map(|site| open_cell(&rule, &x, site, eta))
                    .all(|p| p >= 0.125 - 1e-12)
            );
        }
    }
}

fn assert_up_to_date_along<R: LocalRule + Clone>(
    rule: &R,
    n: usize,
    events: u32,
    stream: &mut TrialStream,
) {
    let mut trial = Events::new(rule, Configuration::random_start(Board::new(n), stream));
    let waiting = Waiting::new(rule.epsilon(), rule.n_sites());
    for event in 0..events {
        let counts = trial.classes.counts();
        let outlook = waiting.outlook(counts);
        if outlook.law.probability() == 0.0 {
            return;
        }
        trial.happen(waiting.fall(outlook.place(stream), counts, stream), stream);
        if event % 16 == 0 || event + 100 > events {
            assert_up_to_date(&trial);
        }
    }
}

#[test]
fn classes_stay_up_to_date_along_trajectories() {
    let mut stream = stream(3);
    for (n, events) in [
        (2, 3000),
        (5, 10_000),
        (8, 20_000),
        (13, 10_000),
        (64, 3000),
    ] {
        for epsilon in [0.003, 0.3] {
            assert_up_to_date_along(
                &rule_at::<PairRule>(n, epsilon, 0.0),
                n,
                events,
                &mut stream,
            );
            assert_up_to_date_along(
                &rule_at::<CellRule>(n, epsilon, 0.1),
                n,
                events,
                &mut stream,
            );
        }
    }
}
