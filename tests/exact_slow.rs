//! `bitboard` against A000170 to n = 17, on every core: half a minute, hence not among the fast
//! tests.

use std::sync::atomic::{AtomicBool, AtomicU64};

use reines::solver::exact::methods::METHODS;
use reines::solver::exact::{Goal, Request, explore};
use reines::solver::{Control, density};

/// S(n) for n = 0 … 17, OEIS A000170.
const SOLUTIONS: [u64; 18] = [
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365_596, 2_279_184, 14_772_512,
    95_815_104,
];

#[test]
fn bitboard_counts_a000170_to_17() {
    let (stop, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let bitboard = METHODS
        .iter()
        .find(|method| method.name == "bitboard")
        .expect("a registered method");
    for (n, &solutions) in SOLUTIONS.iter().enumerate() {
        let request = Request {
            parallel: true,
            ..Request::new(n, Goal::Count)
        };
        let explored = explore(
            bitboard,
            request,
            &mut |_| {},
            &Control::new(&stop, &progress),
        )
        .expect("nobody asks to stop");
        assert_eq!(explored.counts.solutions, solutions, "n = {n}");
        let behind_the_density = (n > 0).then_some(solutions);
        assert_eq!(
            density::solution_count(n as u32),
            behind_the_density,
            "n = {n}"
        );
    }
}
