//! How often each class of solutions is reached: two solutions are of one class when a turn or a
//! reflection of the board maps one to the other. Here are the largest n whose classes are counted
//! (8), the weight of a class, the χ² test and the effect size.

use super::distribution::chi_square_tail;
use super::estimate::Estimate;
use super::share::share;
use crate::experiment::store::rows::Rows;
use crate::solver::Control;
use crate::solver::exact::methods::bitboard;
use crate::solver::exact::{all_boards, symmetry};

/// Largest board whose classes are counted: 12 at n = 8, 46 at n = 9.
const N_MAX: u32 = 8;

/// A class and the trials that ended in it.
#[derive(Debug, Clone, PartialEq)]
pub struct SolutionClass {
    /// The first board of the class in lexicographic order: the column of the queen in each row,
    /// from 0.
    pub board: Vec<usize>,
    /// Solutions in it.
    pub size: u64,
    /// size / number of solutions: its share if all solutions were equally likely.
    pub uniform_share: f64,
    /// Absorbed trials that ended in it.
    pub trials: u64,
}

/// The classes of a board side, each once, by their first boards in lexicographic order.
#[derive(Debug, Clone, PartialEq)]
pub struct SolutionClasses {
    pub classes: Vec<SolutionClass>,
    /// Absorbed trials.
    pub trials: u64,
    /// Trials cut off before they were absorbed: they end in no class.
    pub censored: u64,
}

impl SolutionClasses {
    /// `None` for boards above [`N_MAX`], boards of one class or none, and where a trial has no
    /// solution recorded, or none has ended.
    pub fn of(n: u32, rows: &Rows) -> Option<Self> {
        let mut classes = all(n).filter(|classes| classes.len() > 1)?;
        let mut trials = 0;
        let mut censored = 0;
        for row in rows.iter() {
            // A search is never absorbed.
            row.outcome.updates?;
            match (row.outcome.absorption_time, &row.outcome.solution) {
                (None, _) => censored += 1,
                (Some(_), Some(solution)) => {
                    // A row of the store has the row of the queen in each column: the board
                    // reflected, hence of the same class.
                    let board: Vec<usize> = solution.iter().map(|&row| row as usize).collect();
                    let board = symmetry::canonical(&board);
                    let own = classes.iter_mut().find(|class| class.board == board);
                    own?.trials += 1;
                    trials += 1;
                }
                (Some(_), None) => return None,
            }
        }
        (trials > 0).then_some(Self {
            classes,
            trials,
            censored,
        })
    }

    /// The share of the trials that ended in `class`, divided by its uniform share, with its 95 %
    /// interval: that of Wilson (1927) for each class by itself.
    pub fn weight(&self, class: &SolutionClass) -> Estimate {
        share(class.trials, self.trials).in_units(class.uniform_share)
    }

    /// Pearson's χ² = Σ (trials − expected)² / expected against equally likely solutions.
    pub fn chi_square(&self) -> f64 {
        let term = |class: &SolutionClass| {
            let expected = self.trials as f64 * class.uniform_share;
            (class.trials as f64 - expected) * (class.trials as f64 - expected) / expected
        };
        self.classes.iter().map(term).sum()
    }

    pub fn degrees_of_freedom(&self) -> u64 {
        self.classes.len() as u64 - 1
    }

    /// P(χ² at least as large) if all solutions were equally likely; good while each class expects
    /// five trials or more.
    pub fn p_value(&self) -> f64 {
        chi_square_tail(self.chi_square(), self.degrees_of_freedom())
    }

    /// Cohen's w = √(χ² / trials), which does not grow with the number of trials: 0.1 is called
    /// small, 0.5 large.
    pub fn effect_size(&self) -> f64 {
        (self.chi_square() / self.trials as f64).sqrt()
    }
}

/// Every class of the n × n board, found by counting out all solutions.
fn all(n: u32) -> Option<Vec<SolutionClass>> {
    if n > N_MAX {
        return None;
    }
    let boards = all_boards(&bitboard::METHOD, n as usize, &Control::unstopped()).ok()?;
    let first = boards.iter().map(|board| symmetry::canonical(board));
    let mut first: Vec<Vec<usize>> = first.collect();
    first.sort_unstable();
    let class = |group: &[Vec<usize>]| SolutionClass {
        board: group[0].clone(),
        size: group.len() as u64,
        uniform_share: group.len() as f64 / boards.len() as f64,
        trials: 0,
    };
    Some(first.chunk_by(|a, b| a == b).map(class).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, solved_row};

    /// Known: 12 classes of n = 8, eleven of eight boards and one of four; n = 6 has one.
    #[test]
    fn the_classes_of_small_boards() {
        let sizes = |n| all(n).map(|it| it.iter().map(|class| class.size).collect::<Vec<_>>());
        let mut eight = sizes(8).expect("a small board");
        eight.sort_unstable();
        assert_eq!(eight, [4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8]);
        assert_eq!(
            (sizes(6), sizes(4), sizes(9)),
            (Some(vec![4]), Some(vec![2]), None)
        );
        assert!(SolutionClasses::of(6, &vec![solved_row(&[1, 3, 5, 0, 2, 4])].into()).is_none());
    }

    /// The expected numbers are by hand: n = 5 has 10 solutions, a class of 8 and one of 2 (0 2 4 1
    /// 3 is in the larger; 1 4 2 0 3 is its own image under a turn). 3 of 4 trials in the larger
    /// one: χ² = 0.2²/3.2 + 0.2²/0.8 = 0.0625.
    #[test]
    fn weights_and_chi_square_by_hand() {
        let boards = [
            [0, 2, 4, 1, 3],
            [4, 2, 0, 3, 1],
            [0, 3, 1, 4, 2],
            [1, 4, 2, 0, 3],
        ];
        let mut rows = boards.map(|solution| solved_row(&solution)).to_vec();
        let mut cut = solved_row(&boards[0]);
        (cut.outcome.absorption_time, cut.outcome.solution) = (None, None);
        rows.push(cut);
        let found = SolutionClasses::of(5, &rows.clone().into()).expect("two classes");
        assert_eq!((found.trials, found.censored), (4, 1));
        let counts = found.classes.iter().map(|it| (it.size, it.trials));
        assert!(counts.eq([(8, 3), (2, 1)]));
        let weight = found.weight(&found.classes[1]).value;
        let numbers = [found.chi_square(), found.effect_size(), weight];
        assert_close(&numbers, &[0.0625, 0.125, 1.25], 1e-12);
        rows[0].outcome.solution = None;
        assert_eq!(SolutionClasses::of(5, &rows.into()), None, "unrecorded");
    }
}
