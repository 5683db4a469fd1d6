//! The eight symmetries of the square: boards that are turns or mirror images of each other belong
//! to one *fundamental* solution. Used for the classes of solutions (`analysis/classes.rs`); which
//! image stands for a class (the first in lexicographic order) is decided here.

/// The images of `board` under the four turns and the four reflections, the board itself first.
pub fn images(board: &[usize]) -> [Vec<usize>; 8] {
    let turned = quarter_turn(board);
    let twice = quarter_turn(&turned);
    let thrice = quarter_turn(&twice);
    let mirrored = [
        mirror(board),
        mirror(&turned),
        mirror(&twice),
        mirror(&thrice),
    ];
    let [a, b, c, d] = mirrored;
    [board.to_vec(), turned, twice, thrice, a, b, c, d]
}

/// The first image in lexicographic order: the same for all boards of one fundamental solution.
pub fn canonical(board: &[usize]) -> Vec<usize> {
    let [first, rest @ ..] = images(board);
    rest.into_iter().fold(first, Vec::min)
}

/// Left and right exchanged.
fn mirror(board: &[usize]) -> Vec<usize> {
    board
        .iter()
        .map(|&column| board.len() - 1 - column)
        .collect()
}

/// Clockwise: the queen in row r, column c goes to row c, column n − 1 − r.
fn quarter_turn(board: &[usize]) -> Vec<usize> {
    let mut turned = vec![0; board.len()];
    for (row, &column) in board.iter().enumerate() {
        turned[column] = board.len() - 1 - row;
    }
    turned
}
