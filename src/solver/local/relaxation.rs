//! Signal relaxation: how long the signals need to become true when the queens stand still. The
//! time unit in which absorption times of different n can be compared.
//!
//! A trial starts with the n queens placed in a solution and without a signal, and ends when every
//! signal is true. The queens never move, whatever ε and η: from no signal at all, a signal comes
//! to a cell only from a queen in its direction or from a signal that is true already,
//! so every signal there is, is true; in a solution no queen has another in any direction, so none
//! ever carries a signal, none is threatened, none moves. Hence neither parameter is an axis.
//!
//! Which solution: one for each n, written down (Pauls 1874,
//! `solver::construction`) and not drawn, so that times of different trials scatter
//! by their updates alone. The choice matters by 3 per cent at most at n = 8 (the test
//! `the_choice_of_the_solution_hardly_matters`).

use super::configuration::Configuration;
use super::{Registered, domain};
use crate::solver::board::Board;
use crate::solver::construction;
use crate::solver::rng::TrialStream;
use crate::solver::variants::Variants;
use crate::solver::{Algorithm, Axis, Column, Control, Domain, Interrupted};
use crate::solver::{Job, Outcome, Point, Value};

const AXES: &[Axis] = &[Axis {
    name: "n",
    symbol: "n",
    domain: Domain::Integer { min: 4, max: 64 },
    doc: "board side and number of queens; 2 and 3 have no solution to start in, and on 1 there is no signal",
}];

const COLUMNS: &[Column] = &[
    Column::named("absorption_time").meaning("until every signal is true; null when censored"),
    Column::named("updates"),
];

/// The relaxation of a rule's signals as an algorithm of the registry.
pub struct Relaxation {
    rule: &'static Registered,
    name: &'static str,
    doc: &'static str,
}

impl Relaxation {
    /// That of a rule; for a list that is made once.
    pub fn of(rule: &'static Registered) -> Self {
        let name = rule.name;
        Self {
            rule,
            name: format!("{name}-relaxation").leak(),
            doc: format!(
                "updates of the {name} rule until all signals are true, from a placed solution \
                 without signals"
            )
            .leak(),
        }
    }

    /// One relaxation around the solution with a queen in column `solution[row]` of each row.
    fn relax(
        &self,
        solution: &[usize],
        job: &Job,
        stream: TrialStream,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        let board = Board::new(solution.len());
        let queens = solution.iter().enumerate();
        let start = Configuration::with_queens(board, queens.map(|(y, &x)| board.cell(x, y)));
        let point = self.still();
        let job = Job {
            point: &point,
            ..*job
        };
        (self.rule.one_by_one)(&job, start, stream, None, control)
    }

    /// The rule in its default variant with every parameter at 0; any other value and variant gives
    /// the same relaxation.
    fn still(&self) -> Point {
        let variants = self.rule.variants();
        let zeros = self.rule.axes.iter().map(|axis| match axis.domain {
            Domain::Integer { min, .. } => (axis.name, Value::Integer(min)),
            Domain::Real { .. } => (axis.name, Value::real(0.0)),
        });
        Point {
            variant: variants.map_or_else(String::new, Variants::default),
            ..Point::new(self.rule.name, zeros)
        }
    }
}

