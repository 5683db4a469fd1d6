//! Tests: laws that follow from the text, changes of a rule that its law must show, rewritten rules
//! that have the same law, and faster dynamics that have another one.

mod slips;

use self::slips::{CellSlip, PairSlip, SlippedCells, SlippedPairs};
use super::*;
use crate::board::{Cell, Direction, Directions};
use crate::local::configuration::CellState;
use crate::local::lanes::Kernel;
use crate::local::rules::{OnCells, OnPairs};
use crate::local::tests::samples::VARIANTS;
use crate::{Dynamics, DynamicsChoice, algorithm};

/// The probabilities of all that an update may do, those of nothing first.
fn probabilities<R: Cases>(
    states: &[(usize, usize, u8, &[Direction])],
    at: &[(usize, usize)],
) -> Vec<f64> {
    let (board, rule) = (Board::new(4), rule::<R>("", 4, (EPSILON_AT, ETA_AT)));
    let mut sheet = Sheet::empty(board);
    for &(x, y, queens, signals) in states {
        let signals = signals
            .iter()
            .fold(Directions::NONE, |all, &d| all.with(d, true));
        sheet.put(board.cell(x, y), CellState { queens, signals });
    }
    let cells: Vec<Cell> = at.iter().map(|&(x, y)| board.cell(x, y)).collect();
    let site = cases::site(&rule, &cells).expect("a site");
    let mut law = StateLaw::default();
    let update = |sheet: &mut Sheet, random: &mut Script<f64>| rule.update(sheet, site, random);
    let mut trier = Trier::new(board);
    trier.begin(&sheet);
    trier.try_all(&sheet, 1.0, update, &mut law);
    law.0.sort_by_key(|known| known.0);
    let mut values: Vec<f64> = law.0.iter().map(|known| known.1).collect();
    let n_first = law.0.iter().filter(|known| known.0 == 0).count();
    values[n_first..].sort_by(f64::total_cmp);
    values
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }
}

/// Two queens on each of two cells, whose signals are true of each other: with ε(1 − ε) each one of
/// them goes, else nothing changes. One alone beside an empty cell goes for certain.
#[test]
fn laws_of_pairs_are_those_of_the_text() {
    use Direction::{E, N, W};
    let e = EPSILON_AT;
    let facing: [(usize, usize, u8, &[Direction]); 2] = [(1, 1, 2, &[E]), (2, 1, 2, &[W])];
    let at = [(1, 1), (2, 1)];
    let one = e * (1.0 - e);
    assert_near(
        &probabilities::<OnPairs>(&facing, &at),
        &[1.0 - 2.0 * one, one, one],
    );
    let alone: [(usize, usize, u8, &[Direction]); 2] = [(1, 1, 1, &[N]), (2, 1, 0, &[W])];
    assert_near(&probabilities::<OnPairs>(&alone, &at), &[1.0]);
}

/// Two queens on a cell of the middle, a queen in the east: the seven empty cells have ω = 0, the
/// east is drawn with η / 8 and entered with ε.
#[test]
fn laws_of_cells_are_those_of_the_text() {
    let (e, h) = (EPSILON_AT, ETA_AT);
    let found = probabilities::<OnCells>(&[(1, 1, 2, &[Direction::E]), (2, 1, 1, &[])], &[(1, 1)]);
    let each = h / 8.0 + (1.0 - h) / 7.0;
    let mut expected = vec![h / 8.0 * (1.0 - e), h / 8.0 * e];
    expected.extend([each; 7]);
    assert_near(&found, &expected);
}

/// Each is a change of one line of `update`. All groups of states that it touches differ, and no
/// other one.
#[test]
fn every_change_of_a_rule_is_seen_in_its_law() {
    let pair = of::<OnPairs>("");
    for (slip, groups) in slips::OF_PAIRS {
        let other = slips::law_of_pairs(slip);
        let found = differing(&pair, &other);
        assert!(!found.is_empty(), "{slip:?}");
        let is_meant = |group: &String| groups.iter().any(|words| group.contains(words));
        assert!(found.iter().all(is_meant), "{slip:?}: {found:?}");
    }
    let cell = of::<OnCells>("");
    for slip in slips::OF_CELLS {
        let found = differing(&cell, &slips::law_of_cells(slip));
        assert!(!found.is_empty(), "{slip:?}");
    }
}

