//! The faster dynamics held against the law of an update: whether the changes that they make, and
//! the probabilities of these, are those of [`LocalRule::update`](crate::local::sites::LocalRule).
//! Here are the values of ε and η that are tried, and the words for the first case that differs,
//! which `run` and `check` print where `auto` takes `stepwise`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::answers::{EPSILON_AT, ETA_AT};
use super::cases::Cases;
use super::rule;
use super::sheet::{SIDE_MAX, Sheet, StateLaw, Trier, UpdateLaw};
use crate::board::{Board, Direction};
use crate::local::configuration::{CellState, Cells as _};
use crate::local::lanes::{AT_ONCE, AssumedInLanes, Kernel, Place, wrong_slots};
use crate::local::rejection_free::{AssumedWithoutRejections, wrong_waits};
use crate::local::sites::LocalRule;
use crate::local::{self, Rule};
use crate::rng::Chance;
use crate::{Dynamics, Point};

/// The first case in which a faster dynamics has another law than an update.
pub type Difference = Option<String>;

/// Values of (ε, η) at which some of the drawn cases are tried besides those at which laws are
/// enumerated: a fourth of the blocks.
const FURTHER: [(f64, f64); 3] = [(0.003, 0.5), (0.6, 0.0), (0.95, 1.0)];
const EACH_FURTHER: usize = 4;

/// Values of ε at which waiting times and slots are tried.
const EPSILONS: [f64; 7] = [0.0, 1e-9, 0.003, EPSILON_AT, 0.6, 0.95, 1.0];

/// Blocks of cases that one thread tries, at least: what it prepares serves all of them.
const BLOCKS_AT_ONCE: usize = 64;

/// What is known in this process, by the rule, its condition and the dynamics.
static KNOWN: Mutex<BTreeMap<(&str, String, &str), Difference>> = Mutex::new(BTreeMap::new());

/// Takes it for known that a dynamics has the law of the update at a point: for a caller who knows
/// that a program of the same sources has found so.
pub fn take_as_held(point: &Point, dynamics: Dynamics) {
    let Some((rule, condition)) = rule_of(point) else {
        return;
    };
    let key = (rule.algorithm.name, condition.to_owned(), dynamics.name());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert(None);
}

/// The difference between a dynamics and the law of an update at a point: none for the stepwise
/// dynamics, which makes nothing but updates, and for what is no local rule. It is found once in a
/// process for each rule and condition.
pub fn difference(point: &Point, dynamics: Dynamics) -> Difference {
    if dynamics == Dynamics::Stepwise {
        return None;
    }
    let (rule, condition) = rule_of(point)?;
    let key = (rule.algorithm.name, condition.to_owned(), dynamics.name());
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(difference) = known.get(&key) {
        return difference.clone();
    }
    // Not held while threads of the pool work: one of them might ask for another rule.
    drop(known);
    let difference = (rule.difference)(condition, dynamics);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.insert(key, difference.clone());
    difference
}

/// The rule of a point, and its condition: of a relaxation the rule's own.
fn rule_of(point: &Point) -> Option<(&'static Rule, &str)> {
    match local::rule(&point.algorithm) {
        Some(rule) => Some((rule, local::condition_of(&point.variant))),
        None => Some((local::relaxed(&point.algorithm)?, "")),
    }
}

/// [`difference`] of a rule, which in lanes has G masks of sites.
pub fn difference_of<R: Cases + Kernel<G>, const G: usize>(
    condition: &str,
    dynamics: Dynamics,
) -> Difference {
    if let Some(wrong) = wrong_numbers::<R, G>(condition, dynamics) {
        return Some(wrong);
    }
    let blocks = (0..R::BLOCKS).into_par_iter().with_min_len(BLOCKS_AT_ONCE);
    let at = (EPSILON_AT, ETA_AT);
    let differences = blocks.map_init(
        || Compared::<R, G>::new(condition, dynamics, at),
        |compared, block| compared.difference_in(block),
    );
    if let Some(first) = differences.find_map_first(|difference| difference) {
        return Some(first);
    }
    let further = FURTHER.into_par_iter().map(|at| {
        let mut compared = Compared::<R, G>::new(condition, dynamics, at);
        let mut some_blocks = (R::FIRST_DRAWN..R::BLOCKS).step_by(EACH_FURTHER);
        some_blocks.find_map(|block| compared.difference_in(block))
    });
    further.find_map_first(|difference| difference)
}

/// What is wrong with the waiting times or the slots, if anything is.
fn wrong_numbers<R: Kernel<G>, const G: usize>(condition: &str, dynamics: Dynamics) -> Difference {
    EPSILONS.into_iter().find_map(|epsilon| match dynamics {
        Dynamics::Stepwise => None,
        Dynamics::RejectionFree => wrong_waits(Chance::new(epsilon), 42),
        Dynamics::Lanes => [3, 8].into_iter().find_map(|n| {
            let rule: R = rule(condition, n, (epsilon, ETA_AT));
            wrong_slots(&rule, Board::new(n))
        }),
    })
}

/// A rule on a board of one side, and what it is held against there.
struct ComparedOnBoard<R: LocalRule, const G: usize> {
    rule: R,
    comparison: Comparison<R, G>,
}

enum Assumed<R, const G: usize> {
    WithoutRejections(AssumedWithoutRejections<R>),
    InLanes(Box<AssumedInLanes<R, G>>),
}

/// What a faster dynamics takes an update for, and the laws in one state by the update and by it.
struct Comparison<R: LocalRule, const G: usize> {
    assumed: Assumed<R, G>,
    trier: Trier<f64>,
    known: UpdateLaw,
    assumed_law: StateLaw<f64>,
    /// Where lanes have the sites of some cases of a block.
    places: Vec<Place<R::Site>>,
}

