//! Counts against Choco 6, on the reference that `tests/reference/choco.py` wrote. Needs neither
//! Python nor Java.

use reines::solver::Ending;
use reines::solver::cp::variant::{VARIANTS, Variant};
use reines::solver::goal::Goal;
use reines::solver::outcome::Counts;

use super::{run, variant};

const REFERENCE: &str = include_str!("../reference/choco.csv");

struct Row {
    goal: Goal,
    n: usize,
    variant: Variant,
    /// Choco's own `inverse_channeling`, which filters with two bounds-consistent `all_different`
    /// too.
    own_channelling: bool,
    counts: Counts,
    backtracks: u64,
}

fn rows() -> impl Iterator<Item = Row> {
    REFERENCE.lines().skip(1).map(|line| {
        let field: Vec<&str> = line.split(',').collect();
        let number = |at: usize| field[at].parse::<u64>().expect("a number");
        let acronym = VARIANTS.acronym(&[field[2], field[3], field[5], field[6], field[7]]);
        Row {
            goal: [Goal::First, Goal::All][usize::from(field[0] == "all")],
            n: number(1) as usize,
            variant: variant(&acronym.expect("Choco ran it")),
            own_channelling: field[4] == "choco",
            counts: Counts {
                solutions: number(8),
                nodes: number(9),
                failures: number(11),
                checks: 0,
            },
            backtracks: number(10),
        }
    })
}

/// Nodes + failures, as in the lab's table.
fn backtracks(counts: &Counts) -> u64 {
    counts.nodes + counts.failures
}

/// The largest board that is searched for one board, and for all; thoroughly, that of the table.
fn most(goal: Goal) -> usize {
    match goal {
        Goal::First => crate::effort(12, 20),
        _ => crate::effort(6, 12),
    }
}

/// Every row of the reference that posts the same constraints: all solutions from n = 4 on,
/// and the first one.
#[test]
fn counts_are_chocos() {
    let mut rows: Vec<Row> = rows().collect();
    rows.retain(|row| !(row.own_channelling && row.variant.to_string().starts_with("AN")));
    rows.retain(|row| row.n <= most(row.goal));
    let boards = most(Goal::All) + most(Goal::First) - 6;
    assert_eq!(rows.len(), boards * 9 * 4);
    for row in rows {
        let (counts, ending) = run(row.n, row.variant, row.goal, u64::MAX, &mut ());
        let expected = match row.goal {
            Goal::First if row.counts.solutions > 0 => Ending::Solved,
            _ => Ending::Exhausted,
        };
        let told = format!("{} n = {} {:?}", row.variant, row.n, row.goal);
        assert_eq!((counts, ending), (row.counts, expected), "{told}");
        if row.goal == Goal::All {
            assert_eq!(backtracks(&counts), row.backtracks, "{told}");
            assert_eq!(counts.nodes + 1, 2 * counts.solutions + counts.failures);
        }
    }
}

/// Choco's `inverse_channeling` filters more than the channelling: fewer nodes, the same solutions.
#[test]
fn chocos_own_channelling_is_stronger() {
    let mut fewer = 0;
    for row in rows().filter(|row| row.own_channelling && row.goal == Goal::All && row.n <= 10) {
        let (counts, _) = run(row.n, row.variant, row.goal, u64::MAX, &mut ());
        assert_eq!(counts.solutions, row.counts.solutions);
        let is_stronger = counts.failures >= row.counts.failures;
        assert!(is_stronger, "{} n = {}", row.variant, row.n);
        fewer += u32::from(counts.failures > row.counts.failures);
    }
    assert!(fewer > 0);
}

/// The numbers of the models' description, typed in: nodes, backtracks, failures at n = 8, all
/// solutions.
#[test]
fn eight_queens() {
    let counted = |acronym: &str| {
        let (counts, _) = run(8, variant(acronym), Goal::All, u64::MAX, &mut ());
        (counts.nodes, backtracks(&counts), counts.failures)
    };
    assert_eq!(counted("PN_PL"), (507, 831, 324));
    assert_eq!(counted("PB_PL"), (487, 791, 304));
    assert_eq!(counted("PA_PL"), (472, 761, 289));
    let failures = ["PN_PD", "PB_PD", "PA_PD"].map(|acronym| counted(acronym).2);
    assert_eq!(failures, [292, 270, 254]);
}
