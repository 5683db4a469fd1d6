//! What a rule says by masks, as an expression of the program: from its values on all 16 cases of
//! four bits.

use crate::solver::local::lanes::side::{Side, Signals};

/// A function of four masks, which takes each cell for itself: its value in the case of number i
/// is bit i, where bit j of i is the j-th mask's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table(u64);

/// The masks by the bits of the cases' numbers.
const CASES: [u64; 4] = [0xAAAA, 0xCCCC, 0xF0F0, 0xFF00];

impl Table {
    /// Of the two sides of a move, by `threatened` and `safe` of the first and then the second.
    pub fn of(certain: impl Fn(&Side<u64>, &Side<u64>) -> u64) -> Self {
        let side = |threatened: usize| Side {
            threatened: CASES[threatened],
            safe: CASES[threatened + 1],
            signals: Signals::uncounted(),
        };
        Self(certain(&side(0), &side(2)) & 0xFFFF)
    }

    /// As an expression of the four masks, which are expressions themselves.
    pub fn expression(self, masks: [&str; 4]) -> String {
        // Given a mask's bit, a value in two cases that differ in this bit alone is the same.
        let given = |table: u64, mask: usize, is_set: bool| {
            let (cases, by) = (CASES[mask], 1 << mask);
            if is_set {
                let kept = table & cases;
                kept | kept >> by
            } else {
                let kept = table & !cases;
                kept | kept << by
            }
        };
        fn text(table: u64, from: usize, masks: [&str; 4], given: &Given) -> String {
            match table {
                0 => return "0u".to_owned(),
                0xFFFF => return "0xffffffffu".to_owned(),
                _ => {}
            }
            let (without, with) = (given(table, from, false), given(table, from, true));
            if without == with {
                return text(table, from + 1, masks, given);
            }
            let (without, with) = (
                text(without, from + 1, masks, given),
                text(with, from + 1, masks, given),
            );
            format!(
                "((~({mask}) & {without}) | (({mask}) & {with}))",
                mask = masks[from]
            )
        }
        text(self.0, 0, masks, &given)
    }
}

type Given<'a> = dyn Fn(u64, usize, bool) -> u64 + 'a;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_says_what_the_function_does() {
        let text = |certain: fn(&Side<u64>, &Side<u64>) -> u64| {
            Table::of(certain).expression(["a", "b", "c", "d"])
        };
        assert_eq!(text(|_, _| 0), "0u");
        assert_eq!(text(|_, _| u64::MAX), "0xffffffffu");
        assert_eq!(text(|_, to| to.safe), "((~(d) & 0u) | ((d) & 0xffffffffu))");
        assert_eq!(
            text(|from, to| from.threatened & !to.threatened),
            "((~(a) & 0u) | ((a) & ((~(c) & 0xffffffffu) | ((c) & 0u))))"
        );
        assert_eq!(
            text(|from, to| from.safe ^ to.safe),
            "((~(b) & ((~(d) & 0u) | ((d) & 0xffffffffu))) | ((b) & ((~(d) & 0xffffffffu) | ((d) & 0u))))"
        );
    }
}
