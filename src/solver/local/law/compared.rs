//! The faster dynamics held against the law of an update: whether the changes that they make, and
//! the probabilities of these, are those of [`LocalRule::update`](crate::local::sites::LocalRule).

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::answers::{EPSILON_AT, ETA_AT};
use super::cases::Cases;
use super::rule;
use super::sheet::{SIDE_MAX, Sheet, StateLaw, Trier};
use crate::board::{Board, Direction};
use crate::local::configuration::{CellState, Cells as _};
use crate::local::lanes::{AssumedInLanes, Kernel, Place, wrong_slots};
use crate::local::rejection_free::{AssumedWithoutRejections, wrong_waits};
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

/// A rule and what a faster dynamics takes its update for, on a board of one side.
struct ComparedOnBoard<R, const G: usize> {
    rule: R,
    assumed: Assumed<R, G>,
    trier: Trier<f64>,
}

enum Assumed<R, const G: usize> {
    WithoutRejections(AssumedWithoutRejections<R>),
    InLanes {
        assumed: Box<AssumedInLanes<R, G>>,
        /// The place of the site of the case before: in most blocks it is one site.
        place: Option<Place>,
    },
}

/// A rule and a faster dynamics at one ε and η, by the side of the board.
struct Compared<R, const G: usize> {
    boards: Vec<ComparedOnBoard<R, G>>,
    /// The law of the update.
    law: StateLaw<f64>,
    /// The law that the dynamics has.
    assumed_law: StateLaw<f64>,
}

impl<R: Cases + Kernel<G>, const G: usize> Assumed<R, G> {
    fn new(rule: R, board: Board, dynamics: Dynamics) -> Self {
        match dynamics {
            Dynamics::Lanes => Self::InLanes {
                assumed: Box::new(AssumedInLanes::new(rule, board)),
                place: None,
            },
            _ => Self::WithoutRejections(AssumedWithoutRejections::new(rule, board)),
        }
    }

    /// Adds to `law` the changes that the dynamics makes at a site. An error where it has no such
    /// site.
    fn changes(
        &mut self,
        sheet: &Sheet,
        site: R::Site,
        trier: &mut Trier<f64>,
        known: Option<&StateLaw<f64>>,
        law: &mut StateLaw<f64>,
    ) -> Result<(), &'static str> {
        match self {
            Self::WithoutRejections(assumed) => assumed.changes(sheet, site, trier, known, law),
            Self::InLanes { assumed, place } => {
                if place.is_none() {
                    *place = assumed.place(site);
                }
                let place = place.ok_or("it has no mask")?;
                assumed.changes(sheet, place, trier, known, law);
            }
        }
        Ok(())
    }

    /// Another site may come next.
    fn forget_place(&mut self) {
        if let Self::InLanes { place, .. } = self {
            *place = None;
        }
    }
}

impl<R: Cases + Kernel<G>, const G: usize> Compared<R, G> {
    fn new(condition: &str, dynamics: Dynamics, at: (f64, f64)) -> Self {
        let on_board = |n: usize| {
            let board = Board::new(n);
            let rule = rule::<R>(condition, n, at);
            ComparedOnBoard {
                assumed: Assumed::new(rule.clone(), board, dynamics),
                trier: Trier::new(board),
                rule,
            }
        };
        Self {
            boards: (1..=SIDE_MAX).map(on_board).collect(),
            law: StateLaw::default(),
            assumed_law: StateLaw::default(),
        }
    }

    /// The first case of a block in which the laws differ.
    fn difference_in(&mut self, block: usize) -> Difference {
        let Self {
            boards,
            law,
            assumed_law,
        } = self;
        let ComparedOnBoard {
            rule,
            assumed,
            trier,
        } = &mut boards[R::side(block) - 1];
        let is_drawn = block >= R::FIRST_DRAWN;
        assumed.forget_place();
        let mut difference = None;
        rule.visit(block, &mut |sheet, site, group| {
            if difference.is_some() {
                return;
            }
            law.0.clear();
            assumed_law.0.clear();
            let update = |sheet: &mut Sheet, random: &mut _| rule.update(sheet, site, random);
            trier.begin(sheet);
            trier.try_all(sheet, 1.0, update, law);

            // Of drawn cases everything is tried, and each is of a site of its own.
            let known = Some(&*law).filter(|_| !is_drawn);
            if is_drawn {
                assumed.forget_place();
            }
            let found = match assumed.changes(sheet, site, trier, known, assumed_law) {
                Ok(()) => law.difference_of_changes(assumed_law),
                Err(reason) => Some(reason.to_owned()),
            };
            difference = found.map(|words| described::<R>(sheet, group, &words));
        });
        difference
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
