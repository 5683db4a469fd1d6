//! Tests only: what must hold for every configuration, whichever rule updates it.

use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet};

use super::configuration::{CellState, Configuration, Move};
use super::observables::Observables;
use super::rule::{LocalRule, Site, stale};
use super::rules::{OnPairs, SafeGo, for_every_rule};
use super::samples::{reached, rule_at, sites, stream, swapped, updates, with_true_signals};
use super::sites::{Dependency, SIGNAL_CELLS_MAX, Sites as _};
use crate::solver::board::{Board, Cell, Direction, Directions};
use crate::solver::rng::{Chance, RandomSource, TrialStream};

/// ε and the other parameters strictly between 0 and 1, and dyadic so that products of
/// probabilities are exact.
fn rule<R: LocalRule>(variant: &str, board: Board) -> R {
    rule_at(variant, board.n(), 0.25, 0.5)
}

/// Whether there is a queen somewhere in direction `d` of `(x, y)`, found by walking there.
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

/// With one signal of one cell wrong, if the board has any neighbours.
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
fn configurations<R: LocalRule>(
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
            let written: Vec<Cell> = rule.sites().signal_cells(site).into_iter().collect();
            let without_move = with_stale_flipped(&rule, &x, site);
            for (_, (after, moved)) in updates(&rule, &x, site) {
                assert_eq!(n_queens(&after), board.n());
                let mut expected = x.clone();
                if let Some(queen) = moved {
                    expected.move_queen(queen);
                    let mut dependencies = rule.sites().dependencies(site).into_iter();
                    assert!(dependencies.any(|Dependency { cell, direction }| {
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

fn with_stale_flipped<R: LocalRule>(rule: &R, x: &Configuration, site: Site<R>) -> Configuration {
    let mut flipped = x.clone();
    let stale = stale(rule.sites(), x, site);
    let dependencies = rule.sites().dependencies(site).into_iter();
    for (place, Dependency { cell, direction }) in dependencies.enumerate() {
        if stale >> place & 1 == 1 {
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
fn read_cells<R: LocalRule>(rule: &R, board: Board, site: Site<R>) -> BTreeSet<usize> {
    let dependencies = rule.sites().dependencies(site).into_iter();
    let neighbours =
        dependencies.map(|Dependency { cell, direction }| board.neighbour(cell, direction));
    let own = rule.sites().signal_cells(site).into_iter();
    own.chain(neighbours).map(Cell::index).collect()
}

/// Other queens and other signals on all cells that an update of a site may not read.
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

/// What [`super::sites::Sites`] promises of sites and dependencies.
fn check_geometry<R: LocalRule>(variant: &str) {
    for n in [1, 2, 3, 5, 8, 64] {
        let board = Board::new(n);
        let rule: R = rule(variant, board);
        let mut all = BTreeSet::new();
        assert!(rule.sites().n_sites() <= u64::from(u16::MAX));
        for site in sites(&rule) {
            let dependencies: Vec<_> = rule.sites().dependencies(site).into_iter().collect();
            let mut cells: Vec<Cell> = dependencies.iter().map(|d| d.cell).collect();
            cells.dedup();
            let mut written: Vec<Cell> = rule.sites().signal_cells(site).into_iter().collect();
            assert!(dependencies.len() <= R::Sites::DEPENDENCIES && dependencies.len() <= 8);
            assert!(written.len() <= SIGNAL_CELLS_MAX);
            for cells in [&mut cells, &mut written] {
                cells.sort_unstable_by_key(|cell| cell.index());
            }
            assert!(cells == written || n == 1, "{}, {site:?}", type_name::<R>());
            for Dependency { cell, direction } in dependencies {
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
    for x in configurations::<OnPairs<SafeGo>>("", 10, &mut stream("truth", 1)) {
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
fn moves<R: LocalRule>(rule: &R, x: &Configuration, site: Site<R>) -> Vec<Move> {
    let results = updates(rule, x, site).into_iter();
    results.filter_map(|(_, (_, moved))| moved).collect()
}

/// A move is certain if it takes place at ε = 0 too.
fn check_certain_moves_need_no_coin<R: LocalRule>(variant: &str) {
    let mut seen = [0; 2];
    for x in configurations::<R>(variant, 10, &mut stream("certain", 1)) {
        let rule: R = rule(variant, x.board());
        let timid = rule.with_epsilon(Chance::new(0.0));
        for site in sites(&rule) {
            let without_coins = moves(&timid, &x, site);
            for queen in moves(&rule, &x, site) {
                assert_eq!(queen.certain, without_coins.contains(&queen), "{x:?}");
                seen[usize::from(queen.certain)] += 1;
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

/// Moves, those that are dangerous, needless and deceived, and entries, after one move in an update
/// of `x`: from scratch, by looking for queens.
fn counters_of(x: &Configuration, queen: Move, after: &Configuration) -> [u64; 5] {
    let board = x.board();
    let truly = |cell: Cell| CellState {
        signals: Direction::ALL
            .into_iter()
            .fold(Directions::NONE, |signals, d| {
                signals.with(d, queen_in_sight(x, cell, d))
            }),
        ..x[cell]
    };
    let from = Direction::ALL
        .into_iter()
        .find(|&d| board.neighbour(queen.to, d) == queen.from)
        .expect("adjacent");
    let is_deceived = x[queen.to].safe_go(from) != truly(queen.to).safe_go(from);
    let entries = u64::from(x.solution().is_some()) + u64::from(after.solution().is_some());
    [
        1,
        u64::from(!queen.certain),
        u64::from(truly(queen.from).safe_stay()),
        u64::from(is_deceived),
        entries,
    ]
}

/// Solutions and nearly solutions with random signals, and what one move makes of them: from there
/// another leads back.
fn around_solutions<R: LocalRule>(variant: &str, random: &mut TrialStream) -> Vec<Configuration> {
    let mut all = Vec::new();
    for rows in NEAR_SOLUTIONS {
        let x = with_random_signals(placed(rows), random);
        let rule: R = rule(variant, x.board());
        let results = sites(&rule).flat_map(|site| updates(&rule, &x, site));
        let moved = results.filter(|(_, (_, moved))| moved.is_some());
        all.extend(moved.map(|(_, (after, _))| after));
        all.push(x);
    }
    all
}

fn check_counters<R: LocalRule>(variant: &str) {
    let (mut sums, mut random) = ([0; 5], stream("counters", 1));
    let mut configurations = configurations::<R>(variant, 10, &mut random);
    configurations.extend(around_solutions::<R>(variant, &mut random));
    for x in configurations {
        let rule: R = rule(variant, x.board());
        for (_, (after, moved)) in sites(&rule).flat_map(|site| updates(&rule, &x, site)) {
            let Some(queen) = moved else { continue };
            let mut observables = Observables::at_start(&x);
            observables.queen_moved(queen, &after, 1);
            let outcome = observables.outcome(&after, 1);
            let counted = [
                outcome.moves,
                outcome.dangerous_moves,
                outcome.needless_moves,
                outcome.deceived_moves,
                outcome.entries,
            ]
            .map(|number| number.expect("counted"));
            let expected = counters_of(&x, queen, &after);
            assert_eq!(counted, expected, "{queen:?} {x:?}");
            (0..5).for_each(|place| sums[place] += expected[place]);
        }
    }
    assert!(
        sums.iter().all(|&moves| moves > 20),
        "all kinds were tried: {sums:?}"
    );
}

#[test]
fn moves_are_counted_by_their_kinds() {
    for_every_rule!(variant in check_counters(variant));
}

/// One of the eight symmetries of the square: x reflected (1), y reflected (2), x and y exchanged
/// (4), each done or not.
#[derive(Debug, Clone, Copy)]
pub struct Symmetry {
    board: Board,
    number: usize,
}

impl Symmetry {
    /// One reflection and the exchange: every other symmetry is these two, one after the other, so
    /// a rule that has both has all eight.
    const GENERATORS: [usize; 2] = [1, 4];

    const IDENTITY: usize = 0;
    pub fn all(board: Board) -> impl Iterator<Item = Self> {
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

    pub fn configuration(self, x: &Configuration) -> Configuration {
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

    fn queen_move(self, Move { from, to, certain }: Move) -> Move {
        Move {
            from: self.cell(from),
            to: self.cell(to),
            certain,
        }
    }
}

/// Queens and signals of each cell, and the move with whether it was certain.
type Result = (Vec<(u8, u8)>, Option<(usize, usize, bool)>);

/// Results of an update with their probabilities, equal results joined.
fn law(
    results: impl IntoIterator<Item = (f64, (Configuration, Option<Move>))>,
) -> Vec<(f64, Result)> {
    let mut joined = BTreeMap::new();
    for (probability, (x, moved)) in results {
        let cells = x
            .board()
            .cells()
            .map(|cell| (x[cell].queens, x[cell].signals.bits()));
        let moved = moved.map(|queen| (queen.from.index(), queen.to.index(), queen.certain));
        *joined.entry((cells.collect(), moved)).or_insert(0.0) += probability;
    }
    // Thirds and fifths (a corner's and an edge's neighbours) are rounded; 2⁻³⁰ tells all possible
    // probabilities apart.
    joined
        .into_iter()
        .map(|(result, p)| ((p * f64::from(1 << 30)).round(), result))
        .collect()
}

/// Held for each site against the update of its image under a symmetry, which `image` finds among
/// the sites by their dependencies.
fn check_symmetry<R: LocalRule>(
    variant: &str,
    symmetries: &[usize],
    image: impl Fn(&BTreeMap<Dependencies, Site<R>>, Symmetry, &Dependencies) -> Site<R>,
) {
    for x in configurations::<R>(variant, 2, &mut stream("symmetry", 1)) {
        let board = x.board();
        let rule: R = rule(variant, board);
        let by_dependencies: BTreeMap<Dependencies, Site<R>> = sites(&rule)
            .map(|site| (dependencies(&rule, site), site))
            .collect();
        for symmetry in symmetries.iter().map(|&number| Symmetry { board, number }) {
            let mirrored = symmetry.configuration(&x);
            for (dependencies, &site) in &by_dependencies {
                let results = updates(&rule, &x, site).into_iter();
                let expected = results.map(|(p, (after, moved))| {
                    let moved = moved.map(|queen| symmetry.queen_move(queen));
                    (p, (symmetry.configuration(&after), moved))
                });
                let image = image(&by_dependencies, symmetry, dependencies);
                assert_eq!(law(updates(&rule, &mirrored, image)), law(expected));
            }
        }
    }
}

/// Those of one site.
type Dependencies = BTreeSet<Dependency>;

fn dependencies<R: LocalRule>(rule: &R, site: Site<R>) -> Dependencies {
    rule.sites().dependencies(site).into_iter().collect()
}

/// The site whose dependencies are the images of these.
fn image<S: Copy>(
    sites: &BTreeMap<Dependencies, S>,
    symmetry: Symmetry,
    dependencies: &Dependencies,
) -> S {
    let images = dependencies
        .iter()
        .map(|&Dependency { cell, direction }| Dependency {
            cell: symmetry.cell(cell),
            direction: symmetry.direction(direction),
        });
    *sites
        .get(&images.collect())
        .expect("a symmetry maps sites to sites")
}

fn check_symmetries_of_the_square<R: LocalRule>(variant: &str) {
    check_symmetry::<R>(variant, &Symmetry::GENERATORS, image);
}

#[test]
fn every_rule_has_the_symmetries_of_the_square() {
    for_every_rule!(variant in check_symmetries_of_the_square(variant));
}

/// It does not matter which cell of a pair is named first.
#[test]
fn the_pair_rule_has_the_symmetry_of_the_pair() {
    check_symmetry::<OnPairs<SafeGo>>(
        "",
        &[Symmetry::IDENTITY],
        |pairs, symmetry, dependencies| swapped(image(pairs, symmetry, dependencies)),
    );
}