impl Algorithm for Relaxation {
    fn name(&self) -> &'static str {
        self.name
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn axes(&self) -> &'static [Axis] {
        AXES
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn parts(&self, variant: &str) -> Vec<String> {
        let mut parts = self.rule.parts(variant);
        parts.push("relaxation".to_owned());
        parts
    }

    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted> {
        let n = super::rule::board(job.point).n();
        let solution = construction::board(n)
            .expect("the axis begins at 4, and every such board has a solution");
        let stream = TrialStream::new(&domain(job.dynamics), job.seed, job.point, trial);
        let outcome = self.relax(&solution, job, stream, control)?;
        // What is the same in every trial, no move and a hit at 0, is no measurement.
        Ok(Outcome {
            absorption_time: outcome.absorption_time,
            updates: outcome.updates,
            ..Outcome::ended(outcome.ending)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::solver::exact::{self, symmetry};
    use crate::solver::local::rule::LocalRule;
    use crate::solver::local::rules::for_every_rule;
    use crate::solver::local::samples::rule_at;
    use crate::solver::local::sites::Sites as _;
    use crate::solver::registry::RELAXATIONS;
    use crate::solver::rng::RandomSource;
    use crate::solver::testing::{self, mean, z};
    use crate::solver::{Dynamics, Ending};

    fn stream(seed: u64) -> TrialStream {
        TrialStream::new("reines/tests/relaxation", seed, &Point::new("pair", []), 0)
    }

    fn run(name: &'static str, n: u64, dynamics: Dynamics, cutoff: u64, trial: u32) -> Outcome {
        let point = Point::new(name, [("n", Value::Integer(n))]);
        testing::run(&point, dynamics, trial, cutoff)
    }

    fn updates(outcome: &Outcome) -> f64 {
        outcome.updates.expect("counted") as f64
    }

    /// The same from the text, on coordinates, with nothing of configurations or rules: a missing
    /// signal appears at the first update that reads its neighbour once a queen is there or the
    /// signal behind it is there. A site is a pair of cells or a cell.
    fn plainly(solution: &[usize], pair: bool, draws: &mut TrialStream) -> f64 {
        const WAYS: [(i64, i64); 8] = [
            (-1, -1),
            (0, -1),
            (1, -1),
            (-1, 0),
            (1, 0),
            (-1, 1),
            (0, 1),
            (1, 1),
        ];
        let n = solution.len() as i64;
        let on = |(x, y): (i64, i64)| (0..n).contains(&x) && (0..n).contains(&y);
        let step = |(x, y): (i64, i64), (dx, dy): (i64, i64), k: i64| (x + k * dx, y + k * dy);
        let queen = |c: (i64, i64)| on(c) && solution[c.1 as usize] as i64 == c.0;
        let cells: Vec<(i64, i64)> = (0..n).flat_map(|x| (0..n).map(move |y| (x, y))).collect();
        let dependencies = |c: (i64, i64)| {
            WAYS.into_iter()
                .filter(move |&way| on(step(c, way, 1)))
                .map(move |way| (c, way))
        };
        let is_due = |&(c, way): &((i64, i64), (i64, i64))| (1..n).any(|k| queen(step(c, way, k)));
        let mut missing: BTreeSet<_> = cells
            .iter()
            .flat_map(|&c| dependencies(c))
            .filter(is_due)
            .collect();
        let sites: Vec<Vec<_>> = if pair {
            // A pair is met once from each end; the two dependencies along it are one site.
            let all = cells
                .iter()
                .flat_map(|&c| dependencies(c))
                .filter(|&(c, way)| c < step(c, way, 1));
            all.map(|(c, way)| vec![(c, way), (step(c, way, 1), (-way.0, -way.1))])
                .collect()
        } else {
            cells.iter().map(|&c| dependencies(c).collect()).collect()
        };
        let mut updates = 0.0;
        while !missing.is_empty() {
            updates += 1.0;
            let site = &sites[draws.below(sites.len() as u64) as usize];
            let seen = |&&(c, way): &&((i64, i64), (i64, i64))| {
                let (next, behind) = (step(c, way, 1), (step(c, way, 1), way));
                queen(next) || (is_due(&behind) && !missing.contains(&behind))
            };
            let appear: Vec<_> = site.iter().filter(seen).copied().collect();
            missing.retain(|signal| !appear.contains(signal));
        }
        updates
    }

    /// Mean relaxation times of both dynamics against a second implementation, n = 4 and 7.
    /// Statistic: Z of the means; four comparisons for each rule, threshold 4, hence a false
    /// failure in 4000 for each rule (fixed seeds).
    fn check_times(trials: u32) {
        for relaxation in RELAXATIONS.iter() {
            let pair = match relaxation.rule.axes.len() {
                2 => true,
                3 => false,
                _ => panic!("{}: no second implementation", relaxation.name),
            };
            for n in [4_u64, 7] {
                let solution = construction::board(n as usize).expect("n is at least 4");
                let mut draws = stream(n);
                let expected = mean((0..trials).map(|_| plainly(&solution, pair, &mut draws)));
                for dynamics in [Dynamics::RejectionFree, Dynamics::Stepwise] {
                    let trial = |trial| run(relaxation.name, n, dynamics, u64::MAX, trial);
                    let found = mean((0..trials).map(|it| updates(&trial(it))));
                    let (z, name) = (z(found, expected), relaxation.name);
                    assert!(z.abs() < 4.0, "{name}, n = {n}, {dynamics:?}: Z = {z}");
                }
            }
        }
    }

    #[test]
    fn times_agree_with_a_second_implementation() {
        check_times(300);
    }

    #[test]
    #[ignore = "slow: make verify"]
    fn times_of_2000_trials_agree_with_a_second_implementation() {
        check_times(2000);
    }

    /// Not one of the updates of a relaxation moves a queen, at any ε and η: each is tried with
    /// dangerous moves certain.
    #[test]
    fn the_queens_of_a_solution_never_move() {
        fn check<R: LocalRule>(variant: &str) {
            let (board, bold) = (Board::new(10), rule_at::<R>(variant, 10, 1.0, 0.5));
            let solution = construction::board(10).expect("n is at least 4");
            let queens = solution.iter().enumerate().map(|(y, &x)| board.cell(x, y));
            let mut x = Configuration::with_queens(board, queens);
            let mut draws = stream(3);
            for _ in 0..20_000 {
                let site = bold.sites().site(draws.below(bold.sites().n_sites()));
                assert_eq!(bold.update(&mut x, site, &mut draws), None);
            }
        }
        for_every_rule!(variant in check(variant));
    }

    /// Mean relaxation time around each of the 12 solutions of n = 8 that differ by more than a
    /// symmetry, 2000 trials each, against the one written down: the standard error of a ratio is
    /// about 0.6 %, so 5 % bounds differences of 3 %, the largest seen, far outside the noise.
    #[test]
    #[ignore = "slow: make verify"]
    fn the_choice_of_the_solution_hardly_matters() {
        const TRIALS: u64 = 2000;
        let boards = exact::all_boards(&exact::methods::bitboard::METHOD, 8, &Control::unstopped())
            .expect("no stop is asked for");
        let classes = boards.iter().map(|board| symmetry::canonical(board));
        let classes: BTreeSet<Vec<usize>> = classes.collect();
        assert_eq!(classes.len(), 12);
        let written = construction::board(8).expect("n is at least 4");
        for relaxation in RELAXATIONS.iter() {
            let point = Point::new(relaxation.name, [("n", Value::Integer(8))]);
            let job = Job {
                point: &point,
                seed: 1,
                cutoff: u64::MAX,
                dynamics: Dynamics::RejectionFree,
            };
            let time = |solution: &[usize], seeds: u64| {
                let relaxed = |trial| {
                    let stream = stream(seeds * TRIALS + trial);
                    relaxation.relax(solution, &job, stream, &Control::unstopped())
                };
                mean((0..TRIALS).map(|trial| updates(&relaxed(trial).expect("no stop")))).0
            };
            let expected = time(&written, 100);
            for (solution, seeds) in classes.iter().zip(0..) {
                let ratio = time(solution, seeds) / expected;
                assert!((ratio - 1.0).abs() < 0.05, "{solution:?}: {ratio}");
            }
        }
    }

    #[test]
    fn a_cutoff_is_kept_to_the_update() {
        let run = |cutoff| run("pair-relaxation", 8, Dynamics::RejectionFree, cutoff, 0);
        let whole = run(u64::MAX);
        let facts = (whole.absorption_time, whole.hitting_time, whole.moves);
        assert_eq!(whole.ending, Ending::Absorbed);
        assert_eq!(facts, (whole.updates, None, None));
        let updates = whole.updates.expect("counted");
        assert_eq!(run(updates), whole);
        let cut = run(updates - 1);
        assert_eq!(
            (cut.ending, cut.absorption_time, cut.updates),
            (Ending::Censored, None, Some(updates - 1))
        );
    }
}