/// Two coins in the other order, a coin that decides nothing, another name.
#[test]
fn a_rule_that_is_written_otherwise_has_the_same_law() {
    for slip in slips::REWRITTEN_PAIRS {
        assert_eq!(slips::law_of_pairs(slip), of::<OnPairs>(""), "{slip:?}");
    }
    for slip in slips::REWRITTEN_CELLS {
        assert_eq!(slips::law_of_cells(slip), of::<OnCells>(""), "{slip:?}");
    }
}

/// A condition has a law of its own; how it is written does not count.
#[test]
fn a_condition_has_a_law_of_its_own() {
    let pair = algorithm("pair").expect("registered");
    let of = |condition: &str| law(pair, condition).expect("a law");
    assert_eq!(of("safe"), of(""));
    assert_eq!(of("not not (safe or false)"), of("safe"));
    assert!(differing(&of(""), &of("b.queens == 0")).len() > 4);
    let relaxation = algorithm("pair-relaxation").expect("registered");
    assert_eq!(law(relaxation, ""), Some(of("")));
    let search = algorithm("cp").expect("registered");
    assert_eq!(law(search, "PN_PL"), None);
}

/// A law has 8 digits for each of some tens of groups.
#[test]
fn laws_have_some_tens_of_groups() {
    for (law, count) in [(of::<OnPairs>(""), 66), (of::<OnCells>(""), 42)] {
        assert_eq!(law.len(), count);
        assert!(law.values().all(|digits| digits.len() == 8));
    }
}

#[test]
fn the_faster_dynamics_have_the_law_of_an_update() {
    fn check<R: Cases + Kernel<G>, const G: usize>() {
        for condition in VARIANTS {
            let found = difference_of::<R, G>(condition, Dynamics::RejectionFree);
            assert_eq!(found, None, "{condition}");
        }
        assert_eq!(difference_of::<R, G>("", Dynamics::Lanes), None);
    }
    check::<OnPairs, 4>();
    check::<OnCells, 1>();
    for (name, variant) in [
        ("pair", ""),
        ("cell", "b.queens == 0"),
        ("pair-relaxation", ""),
    ] {
        let algorithm = algorithm(name).expect("registered");
        let axes = algorithm.axes;
        let mut point = crate::local::tests::samples::point(name, axes, (8, 0.01, 0.1));
        point.variant = variant.to_owned();
        assert_ne!(
            DynamicsChoice::Auto.at(algorithm, &point, false),
            Some(Dynamics::Stepwise)
        );
        assert_eq!(
            DynamicsChoice::Auto.why_stepwise(algorithm, &point, false),
            None
        );
        assert_eq!(point.no_dynamics(Dynamics::RejectionFree), None);
    }
}

/// A change of `update` alone: neither faster dynamics has its law any more.
#[test]
fn a_dynamics_that_does_not_follow_a_rule_is_seen() {
    type Both = SlippedPairs<{ PairSlip::BothMove as u8 }>;
    type Twice = SlippedCells<{ CellSlip::CoinTwice as u8 }>;
    for dynamics in [Dynamics::RejectionFree, Dynamics::Lanes] {
        let found = difference_of::<Both, 4>("", dynamics).expect("a difference");
        assert!(
            found.contains("threatened queen, threatened queen"),
            "{found}"
        );
        assert!(difference_of::<Twice, 1>("", dynamics).is_some());
    }
}

/// A change of one function on which a faster dynamics rests, while `update` stays.
#[test]
fn a_slip_in_what_a_dynamics_rests_on_is_seen() {
    type Classes = SlippedPairs<{ PairSlip::Classes as u8 }>;
    assert!(difference_of::<Classes, 4>("", Dynamics::RejectionFree).is_some());
    type Masks = SlippedPairs<{ PairSlip::Masks as u8 }>;
    assert!(difference_of::<Masks, 4>("", Dynamics::Lanes).is_some());
    assert_eq!(difference_of::<Masks, 4>("", Dynamics::RejectionFree), None);
    type Closed = SlippedPairs<{ PairSlip::Closed as u8 }>;
    assert!(difference_of::<Closed, 4>("", Dynamics::Lanes).is_some());
    type Coins = SlippedPairs<{ PairSlip::Coins as u8 }>;
    assert!(difference_of::<Coins, 4>("", Dynamics::Lanes).is_some());
    // The drawn boards alone show it: in the others the update is tried once.
    type Before = SlippedPairs<{ PairSlip::Before as u8 }>;
    assert!(difference_of::<Before, 4>("", Dynamics::Lanes).is_some());
}
