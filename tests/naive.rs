//! A second implementation of every rule, written from the definitions (docs/rules.md) and not
//! from the program: cells as plain structs, coordinates everywhere, "solution" and "absorbed"
//! decided from scratch. Fed with the same stream it must go through the same
//! trials: times, moves and their kinds, final placement.

mod counters;
mod course;
mod factor;
mod synchronous;
mod tally;

use self::counters::{Counters, Decided, with_true_signals};
use self::course::{observe_until, queen_move};
use self::tally::Recount;
use std::sync::Mutex;

use rayon::prelude::*;
use reines::analysis::comparison::end_point::between_samples;
use reines::experiment::store::Row;
use reines::experiment::store::rows::Rows;
use reines::solver::local::rules::RULES;
use reines::solver::rng::{Chance, RandomSource, TrialStream};
use reines::solver::{
    Algorithm, Change, Control, Course, Dynamics, Ending, Key, Outcome, Point, QueenMove, Value,
    algorithm, prepare,
};

/// NW, N, NE, W, E, SW, S, SE as (Δx, Δy).
const D: [At; 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

#[derive(Debug, Clone, Default, PartialEq)]
struct Cell {
    queens: u32,
    signals: [bool; 8],
}

type At = (i64, i64);

/// What a condition of a spec says of a move: of SAFEGO, the signals on the start and on the
/// destination, the queens there, and whether it has the signal from the start's direction.
type Meaning = fn(bool, usize, usize, u32, bool) -> bool;

/// Conditions, and what they say in other words.
pub const CONDITIONS: [(&str, Meaning); 6] = [
    ("", |safe, _, _, _, _| safe),
    ("safe or b.signals < a.signals", |safe, a, b, _, _| {
        safe || b < a
    }),
    (
        "safe or b.queens == 0 and b.signals < a.signals",
        |safe, a, b, queens, _| safe || (queens == 0 && b < a),
    ),
    (
        "safe or b.queens == 0 and b.signals - b.own < a.signals",
        |safe, a, b, queens, own| safe || (queens == 0 && b < a + usize::from(own)),
    ),
    (
        "not safe and b.queens + b.own > 1",
        |safe, _, _, queens, own| !safe && (queens >= 2 || (own && queens == 1)),
    ),
    ("false", |_, _, _, _, _| false),
];

#[derive(Debug, Clone)]
struct Naive {
    n: i64,
    epsilon: Chance,
    eta: Chance,
    /// Which moves need no coin.
    certain: Meaning,
    cells: Vec<Vec<Cell>>,
    counters: Counters,
    /// The move of the last update.
    moved: Option<Decided>,
    /// A direction whose signals ω does not count: a mistake, for the test that it is found out.
    blind: Option<usize>,
}

/// The direction in which `from` lies, seen from `to`.
fn delta(from: At, to: At) -> usize {
    let step = (from.0 - to.0, from.1 - to.1);
    D.iter().position(|&it| it == step).unwrap()
}

impl Naive {
    fn start(n: i64, epsilon: f64, eta: f64, random: &mut impl RandomSource) -> Self {
        let cells = vec![vec![Cell::default(); n as usize]; n as usize];
        let mut naive = Self {
            n,
            epsilon: Chance::new(epsilon),
            eta: Chance::new(eta),
            certain: CONDITIONS[0].1,
            cells,
            counters: Counters::default(),
            moved: None,
            blind: None,
        };
        for _ in 0..n {
            let number = random.below((n * n) as u64) as i64;
            naive.cell_mut((number % n, number / n)).queens += 1;
        }
        naive
    }

    fn cell(&self, (x, y): At) -> &Cell {
        &self.cells[y as usize][x as usize]
    }

    fn cell_mut(&mut self, (x, y): At) -> &mut Cell {
        &mut self.cells[y as usize][x as usize]
    }

    fn inside(&self, (x, y): At) -> bool {
        0 <= x && x < self.n && 0 <= y && y < self.n
    }

    fn all_cells(&self) -> Vec<At> {
        let row = |y| (0..self.n).map(move |x| (x, y));
        (0..self.n).flat_map(row).collect()
    }

    /// The cells beside it, in the order of [`D`].
    fn neighbours(&self, c: At) -> Vec<At> {
        let all = D.iter().map(|step| (c.0 + step.0, c.1 + step.1));
        all.filter(|&to| self.inside(to)).collect()
    }

    fn safe_stay(&self, c: At) -> bool {
        self.cell(c).queens <= 1 && self.cell(c).signals.iter().all(|&signal| !signal)
    }

    fn safe_go(&self, c: At, from: usize) -> bool {
        self.cell(c).queens == 0 && (0..8).all(|d| d == from || !self.cell(c).signals[d])
    }

    /// `Some` if a queen on `a` moves to `b`: true if it needs its coin.
    fn wants_to_move(&self, a: At, b: At, random: &mut impl RandomSource) -> Option<bool> {
        if self.cell(a).queens == 0 || self.safe_stay(a) {
            return None;
        }
        if self.is_certain(a, b) {
            return Some(false);
        }
        random.flip(self.epsilon).then_some(true)
    }

    fn is_certain(&self, a: At, b: At) -> bool {
        let count = |signals: [bool; 8]| signals.into_iter().filter(|&signal| signal).count();
        let (start, end) = (count(self.cell(a).signals), self.cell(b));
        let (from, signals) = (delta(a, b), count(end.signals));
        let (safe, own) = (self.safe_go(b, from), end.signals[from]);
        (self.certain)(safe, start, signals, end.queens, own)
    }

    fn move_queen(&mut self, a: At, b: At, needed_coin: bool) {
        let mut counters = self.counters;
        self.moved = Some(counters.decided(self, (a, b), needed_coin));
        self.counters = counters;
        self.cell_mut(a).queens -= 1;
        self.cell_mut(b).queens += 1;
    }

    /// What `c` should carry for direction `d`, going by its neighbour there.
    fn heard(&self, c: At, d: usize) -> bool {
        let neighbour = (c.0 + D[d].0, c.1 + D[d].1);
        self.inside(neighbour)
            && (self.cell(neighbour).queens >= 1 || self.cell(neighbour).signals[d])
    }

    fn update_pair(&mut self, random: &mut impl RandomSource) {
        let n = self.n;
        let number = random.below(((4 * n - 2) * (n - 1)) as u64) as i64;
        let (q, r) = (number / (n - 1), number % (n - 1));
        let (a, b) = match q {
            _ if q < n => ((r, q), (r + 1, q)),
            _ if q < 2 * n => ((q - n, r), (q - n, r + 1)),
            _ if q < 3 * n - 1 => ((q - 2 * n, r), (q - 2 * n + 1, r + 1)),
            _ => ((q - 3 * n + 1, r + 1), (q - 3 * n + 2, r)),
        };
        let a_to_b = self.wants_to_move(a, b, random);
        let b_to_a = self.wants_to_move(b, a, random);
        match (a_to_b, b_to_a) {
            (Some(needed_coin), None) => self.move_queen(a, b, needed_coin),
            (None, Some(needed_coin)) => self.move_queen(b, a, needed_coin),
            _ => {}
        }
        let (at_b, at_a) = (self.heard(b, delta(a, b)), self.heard(a, delta(b, a)));
        self.cell_mut(b).signals[delta(a, b)] = at_b;
        self.cell_mut(a).signals[delta(b, a)] = at_a;
    }

    fn update_cell(&mut self, random: &mut impl RandomSource) {
        let number = random.below((self.n * self.n) as u64) as i64;
        let c = (number % self.n, number / self.n);
        self.cell_mut(c).signals = std::array::from_fn(|d| self.heard(c, d));
        if self.cell(c).queens == 0 || self.safe_stay(c) {
            return;
        }
        let to = self.destination(c, random);
        if let Some(needed_coin) = self.wants_to_move(c, to, random) {
            self.move_queen(c, to, needed_coin);
        }
    }

    /// A neighbour of least ω, or with η any; ω is infinite with a queen.
    fn destination(&self, c: At, random: &mut impl RandomSource) -> At {
        let mut among = self.neighbours(c);
        let omega = |&to: &At| match self.cell(to) {
            Cell { queens: 0, signals } => {
                let counts = |&d: &usize| signals[d] && self.blind != Some(d);
                (0..8).filter(counts).count()
            }
            _ => usize::MAX,
        };
        if !random.flip(self.eta) {
            let least = among.iter().map(omega).min().unwrap();
            among.retain(|to| omega(to) == least);
        }
        among[random.below(among.len() as u64) as usize]
    }

    fn queens(&self) -> Vec<At> {
        let cells = self.all_cells().into_iter();
        let queens = cells.flat_map(|c| vec![c; self.cell(c).queens as usize]);
        queens.collect()
    }

    fn is_solution(&self) -> bool {
        let queens = self.queens();
        let attack =
            |a: At, b: At| a.0 == b.0 || a.1 == b.1 || (a.0 - b.0).abs() == (a.1 - b.1).abs();
        (0..queens.len()).all(|i| (0..i).all(|j| !attack(queens[i], queens[j])))
    }

    fn signals_are_true(&self) -> bool {
        self.cells == with_true_signals(self).cells
    }

    fn rows(&self) -> Box<[u32]> {
        let mut queens = self.queens();
        queens.sort_unstable();
        queens.into_iter().map(|(_, y)| y as u32).collect()
    }
}

fn naive_trial(
    (rule, variant): (&str, &str),
    (n, epsilon, eta): (u64, f64, f64),
    (cutoff, moments): (u64, &[u64]),
    random: &mut impl RandomSource,
) -> (Outcome, Course, Vec<QueenMove>) {
    let start = Naive::start(n as i64, epsilon, eta, random);
    let certain = CONDITIONS.iter().find(|(text, _)| *text == variant);
    let certain = certain.expect("a condition with a second meaning").1;
    run(Naive { certain, ..start }, rule, (cutoff, moments), random)
}

fn run(
    mut naive: Naive,
    rule: &str,
    (cutoff, moments): (u64, &[u64]),
    random: &mut impl RandomSource,
) -> (Outcome, Course, Vec<QueenMove>) {
    let (mut course, mut moves) = (Course::default(), Vec::new());
    let (mut time, mut hit, mut was_solution) = (0, None, false);
    // Decided from scratch, where a queen has moved since it was decided last.
    let (mut solution, mut decided_at) = (false, None);
    let mut recount = (!moments.is_empty()).then(Recount::new);
    loop {
        if decided_at != Some(naive.counters.moves) {
            (solution, decided_at) = (naive.is_solution(), Some(naive.counters.moves));
        }
        if solution && hit.is_none() {
            hit = Some((time, naive.counters.moves));
        }
        naive.counters.entries += u64::from(solution && !was_solution);
        was_solution = solution;
        let absorbed = solution && naive.signals_are_true();
        let last = if absorbed { u64::MAX } else { time };
        let tally = recount.as_ref().map(|recount| recount.tally);
        observe_until(&mut course, moments, (&naive, tally), last);
        if absorbed || time == cutoff {
            let solution = solution.then(|| naive.rows());
            let outcome = naive.counters.outcome((time, absorbed), hit, solution);
            return (outcome, course, moves);
        }
        if let Some(recount) = &mut recount {
            recount.before_update(&naive);
        }
        match rule {
            "pair" => naive.update_pair(random),
            "cell" => naive.update_cell(random),
            other => panic!("there is no second implementation of the rule {other}"),
        }
        time += 1;
        if let Some(decided) = naive.moved.take() {
            moves.push(queen_move(&naive, time, decided));
            if let Some(recount) = &mut recount {
                recount.moved(decided, &naive);
            }
        }
    }
}

/// The values of those axes that the rule has.
pub fn point(algorithm: &Algorithm, variant: &str, (n, epsilon, eta): (u64, f64, f64)) -> Point {
    let values = [
        ("n", Value::Integer(n)),
        ("epsilon", Value::real(epsilon)),
        ("eta", Value::real(eta)),
    ];
    let declared = |name| algorithm.axes.iter().any(|axis| axis.name == name);
    let values = values.into_iter().filter(|&(name, _)| declared(name));
    Point {
        variant: variant.to_owned(),
        ..Point::new(algorithm.name, values)
    }
}

/// Trials of each small point that are held against the definitions.
fn n_trials() -> u32 {
    crate::effort(1, 25)
}

/// A trial of single updates, which nothing stops.
pub fn stepwise(point: &Point, key: Key, cutoff: u64, control: &Control) -> (Outcome, Course) {
    let prepared = prepare(point, Some(Dynamics::Stepwise));
    prepared(key, cutoff, control).unwrap()
}

fn check_trials(
    (rule, variant): (&str, &str),
    (n, epsilon, eta): (u64, f64, f64),
    cutoff: u64,
    trials: u32,
) -> u32 {
    let algorithm = algorithm(rule).unwrap();
    let point = point(algorithm, variant, (n, epsilon, eta));
    let moments = moments(cutoff);
    let watched = Mutex::new(Vec::new());
    let watch = |it: Change| watched.lock().unwrap().extend(it.moved);
    let control = Control::unstopped().observing(&moments).watching(&watch);
    let mut left_a_solution = 0;
    for trial in 0..trials {
        let (outcome, course) = stepwise(&point, Key { seed: 7, trial }, cutoff, &control);
        let mut stream = TrialStream::new("reines/local/stepwise/1", 7, &point, trial);
        let (values, stops) = ((n, epsilon, eta), (cutoff, &moments[..]));
        let (expected, expected_course, moves) =
            naive_trial((rule, variant), values, stops, &mut stream);
        assert_eq!(outcome, expected, "{point}, trial {trial}");
        assert!(course == expected_course, "{point}, trial {trial}: course");
        let watched = std::mem::take(&mut *watched.lock().unwrap());
        assert!(watched == moves, "{point}, trial {trial}: moves");
        check_bounds(&outcome);
        left_a_solution += u32::from(
            outcome
                .moves_at_hit
                .is_some_and(|it| Some(it) < outcome.moves),
        );
    }
    left_a_solution
}

/// Every update up to 300, some later ones, the cutoff, and what comes after it.
fn moments(cutoff: u64) -> Vec<u64> {
    let later = (300..cutoff).step_by(977);
    let end = [cutoff, cutoff + 1, 2 * cutoff, u64::MAX];
    (0..cutoff.min(300)).chain(later).chain(end).collect()
}

/// Moves, dangerous, needless and deceived ones, and entries.
fn counts(it: &Outcome) -> [u64; 5] {
    let kinds = [it.dangerous_moves, it.needless_moves, it.deceived_moves];
    let [dangerous, needless, deceived] = kinds;
    [it.moves, dangerous, needless, deceived, it.entries].map(Option::unwrap)
}

/// Entries are counted from the hit on, the start included; no kind of moves is more than all.
fn check_bounds(outcome: &Outcome) {
    let moves = outcome.moves.unwrap();
    let [_, kinds @ .., _] = counts(outcome);
    assert!(kinds.iter().all(|&kind| kind <= moves));
    let entries = outcome.entries.unwrap();
    assert_eq!(entries >= 1, outcome.hitting_time.is_some());
    assert!(entries <= moves + 1);
    assert!(outcome.ending != Ending::Absorbed || entries >= 1);
}

#[test]
fn the_program_and_the_definitions_go_through_the_same_trials() {
    for n in 1..=8 {
        let (cutoff, trials) = match n {
            ..6 => (1500, n_trials()),
            _ => (2000, n_trials().div_ceil(5)),
        };
        for epsilon in [0.0, 0.01, 0.2, 1.0] {
            for rule in RULES {
                for (variant, _) in CONDITIONS {
                    let rule = (rule.algorithm.name, variant);
                    check_trials(rule, (n, epsilon, 0.1), cutoff, trials);
                }
            }
        }
        check_trials(("cell", ""), (n, 0.05, 0.0), cutoff, trials);
        check_trials(("cell", ""), (n, 0.05, 1.0), cutoff, trials);
    }
}

/// Large ε, where stale signals push queens off solutions and the false signals must be counted
/// anew.
#[test]
fn solutions_that_are_left_again_agree_too() {
    let left = check_trials(("pair", ""), (4, 0.15, 0.0), 100_000, 30)
        + check_trials(("cell", ""), (5, 0.3, 0.2), 100_000, 30);
    assert!(left > 10, "{left} trials left a solution again");
}

/// Borders of numbers: a trial cut off just before its absorption is censored, one cut off at it is
/// absorbed.
#[test]
fn cutoffs_around_the_absorption_agree() {
    let ways = RULES
        .iter()
        .flat_map(|rule| CONDITIONS.map(|it| (&rule.algorithm, it.0)));
    for (algorithm, variant) in ways {
        let point = point(algorithm, variant, (4, 0.1, 0.1));
        for trial in 0..50 {
            let key = Key { seed: 3, trial };
            let run = |cutoff| stepwise(&point, key, cutoff, &Control::unstopped()).0;
            let long = run(10_000_000);
            let time = long.absorption_time.unwrap();
            assert_eq!(run(time), long);
            let cut = run(time - 1);
            let found = (cut.ending, cut.absorption_time, cut.updates);
            assert_eq!(found, (Ending::Censored, None, Some(time - 1)));
        }
    }
}

/// A cell rule whose ω does not see one direction takes longer (here by 14 % and by 30 %, at n = 8
/// more than twice as long): 1000 trials of it against 1000 of the program's: Holm's threshold
/// among 20 points (20 × 4 tests at α = 0.05). The naive rule that sees every direction passes as
/// the program's own, on the same trials: a false alarm of its four tests at that threshold has a
/// probability below 0.003.
#[test]
fn a_cell_rule_that_is_blind_to_one_direction_is_found_out() {
    const TRIALS: u32 = 500;
    const CUTOFF: u64 = 100_000_000;
    let (n, epsilon, eta) = (5, 0.1, 0.1);
    let algorithm = algorithm("cell").unwrap();
    let point = point(algorithm, "", (n, epsilon, eta));
    let prepared = prepare(&point, Some(Dynamics::RejectionFree));
    let row = |trial, outcome| Row {
        seed: 7,
        trial,
        cutoff: CUTOFF,
        outcome,
    };
    let ours = |trial| {
        let gave = prepared(Key { seed: 7, trial }, CUTOFF, &Control::unstopped());
        row(trial, gave.unwrap().0)
    };
    let theirs = |blind| {
        let point = &point;
        move |trial| {
            let mut random = TrialStream::new("reines/test/blind/1", 7, point, trial);
            let naive = Naive {
                blind,
                ..Naive::start(n as i64, epsilon, eta, &mut random)
            };
            row(trial, run(naive, "cell", (CUTOFF, &[]), &mut random).0)
        }
    };
    let rows = |rows: Vec<Row>| -> Rows { rows.into() };
    let ours = rows((0..TRIALS).into_par_iter().map(ours).collect());
    let least_p = |blind| {
        let theirs = rows((0..TRIALS).into_par_iter().map(theirs(blind)).collect());
        let tests = between_samples([&ours, &theirs]);
        tests.iter().map(|test| test.test.p).fold(1.0, f64::min)
    };
    const THRESHOLD: f64 = 0.05 / 80.0;
    assert!(least_p(None) > THRESHOLD);
    // A diagonal and a straight one; the four of each kind are each other's mirror images.
    assert!([0, 1].iter().all(|&it| least_p(Some(it)) < THRESHOLD));
}