/// A board, the site that is updated, and the number of the group.
struct Case<R: Cases> {
    sheet: Sheet,
    site: R::Site,
    group: usize,
}

/// A rule and a faster dynamics at one ε and η, by the side of the board.
struct Compared<R: LocalRule, const G: usize>(Vec<ComparedOnBoard<R, G>>);

impl<R: Cases + Kernel<G>, const G: usize> Compared<R, G> {
    fn new(condition: &str, dynamics: Dynamics, at: (f64, f64)) -> Self {
        let on_board = |n: usize| {
            let board = Board::new(n);
            let rule = rule::<R>(condition, n, at);
            let assumed = match dynamics {
                Dynamics::Lanes => {
                    Assumed::InLanes(Box::new(AssumedInLanes::new(rule.clone(), board)))
                }
                _ => Assumed::WithoutRejections(AssumedWithoutRejections::new(rule.clone(), board)),
            };
            let comparison = Comparison {
                assumed,
                trier: Trier::new(board),
                known: UpdateLaw::default(),
                assumed_law: StateLaw::default(),
                places: Vec::new(),
            };
            ComparedOnBoard { rule, comparison }
        };
        Self((1..=SIDE_MAX).map(on_board).collect())
    }

    /// The first case of a block in which the laws differ.
    fn difference_in(&mut self, block: usize) -> Difference {
        let ComparedOnBoard { rule, comparison } = &mut self.0[R::side(block) - 1];
        let is_drawn = block >= R::FIRST_DRAWN;
        comparison.places.clear();
        let mut cases: Vec<Case<R>> = Vec::with_capacity(AT_ONCE);
        let mut difference = None;
        rule.visit(block, &mut |sheet, site, group| {
            if difference.is_some() {
                return;
            }
            cases.push(Case {
                sheet: *sheet,
                site,
                group,
            });
            if cases.len() == AT_ONCE {
                difference = comparison.first_difference(rule, &cases, is_drawn);
                cases.clear();
            }
        });
        difference.or_else(|| comparison.first_difference(rule, &cases, is_drawn))
    }
}

impl<R: Cases + Kernel<G>, const G: usize> Comparison<R, G> {
    /// The first of some cases in which the laws differ: at most [`AT_ONCE`], of one site where
    /// they are not drawn. Of drawn cases everything is tried.
    fn first_difference(&mut self, rule: &R, cases: &[Case<R>], is_drawn: bool) -> Difference {
        if let Err(without_mask) = self.begin(cases, is_drawn) {
            return Some(without_mask);
        }
        for (number, case) in cases.iter().enumerate() {
            let Case { sheet, site, group } = case;
            let update = |sheet: &mut Sheet, random: &mut _| rule.update(sheet, *site, random);
            self.trier.begin(sheet);
            self.known.enumerate(sheet, &mut self.trier, update);

            let known = Some(&self.known).filter(|_| !is_drawn);
            let trier = &mut self.trier;
            let assumed_law = &mut self.assumed_law;
            assumed_law.0.clear();
            match &self.assumed {
                Assumed::WithoutRejections(assumed) => {
                    let known = known.map(|known| &known.law);
                    assumed.changes(sheet, *site, trier, known, assumed_law);
                }
                Assumed::InLanes(assumed) => {
                    let place = self.places[number];
                    assumed.changes(number, (sheet, place), trier, known, assumed_law);
                }
            }
            if let Some(words) = self.known.law.difference_of_changes(&self.assumed_law) {
                return Some(described::<R>(sheet, *group, &words));
            }
        }
        None
    }

    /// Lets lanes make their steps on the boards of all cases.
    ///
    /// # Errors
    /// A site that has no mask, in words.
    fn begin(&mut self, cases: &[Case<R>], is_drawn: bool) -> Result<(), String> {
        let Assumed::InLanes(assumed) = &mut self.assumed else {
            return Ok(());
        };
        // All cases of a block that are not drawn have one site.
        let known = self.places.first().copied().filter(|_| !is_drawn);
        self.places.clear();
        for Case { sheet, site, group } in cases {
            let Some(place) = known.or_else(|| assumed.place(*site)) else {
                return Err(described::<R>(sheet, *group, "it has no mask"));
            };
            self.places.push(place);
        }
        let boards = cases.iter().map(|case| &case.sheet);
        assumed.try_on(boards.zip(self.places.iter().copied()), is_drawn);
        Ok(())
    }
}

/// A case in words.
fn described<R: Cases>(sheet: &Sheet, group: usize, words: &str) -> String {
    let board = sheet.board();
    let mut cells = Vec::new();
    for cell in board.cells() {
        let state = sheet.state(cell);
        if state != CellState::default() {
            let (x, y) = board.coordinates(cell);
            cells.push(format!("({x}, {y}) {}", state_in_words(state)));
        }
    }
    let group = &R::groups()[group];
    let cells = if cells.is_empty() {
        "all cells are empty".to_owned()
    } else {
        cells.join("; ")
    };
    format!("{group}: {words} (n = {}: {cells})", board.n())
}

/// `1 queen, signals N E`.
fn state_in_words(state: CellState) -> String {
    let queens = match state.queens {
        0 => "no queen".to_owned(),
        1 => "1 queen".to_owned(),
        queens => format!("{queens} queens"),
    };
    let signals = state.signals.iter();
    let signals: Vec<String> = signals
        .map(|direction: Direction| format!("{direction:?}"))
        .collect();
    match signals.len() {
        0 => queens,
        8 => format!("{queens}, all signals"),
        _ => format!("{queens}, signals {}", signals.join(" ")),
    }
}
