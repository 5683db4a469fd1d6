//! Figure 7 of the source text, and how a drawn position becomes a configuration. `tests/paper.rs`
//! holds both against the text.

use reines::solver::board::{Board, Cell};
use reines::solver::local::configuration::Configuration;

/// Rows 6 to 1, columns a to f. The queens of the columns c to f are never threatened; the other
/// two walk in the triangle a5, a4, b4.
pub const FIGURE_7: &str = "\
    ....Q.\
    Q.....\
    .Q....\
    ...Q..\
    .....Q\
    ..Q...";

/// The queens of a square drawing, row by row from the north, on a board where every signal is
/// true.
pub fn drawn(cells: &str) -> Configuration {
    let board = Board::new(cells.len().isqrt());
    assert_eq!(cells.len(), board.n() * board.n(), "a drawing is square");
    let drawn = board.cells().zip(cells.bytes());
    let queens = drawn.filter(|it| it.1 == b'Q').map(|it| it.0);
    with_true_signals(board, queens)
}

/// Queens on these cells (with repetition), every signal true.
pub fn with_true_signals(board: Board, queens: impl IntoIterator<Item = Cell>) -> Configuration {
    let mut configuration = Configuration::with_queens(board, queens);
    let truth = configuration.true_signals();
    let set = |cell: Cell| configuration.set_signals(cell, truth[cell.index()]);
    board.cells().for_each(set);
    configuration
}
