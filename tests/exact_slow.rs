//! `bitboard` and `quadrants` against A000170 to n = 18, on every core: a minute, hence not among
//! the fast tests.

use reines::solver::exact::methods::METHODS;
use reines::solver::exact::{Goal, Request, explore};
use reines::solver::{Control, density};

/// S(n) for n = 0 … 18, OEIS A000170.
const SOLUTIONS: [u64; 19] = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2680,
    14200,
    73712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
];

#[test]
fn bitboard_counts_a000170_to_18() {
    counts_a000170("bitboard");
    for (n, &solutions) in SOLUTIONS.iter().enumerate().skip(1) {
        assert_eq!(density::solution_count(n as u32), Some(solutions));
    }
}

#[test]
fn quadrants_counts_a000170_to_18() {
    counts_a000170("quadrants");
}

fn counts_a000170(name: &str) {
    let method = METHODS
        .iter()
        .find(|method| method.name == name)
        .expect("a registered method");
    for (n, &solutions) in SOLUTIONS.iter().enumerate() {
        let request = Request {
            parallel: true,
            ..Request::new(n, Goal::Count)
        };
        let control = Control::unstopped();
        let explored = explore(method, request, &mut |_| {}, &control);
        let explored = explored.expect("nobody asks to stop");
        assert_eq!(explored.counts.solutions, solutions, "{name}, n = {n}");
    }
}
