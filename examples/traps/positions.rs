//! All positions of n queens on n × n cells, several of them perhaps on one cell.

/// The eight directions, as steps.
const STEPS: [(i32, i32); 8] = [
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
];

/// Positions by number: the ranks of multisets of n cells.
pub struct Positions {
    n: i32,
    /// `choose[k][m]`: subsets of k of m things.
    choose: Vec<Vec<usize>>,
}

impl Positions {
    pub fn new(n: usize) -> Self {
        let most = n * n + n;
        let mut choose = vec![vec![0; most + 1]; n + 1];
        choose[0].fill(1);
        for k in 1..=n {
            for m in 1..=most {
                choose[k][m] = choose[k][m - 1] + choose[k - 1][m - 1];
            }
        }
        Self {
            n: n as i32,
            choose,
        }
    }

    pub fn len(&self) -> usize {
        let n = self.n as usize;
        self.choose[n][n * n + n - 1]
    }

    /// The number of a position; its cells ascend.
    fn number(&self, cells: &[usize]) -> u32 {
        let rank = |(k, &cell): (usize, &usize)| self.choose[k + 1][cell + k];
        cells.iter().enumerate().map(rank).sum::<usize>() as u32
    }

    /// The cells of a position, ascending.
    fn cells(&self, number: u32) -> Vec<usize> {
        let mut left = number as usize;
        let mut cells = vec![0; self.n as usize];
        for k in (0..cells.len()).rev() {
            let row = &self.choose[k + 1];
            let place = row.partition_point(|&rank| rank <= left) - 1;
            left -= row[place];
            cells[k] = place - k;
        }
        cells
    }

    fn counts(&self, cells: &[usize]) -> Vec<u8> {
        let mut counts = vec![0; (self.n * self.n) as usize];
        for &cell in cells {
            counts[cell] += 1;
        }
        counts
    }

    /// The cell one step away, if it is on the board.
    fn step(&self, cell: usize, (dx, dy): (i32, i32)) -> Option<usize> {
        let (x, y) = (cell as i32 % self.n + dx, cell as i32 / self.n + dy);
        let is_on_board = (0..self.n).contains(&x) && (0..self.n).contains(&y);
        is_on_board.then_some((y * self.n + x) as usize)
    }

    /// Directions of a cell in which some queen stands: its true signals.
    fn signals(&self, counts: &[u8], cell: usize) -> usize {
        let sees = |&step: &(i32, i32)| {
            let mut at = cell;
            while let Some(next) = self.step(at, step) {
                if counts[next] > 0 {
                    return true;
                }
                at = next;
            }
            false
        };
        STEPS.iter().filter(|step| sees(step)).count()
    }

    pub fn is_solution(&self, number: u32) -> bool {
        let cells = self.cells(number);
        let counts = self.counts(&cells);
        let is_safe = |&cell: &usize| counts[cell] == 1 && self.signals(&counts, cell) == 0;
        cells.iter().all(is_safe)
    }

    /// n! / Π (queens on a cell)! / n^(2n): how likely a random start is this position.
    pub fn probability(&self, number: u32) -> f64 {
        let cells = self.cells(number);
        let factorial = |k: u32| (1..=k).map(f64::from).product::<f64>();
        let counts = self.counts(&cells);
        let orders = counts.iter().map(|&count| factorial(u32::from(count)));
        let n_cells = f64::from(self.n * self.n);
        factorial(self.n as u32) / orders.product::<f64>() / libm::pow(n_cells, f64::from(self.n))
    }

    /// The positions that one move leads to.
    pub fn moves(&self, number: u32) -> Vec<u32> {
        let cells = self.cells(number);
        let counts = self.counts(&cells);
        let mut reached = Vec::new();
        for (place, &from) in cells.iter().enumerate() {
            let is_threatened = counts[from] > 1 || self.signals(&counts, from) > 0;
            if !is_threatened || (place > 0 && cells[place - 1] == from) {
                continue;
            }
            for to in self.destinations(&counts, from) {
                let mut moved = cells.clone();
                moved[place] = to;
                moved.sort_unstable();
                reached.push(self.number(&moved));
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// The neighbours that minimise ω; all of them where each has a queen.
    fn destinations(&self, counts: &[u8], from: usize) -> Vec<usize> {
        let neighbours: Vec<usize> = STEPS
            .iter()
            .filter_map(|&step| self.step(from, step))
            .collect();
        let omega = |cell: usize| match counts[cell] {
            0 => self.signals(counts, cell),
            _ => usize::MAX,
        };
        let least = neighbours.iter().map(|&cell| omega(cell)).min();
        let is_least = |cell: &usize| Some(omega(*cell)) == least;
        neighbours.into_iter().filter(is_least).collect()
    }
}
