//! Tests only: what must hold for every configuration, whichever rule updates it.

use std::any::type_name;
use std::collections::BTreeSet;

use super::super::Rule;
use super::super::configuration::{Configuration, Move};
use super::super::rules::{OnPairs, RULES, for_every_rule};
use super::super::sites::{LocalRule, SIGNAL_CELLS_MAX, stale};
use super::samples::{VARIANTS, reached, rule_at, sites, stream, updates, with_true_signals};
use crate::board::{Board, Cell, Direction, Directions};
use crate::rng::{Chance, RandomSource, TrialStream};

/// ε and the other parameters strictly between 0 and 1, and dyadic so that products of
/// probabilities are exact.
pub(super) fn rule<R: LocalRule>(variant: &str, board: Board) -> R {
    rule_at(variant, board.n(), 0.25, 0.5)
}

/// True if there is a queen somewhere in direction `d` of `(x, y)`, found by walking there.
fn queen_in_sight(configuration: &Configuration, cell: Cell, d: Direction) -> bool {
    let board = configuration.board();
    let ((x, y), (dx, dy)) = (board.coordinates(cell), d.step());
    let n = board.n() as i32;
    (1..n)
        .map(|k| (x as i32 + k * dx, y as i32 + k * dy))
        .take_while(|&(x, y)| (0..n).contains(&x) && (0..n).contains(&y))
        .any(|(x, y)| configuration[board.cell(x as usize, y as usize)].queens > 0)
}

/// The definition of docs/rules.md, from scratch: n queens no two of which see each other, and
/// every signal true.
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

/// Random signals, each there with probability 1/2; none comes from beyond the edge.
fn with_random_signals(
    mut configuration: Configuration,
    random: &mut TrialStream,
) -> Configuration {
    let board = configuration.board();
    for cell in board.cells() {
        let signals =
            Directions::from_bits(random.below(256) as u8).intersection(board.directions(cell));
        configuration.set_signals(cell, signals);
    }
    configuration
}

