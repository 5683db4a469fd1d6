//! Tests only: what must hold for every configuration, whichever rule updates it.

use super::configuration::{Configuration, Move};
use super::outcomes::all_outcomes;
use super::rule::LocalRule;
use super::rules::cell::{CellRule, Site};
use super::rules::pair::PairRule;
use crate::solver::board::{Board, Cell, Direction, Directions, Pair};
use crate::solver::rng::{Coins, TrialStream};
use crate::solver::{Point, Value};

/// ε and η strictly between 0 and 1, and dyadic so that products of probabilities are exact.
fn rule<R: LocalRule>(board: Board) -> R {
    R::at(
        &Point::new(
            R::NAME,
            [("epsilon", Value::real(0.25)), ("eta", Value::real(0.5))],
        ),
        board,
    )
}

fn stream(test: &str) -> TrialStream {
    TrialStream::new(test, 1, &Point::new("test", []), 0)
}

/// Whether a queen stands somewhere in direction `d` of `(x, y)`, found by walking there.
fn queen_in_sight(configuration: &Configuration, cell: Cell, d: Direction) -> bool {
    let board = configuration.board();
    let ((x, y), (dx, dy)) = (board.coordinates(cell), d.step());
    let n = board.n() as i32;
    (1..n)
        .map(|k| (x as i32 + k * dx, y as i32 + k * dy))
        .take_while(|&(x, y)| (0..n).contains(&x) && (0..n).contains(&y))
        .any(|(x, y)| configuration[board.cell(x as usize, y as usize)].queens > 0)
}

/// The definition of docs/models.md, from scratch: n queens no two of which see each other, and every signal
/// true.
fn is_absorbed(configuration: &Configuration) -> bool {
    configuration.board().cells().all(|cell| {
        let state = configuration[cell];
        let alone = Direction::ALL
            .into_iter()
            .all(|d| !queen_in_sight(configuration, cell, d));
        let safe = state.queens == 0 || state.queens == 1 && alone;
        safe && Direction::ALL
            .into_iter()
            .all(|d| state.signals.contains(d) == queen_in_sight(configuration, cell, d))
    })
}

fn with_true_signals(mut configuration: Configuration) -> Configuration {
    let truth = configuration.true_signals();
    configuration
        .board()
        .cells()
        .for_each(|cell| configuration.set_signals(cell, truth[cell.index()]));
    configuration
}

/// Random signals, each there with probability 1/2; none comes from beyond the edge.
fn with_random_signals(mut configuration: Configuration, coins: &mut TrialStream) -> Configuration {
    let board = configuration.board();
    for cell in board.cells() {
        let signals =
            Directions::from_bits(coins.below(256) as u8).intersection(board.directions(cell));
        configuration.set_signals(cell, signals);
    }
    configuration
}

/// With one signal of one cell wrong, if the board has any neighbours.
fn with_one_lie(mut configuration: Configuration, coins: &mut TrialStream) -> Configuration {
    let board = configuration.board();
    if board.n() > 1 {
        let cell = board.cell(
            coins.below(board.n() as u64) as usize,
            coins.below(board.n() as u64) as usize,
        );
        let directions = board.directions(cell);
        let direction = directions.nth(coins.below(u64::from(directions.len())));
        let signals = configuration[cell].signals;
        configuration.set_signals(cell, signals.with(direction, !signals.contains(direction)));
    }
    configuration
}

/// Queens by column and row, of solutions and of nearly solutions.
const NEAR_SOLUTIONS: [&[usize]; 8] = [
    &[0],
    &[1, 0],
    &[0, 2, 1],
    &[1, 3, 0, 2],
    &[1, 3, 2, 0],
    &[0, 2, 4, 1, 3],
    &[1, 3, 5, 0, 2, 4],
    &[0, 4, 7, 5, 2, 6, 1, 3],
];

fn placed(rows: &[usize]) -> Configuration {
    let board = Board::new(rows.len());
    Configuration::with_queens(
        board,
        rows.iter().enumerate().map(|(x, &y)| board.cell(x, y)),
    )
}

