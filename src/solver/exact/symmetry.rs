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

/// How many classes there are of boards that turns and reflections map to each other, by the number
/// of their boards.
///
/// Let H of the S solutions be their own image under the half turn, and Q of these under the
/// quarter turn. For n ≥ 2 no solution is its own reflection, so a class has 2 boards (Q), 4 (H) or
/// 8, and there are Q/2, (H − Q)/4 and (S − H)/8 of them: S, H and Q are OEIS A000170, A032522 and
/// A033148, the number of all classes is A002562.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes {
    /// Classes of one board: n = 1.
    pub of_one: u64,
    /// Classes of two boards, which every quarter turn leaves as they are.
    pub of_two: u64,
    /// Classes of four boards, which the half turn leaves as they are.
    pub of_four: u64,
    /// All others.
    pub of_eight: u64,
}

impl Classes {
    /// The classes of the n × n board with so many solutions; `None` where there cannot be so many,
    /// or n > 31. Counts the symmetric solutions one by one: a fraction of a second at n = 20,
    /// seconds at n = 22, and some three times as long for each further n.
    pub fn of(n: usize, solutions: u64) -> Option<Self> {
        if n > 31 {
            return None;
        }
        let (half, quarter) = symmetric(n);
        if n < 2 {
            return (solutions == 1).then_some(Self {
                of_one: 1,
                of_two: 0,
                of_four: 0,
                of_eight: 0,
            });
        }
        let parts = |of: u64, part: u64| of.is_multiple_of(part).then_some(of / part);
        Some(Self {
            of_one: 0,
            of_two: parts(quarter, 2)?,
            of_four: parts(half - quarter, 4)?,
            of_eight: parts(solutions.checked_sub(half)?, 8)?,
        })
    }

    /// The number of classes: the fundamental solutions, OEIS A002562.
    pub fn n_classes(&self) -> u64 {
        self.of_one + self.of_two + self.of_four + self.of_eight
    }
}

/// H and Q.
fn symmetric(n: usize) -> (u64, u64) {
    let mut turned = Turned {
        n,
        queens: vec![0; n],
        half: 0,
        quarter: 0,
    };
    let mut taken = TakenLines::default();
    if n % 2 == 1 {
        // The middle row's queen is its own image.
        turned.queens[n / 2] = n / 2;
        taken.add(n, n / 2, n / 2);
    }
    turned.place(0, taken);
    (turned.half, turned.quarter)
}

/// Columns, rising and falling diagonals with a queen.
#[derive(Clone, Copy, Default)]
struct TakenLines([u64; 3]);

impl TakenLines {
    fn lines(n: usize, row: usize, column: usize) -> [u64; 3] {
        [
            1 << column,
            1 << (row + column),
            1 << (n - 1 - row + column),
        ]
    }

    fn has(&self, n: usize, row: usize, column: usize) -> bool {
        let lines = Self::lines(n, row, column);
        self.0
            .iter()
            .zip(lines)
            .any(|(taken, line)| taken & line != 0)
    }

    fn add(&mut self, n: usize, row: usize, column: usize) {
        let lines = Self::lines(n, row, column);
        self.0
            .iter_mut()
            .zip(lines)
            .for_each(|(taken, line)| *taken |= line);
    }
}

/// Queens two by two, each with its image under the half turn.
struct Turned {
    n: usize,
    queens: Vec<usize>,
    half: u64,
    quarter: u64,
}

impl Turned {
    fn place(&mut self, row: usize, taken: TakenLines) {
        let n = self.n;
        if row == n / 2 {
            self.half += 1;
            let is_turned = |(row, &column): (usize, &usize)| self.queens[column] == n - 1 - row;
            self.quarter += u64::from(self.queens.iter().enumerate().all(is_turned));
            return;
        }
        for column in 0..n {
            let (last_row, last_column) = (n - 1 - row, n - 1 - column);
            let mut next = taken;
            if next.has(n, row, column) {
                continue;
            }
            next.add(n, row, column);
            if next.has(n, last_row, last_column) {
                continue;
            }
            next.add(n, last_row, last_column);
            (self.queens[row], self.queens[last_row]) = (column, last_column);
            self.place(row + 1, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::density::solution_count;

    /// A032522 and A033148, n = 1 … 17.
    const HALF: [u64; 17] = [
        1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152,
    ];
    const QUARTER: [u64; 17] = [1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128];

    /// A002562, n = 1 … 17.
    const FUNDAMENTAL: [u64; 17] = [
        1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45_752, 285_053, 1_846_955, 11_977_939,
    ];

    #[test]
    fn symmetric_solutions_and_classes_are_those_of_the_oeis() {
        for (n, ((half, quarter), fundamental)) in
            (1..).zip(HALF.into_iter().zip(QUARTER).zip(FUNDAMENTAL))
        {
            assert_eq!(symmetric(n), (half, quarter), "n = {n}");
            let solutions = solution_count(n as u32).expect("in the table");
            let classes = Classes::of(n, solutions).expect("so many");
            assert_eq!(classes.n_classes(), fundamental, "n = {n}");
        }
    }

    #[test]
    fn a_number_that_cannot_be_has_no_classes() {
        assert_eq!(
            Classes::of(8, 92).map(|it| (it.of_eight, it.of_four)),
            Some((11, 1))
        );
        assert_eq!(
            (Classes::of(8, 91), Classes::of(8, 3), Classes::of(1, 2)),
            (None, None, None)
        );
    }
}
