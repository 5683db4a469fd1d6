//! Boards as a drawing: what `reines solve --svg` writes.

use plotters::style::{Color, RGBColor};

use super::canvas::{self, Canvas, Lettering, Spot};
use super::style::{INK, MARGIN, PAPER, TEXT_SIZE, WIDTH};

/// Boards that one drawing holds.
pub const MOST: usize = 100;

/// Largest board whose squares are still visible.
const LARGEST: usize = 128;

/// Between two boards.
const GAP: i32 = 60;
const DARK: RGBColor = RGBColor(0xD9, 0xD9, 0xD9);

/// Why boards cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undrawable {
    #[error("a drawing holds at most {MOST} boards; --symmetries shows one of each class")]
    Many,
    #[error("a board of side {side} cannot be drawn; allowed are {LARGEST}")]
    Large { side: usize },
}

/// An SVG of `boards`, each the row of the queen in each column, under `title`.
///
/// # Errors
/// Boards too many or too large.
pub fn draw(title: &str, boards: &[Vec<u32>]) -> Result<String, Undrawable> {
    let side = boards.iter().map(Vec::len).max().unwrap_or_default();
    if boards.len() > MOST {
        return Err(Undrawable::Many);
    }
    if side > LARGEST {
        return Err(Undrawable::Large { side });
    }
    // Two at least: a single board as wide as the canvas would be higher than any screen.
    let across = (2..)
        .find(|across| across * across >= boards.len())
        .unwrap_or(2) as i32;
    let square = ((WIDTH - 2 * MARGIN - (across - 1) * GAP) / across / side.max(1) as i32).max(1);
    let pitch = square * side as i32 + GAP;
    let top = 2 * MARGIN + TEXT_SIZE;
    let height = top + (boards.len() as i32 + across - 1) / across * pitch;
    Ok(canvas::draw(height, title, title, |canvas| {
        canvas.text(
            title,
            (MARGIN, MARGIN + TEXT_SIZE / 2),
            Lettering::default(),
        );
        for (index, board) in boards.iter().enumerate() {
            let (x, y) = (index as i32 % across, index as i32 / across);
            draw_board(canvas, (MARGIN + x * pitch, top + y * pitch), square, board);
        }
    }))
}

fn draw_board(canvas: &Canvas, (left, top): Spot, square: i32, board: &[u32]) {
    let side = board.len() as i32;
    canvas.rectangle(
        (left - 3, top - 3),
        (left + side * square + 3, top + side * square + 3),
        INK.to_rgba(),
    );
    for (x, row) in (0..side).zip(board) {
        for y in 0..side {
            let corner = (left + x * square, top + y * square);
            let colour = if (x + y) % 2 == 0 { PAPER } else { DARK };
            canvas.rectangle(
                corner,
                (corner.0 + square, corner.1 + square),
                colour.to_rgba(),
            );
        }
        draw_queen(
            canvas,
            (left + x * square, top + *row as i32 * square),
            square,
        );
    }
}

/// A crown of three points on its base, in units of a twelfth of the square.
fn draw_queen(canvas: &Canvas, (left, top): Spot, square: i32) {
    const CROWN: [Spot; 7] = [(2, 3), (4, 6), (6, 2), (8, 6), (10, 3), (9, 10), (3, 10)];
    let corners = CROWN.map(|(x, y)| (left + x * square / 12, top + y * square / 12));
    canvas.polygon(&corners, INK);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_board_has_its_squares_and_queens() {
        let svg = draw(
            "two & more",
            &[vec![1, 3, 0, 2], vec![2, 0, 3, 1], vec![1, 3, 0, 2]],
        )
        .expect("small boards");
        assert_eq!(
            (
                svg.matches("<polygon").count(),
                svg.matches("<rect").count()
            ),
            (12, 1 + 3 * (1 + 16))
        );
        assert!(svg.contains("two &amp; more") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn what_cannot_be_seen_is_refused() {
        assert_eq!(draw("", &vec![vec![0]; MOST + 1]), Err(Undrawable::Many));
        assert_eq!(
            draw("", &[vec![0; 129]]),
            Err(Undrawable::Large { side: 129 })
        );
    }
}
