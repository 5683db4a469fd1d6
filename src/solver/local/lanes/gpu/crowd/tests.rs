//! Steps on a software device against those of other lanes: boards, generators, draws, what is
//! counted, waits.

use super::*;
use crate::solver::Asked;
use crate::solver::local::configuration::Configuration;
use crate::solver::local::lanes::batch::Batch;
use crate::solver::local::lanes::boards::{Generator, Lane};
use crate::solver::local::lanes::cells::CellKernel;
use crate::solver::local::lanes::loops::Phase;
use crate::solver::local::lanes::pairs::PairKernel;
use crate::solver::local::rules::cell::CellRule;
use crate::solver::local::rules::pair::PairRule;
use crate::solver::local::samples::{self, point_of, unreached};
use crate::solver::rng::TrialStream;

/// The trials that a launch has.
const TRIALS: usize = 24;

/// n and ε; η as a fraction of 1.
const POINTS: [(usize, f64, f64); 12] = [
    (1, 0.1, 0.1),
    (2, 0.3, 0.5),
    (3, 1.0, 1.0),
    (4, 0.0, 0.0),
    (4, 0.1, 0.1),
    (5, 1e-17, 0.1),
    (5, 0.05, 1.0),
    (8, 0.01, 0.1),
    (8, 0.9, 0.3),
    (11, 0.03, 0.1),
    (13, 0.1, 0.0),
    (16, 0.02, 0.1),
];

fn device() -> Gpu {
    Gpu::open(&Asked::Software).unwrap_or_else(|error| panic!("{error}"))
}

/// A start of whatever kind, for the device and for a batch of its own.
fn start<const W: usize>(point: &Point, trial: u32, stream: &mut TrialStream) -> Seat<W> {
    let x: Option<Configuration> = (trial % 4 > 0).then(|| unreached(rule::board(point), stream));
    let mut seat = Seat::start((1, trial), point, 0, x);
    // Never the first solution: the steps go on.
    seat.tally.moves_at_hit = Some(0);
    seat
}

/// So many steps of the first lane, to where nothing can change.
fn by_processor<K: Kernel<W>, const W: usize>(
    host: &Host<K, W>,
    batch: &mut [Batch<K, W>],
    most: u64,
) {
    let mut left = most;
    while left > 0 && !batch[0].tallies[0].is_still {
        left -= host.alone.run(&host.kernel, batch, left, Phase::Both);
    }
}

/// So many steps of each trial on the device, in launches of at most so many.
fn by_device<K: Kernel<W>, const W: usize>(
    crowd: &mut Crowd<K, W>,
    memory: &mut Memory,
    (steps, most): (u64, u32),
) -> Vec<Vec<u64>> {
    let n_places = crowd.places.len();
    let left = |place: &Place<W>| if place.tally.is_still { 0 } else { steps };
    let mut left: Vec<u64> = crowd.places.iter().map(left).collect();
    let mut draws = vec![vec![0; crowd.host.program.draw_words()]; n_places];
    while left.iter().any(|&left| left > 0) {
        crowd.launches += 1;
        let mut orders = vec![0; ORDERS * n_places];
        for (trial, place) in crowd.places.iter_mut().enumerate() {
            place.most = left[trial].min(most.into()) as u32;
            place.flags = crowd.launches << FLAGS_BITS | WAS_HIT | FORGET;
            (orders[trial], orders[n_places + trial]) = (place.most, place.flags);
        }
        let boards = std::mem::take(&mut crowd.has_new).then_some(crowd.boards.as_slice());
        let results = memory.launch(boards, &orders).expect("a device that works");
        crowd.boards = results.boards;
        for (trial, place) in crowd.places.iter_mut().enumerate() {
            if place.most == 0 {
                continue;
            }
            let word = |at: usize| results.reports[at * n_places + trial];
            let report = Report::read(word, place.most, place.flags).expect("a sound report");
            crowd.host.count(place, &report);
            left[trial] -= u64::from(report.made);
            if report.end == End::Still {
                left[trial] = 0;
            }
            for (open, sum) in draws[trial].iter_mut().enumerate() {
                *sum += u64::from(results.draws[open * n_places + trial]);
            }
        }
    }
    draws
}

