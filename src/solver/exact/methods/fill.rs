//! An n × n matrix of attack counters, raised along the lines of a queen that comes and lowered
//! when it goes; a square is safe at 0.
//!
//! Source: the four-methods text, 6.2.3, "remplissage des prises". Counters instead of marks, so
//! that a cell attacked by several queens is freed by the last one (the text's remark uses a set of
//! queens per cell for that).
//!
//! - checks: cells written, of a queen that comes and of one that goes;
//! - nodes, failures: see `depth_first.rs`.

use crate::solver::board::N_MAX;
use crate::solver::exact::depth_first::{FAILURES, NODES, Square, Watch, attacked, walk};
use crate::solver::exact::{Goal, Halt, Measures, Method, Search};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    name: "fill",
    doc: "depth first on a matrix of attack counters, filled in as queens come and go",
    measures: Measures {
        nodes: Some(NODES),
        checks: Some("cells written"),
        failures: Some(FAILURES),
    },
    goals: &Goal::EVERY,
    n_max: N_MAX,
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    walk(
        n,
        &mut Vec::with_capacity(n),
        &mut AttackCounters(vec![vec![0; n]; n]),
        search,
    )
}

/// The number of queens that attack each cell, by row and column.
struct AttackCounters(Vec<Vec<u8>>);

impl Watch for AttackCounters {
    #[inline]
    fn is_safe(&self, (row, column): Square, _: &mut Search<'_>) -> Result<bool, Halt> {
        Ok(self.0[row][column] == 0)
    }

    fn put(&mut self, square: Square, is_there: bool, search: &mut Search<'_>) -> Result<(), Halt> {
        for (row, column) in attacked(self.0.len(), square) {
            search.check()?;
            let queens = &mut self.0[row][column];
            *queens = if is_there { *queens + 1 } else { *queens - 1 };
        }
        Ok(())
    }
}
