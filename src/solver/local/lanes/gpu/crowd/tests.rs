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
use crate::solver::local::lanes::step::PLACES;
use crate::solver::local::rules::cell::CellRule;
use crate::solver::local::rules::pair::PairRule;
use crate::solver::local::samples::{self, point_of, unreached};
use crate::solver::rng::{Chance, RandomSource as _, TrialStream};

/// The trials that a launch has.
const TRIALS: usize = 24;

/// n and ε; η as a fraction of 1.
const POINTS: [(usize, f64, f64); 13] = [
    (1, 0.1, 0.1),
    (2, 0.3, 0.5),
    (3, 1.0, 1.0),
    (4, 0.0, 0.0),
    (4, 0.1, 0.1),
    (5, 1e-17, 0.1),
    (5, 1e-9, 0.3),
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
    let x: Option<Configuration> =
        (!trial.is_multiple_of(4)).then(|| unreached(rule::board(point), stream));
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

/// Trials on a device and each on its own in a batch.
struct Both<'a, K: Kernel<W>, const W: usize> {
    crowd: Crowd<'a, K, W>,
    memory: Memory<'a>,
    batches: Vec<[Batch<K, W>; 1]>,
}

impl<'a, K: Kernel<W>, const W: usize> Both<'a, K, W> {
    /// From starts of any kind.
    fn new(device: &'a Gpu, point: &'a Point, stream: &mut TrialStream) -> Self {
        let mut crowd = Crowd::<K, W>::new(device, point, u64::MAX);
        for trial in 0..TRIALS as u32 {
            let mut place = crowd.host.seated((1, trial));
            place.seat = start(point, trial, stream);
            place.tally = place.seat.tally.clone();
            crowd.places.push(place);
        }
        crowd.boards = vec![0; crowd.host.program.board_words() * TRIALS];
        let memory = device.memory(&crowd.host.program.text, crowd.sizes(), TRIALS);
        let mut both = Self {
            memory: memory.expect("a program that the device takes"),
            batches: Vec::new(),
            crowd,
        };
        both.seat();
        both
    }

    /// The boards of the seats, for both.
    fn seat(&mut self) {
        let batch = |place: &Place<W>| {
            let mut batch = [Batch::idle(&self.crowd.host.kernel, &place.seat.tally)];
            batch[0].seat(0, &place.seat.board, place.tally.clone());
            batch
        };
        self.batches = self.crowd.places.iter().map(batch).collect();
        let all: Vec<usize> = (0..TRIALS).collect();
        self.crowd.put_boards(&all);
    }

    /// Makes so many steps more, in launches of at most so many, and compares.
    fn go(&mut self, steps: u64, most: u32) {
        let Self {
            crowd,
            memory,
            batches,
        } = self;
        let draws = by_device(crowd, memory, (steps, most));
        for (trial, batch) in batches.iter_mut().enumerate() {
            let place = &crowd.places[trial];
            let at = format!("{}, trial {trial}", crowd.host.point);
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

    /// Moves, trials that had to wait without an open site, and those where nothing can change.
    fn seen(&self) -> [u64; 3] {
        let sum = |fact: fn(&Tally) -> u64| -> u64 {
            let places = self.crowd.places.iter();
            places.map(|place| fact(&place.tally)).sum()
        };
        [
            sum(|tally| tally.counters.moves),
            sum(|tally| (tally.waited > 0).into()),
            sum(|tally| tally.is_still.into()),
        ]
    }
}

/// After 1 step, after 2 more, 30 and 500 more.
fn compare<K: Kernel<W>, const W: usize>(point: &Point, most: u32) -> [u64; 3] {
    let device = device();
    let mut stream = samples::stream("steps on a device", u64::from(most));
    let mut both = Both::<K, W>::new(&device, point, &mut stream);
    for steps in [1, 2, 30, 500] {
        both.go(steps, most);
    }
    both.seen()
}

/// One step with a word that is seldom drawn: on places that would be favoured, near them, or with
/// a coin that needs more bits, from 40 boards of each trial.
fn compare_seldom<K: Kernel<W>, const W: usize>(point: &Point, epsilon: Chance) -> u64 {
    let device = device();
    let mut stream = samples::stream("seldom words on a device", 1);
    let mut both = Both::<K, W>::new(&device, point, &mut stream);
    let one = epsilon.threshold();
    let first = (one * ((1 << 64) - one)) >> 64;
    let mut n_favoured = 0;
    for _ in 0..40 {
        for trial in 0..TRIALS as u32 {
            let mut seat: Seat<W> = start(point, trial, &mut stream);
            let host = &both.crowd.host;
            let mut batch = [Batch::idle(&host.kernel, &seat.tally)];
            batch[0].seat(0, &seat.board, seat.tally.clone());
            host.alone.run(&host.kernel, &mut batch, 1, Phase::Choice);
            let slots = host.kernel.slots();
            let open = batch[0].drawn.open[0];
            let places = (open * PLACES + slots.places).min(slots.most).max(1);
            // The lowest words of a place: the product's lower half is below the number of places.
            let high = (stream.below(places) << 32).div_ceil(places) + stream.below(2);
            n_favoured += u64::from((high * places) as u32 <= places as u32);
            let coins = [one, first, 2 * first].map(|threshold| (threshold >> 32) as u64);
            let low = match stream.below(4) as usize {
                3 => stream.word(),
                coin => coins[coin],
            };
            let word = high << 32 | low & u64::from(u32::MAX);
            // The word is rotl(s0 + s3, 23) + s0.
            let rest = [stream.word(), stream.word()];
            seat.board.generator = Generator([0, rest[0], rest[1], word.rotate_right(23)]);
            let place = &mut both.crowd.places[trial as usize];
            (place.seat, place.tally.is_still) = (seat, false);
        }
        both.seat();
        both.go(1, 1);
    }
    n_favoured
}

#[test]
fn seldom_words_do_what_they_do_in_other_lanes() {
    for (n, epsilon) in [(4, 0.3), (8, 0.1), (5, 1e-11)] {
        let at = (n, epsilon, 0.3);
        let (pair, cell) = (point_of::<PairRule>("", at), point_of::<CellRule>("", at));
        let epsilon = Chance::new(epsilon);
        let seen = compare_seldom::<PairKernel<PairRule, 1>, 1>(&pair, epsilon)
            + compare_seldom::<CellKernel<CellRule, 1>, 1>(&cell, epsilon);
        assert!(seen > 500, "words that favour were tried: {seen}");
    }
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
