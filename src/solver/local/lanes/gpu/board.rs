//! A board as the device has it: one word for each row of each mask.

use super::program::Program;
use crate::solver::local::lanes::boards::{Generator, Lane, PLANES};
use crate::solver::local::lanes::layout::{Layout, Mask, set, stride};

/// The words of a board, in the device's order.
pub fn words<const W: usize>(
    board: &Lane<W>,
    layout: &Layout<W>,
    program: &Program,
) -> impl Iterator<Item = u32> {
    let masks = board.signals.iter().chain(&board.planes[..program.planes]);
    let rows = masks.flat_map(move |mask| (0..program.n).map(move |y| layout.row(mask, y) as u32));
    let halves = |word: &u64| [*word as u32, (*word >> 32) as u32];
    rows.chain(board.generator.0.iter().flat_map(halves))
}

/// The board of such words.
///
/// # Errors
/// Words that are no board with n queens.
pub fn board<const W: usize>(
    word: impl Fn(usize) -> u32,
    program: &Program,
) -> Result<Lane<W>, String> {
    let Program { n, planes, .. } = *program;
    let mask = |number: usize| -> Mask<W> {
        let mut mask = [0; W];
        for y in 0..n {
            let mut row = word(number * n + y);
            while row != 0 {
                set(&mut mask, y * stride(W) + row.trailing_zeros() as usize);
                row &= row - 1;
            }
        }
        mask
    };
    let cells = |number: usize| (0..n).map(move |y| number * n + y);
    let queens = (0..planes).map(|plane| {
        let rows = cells(8 + plane).map(|at| word(at).count_ones());
        rows.sum::<u32>() << plane
    });
    let queens: u32 = queens.sum();
    let is_beyond = (0..8 + planes).flat_map(cells).any(|at| word(at) >> n != 0);
    if queens as usize != n || is_beyond {
        return Err(format!("a board with {queens} queens, not {n}"));
    }
    let first = (8 + planes) * n;
    Ok(Lane {
        signals: std::array::from_fn(mask),
        planes: std::array::from_fn(|plane| {
            if plane < planes {
                mask(8 + plane)
            } else {
                [0; W]
            }
        }),
        generator: Generator(std::array::from_fn(|part| {
            let at = first + 2 * part;
            u64::from(word(at)) | u64::from(word(at + 1)) << 32
        })),
    })
}

const _: () = assert!(PLANES == 5, "boards up to n = 31");
