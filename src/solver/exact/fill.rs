//! An n × n matrix of attack counters, raised along the lines of a queen that comes and lowered
//! when it goes; a square is safe at 0.
//!
//! Source: the four-methods text, 6.2.3, "remplissage des prises". Counters instead of marks, so
//! that a cell attacked by several queens is freed by the last one (the text's remark uses a set of
//! queens per cell for that).
//!
//! - checks: cells written, of a queen that comes and of one that goes;
//! - nodes, failures: see `depth_first.rs`.

use super::attacks::attacked;
use super::depth_first::{FAILURES, NODES, Watch, walk};
use super::{Exhaustive, Halt, Measures, Search};

pub struct Fill;

impl Exhaustive for Fill {
    fn name(&self) -> &'static str {
        "fill"
    }

    fn doc(&self) -> &'static str {
        "depth first on a matrix of attack counters, filled in as queens come and go"
    }

    fn measures(&self) -> Measures {
        Measures {
            nodes: Some(NODES),
            checks: Some("cells written"),
            failures: Some(FAILURES),
        }
    }

    fn search(&self, n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
        walk(
            n,
            &mut Vec::with_capacity(n),
            &mut Counters(vec![vec![0; n]; n]),
            search,
        )
    }
}

/// By row and column: the queens that attack this cell.
struct Counters(Vec<Vec<u8>>);

impl Watch for Counters {
    fn is_safe(&self, row: usize, column: usize, _search: &mut Search<'_>) -> Result<bool, Halt> {
        Ok(self.0[row][column] == 0)
    }

    fn place(&mut self, row: usize, column: usize, search: &mut Search<'_>) -> Result<(), Halt> {
        for (row, column) in attacked(self.0.len(), row, column) {
            search.check()?;
            self.0[row][column] += 1;
        }
        Ok(())
    }

    fn take_back(
        &mut self,
        row: usize,
        column: usize,
        search: &mut Search<'_>,
    ) -> Result<(), Halt> {
        for (row, column) in attacked(self.0.len(), row, column) {
            search.check()?;
            self.0[row][column] -= 1;
        }
        Ok(())
    }
}
