//! All ways to fill a quarter of the board.

use super::lines::{Half, Lines};

/// The placements of one queen in each of some rows of a half, by the columns that they take.
#[derive(Debug, Default)]
pub(super) struct Quadrant {
    /// By set of columns: where its placements begin; one more at the end.
    starts: Vec<u32>,
    /// The diagonals of each placement.
    masks: Vec<u64>,
}

impl Quadrant {
    /// The rows are those of the bits of `rows`.
    pub fn new(lines: &Lines, side: Half, rows: u32) -> Self {
        let width = lines.width(side);
        let rows: Vec<Row> = (0..u32::BITS as usize)
            .filter(|row| rows >> row & 1 == 1)
            .map(|row| Row::new(lines, side, row))
            .collect();
        let mut found = Vec::new();
        place(&rows, Taken::default(), &mut found);
        Self::by_columns(width, &found)
    }

    fn by_columns(width: usize, found: &[(u32, u64)]) -> Self {
        let mut starts = vec![0; (1 << width) + 1];
        for &(columns, _) in found {
            starts[columns as usize + 1] += 1;
        }
        for set in 0..1 << width {
            starts[set + 1] += starts[set];
        }
        let mut next = starts.clone();
        let mut masks = vec![0; found.len()];
        for &(columns, mask) in found {
            let at = &mut next[columns as usize];
            masks[*at as usize] = mask;
            *at += 1;
        }
        Self { starts, masks }
    }

    /// The placements that take these columns.
    #[inline]
    pub fn with_columns(&self, columns: u32) -> &[u64] {
        let set = columns as usize;
        &self.masks[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}

/// A row of a half: where a queen may stand, and which diagonals it then takes.
struct Row {
    /// Its diagonals of both directions have the numbers `shifts` + c within the half.
    shifts: [usize; 2],
    allowed: u32,
    masks: Vec<u64>,
}

impl Row {
    fn new(lines: &Lines, side: Half, row: usize) -> Self {
        let squares: Vec<_> = (0..lines.width(side))
            .map(|c| lines.of(side, row, c))
            .collect();
        let allowed = squares.iter().enumerate().fold(0, |allowed, (c, square)| {
            allowed | u32::from(square.is_some()) << c
        });
        Self {
            shifts: lines.shifts(row),
            allowed,
            masks: squares.iter().map(|square| square.unwrap_or(0)).collect(),
        }
    }
}

/// What the queens of a quarter have taken.
#[derive(Clone, Copy, Default)]
struct Taken {
    columns: u32,
    /// All diagonals within the half, those that do not cross the cut included.
    diagonals: [u64; 2],
    mask: u64,
}

fn place(rows: &[Row], taken: Taken, found: &mut Vec<(u32, u64)>) {
    let Some((row, rest)) = rows.split_first() else {
        return found.push((taken.columns, taken.mask));
    };
    let [one, other] = row.shifts;
    let attacked = (taken.diagonals[0] >> one | taken.diagonals[1] >> other) as u32;
    let mut free = row.allowed & !(taken.columns | attacked);
    while free != 0 {
        let c = free.trailing_zeros();
        free &= free - 1;
        let diagonals = [
            taken.diagonals[0] | 1 << (one as u32 + c),
            taken.diagonals[1] | 1 << (other as u32 + c),
        ];
        let next = Taken {
            columns: taken.columns | 1 << c,
            diagonals,
            mask: taken.mask | row.masks[c as usize],
        };
        place(rest, next, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queens on the rows, one on each, in every way: (columns, mask), those that attack none.
    fn all(lines: &Lines, side: Half, rows: &[usize]) -> Vec<(u32, u64)> {
        let width = lines.width(side);
        let ways = (0..width.pow(rows.len() as u32)).map(|way| {
            let column = |at: usize| way / width.pow(at as u32) % width;
            let queens = rows.iter().enumerate();
            queens
                .map(|(at, &row)| (row, column(at)))
                .collect::<Vec<_>>()
        });
        let is_safe = |queens: &Vec<(usize, usize)>| {
            queens.iter().enumerate().all(|(at, a)| {
                let others = queens[..at].iter();
                others
                    .clone()
                    .all(|b| a.1 != b.1 && a.0 - b.0 != a.1.abs_diff(b.1))
            })
        };
        let placement = |queens: Vec<(usize, usize)>| {
            queens
                .iter()
                .try_fold((0, 0), |(columns, mask), &(row, c)| {
                    Some((columns | 1 << c, mask | lines.of(side, row, c)?))
                })
        };
        ways.filter(is_safe).filter_map(placement).collect()
    }

    #[test]
    fn placements_are_those_without_an_attack() {
        for (n, side) in [
            (7, Half::West),
            (8, Half::West),
            (8, Half::East),
            (9, Half::East),
        ] {
            let lines = Lines::new(n);
            for rows in 0..1_u32 << lines.n_north() {
                let list: Vec<usize> = (0..n).filter(|row| rows >> row & 1 == 1).collect();
                let mut expected = all(&lines, side, &list);
                expected.sort_unstable();
                let quadrant = Quadrant::new(&lines, side, rows);
                let of = |columns: u32| {
                    let masks = quadrant.with_columns(columns).iter();
                    masks.map(move |&mask| (columns, mask))
                };
                let mut found: Vec<_> = (0..1 << lines.width(side)).flat_map(of).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "n = {n}, {side:?}, rows {rows:b}");
            }
        }
    }
}