/// Configurations of all kinds: reached by the rule, never reached, true, nearly true, absorbed.
fn configurations<R: LocalRule>(n_each: usize, coins: &mut TrialStream) -> Vec<Configuration> {
    let mut all: Vec<Configuration> = NEAR_SOLUTIONS
        .into_iter()
        .map(|rows| with_true_signals(placed(rows)))
        .collect();
    for n in 1..=7 {
        let board = Board::new(n);
        let rule: R = rule(board);
        for _ in 0..n_each {
            let start = Configuration::random_start(board, coins);
            let mut reached = start.clone();
            for _ in 0..coins.below(40 * (n * n) as u64).min(rule.n_sites() * 1000) {
                rule.update(&mut reached, rule.site(coins.below(rule.n_sites())), coins);
            }
            all.extend([
                with_true_signals(reached.clone()),
                reached,
                with_random_signals(start.clone(), coins),
                with_true_signals(start),
            ]);
        }
    }
    let lies: Vec<_> = all
        .iter()
        .map(|configuration| with_one_lie(configuration.clone(), coins))
        .collect();
    all.into_iter().chain(lies).collect()
}

/// All results of updating one site, with their probabilities.
fn updates<R: LocalRule>(
    rule: &R,
    x: &Configuration,
    site: R::Site,
) -> Vec<(f64, (Configuration, Option<Move>))> {
    all_outcomes(|coins| {
        let mut x = x.clone();
        let moved = rule.update(&mut x, site, coins);
        (x, moved)
    })
}

fn sites<R: LocalRule>(rule: &R) -> impl Iterator<Item = R::Site> {
    (0..rule.n_sites()).map(|number| rule.site(number))
}

fn n_queens(configuration: &Configuration) -> usize {
    configuration
        .board()
        .cells()
        .map(|cell| usize::from(configuration[cell].queens))
        .sum()
}

/// What an update may touch: queens are conserved and move as told, signals change only on the
/// site's cells, and none comes from beyond the edge.
fn check_what_updates_touch<R: LocalRule>() {
    for x in configurations::<R>(4, &mut stream("touch")) {
        let board = x.board();
        let rule: R = rule(board);
        for site in sites(&rule) {
            let told: Vec<Cell> = rule.signal_cells(site).into_iter().collect();
            for (_, (after, moved)) in updates(&rule, &x, site) {
                assert_eq!(n_queens(&after), board.n());
                let mut expected = x.clone();
                moved
                    .into_iter()
                    .for_each(|queen| expected.move_queen(queen));
                for cell in board.cells() {
                    assert_eq!(after[cell].queens, expected[cell].queens);
                    assert!(told.contains(&cell) || after[cell].signals == x[cell].signals);
                    assert_eq!(
                        after[cell].signals,
                        after[cell].signals.intersection(board.directions(cell))
                    );
                }
            }
        }
    }
}

#[test]
fn updates_touch_only_their_site() {
    check_what_updates_touch::<PairRule>();
    check_what_updates_touch::<CellRule>();
}

#[test]
fn true_signals_are_those_found_by_walking() {
    for x in configurations::<PairRule>(10, &mut stream("truth")) {
        let truth = x.true_signals();
        for cell in x.board().cells() {
            let walked = Direction::ALL.into_iter().fold(Directions::NONE, |set, d| {
                set.with(d, queen_in_sight(&x, cell, d))
            });
            assert_eq!(truth[cell.index()], walked);
        }
    }
}

/// True signals, on any placement, are a fixed point of the signals: what no queen leaves or enters
/// stays as it is.
fn check_truth_is_a_fixed_point<R: LocalRule>() {
    for x in configurations::<R>(10, &mut stream("fixed point"))
        .into_iter()
        .map(with_true_signals)
    {
        let rule: R = rule(x.board());
        for site in sites(&rule) {
            let still = updates(&rule, &x, site)
                .into_iter()
                .filter(|(_, (_, moved))| moved.is_none());
            still.for_each(|(_, (after, _))| assert_eq!(after, x));
        }
    }
}

#[test]
fn true_signals_are_a_fixed_point() {
    check_truth_is_a_fixed_point::<PairRule>();
    check_truth_is_a_fixed_point::<CellRule>();
}

/// Absorbed ⇔ no update, whatever its site, coins and destination, changes anything (0 < ε < 1).
fn check_absorbed_means_nothing_can_change<R: LocalRule>() {
    let mut seen = [0; 2];
    for x in configurations::<R>(20, &mut stream("absorbed")) {
        let rule: R = rule(x.board());
        let fixed = sites(&rule).all(|site| {
            updates(&rule, &x, site)
                .iter()
                .all(|(_, (after, _))| *after == x)
        });
        assert_eq!(is_absorbed(&x), fixed, "{x:?}");
        seen[usize::from(fixed)] += 1;
    }
    assert!(
        seen[0] > 100 && seen[1] > 20,
        "both sides were tried: {seen:?}"
    );
}

