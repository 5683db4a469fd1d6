use std::sync::Mutex;

use super::*;
use crate::solver::board::Direction;
use crate::solver::{
    Control, Dynamics, Key, Outcome, Point, QueenMove, Signal, Value, algorithm, local,
};

/// Every rule under three conditions.
fn points(n: u64, epsilon: f64) -> Vec<Point> {
    let of_rule = |name: &'static str| {
        let rule = algorithm(name).expect("registered");
        let conditions = ["", "safe or b.signals < a.signals", "b.queens != 1"];
        conditions
            .map(str::to_owned)
            .into_iter()
            .map(move |variant| {
                let value = |name: &str| match name {
                    "n" => Value::Integer(n),
                    "epsilon" => Value::real(epsilon),
                    _ => Value::real(0.1),
                };
                let axes = rule.axes.iter();
                let axes = axes.filter(|axis| rule.has_axis(&variant, axis.name));
                let point = Point::new(name, axes.map(|axis| (axis.name, value(axis.name))));
                Point { variant, ..point }
            })
    };
    local::names().flat_map(of_rule).collect()
}

/// The state after all changes.
fn end(log: &Log) -> Configuration {
    let mut state = log.start.clone();
    let changes = log.changes.iter();
    changes.for_each(|change| apply(&mut state, change));
    state
}

/// A point in some dynamics.
type Way<'a> = (&'a Point, Dynamics);

const KEY: Key = Key { seed: 5, trial: 3 };
const CUTOFF: u64 = 8_000;

fn run((point, dynamics): Way, start: Option<Configuration>, log: Log) -> (Outcome, Log) {
    let log = Mutex::new(log);
    let watch = |change| log.lock().expect("alone").add(change);
    let control = Control::unstopped().watching(&watch);
    let prepared = local::prepare(point, dynamics, start);
    let (outcome, _) = prepared(KEY, CUTOFF, &control).expect("no stop");
    (outcome, log.into_inner().expect("alone"))
}

/// The log of a trial, or of a part of it.
fn logged(way: Way, start: Option<Configuration>, window: RangeInclusive<u64>) -> (Outcome, Log) {
    let own_start = || local::start(way.0, way.1, KEY);
    let begin = start.clone().unwrap_or_else(own_start);
    run(way, start, Log::new(begin, window, 1 << 24))
}

const ALL: RangeInclusive<u64> = 0..=u64::MAX;

/// Trials of every rule, variant and dynamics, with their log.
fn each_trial(mut check: impl FnMut(Way, &Outcome, &Log)) {
    for (n, epsilon) in [(1, 0.1), (2, 1.0), (4, 0.0), (6, 0.1), (17, 0.03)] {
        for point in points(n, epsilon) {
            let lanes = point.no_lanes().is_none().then_some(Dynamics::Lanes);
            let others = [Dynamics::RejectionFree, Dynamics::Stepwise];
            for dynamics in others.into_iter().chain(lanes) {
                let (outcome, log) = logged((&point, dynamics), None, ALL);
                check((&point, dynamics), &outcome, &log);
            }
        }
    }
}

#[test]
fn a_log_ends_where_the_trial_ended() {
    each_trial(|(point, dynamics), outcome, log| {
        let prepared = local::prepare(point, dynamics, None);
        let plain = prepared(KEY, CUTOFF, &Control::unstopped());
        assert_eq!(plain.map(|it| it.0).as_ref(), Ok(outcome), "{point}");
        assert_eq!(log.n_changes, log.changes.len() as u64);
        assert!(log.changes.is_sorted_by(|a, b| a.update < b.update));
        let moves: Vec<QueenMove> = log.changes.iter().filter_map(|it| it.moved).collect();
        let n_moves = |is: fn(&QueenMove) -> bool| {
            Some(moves.iter().filter(|moved| is(moved)).count() as u64)
        };
        assert_eq!(outcome.moves, n_moves(|_| true));
        assert_eq!(outcome.dangerous_moves, n_moves(|moved| moved.dangerous));
        assert_eq!(outcome.needless_moves, n_moves(|moved| moved.needless));
        assert_eq!(outcome.deceived_moves, n_moves(|moved| moved.deceived));
        let end = end(log);
        assert_eq!(end.solution(), outcome.solution);
        if let Some(absorbed) = outcome.absorption_time {
            assert_eq!(log.changes.last().map_or(0, |it| it.update), absorbed);
            let is_true = |cell: Cell| end[cell].signals == end.true_signals()[cell.index()];
            assert!(end.board().cells().all(is_true));
        }
    });
}

