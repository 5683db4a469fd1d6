//! Lattices of tokens as the source text's figure 9 has them: a multiplication on paper, each line
//! a copy of the first factor moved on by one place.

use super::canvas::{Canvas, Lettering, Spot};
use super::chart::Beneath;
use super::panel::Frame;
use super::sheet::Part;
use super::style::{GRID, INK, PAPER, TICK_SIZE};
use crate::analysis::factoring::factors;
use crate::experiment::store::Row;
use crate::results::PointTrials;
use crate::solver::factor::{self, lattice::Lattice};
use crate::solver::{Point, Value};

/// Height of what [`paint`] paints.
const HEIGHT: i32 = 420;

/// Between two lattices.
const GAP: i32 = 160;
/// Room for the powers of two above the cells.
const HEAD: i32 = 60;
const LARGEST_CELL: i32 = 80;

/// A trial whose tokens are shown.
pub struct Example {
    product: u64,
    row: Row,
    start: Lattice,
    end: Lattice,
}

/// The product of the source's figure 9, shown where it was factored; else the greatest that was.
const OF_THE_TEXT: u64 = 143;

impl Example {
    /// `None` where no trial was absorbed.
    pub fn of(trials: &[PointTrials]) -> Option<Self> {
        let of_point = |trials: &PointTrials| {
            let product = trials.point.integer("product")?;
            let is_absorbed = |row: &Row| row.outcome.absorption_time.is_some();
            let row = trials.rows.iter().find(is_absorbed)?;
            Some((
                product == OF_THE_TEXT,
                product,
                trials.point.real("epsilon")?,
                row,
            ))
        };
        let found = trials.iter().filter_map(of_point);
        let by_rank = |a: &(bool, u64, f64, Row), b: &(bool, u64, f64, Row)| {
            (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2))
        };
        let (_, product, epsilon, row) = found.max_by(by_rank)?;
        let values = [
            ("product", Value::Integer(product)),
            ("epsilon", Value::real(epsilon)),
        ];
        let start = factor::start(&Point::new("factor", values), row.seed, row.trial);
        let [a, b] = factors(&row)?;
        Some(Self {
            product,
            start,
            end: Lattice::of_factors(a, b),
            row,
        })
    }

    /// What is shown.
    fn in_words(&self) -> String {
        let factors = factors(&self.row).map_or_else(String::new, |[a, b]| format!("{a} · {b}"));
        format!(
            "lattices: tokens (discs) of trial {} of seed {} for N = {}, at its start and absorbed as {factors}; a token is worth the power of two above it, rows of cells are the \
             columns j of the lattice from the top, as the lines of a multiplication on paper",
            self.row.trial, self.row.seed, self.product
        )
    }

    /// Both lattices, and what is shown in words.
    pub fn part(self) -> Beneath {
        let words = self.in_words();
        let part = Part {
            above: 60,
            height: HEIGHT,
            below: 40,
            ..Part::of(move |canvas, frame| paint(canvas, frame, [&self.start, &self.end]))
        };
        (part, words)
    }
}

/// The two lattices side by side, an arrow from the first to the second.
fn paint(canvas: &Canvas, frame: Frame, lattices: [&Lattice; 2]) {
    let (across, down) = extent(lattices[0]);
    let room = (frame.right - frame.left - GAP) / 2;
    let height = frame.bottom - frame.top - HEAD;
    let cell = (room / across).min(height / down).min(LARGEST_CELL);
    let width = cell * across;
    let left = (frame.left + frame.right - GAP) / 2 - width;
    for (lattice, left) in lattices.into_iter().zip([left, left + width + GAP]) {
        paint_lattice(canvas, lattice, (left, frame.top), cell);
    }
    let y = frame.top + HEAD + cell * down / 2;
    let tip = left + width + GAP - 40;
    canvas.line(&[(left + width + 40, y), (tip - 20, y)], INK, 5);
    canvas.polygon(&[(tip, y), (tip - 28, y - 14), (tip - 28, y + 14)], INK);
}

/// Powers of two across, columns of the lattice down.
fn extent(lattice: &Lattice) -> (i32, i32) {
    let (rows, columns) = (lattice.rows() as i32, lattice.columns() as i32);
    (rows + columns - 1, columns)
}

/// A cell (i, j) in line j, in the place of its worth 2^(i + j): the greatest on the left.
fn paint_lattice(canvas: &Canvas, lattice: &Lattice, (left, top): Spot, cell: i32) {
    let (across, _) = extent(lattice);
    let corner = |i: usize, j: usize| {
        let place = across - 1 - (i + j) as i32;
        (left + cell * place, top + HEAD + cell * j as i32)
    };
    // Those that have room above the cells, reckoning 0.6 of the size per digit.
    let digits = (1_u64 << (across - 1)).to_string().len() as i32;
    let width = digits * TICK_SIZE * 3 / 5 + 8;
    let step = (width + cell - 1) / cell;
    for power in (0..across).filter(|power| power % step == 0) {
        let spot = (
            left + cell * (across - 1 - power) + cell / 2,
            top + HEAD / 2,
        );
        canvas.text(&(1_u64 << power).to_string(), spot, Lettering::TICK);
    }
    for j in 0..lattice.columns() {
        for i in 0..lattice.rows() {
            let (x, y) = corner(i, j);
            canvas.rectangle((x, y), (x + cell, y + cell), GRID.into());
            canvas.rectangle((x + 2, y + 2), (x + cell - 2, y + cell - 2), PAPER.into());
            if lattice.tokens(i, j) > 0 {
                canvas.disc((x + cell / 2, y + cell / 2), cell * 3 / 10, INK);
            }
        }
    }
}
