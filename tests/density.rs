//! The table of densities that stands in docs.

use std::collections::BTreeMap;

use reines::solver::density::{density, solution_count};

use crate::program::{root, text_of};

/// The rows of docs/tables/density.csv: by n, the other columns by their names.
fn densities() -> BTreeMap<u32, BTreeMap<String, f64>> {
    let text = text_of(root().join("docs/tables/density.csv"));
    let mut lines = text.lines().map(|line| line.split(','));
    let titles: Vec<&str> = lines.next().expect("a table has titles").collect();
    let row = |cells: std::str::Split<'_, char>| {
        // Of what is infinite a cell is empty.
        let numbers = cells.map(|cell| cell.parse().unwrap_or(f64::INFINITY));
        let titles = titles.iter().map(|&title| title.to_owned());
        let row: BTreeMap<_, _> = titles.zip(numbers).collect();
        (row["n"] as u32, row)
    };
    lines.map(row).collect()
}

/// Ten digits are printed.
#[track_caller]
fn assert_near(found: f64, expected: f64, n: u32) {
    let near = (found - expected).abs() <= 5.1e-10 * expected;
    assert!(near || found == expected, "n = {n}: {found} for {expected}");
}

/// Each sequence of n cells is a random start; n queens of it are a solution when each pair is on
/// different rows, columns and diagonals.
#[test]
fn small_densities_are_shares_of_all_placements() {
    let table = densities();
    for n in 1..=4_u32 {
        let cells = n * n;
        let place = |cell: u32| ((cell % n) as i32, (cell / n) as i32);
        let (mut independent, mut distinct, mut per_row) = ([0_u64; 2], [0_u64; 2], [0_u64; 2]);
        for number in 0..u64::from(cells).pow(n) {
            let drawn = |queen| (number / u64::from(cells).pow(queen) % u64::from(cells)) as u32;
            let queens: Vec<u32> = (0..n).map(drawn).collect();
            let mut pairs = queens
                .iter()
                .enumerate()
                .flat_map(|(index, &a)| queens[..index].iter().map(move |&b| (a, b)));
            let is_solution = pairs.clone().all(|(a, b)| {
                let ((x, y), (u, v)) = (place(a), place(b));
                x != u && y != v && (x - u).abs() != (y - v).abs()
            });
            let count = |of: &mut [u64; 2]| {
                of[0] += u64::from(is_solution);
                of[1] += 1;
            };
            count(&mut independent);
            if pairs.all(|(a, b)| a != b) {
                count(&mut distinct);
            }
            let rows = (0..n).zip(&queens).all(|(row, &queen)| queen / n == row);
            if rows {
                count(&mut per_row);
            }
        }
        // With a row for each queen, one order of a board's queens is counted, not all.
        let share = |[solutions, all]: [u64; 2]| solutions as f64 / all as f64;
        let row = &table[&n];
        assert_eq!(row["solutions"], per_row[0] as f64, "n = {n}");
        assert_near(row["density"], share(independent), n);
        assert_near(row["inverse_density"], 1.0 / share(independent), n);
        assert_near(row["distinct"], share(distinct), n);
        assert_near(row["per_row"], share(per_row), n);
    }
}

#[test]
fn the_table_of_densities_agrees_with_the_solver() {
    let table = densities();
    assert!(table.keys().copied().eq(1..=27));
    for (n, row) in table {
        let solutions = solution_count(n).expect("the solver knows S(n) up to n = 27");
        assert_eq!(row["solutions"], solutions as f64, "n = {n}");
        assert_near(row["density"], density(n).expect("as for S(n)"), n);
    }
}
