//! The lab's models of n queens: variables, constraints and decisions of a [`Variant`]. Decided
//! here: which constraints each model and letter posts, in which order (constraints are numbered
//! so), which variables are decided on, the symmetry constraint `C_0 < C_(n−1)`, and how a solution
//! is read as a board.
//!
//! The naive model's constraints (3) and (4) are the same diagonal as printed, `L_i − C_i ≠ L_j −
//! C_j` twice (n = 4 would have 7 boards); the second one posted here is the other diagonal, `L_i +
//! C_i ≠ L_j + C_j`.

use super::branching::BranchingChoices;
use super::domain::{DomainValue, Domains, Var};
use super::engine::Engine;
use super::propagator::all_different::{self, Consistency};
use super::propagator::diagonal::Diagonal;
use super::propagator::inverse::Inverse;
use super::propagator::less::Less;
use super::propagator::not_equal::NotEqual;
use super::propagator::views::View;
use super::variant::{Constraints, Decisions, Model, Variant};

/// Columns and the two diagonals: `C_i`, `C_i + i`, `C_i − i`.
const SLOPES: [DomainValue; 3] = [0, 1, -1];

/// n queens as variables and constraints.
pub(super) struct QueensModel {
    pub engine: Engine,
    /// Primal: `C_i`, the column of the queen on line i; in the naive model, of the queen with
    /// number i. Dual: `L_j`, the line of the queen on column j; in the naive model, of the queen
    /// with number j; in the primal model none.
    pub choices: BranchingChoices,
    is_naive: bool,
}

impl QueensModel {
    /// The model of `variant` on n lines and columns.
    ///
    /// # Panics
    /// When n is 0.
    pub fn new(n: usize, variant: &Variant) -> Self {
        let mut engine = Engine::default();
        let mut made = |n_variables| -> Vec<Var> {
            let variables = 0..n_variables;
            variables.map(|_| engine.domains.variable(n)).collect()
        };
        let columns = made(n);
        let lines = made(if variant.model == Model::Primal { 0 } else { n });
        let decided = match (variant.model, variant.decision) {
            (Model::Naive, _) => [&lines[..], &columns].concat(),
            (_, Decisions::Primal) => columns.clone(),
            (_, Decisions::Both) => [&columns[..], &lines].concat(),
        };
        let mut queens = Self {
            engine,
            choices: BranchingChoices {
                decided,
                primal: columns,
                dual: lines,
                weights: Vec::new(),
            },
            is_naive: variant.model == Model::Naive,
        };
        queens.post(variant);
        if variant.branching.is_weighted() {
            queens.choices.weights = vec![1; queens.engine.n_constraints()];
        }
        queens
    }

    /// Writes the column of the queen on each line into `board`, when every variable is
    /// instantiated.
    pub fn read(&self, board: &mut Vec<u32>) {
        let value = |var: &Var| self.engine.domains.min(*var) as u32;
        board.clear();
        board.extend(self.choices.primal.iter().map(value));
        if self.is_naive {
            let queens: Vec<(u32, u32)> = self
                .choices
                .dual
                .iter()
                .map(value)
                .zip(board.iter().copied())
                .collect();
            queens
                .into_iter()
                .for_each(|(line, column)| board[line as usize] = column);
        }
    }

    fn post(&mut self, variant: &Variant) {
        let columns = self.choices.primal.clone();
        let lines = self.choices.dual.clone();
        match variant.model {
            Model::Primal => self.post_queens(&columns, variant.constraints),
            Model::PrimalDual => {
                self.post_queens(&columns, variant.constraints);
                self.post_queens(&lines, variant.constraints);
                let channelling = Inverse::new(&columns, &lines, &mut self.engine.domains);
                self.engine.post(channelling);
            }
            Model::Naive => self.post_naive(),
        }
        if variant.symmetry && columns.len() > 1 {
            self.engine
                .post(Less::new(columns[0], columns[columns.len() - 1]));
        }
    }

    /// One queen per line, on different columns and diagonals.
    fn post_queens(&mut self, columns: &[Var], constraints: Constraints) {
        let level: fn(&[View], &Domains) -> Consistency = match constraints {
            Constraints::Neq => return self.post_differences(columns),
            Constraints::Bounds => |_, _| Consistency::Bounds,
            Constraints::Domain => |_, _| Consistency::Domain,
            Constraints::Automatic => all_different::automatic,
        };
        for slope in SLOPES {
            let views: Vec<View> = columns
                .iter()
                .zip(0..)
                .map(|(&var, i)| View {
                    var,
                    offset: slope * i,
                })
                .collect();
            all_different::post(
                &views,
                level(&views, &self.engine.domains),
                &mut self.engine,
            );
        }
    }

    /// The same as binary differences: `C_i ≠ C_j`, `C_i ≠ C_j ± (j − i)`.
    fn post_differences(&mut self, columns: &[Var]) {
        let mut network = NotEqual::new(columns.to_vec());
        for (i, j) in pairs(columns.len()) {
            SLOPES
                .into_iter()
                .for_each(|slope| network.differ(i, j, slope * (j - i) as DomainValue));
        }
        self.engine.post(network);
    }

    /// Constraints (1) to (4) of the source text, with (4) as the other diagonal.
    fn post_naive(&mut self) {
        let columns = self.choices.primal.clone();
        let lines = self.choices.dual.clone();
        for coordinate in [&lines, &columns] {
            let views: Vec<View> = coordinate.iter().map(|&var| var.into()).collect();
            all_different::post(&views, Consistency::Forward, &mut self.engine);
        }
        for (i, j) in pairs(columns.len()) {
            self.engine.post(Diagonal::new(
                [lines[i], columns[j]],
                [lines[j], columns[i]],
            ));
            self.engine.post(Diagonal::new(
                [lines[i], columns[i]],
                [lines[j], columns[j]],
            ));
        }
    }
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |j| (0..j).map(move |i| (i, j)))
}
