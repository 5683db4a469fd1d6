//! The eight symmetries of the square: boards that are turns or mirror images of each other belong
//! to one *fundamental* solution.

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of different images: 8, or 4, 2 or 1 for a board that is its own image under some
    /// symmetry.
    fn n_images(board: &[usize]) -> usize {
        let mut images = images(board);
        images.sort_unstable();
        1 + images.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    #[test]
    fn four_turns_and_two_reflections_lead_back() {
        let board = [1, 3, 5, 0, 2, 4];
        assert_eq!(mirror(&mirror(&board)), board);
        let once_around = (0..4).fold(board.to_vec(), |board, _| quarter_turn(&board));
        assert_eq!(once_around, board);
        assert_ne!(quarter_turn(&board), board);
    }

    /// By hand: ◦♛◦◦ / ◦◦◦♛ / ♛◦◦◦ / ◦◦♛◦ is its own image under every turn, and its mirror image
    /// is the other solution of n = 4.
    #[test]
    fn the_images_of_a_small_board() {
        let board = [1, 3, 0, 2];
        assert_eq!(quarter_turn(&board), board);
        assert_eq!((mirror(&board), n_images(&board)), (vec![2, 0, 3, 1], 2));
        assert_eq!(canonical(&[2, 0, 3, 1]), board);
        assert_eq!((n_images(&[]), n_images(&[0])), (1, 1));
    }

    #[test]
    fn an_image_has_the_same_canonical_form() {
        let board = [0, 4, 7, 5, 2, 6, 1, 3];
        assert_eq!(n_images(&board), 8);
        assert!(
            images(&board)
                .iter()
                .all(|image| canonical(image) == canonical(&board))
        );
    }
}
