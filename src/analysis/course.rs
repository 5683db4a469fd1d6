//! What happens inside a trial: from the series that trials wrote down. Here is the mean relaxation
//! time, 1.38 · sites · n updates, of the dashed line in time courses.

pub mod effects;
pub mod time_course;

use crate::solver::board::Board;
use crate::solver::{Point, algorithm};

/// The mean relaxation time of the signals in updates: 1.38 · sites · n, the sites being the pairs
/// or the cells that an update draws from. At n = 8 that is 4.5 n³ for the rules on pairs and 1.4
/// n³ for the cell rule. The factor is the measured one at n = 8 (figure `signal-relaxation`); at n
/// = 4 to 64 the measured ones are between 1.22 and 1.41. `None` for what is no local rule.
pub fn relaxation_time(point: &Point) -> Option<f64> {
    const FACTOR: f64 = 1.38;
    let n = point.integer("n")? as f64;
    Some(FACTOR * (sites(point)? * n))
}

/// Number of sites that an update of a rule, or of a relaxation, draws from: pairs or cells. `None`
/// for what is no local rule.
pub fn sites(point: &Point) -> Option<f64> {
    let n = usize::try_from(point.integer("n")?).ok()?;
    let sites = (algorithm(&point.algorithm)?.sites?)(Board::new(n));
    Some(sites as f64)
}

/// Mean number of cells that an update of a rule reads, or a step of what counts steps: 2 in the
/// pair rule, 9 − 12/n + 4/n² in the cell rule, whose cells at the edges have fewer neighbours,
/// (3n − 2)² in a synchronous step. Since updates draw their sites independently of the past, the
/// mean number of cells that a trial reads is this times the mean of its updates (Wald's identity).
/// `None` for what is no rule on cells.
pub fn cells_read(point: &Point) -> Option<f64> {
    let n = usize::try_from(point.integer("n")?).ok()?;
    let board = Board::new(n);
    let algorithm = algorithm(&point.algorithm)?;
    let reads = (algorithm.reads?)(board);
    let sites = algorithm.sites.map_or(1, |sites| sites(board));
    (sites > 0).then(|| reads as f64 / sites as f64)
}

/// Numbers as they are summed up.
fn reals<const K: usize>(counts: [u64; K]) -> [f64; K] {
    counts.map(|count| count as f64)
}
