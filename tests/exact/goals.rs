//! Goals, cutoffs and the wish to stop.

use super::*;

fn cut(name: &str, n: usize, goal: Goal, cutoff: u64) -> ((Counts, Ending), Vec<Vec<usize>>) {
    let mut request = SearchRequest::new(n, goal);
    request.cutoff = cutoff;
    undisturbed(name, request)
}

#[test]
fn the_first_solution_ends_the_search() {
    for name in names() {
        for n in 4..=7 {
            let ((counts, ending), boards) = undisturbed(name, SearchRequest::new(n, Goal::First));
            let found = (ending, counts.solutions, boards.len());
            assert_eq!(found, (Ending::Solved, 1, 1), "{name}, n = {n}");
            assert!(is_solution(&boards[0]) && boards[0].len() == n);
        }
    }
}

/// The first board of eight queens in lexicographic order comes after 876 squares tested (a number
/// of the literature: 113 queens placed).
#[test]
fn the_first_solution_costs_less() {
    let (explored, boards) = undisturbed("backtracking", SearchRequest::new(8, Goal::First));
    assert_eq!((explored.0.checks, explored.0.nodes), (876, 1 + 113));
    assert_eq!(boards[0], [0, 4, 7, 5, 2, 6, 1, 3]);
}

/// Every cutoff below the whole cost gives exactly that many checks, and of the boards those that
/// come first. One more changes nothing.
#[test]
fn cutoffs_are_exact() {
    for name in names() {
        let n = 6;
        let (whole, all) = cut(name, n, Goal::All, u64::MAX);
        let cost = whole.0.checks;
        for cutoff in (0..cost).step_by(1 + cost as usize / 100).chain([cost - 1]) {
            let (explored, boards) = cut(name, n, Goal::All, cutoff);
            let found = (explored.1, explored.0.checks, explored.0.solutions);
            let expected = (Ending::Censored, cutoff, boards.len() as u64);
            assert_eq!(found, expected, "{name}");
            assert_eq!(boards, all[..boards.len()], "{name}");
        }
        let enough = cut(name, n, Goal::All, cost);
        assert_eq!(enough, (whole, all), "{name}");
    }
}

/// The kernel never looks at its budget, so a cutoff near a subtree's end must be kept by others.
#[test]
fn a_count_is_cut_at_the_exact_node() {
    let cost = counted("bitboard", 11).0.nodes;
    let mut solutions = 0;
    for cutoff in (0..cost).step_by(4999).chain([cost - 1]) {
        let counts = cut("bitboard", 11, Goal::Count, cutoff).0;
        assert_eq!((counts.1, counts.0.checks), (Ending::Censored, cutoff));
        assert!(counts.0.solutions >= solutions && counts.0.solutions <= SOLUTIONS[11]);
        solutions = counts.0.solutions;
    }
    let enough = cut("bitboard", 11, Goal::Count, cost).0;
    assert_eq!(enough, counted("bitboard", 11));
}

/// The flag is up from the start: whoever polls at least every 2¹⁶ steps has not counted more when
/// it leaves.
#[test]
fn every_search_can_be_stopped() {
    for name in names() {
        let method = method(name);
        for goal in Goal::EVERY {
            let (stop, progress) = (AtomicBool::new(true), AtomicU64::new(0));
            let control = Control::new(&stop, &progress);
            let request = SearchRequest::new(13.min(method.n_max()), goal);
            let stopped = explore(method, request, &mut |_| {}, &control);
            let is_quick = |counts: Counts| counts.checks < Control::POLL_INTERVAL;
            let quick = goal == Goal::First && stopped.is_ok_and(|found| is_quick(found.0));
            assert!(stopped == Err(Interrupted) || quick, "{name}, {goal:?}");
            let polled = progress.load(Ordering::Relaxed);
            assert!(polled <= Control::POLL_INTERVAL, "{name}: {polled}");
        }
    }
}

/// The progress display is told of every check.
#[test]
fn progress_adds_up() {
    for name in names() {
        for goal in [Goal::All, Goal::Count] {
            let (stop, progress) = (AtomicBool::new(false), AtomicU64::new(0));
            let control = Control::new(&stop, &progress);
            let request = SearchRequest::new(9.min(reach(name)), goal);
            let explored = explore(method(name), request, &mut |_| {}, &control);
            let told = progress.load(Ordering::Relaxed);
            assert_eq!(told, explored.expect("no stop").0.checks, "{name}");
        }
    }
}