/// A window keeps the changes within it, and begins with the state before them.
#[test]
fn a_window_is_a_part_of_the_whole() {
    each_trial(|way, outcome, log| {
        let end = outcome.updates.expect("counted");
        for window in [
            (0, end),
            (0, end / 3),
            (end / 3, end / 2),
            (end / 2, u64::MAX),
            (end, end),
        ] {
            let (from, to) = window;
            let (again, part) = logged(way, None, from..=to);
            assert_eq!(&again, outcome);
            let (mut start, mut moves) = (log.start.clone(), 0);
            for change in log.changes.iter().filter(|it| it.update <= from) {
                apply(&mut start, change);
                moves += u64::from(change.moved.is_some());
            }
            let within = |it: &&Change| (from + 1..=to).contains(&it.update);
            assert_eq!(
                (part.start, part.from, part.moves_before),
                (start, from, moves)
            );
            assert!(part.changes.iter().eq(log.changes.iter().filter(within)));
        }
    });
}

/// A trial that is given its own start is the trial itself; one that is given another start is
/// another.
#[test]
fn a_given_start_goes_on_with_the_random_numbers_of_the_trial() {
    each_trial(|way, outcome, log| {
        let again = logged(way, Some(log.start.clone()), ALL);
        assert_eq!((&again.0, &again.1), (outcome, log));
        let board = log.start.board();
        let corner = std::iter::repeat_n(board.cell(0, 0), board.n());
        let corner = Configuration::with_queens(board, corner);
        assert_eq!(logged(way, Some(corner.clone()), ALL).1.start, corner);
    });
}

/// Beyond what is kept, changes are counted.
#[test]
fn what_is_not_kept_is_counted() {
    each_trial(|way, _, log| {
        let start = local::start(way.0, way.1, KEY);
        let (_, short) = run(way, None, Log::new(start, ALL, 10));
        assert_eq!(short.n_changes, log.n_changes);
        assert!(short.changes.iter().eq(log.changes.iter().take(10)));
    });
}

/// A log written by hand: a queen on b2 of a board of side 2 moves to a1 (south-west) in update
/// 300, dangerous and deceived; a1 loses its signal from the north-east, b1 gets one from the west.
/// In update 301 b1 gets one from the north.
#[test]
fn a_log_by_hand() {
    let board = Board::new(2);
    let cells = [board.cell(0, 0), board.cell(1, 0)];
    let mut start = Configuration::with_queens(board, cells);
    start.set_signals(board.cell(0, 1), Directions::only(Direction::NE));
    let moved = QueenMove {
        update: 300,
        from: 1,
        to: 2,
        dangerous: true,
        needless: false,
        deceived: true,
        threatened: 0,
    };
    let signal = |cell, direction| Signal { cell, direction };
    let changes = [
        Change {
            update: 300,
            moved: Some(moved),
            toggled: vec![signal(2, Direction::NE), signal(3, Direction::W)],
        },
        Change {
            update: 301,
            moved: None,
            toggled: vec![signal(3, Direction::N)],
        },
    ];
    let mut log = Log::new(start, 10..=400, 1 << 10);
    changes.into_iter().for_each(|change| log.add(change));
    let numbers: [&[u64]; 5] = [
        // Side 2, from update 10, no move before.
        &[2, 10, 0],
        // Queens on cells 0 and 1; the signal of cell 2 from NE is bit 2.
        &[1, 1, 0, 0],
        &[0, 0, 4, 0],
        // 290 updates later: moved, dangerous, deceived, two signals; from 1 to 2; 2·8+2, 3·8+3.
        &[290, 0x2B, 1, 2, 18, 27],
        // One update later: one signal, 3·8+1.
        &[1, 0x10, 25],
    ];
    assert_eq!(log.numbers(), numbers.concat());
}