#[test]
fn absorbed_means_that_nothing_can_change() {
    check_absorbed_means_nothing_can_change::<PairRule>();
    check_absorbed_means_nothing_can_change::<CellRule>();
}

/// One of the eight symmetries of the square: two reflections and the exchange of x and y, each
/// done or not.
#[derive(Debug, Clone, Copy)]
struct Symmetry {
    board: Board,
    number: usize,
}

impl Symmetry {
    fn all(board: Board) -> impl Iterator<Item = Self> {
        (0..8).map(move |number| Self { board, number })
    }

    fn cell(self, cell: Cell) -> Cell {
        let (mut x, mut y) = self.board.coordinates(cell);
        if self.number & 1 == 1 {
            x = self.board.n() - 1 - x;
        }
        if self.number & 2 == 2 {
            y = self.board.n() - 1 - y;
        }
        if self.number & 4 == 4 {
            self.board.cell(y, x)
        } else {
            self.board.cell(x, y)
        }
    }

    fn direction(self, direction: Direction) -> Direction {
        let (mut dx, mut dy) = direction.step();
        if self.number & 1 == 1 {
            dx = -dx;
        }
        if self.number & 2 == 2 {
            dy = -dy;
        }
        let step = if self.number & 4 == 4 {
            (dy, dx)
        } else {
            (dx, dy)
        };
        Direction::ALL
            .into_iter()
            .find(|d| d.step() == step)
            .expect("a symmetry maps steps to steps")
    }

    fn directions(self, set: Directions) -> Directions {
        set.iter().fold(Directions::NONE, |image, d| {
            image.with(self.direction(d), true)
        })
    }

    fn configuration(self, x: &Configuration) -> Configuration {
        let queens = self
            .board
            .cells()
            .flat_map(|cell| std::iter::repeat_n(self.cell(cell), usize::from(x[cell].queens)));
        let mut image = Configuration::with_queens(self.board, queens);
        self.board
            .cells()
            .for_each(|cell| image.set_signals(self.cell(cell), self.directions(x[cell].signals)));
        image
    }

    fn queen_move(self, Move { from, to }: Move) -> Move {
        Move {
            from: self.cell(from),
            to: self.cell(to),
        }
    }
}

/// Results of an update with their probabilities, equal results joined, in an order of their own.
fn law(outcomes: Vec<(f64, (Configuration, Option<Move>))>) -> Vec<(f64, String)> {
    let mut joined = std::collections::BTreeMap::new();
    for (probability, result) in outcomes {
        *joined.entry(format!("{result:?}")).or_insert(0.0) += probability;
    }
    // Thirds and fifths (a corner's and an edge's neighbours) are rounded; 2⁻³⁰ tells all possible
    // probabilities apart.
    joined
        .into_iter()
        .map(|(result, p)| ((p * f64::from(1 << 30)).round(), result))
        .collect()
}

fn check_symmetry<R: LocalRule>(image: impl Fn(Symmetry, R::Site) -> R::Site) {
    for x in configurations::<R>(2, &mut stream("symmetry")) {
        let rule: R = rule(x.board());
        for site in sites(&rule) {
            let results = updates(&rule, &x, site);
            for symmetry in Symmetry::all(x.board()) {
                let mapped = results.iter().map(|(p, (after, moved))| {
                    (
                        *p,
                        (
                            symmetry.configuration(after),
                            moved.map(|queen| symmetry.queen_move(queen)),
                        ),
                    )
                });
                let updated = updates(&rule, &symmetry.configuration(&x), image(symmetry, site));
                assert_eq!(law(updated), law(mapped.collect()));
            }
        }
    }
}

#[test]
fn the_pair_rule_has_the_symmetries_of_the_square_and_of_the_pair() {
    let image = |symmetry: Symmetry, pair: Pair| Pair {
        a: symmetry.cell(pair.a),
        b: symmetry.cell(pair.b),
        from_a: symmetry.direction(pair.from_a),
        from_b: symmetry.direction(pair.from_b),
    };
    check_symmetry::<PairRule>(image);
    check_symmetry::<PairRule>(|symmetry, pair| image(symmetry, pair.swapped()));
}

#[test]
fn the_cell_rule_has_the_symmetries_of_the_square() {
    check_symmetry::<CellRule>(|symmetry, Site { cell, neighbours }| Site {
        cell: symmetry.cell(cell),
        neighbours: symmetry.directions(neighbours),
    });
}
