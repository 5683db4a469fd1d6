//! A search written down as it goes, a line for each decision and for what propagation made of it.

use std::fmt::Write;

use super::domain::{DomainValue, Domains, Var};
use super::search::SearchStep;
use crate::Control;

/// Writes a search's steps to the trace of its control.
///
/// Each line begins with a bar for every decision that holds. A decision and its refutation are at
/// the same depth, what follows from them one deeper:
/// ```text
/// fixed point: C = {0..3} {0..3} {0..3} {0..3}
/// C_0 = 0
/// | fixed point: C = 0 {2,3} {1,3} {1,2}
/// | C_1 = 2
/// | | failure
/// | C_1 ≠ 2
/// | failure
/// ```
pub struct Trace<'a> {
    /// C, then L where the model has it.
    pub variables: [Vec<Var>; 2],
    pub control: &'a Control<'a>,
}

impl Trace<'_> {
    /// Writes one step; `domains` as they are after it.
    pub fn step(&self, step: SearchStep, depth: usize, domains: &Domains) {
        let (depth, text) = match step {
            SearchStep::Decision(decision) => (
                depth - 1,
                format!("{} = {}", self.name(decision.variable), decision.value),
            ),
            SearchStep::Refutation(decision) => (
                depth,
                format!("{} ≠ {}", self.name(decision.variable), decision.value),
            ),
            SearchStep::FixedPoint => (depth, format!("fixed point: {}", self.domains(domains))),
            SearchStep::Failure => (depth, "failure".to_owned()),
            SearchStep::Solution => (depth, "solution".to_owned()),
        };
        self.control.trace(&format!("{}{text}", "| ".repeat(depth)));
    }

    /// `C_3`, `L_0`.
    fn name(&self, variable: Var) -> String {
        let index = |of: &[Var]| of.iter().position(|&other| other == variable);
        let [columns, lines] = &self.variables;
        match (index(columns), index(lines)) {
            (Some(line), _) => format!("C_{line}"),
            (None, column) => format!("L_{}", column.expect("a variable of the model")),
        }
    }

    /// `C = 0 {2,3} {1,3} {1,2}`, and the same of L where the model has it.
    fn domains(&self, domains: &Domains) -> String {
        let [columns, lines] = &self.variables;
        let columns = format!("C ={}", sets(domains, columns));
        if lines.is_empty() {
            columns
        } else {
            format!("{columns}, L ={}", sets(domains, lines))
        }
    }
}

fn sets(domains: &Domains, vars: &[Var]) -> String {
    vars.iter()
        .map(|&var| format!(" {}", set(domains.values(var))))
        .collect()
}

/// `3`, `{1,4}`, `{0..3,6}`.
fn set(values: impl Iterator<Item = DomainValue>) -> String {
    let mut runs: Vec<(DomainValue, DomainValue)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == value => *last = value,
            _ => runs.push((value, value)),
        }
    }
    let mut text = String::new();
    for &(first, last) in &runs {
        let comma = if text.is_empty() { "" } else { "," };
        let run = match last - first {
            0 => format!("{first}"),
            1 => format!("{first},{last}"),
            _ => format!("{first}..{last}"),
        };
        write!(text, "{comma}{run}").expect("writing to a String cannot fail");
    }
    if runs.len() == 1 && runs[0].0 == runs[0].1 {
        text
    } else {
        format!("{{{text}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Goal;
    use crate::tests::searched;
    use crate::{Point, Value};

    fn traced(variant: &str, n: u64, goal: Goal) -> Vec<String> {
        let point = Point {
            variant: variant.into(),
            goal: Some(goal),
            ..Point::new("cp", [("n", Value::Integer(n))])
        };
        searched(&point, (1, 0), 1000).2
    }

    /// A search that is done by hand: a queen in the corner leaves {2,3}, {1,3} and {1,2}; C_1 = 2
    /// empties line 2, and so does C_1 = 3 line 3.
    #[test]
    fn four_queens_by_hand() {
        let expected = [
            "fixed point: C = {0..3} {0..3} {0..3} {0..3}",
            "C_0 = 0",
            "| fixed point: C = 0 {2,3} {1,3} {1,2}",
            "| C_1 = 2",
            "| | failure",
            "| C_1 ≠ 2",
            "| failure",
            "C_0 ≠ 0",
            "fixed point: C = {1..3} {0..3} {0..3} {0..3}",
            "C_0 = 1",
            "| fixed point: C = 1 3 0 2",
            "| solution",
        ];
        assert_eq!(traced("PN_PL", 4, Goal::First), expected);
    }

    #[test]
    fn dual_variables_are_shown_where_there_are_any() {
        let lines = traced("AN_PL", 4, Goal::First);
        assert_eq!(
            lines[2],
            "| fixed point: C = 0 {2,3} {1,3} {1,2}, L = 0 {2,3} {1,3} {1,2}"
        );
    }

    #[test]
    fn sets_are_short() {
        let cases: [(&[DomainValue], &str); 5] = [
            (&[3], "3"),
            (&[1, 4], "{1,4}"),
            (&[0, 1], "{0,1}"),
            (&[0, 1, 2, 3, 6], "{0..3,6}"),
            (&[], "{}"),
        ];
        for (values, text) in cases {
            assert_eq!(set(values.iter().copied()), text);
        }
    }
}