/// Both, after 1 step, after 2 more, 30 and 500 more.
fn compare<K: Kernel<W>, const W: usize>(point: &Point, most: u32) -> [u64; 3] {
    let device = device();
    let mut crowd = Crowd::<K, W>::new(&device, point, u64::MAX);
    let mut stream = samples::stream("steps on a device", u64::from(most));
    for trial in 0..TRIALS as u32 {
        let mut place = crowd.host.seated((1, trial));
        place.seat = start(point, trial, &mut stream);
        place.tally = place.seat.tally.clone();
        crowd.places.push(place);
    }
    let batch = |place: &Place<W>| {
        let mut batch = [Batch::idle(&crowd.host.kernel, &place.seat.tally)];
        batch[0].seat(0, &place.seat.board, place.seat.tally.clone());
        batch
    };
    let mut batches: Vec<_> = crowd.places.iter().map(batch).collect();
    crowd.boards = vec![0; crowd.host.program.board_words() * TRIALS];
    (0..TRIALS).for_each(|number| crowd.put_board(number));
    let sizes = crowd.sizes();
    let memory = device.memory(&crowd.host.program.text, sizes, TRIALS);
    let mut memory = memory.expect("a program that the device takes");
    let mut seen = [0; 3];
    for steps in [1, 2, 30, 500] {
        let draws = by_device(&mut crowd, &mut memory, (steps, most));
        for (trial, batch) in batches.iter_mut().enumerate() {
            let (place, at) = (&crowd.places[trial], format!("{point}, trial {trial}"));
            if !batch[0].tallies[0].is_still {
                by_processor(&crowd.host, batch, steps);
                for (open, drawn) in batch[0].draws.iter_mut().enumerate() {
                    let drawn = u64::from(std::mem::take(&mut drawn[0]));
                    assert!(
                        open == 0 || draws[trial][open] == drawn,
                        "{at}: {open} open"
                    );
                }
            }
            let word = |at: usize| crowd.boards[at * TRIALS + trial];
            let found: Lane<W> = board(word, &crowd.host.program).expect("n queens");
            assert_eq!(found, batch[0].boards.take(0), "{at}");
            let (a, b) = (&place.tally, &batch[0].tallies[0]);
            let kinds = |tally: &Tally| format!("{:?}", tally.counters);
            assert_eq!(kinds(a), kinds(b), "{at}");
            assert_eq!((a.waited, &a.waits), (b.waited, &b.waits), "{at}");
            assert_eq!(a.is_still, b.is_still, "{at}");
        }
    }
    for place in &crowd.places {
        seen[0] += place.tally.counters.moves;
        seen[1] += u64::from(place.tally.waited > 0);
        seen[2] += u64::from(place.tally.is_still);
    }
    seen
}

/// Both rules at a point, with launches of a few steps at the smaller boards.
fn compare_at(at: (usize, f64, f64)) -> [u64; 3] {
    let most = if at.0 < 8 { 7 } else { 1 << 11 };
    let (pair, cell) = (point_of::<PairRule>("", at), point_of::<CellRule>("", at));
    let [a, b] = match at.0 {
        0..=8 => [
            compare::<PairKernel<PairRule, 1>, 1>(&pair, most),
            compare::<CellKernel<CellRule, 1>, 1>(&cell, most),
        ],
        9..=11 => [
            compare::<PairKernel<PairRule, 2>, 2>(&pair, most),
            compare::<CellKernel<CellRule, 2>, 2>(&cell, most),
        ],
        12..=13 => [
            compare::<PairKernel<PairRule, 3>, 3>(&pair, most),
            compare::<CellKernel<CellRule, 3>, 3>(&cell, most),
        ],
        _ => [
            compare::<PairKernel<PairRule, 4>, 4>(&pair, most),
            compare::<CellKernel<CellRule, 4>, 4>(&cell, most),
        ],
    };
    std::array::from_fn(|fact| a[fact] + b[fact])
}

#[test]
fn steps_are_those_of_other_lanes_from_any_board() {
    let mut seen = [0; 3];
    for at in POINTS {
        let more = compare_at(at);
        (0..3).for_each(|fact| seen[fact] += more[fact]);
    }
    assert!(
        seen.iter().all(|&seen| seen > 10),
        "all was tried: {seen:?}"
    );
}

#[test]
fn a_board_goes_to_the_device_and_back() {
    let mut stream = samples::stream("boards of a device", 1);
    for n in [4, 8] {
        let point = point_of::<PairRule>("", (n, 0.1, 0.0));
        let device_less = PairKernel::<PairRule, 1>::new(
            PairRule::at(&point, rule::board(&point)),
            Layout::on(rule::board(&point)),
        );
        let program = device_less.program();
        for _ in 0..20 {
            let generator = Generator(std::array::from_fn(|_| stream.word()));
            let x = unreached(rule::board(&point), &mut stream);
            let lane: Lane<1> = Lane::of(&x, generator);
            let words: Vec<u32> = words(&lane, device_less.layout(), &program).collect();
            assert_eq!(words.len(), program.board_words());
            assert_eq!(board(|at| words[at], &program), Ok(lane));
            let mut one_more = words.clone();
            one_more[8 * n] ^= 1;
            assert!(board::<1>(|at| one_more[at], &program).is_err());
        }
    }
}