/// The configuration with one signal of one cell wrong, if the board has any neighbours.
fn with_one_lie(mut configuration: Configuration, random: &mut TrialStream) -> Configuration {
    let board = configuration.board();
    if board.n() > 1 {
        let cell = board.cell(
            random.below(board.n() as u64) as usize,
            random.below(board.n() as u64) as usize,
        );
        let directions = board.directions(cell);
        let direction = directions.nth(random.below(u64::from(directions.len())));
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
pub(super) fn configurations<R: LocalRule>(
    variant: &str,
    n_each: usize,
    random: &mut TrialStream,
) -> Vec<Configuration> {
    let mut all: Vec<Configuration> = NEAR_SOLUTIONS
        .into_iter()
        .map(|rows| with_true_signals(placed(rows)))
        .collect();
    for n in 1..=7 {
        let board = Board::new(n);
        let rule: R = rule(variant, board);
        for _ in 0..n_each {
            let start = Configuration::random_start(board, random);
            let reached = reached(&rule, board, 40, random);
            all.extend([
                with_true_signals(reached.clone()),
                reached,
                with_random_signals(start.clone(), random),
                with_true_signals(start),
            ]);
        }
    }
    let lies: Vec<_> = all
        .iter()
        .map(|configuration| with_one_lie(configuration.clone(), random))
        .collect();
    all.into_iter().chain(lies).collect()
}

fn n_queens(configuration: &Configuration) -> usize {
    configuration
        .board()
        .cells()
        .map(|cell| usize::from(configuration[cell].queens))
        .sum()
}

/// What an update may touch: queens are conserved and move as returned, along a dependency; signals
/// change only on the site's cells, as the dependencies have it where no queen moves, and none
/// comes from beyond the edge.
fn check_what_updates_touch<R: LocalRule>(variant: &str) {
    for x in configurations::<R>(variant, 4, &mut stream("touch", 1)) {
        let board = x.board();
        let rule: R = rule(variant, board);
        for site in sites(&rule) {
            let written: Vec<Cell> = rule.signal_cells(site).into_iter().collect();
            let without_move = with_stale_flipped(&rule, &x, site);
            for (_, (after, moved)) in updates(&rule, &x, site) {
                assert_eq!(n_queens(&after), board.n());
                let mut expected = x.clone();
                if let Some(queen) = moved {
                    expected.move_queen(queen.from, queen.to);
                    let mut dependencies = rule.dependencies(site).into_iter();
                    assert!(dependencies.any(|(cell, direction)| {
                        (cell, board.neighbour(cell, direction)) == (queen.from, queen.to)
                    }));
                } else {
                    assert_eq!(after, without_move);
                }
                for cell in board.cells() {
                    assert_eq!(after[cell].queens, expected[cell].queens);
                    assert!(written.contains(&cell) || after[cell].signals == x[cell].signals);
                    assert_eq!(
                        after[cell].signals,
                        after[cell].signals.intersection(board.directions(cell))
                    );
                }
            }
        }
    }
}

fn with_stale_flipped<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> Configuration {
    let mut flipped = x.clone();
    let stale = stale(rule, x, site);
    let dependencies = rule.dependencies(site).into_iter();
    for (bit, (cell, direction)) in dependencies.enumerate() {
        if stale >> bit & 1 == 1 {
            let signals = flipped[cell].signals;
            flipped.set_signals(cell, signals.difference(Directions::only(direction)));
        }
    }
    flipped
}

#[test]
fn updates_touch_only_their_site() {
    for_every_rule!(variant in check_what_updates_touch(variant));
}

/// The cells that an update of a site may read.
fn read_cells<R: LocalRule>(rule: &R, board: Board, site: R::Site) -> BTreeSet<usize> {
    let dependencies = rule.dependencies(site).into_iter();
    let neighbours = dependencies.map(|(cell, direction)| board.neighbour(cell, direction));
    let own = rule.signal_cells(site).into_iter();
    own.chain(neighbours).map(Cell::index).collect()
}

/// A configuration with other queens and other signals on all cells that an update of a site may
/// not read.
fn changed_elsewhere(
    x: &Configuration,
    read: &BTreeSet<usize>,
    random: &mut TrialStream,
) -> Configuration {
    let board = x.board();
    let queens = board.cells().flat_map(|cell| {
        let n_queens = if read.contains(&cell.index()) {
            usize::from(x[cell].queens)
        } else {
            random.below(3) as usize
        };
        std::iter::repeat_n(cell, n_queens)
    });
    let queens: Vec<Cell> = queens.collect();
    let mut changed = with_random_signals(Configuration::with_queens(board, queens), random);
    for cell in board.cells().filter(|cell| read.contains(&cell.index())) {
        changed.set_signals(cell, x[cell].signals);
    }
    changed
}

/// What updates and classes may read: with other queens and signals on all other cells they are the
/// same.
fn check_what_updates_read<R: LocalRule>(variant: &str) {
    let mut random = stream("read", 1);
    for x in configurations::<R>(variant, 2, &mut random) {
        let board = x.board();
        let rule: R = rule(variant, board);
        for site in sites(&rule) {
            let read = read_cells(&rule, board, site);
            let other = changed_elsewhere(&x, &read, &mut random);
            assert_eq!(
                rule.class_of_moves(&x, site),
                rule.class_of_moves(&other, site),
                "{}, {site:?}",
                type_name::<R>()
            );
            let seen = |x: &Configuration| {
                let on_site = |y: &Configuration| -> Vec<_> {
                    let cells = board.cells().filter(|cell| read.contains(&cell.index()));
                    cells.map(|cell| y[cell]).collect()
                };
                let results = updates(&rule, x, site).into_iter();
                results
                    .map(|(p, (y, moved))| (p, on_site(&y), moved))
                    .collect::<Vec<_>>()
            };
            assert_eq!(seen(&x), seen(&other), "{}, {site:?}", type_name::<R>());
        }
    }
}

#[test]
fn updates_read_only_their_site() {
    for_every_rule!(variant in check_what_updates_read(variant));
}

/// The cells that an update reads are its signal cells and their neighbours in the directions of
/// the dependencies; their number over all sites is that of the algorithm.
fn check_reads<R: LocalRule>(rule: &R, board: Board) {
    let mut expected = 0;
    for site in sites(rule) {
        let mut read: BTreeSet<usize> = BTreeSet::new();
        read.extend(rule.signal_cells(site).into_iter().map(Cell::index));
        for (cell, direction) in rule.dependencies(site) {
            read.insert(board.neighbour(cell, direction).index());
        }
        expected += read.len() as u64;
    }
    let is_of_type = |known: &&Rule| (known.rule)() == std::any::TypeId::of::<R>();
    let known = RULES.iter().find(is_of_type).expect("a registered rule");
    for algorithm in [&known.algorithm, &known.relaxation] {
        let reads = algorithm.reads.expect("a rule on cells");
        assert_eq!(reads(board), expected, "{}", algorithm.name);
    }
}

/// What [`LocalRule`] promises of sites and dependencies.
fn check_geometry<R: LocalRule>(variant: &str) {
    for n in [1, 2, 3, 5, 8, 64] {
        let board = Board::new(n);
        let rule: R = rule(variant, board);
        let mut all = BTreeSet::new();
        assert!(rule.n_sites() <= u64::from(u16::MAX));
        assert_eq!(R::sites_on(board), rule.n_sites());
        check_reads(&rule, board);
        for site in sites(&rule) {
            let dependencies: Vec<_> = rule.dependencies(site).into_iter().collect();
            let mut cells: Vec<Cell> = dependencies.iter().map(|it| it.0).collect();
            cells.dedup();
            let mut written: Vec<Cell> = rule.signal_cells(site).into_iter().collect();
            assert!(dependencies.len() <= R::DEPENDENCIES && dependencies.len() <= 8);
            assert!(written.len() <= SIGNAL_CELLS_MAX);
            for cells in [&mut cells, &mut written] {
                cells.sort_unstable_by_key(|cell| cell.index());
            }
            assert!(cells == written || n == 1, "{}, {site:?}", type_name::<R>());
            for (cell, direction) in dependencies {
                assert!(board.directions(cell).contains(direction));
                assert!(all.insert((cell.index(), direction)), "twice");
            }
        }
        let neighbours = board.cells().map(|cell| board.directions(cell).len());
        assert_eq!(
            all.len(),
            neighbours.sum::<u32>() as usize,
            "{}",
            type_name::<R>()
        );
    }
}

#[test]
fn every_cell_depends_on_each_neighbour_at_one_site() {
    for_every_rule!(variant in check_geometry(variant));
}

#[test]
fn true_signals_are_those_found_by_walking() {
    for x in configurations::<OnPairs>("", 10, &mut stream("truth", 1)) {
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
fn check_truth_is_a_fixed_point<R: LocalRule>(variant: &str) {
    for x in configurations::<R>(variant, 10, &mut stream("fixed point", 1))
        .into_iter()
        .map(with_true_signals)
    {
        let rule: R = rule(variant, x.board());
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
    for_every_rule!(variant in check_truth_is_a_fixed_point(variant));
}

/// Absorbed ⇔ no update, whatever its site, random and destination, changes anything (0 < ε < 1).
fn check_absorbed_means_nothing_can_change<R: LocalRule>(variant: &str) {
    let mut seen = [0; 2];
    for x in configurations::<R>(variant, 20, &mut stream("absorbed", 1)) {
        let rule: R = rule(variant, x.board());
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
    for_every_rule!(variant in check_absorbed_means_nothing_can_change(variant));
}

/// The moves that one update of a site may make.
fn moves<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> Vec<Move> {
    let results = updates(rule, x, site).into_iter();
    results.filter_map(|(_, (_, moved))| moved).collect()
}

/// A move is certain if it takes place at ε = 0 too.
fn check_certain_moves_need_no_coin<R: LocalRule>(variant: &str) {
    let mut seen = [0; 2];
    for x in configurations::<R>(variant, 10, &mut stream("certain", 1)) {
        let rule: R = rule(variant, x.board());
        let mut timid = rule.clone();
        timid.set_epsilon(Chance::new(0.0));
        for site in sites(&rule) {
            let without_coins = moves(&timid, &x, site);
            for queen in moves(&rule, &x, site) {
                assert_eq!(queen.is_certain, without_coins.contains(&queen), "{x:?}");
                seen[usize::from(queen.is_certain)] += 1;
            }
        }
    }
    assert!(
        seen.iter().all(|&moves| moves > 100),
        "both kinds were tried: {seen:?}"
    );
}

#[test]
fn certain_moves_need_no_coin() {
    for_every_rule!(variant in check_certain_moves_need_no_coin(variant));
}
