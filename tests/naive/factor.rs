//! Factoring by signals from its definition: cells in rows and columns, every list of moves made,
//! every signal of the truth found by walking along its line.

use rayon::prelude::*;
use reines::solver::rng::{Chance, RandomSource, TrialStream};
use reines::solver::{Control, Key, Outcome, Point, Value};

use super::counters::Counters;
use super::{check_bounds, counts, stepwise};
use crate::program::{Workplace, csv, root};

/// (i, j): row and column.
type At = (i64, i64);

/// Towards smaller i, larger i, smaller j, larger j.
const D: [At; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

#[derive(Debug, Clone, Default, PartialEq)]
struct Cell {
    tokens: u64,
    token_signals: [bool; 4],
    hole_signals: [bool; 4],
}

impl Cell {
    fn is_hole(&self) -> bool {
        let [i_less, i_more, j_less, j_more] = self.token_signals;
        self.tokens == 0 && (i_less || i_more) && (j_less || j_more)
    }

    fn is_threatened(&self) -> bool {
        self.tokens > 1 || (self.tokens == 1 && self.hole_signals != [false; 4])
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Lattice {
    rows: i64,
    columns: i64,
    /// The cells by row, then by column.
    cells: Vec<Vec<Cell>>,
}

/// Cells that lose a token and cells that get one, with repetition.
type Move = (Vec<At>, Vec<At>);

impl Lattice {
    fn start(product: u64, random: &mut impl RandomSource) -> Self {
        let bits: Vec<i64> = (0..64).filter(|k| product & 1 << k != 0).collect();
        let length = bits.last().unwrap() + 1;
        let (rows, columns) = (length - 1, (length + 1) / 2);
        let cells = vec![vec![Cell::default(); columns as usize]; rows as usize];
        let mut lattice = Self {
            rows,
            columns,
            cells,
        };
        for k in bits {
            let mut among = lattice.all_cells();
            among.retain(|(i, j)| i + j == k);
            let c = among[random.below(among.len() as u64) as usize];
            lattice.cell_mut(c).tokens += 1;
        }
        lattice
    }

    fn cell(&self, (i, j): At) -> &Cell {
        &self.cells[i as usize][j as usize]
    }

    fn cell_mut(&mut self, (i, j): At) -> &mut Cell {
        &mut self.cells[i as usize][j as usize]
    }

    fn inside(&self, (i, j): At) -> bool {
        (0..self.rows).contains(&i) && (0..self.columns).contains(&j)
    }

    fn all_cells(&self) -> Vec<At> {
        let row = |i| (0..self.columns).map(move |j| (i, j));
        (0..self.rows).flat_map(row).collect()
    }

    fn value(&self) -> u64 {
        let cells = self.all_cells().into_iter();
        cells.map(|c| self.cell(c).tokens << (c.0 + c.1)).sum()
    }

    /// Walks from `c` in direction `d` until the edge.
    fn is_any_on_the_way(&self, c: At, d: usize, question: impl Fn(&Cell) -> bool) -> bool {
        let mut at = (c.0 + D[d].0, c.1 + D[d].1);
        while self.inside(at) {
            if question(self.cell(at)) {
                return true;
            }
            at = (at.0 + D[d].0, at.1 + D[d].1);
        }
        false
    }

    fn with_true_signals(&self) -> Self {
        let mut tokens = self.clone();
        for c in self.all_cells() {
            let is_there = |d| self.is_any_on_the_way(c, d, |cell| cell.tokens > 0);
            tokens.cell_mut(c).token_signals = std::array::from_fn(is_there);
        }
        let mut both = tokens.clone();
        for c in self.all_cells() {
            let is_there = |d| tokens.is_any_on_the_way(c, d, Cell::is_hole);
            both.cell_mut(c).hole_signals = std::array::from_fn(is_there);
        }
        both
    }

    /// I and J as the numbers that they are the bits of.
    fn factors(&self) -> Option<(u64, u64)> {
        let (mut a, mut b) = (0_u64, 0_u64);
        for (i, j) in self.all_cells() {
            if self.cell((i, j)).tokens > 0 {
                (a, b) = (a | 1 << i, b | 1 << j);
            }
        }
        let is_right = |(i, j): At| self.cell((i, j)).tokens == (a >> i & 1) * (b >> j & 1);
        self.all_cells().into_iter().all(is_right).then_some((a, b))
    }

    /// Slides, splits and merges of a token on `c`.
    fn moves(&self, c: At) -> [Vec<Move>; 3] {
        let (i, j) = c;
        let inside = |cells: [At; 2]| cells.into_iter().filter(|&to| self.inside(to));
        let slides = inside([(i + 1, j - 1), (i - 1, j + 1)]).map(|to| (vec![c], vec![to]));
        let halves: Vec<At> = inside([(i - 1, j), (i, j - 1)]).collect();
        let mut splits = Vec::new();
        for &one in &halves {
            for &other in &halves {
                splits.push((vec![c], vec![one, other]));
            }
        }
        let mut merges = Vec::new();
        if self.cell(c).tokens > 1 {
            merges.extend(inside([(i + 1, j), (i, j + 1)]).map(|to| (vec![c, c], vec![to])));
        }
        for (other, to) in [((i + 1, j - 1), (i + 1, j)), ((i - 1, j + 1), (i, j + 1))] {
            if self.inside(other) && self.cell(other).tokens > 0 {
                merges.push((vec![c, other], vec![to]));
            }
        }
        [slides.collect(), splits, merges]
    }

    fn is_certain(&self, (_, to): &Move) -> bool {
        let is_double = to.len() == 2 && to[0] == to[1];
        !is_double && to.iter().all(|&c| self.cell(c).is_hole())
    }

    /// The kinds of the move that took place: dangerous, needless, deceived.
    fn update(&mut self, epsilon: Chance, random: &mut impl RandomSource) -> Option<[bool; 3]> {
        let number = random.below((self.rows * self.columns) as u64) as i64;
        let c = (number / self.columns, number % self.columns);
        let old = self.clone();
        for (d, step) in D.iter().enumerate() {
            let neighbour = (c.0 + step.0, c.1 + step.1);
            let there = old.inside(neighbour).then(|| old.cell(neighbour));
            let new = self.cell_mut(c);
            new.token_signals[d] = there.is_some_and(|it| it.tokens > 0 || it.token_signals[d]);
            new.hole_signals[d] = there.is_some_and(|it| it.is_hole() || it.hole_signals[d]);
        }
        if !self.cell(c).is_threatened() {
            return None;
        }
        let kinds = self.moves(c).into_iter().filter(|kind| !kind.is_empty());
        let kinds: Vec<Vec<Move>> = kinds.collect();
        if kinds.is_empty() {
            return None;
        }
        let kind = &kinds[random.below(kinds.len() as u64) as usize];
        let chosen = &kind[random.below(kind.len() as u64) as usize];
        let is_certain = self.is_certain(chosen);
        if !is_certain && !random.flip(epsilon) {
            return None;
        }
        let truth = self.with_true_signals();
        let judged = [
            !is_certain,
            !truth.cell(c).is_threatened(),
            is_certain != truth.is_certain(chosen),
        ];
        for &from in &chosen.0 {
            self.cell_mut(from).tokens -= 1;
        }
        for &to in &chosen.1 {
            self.cell_mut(to).tokens += 1;
        }
        Some(judged)
    }
}

fn naive_trial(
    (product, epsilon, cutoff): (u64, Chance, u64),
    random: &mut impl RandomSource,
) -> Outcome {
    let mut lattice = Lattice::start(product, random);
    let (mut time, mut moves, mut kinds, mut entries) = (0, 0, [0; 3], 0);
    let (mut hit, mut was_product_set) = (None, false);
    loop {
        assert_eq!(lattice.value(), product, "moves keep the sum");
        let factors = lattice.factors();
        entries += u64::from(factors.is_some() && !was_product_set);
        was_product_set = factors.is_some();
        if factors.is_some() && hit.is_none() {
            hit = Some((time, moves));
        }
        let absorbed = factors.is_some() && lattice == lattice.with_true_signals();
        if absorbed || time == cutoff {
            let [dangerous, needless, deceived] = kinds;
            let counters = Counters {
                moves,
                dangerous,
                needless,
                deceived,
                entries,
            };
            let factors = factors.map(|(a, b)| [a as u32, b as u32].into());
            return counters.outcome((time, absorbed), hit, factors);
        }
        if let Some(judged) = lattice.update(epsilon, random) {
            moves += 1;
            for (kind, is_one) in kinds.iter_mut().zip(judged) {
                *kind += u64::from(is_one);
            }
        }
        time += 1;
    }
}

fn point(product: u64, epsilon: f64) -> Point {
    let values = [
        ("product", Value::Integer(product)),
        ("epsilon", Value::real(epsilon)),
    ];
    Point::new("factor", values)
}

fn trial(point: &Point, trial: u32, cutoff: u64) -> Outcome {
    stepwise(point, Key { seed: 7, trial }, cutoff, &Control::unstopped()).0
}

#[test]
fn the_factoring_rule_and_its_definition_go_through_the_same_trials() {
    let mut sums = [0; 5];
    let step = crate::effort(3, 1);
    let others = [4, 5, 7, 35, 77, 100, 143, 221, 257, 1000, 1 << 20];
    for product in (6..40).step_by(step).chain(others) {
        for epsilon in [0.0, 0.1, 0.5, 1.0] {
            let point = point(product, epsilon);
            for index in 0..super::n_trials().div_ceil(5) {
                let cutoff = if product < 40 { 3000 } else { 1500 };
                let outcome = trial(&point, index, cutoff);
                let mut stream = TrialStream::new("reines/factor/1", 7, &point, index);
                let values = (product, Chance::new(epsilon), cutoff);
                let expected = naive_trial(values, &mut stream);
                assert_eq!(outcome, expected, "{point}, trial {index}");
                check_bounds(&outcome);
                for (sum, count) in sums.iter_mut().zip(counts(&outcome)) {
                    *sum += count;
                }
            }
        }
    }
    assert!(sums.iter().all(|&sum| sum > 30), "{sums:?}");
}

/// N = 15 at ε = 0.1: a program that shares no code with this one had a mean of 55.9 updates in
/// 20 000 trials (standard error 0.56). Z = (difference of means) / (its standard error), here with
/// 20 000 trials; a right program has |Z| ≥ 4 with probability 6.3·10⁻⁵.
#[test]
fn fifteen_takes_as_long_as_elsewhere() {
    const TRIALS: u32 = 20_000;
    let point = point(15, 0.1);
    let time = |index| {
        let outcome = trial(&point, index, 1_000_000);
        outcome.absorption_time.unwrap() as f64
    };
    let times: Vec<f64> = (0..TRIALS).into_par_iter().map(time).collect();
    let n = f64::from(TRIALS);
    let mean = times.iter().sum::<f64>() / n;
    let squares = times.iter().map(|time| (time - mean) * (time - mean));
    let error = (squares.sum::<f64>() / (n - 1.0) / n).sqrt();
    let z = (mean - 55.9) / (error * error + 0.56 * 0.56).sqrt();
    println!("15: {mean:.2} ± {error:.2}; Z = {z:.2}");
    assert!(z.abs() < 4.0, "15: {mean:.2} ± {error:.2}; Z = {z:.2}");
}

/// Every absorbed trial of the shipped runs ends in two factors above 1 of its product: multiplied
/// here once more, as `export` writes them.
#[test]
fn trials_that_ended_gave_the_factors() {
    let place = Workplace::new();
    let runs = root().join("results/reference/factoring");
    place.succeed(format!("export -q -o rows.csv '{}'", runs.display()));
    let rows = csv(&place.text("rows.csv"));
    let all = rows.len();
    let mut ended = 0;
    for row in rows {
        if row["outcome"] != "absorbed" {
            continue;
        }
        let factors = row["solution"]
            .split(' ')
            .map(|it| it.parse().expect("a number"));
        let factors: Vec<u64> = factors.collect();
        let [a, b] = factors[..] else {
            panic!("two factors: {row:?}");
        };
        let product: u64 = row["product"].parse().expect("a number");
        assert!(a > 1 && b > 1 && a * b == product, "{row:?}");
        ended += 1;
    }
    // A quarter of the trials, as docs/results.md says.
    let share = f64::from(ended) / all as f64;
    assert!((0.225..0.275).contains(&share), "{ended} of {all}");
}
