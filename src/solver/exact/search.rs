//! A running search: it counts what its method reports, keeps the cutoff, shows the boards and
//! polls the stop flag. Here is decided when a search is censored (it needs one check more than its
//! cutoff), that it ends at the first board, when boards are shown, and when a count may be shared
//! by threads.

use crate::goal::Goal;
use crate::outcome::Counts;
use crate::{Control, Interrupted};

/// What a method is to find, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchRequest {
    /// Side of the board, and number of queens; 0 has the empty board as its one solution.
    pub n: usize,
    /// What the search is for.
    pub goal: Goal,
    /// Checks allowed: a search that needs one more ends as censored, with exactly this many.
    pub cutoff: u64,
}

impl SearchRequest {
    /// No cutoff.
    pub fn new(n: usize, goal: Goal) -> Self {
        Self {
            n,
            goal,
            cutoff: u64::MAX,
        }
    }
}

/// Why a search ends before it has seen everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The goal was the first solution, which is found.
    Found,
    /// The checks allowed are spent.
    Cutoff,
    /// The search was stopped.
    Interrupted,
}

impl From<Interrupted> for Halt {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// A running search.
pub struct Search<'a> {
    request: SearchRequest,
    counts: Counts,
    /// Steps until the stop flag is polled.
    until_poll: u64,
    /// Checks already reported to the progress display.
    reported: u64,
    visit: &'a mut dyn FnMut(&[usize]),
    control: &'a Control<'a>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        request: SearchRequest,
        visit: &'a mut dyn FnMut(&[usize]),
        control: &'a Control<'a>,
    ) -> Self {
        Self {
            request,
            counts: Counts::default(),
            until_poll: Control::POLL_INTERVAL,
            reported: 0,
            visit,
            control,
        }
    }

    /// Counts a check that is about to be made.
    ///
    /// # Errors
    /// [`Halt::Cutoff`] when it is one more than allowed, and then it is not counted.
    #[inline]
    pub(crate) fn check(&mut self) -> Result<(), Halt> {
        if self.counts.checks == self.request.cutoff {
            return Err(Halt::Cutoff);
        }
        self.step()?;
        self.counts.checks += 1;
        Ok(())
    }

    /// Counts a node of the search tree.
    ///
    /// # Errors
    /// [`Halt::Interrupted`] when the search is stopped.
    #[inline]
    pub(crate) fn node(&mut self) -> Result<(), Halt> {
        self.step()?;
        self.counts.nodes += 1;
        Ok(())
    }

    /// Counts a failure.
    #[inline]
    pub(crate) fn fail(&mut self) {
        self.counts.failures += 1;
    }

    /// Counts a solution and shows it, unless the goal is to count.
    ///
    /// # Errors
    /// [`Halt::Found`] when the goal is the first.
    pub(crate) fn solution(&mut self, board: &[usize]) -> Result<(), Halt> {
        self.counts.solutions += 1;
        if self.request.goal != Goal::Count {
            (self.visit)(board);
        }
        if self.request.goal == Goal::First {
            Err(Halt::Found)
        } else {
            Ok(())
        }
    }

    /// Counts a whole board that is tried: a check, and a solution or a failure.
    ///
    /// # Errors
    /// As [`Search::check`] and [`Search::solution`].
    pub(crate) fn tried(&mut self, board: &[usize], is_solution: bool) -> Result<(), Halt> {
        self.check()?;
        if is_solution {
            return self.solution(board);
        }
        self.fail();
        Ok(())
    }

    /// Counts what was found in one go, with no more checks than are left, without showing it.
    ///
    /// # Errors
    /// [`Halt::Interrupted`] when the search is stopped.
    #[inline]
    pub(crate) fn add(&mut self, counts: Counts) -> Result<(), Halt> {
        if self.until_poll < counts.checks {
            self.report()?;
            self.until_poll = Control::POLL_INTERVAL;
        }
        self.until_poll -= counts.checks;
        self.counts += counts;
        Ok(())
    }

    /// True if the search may be shared by all threads of its pool: with a cutoff the order of the
    /// nodes counts.
    pub(crate) fn may_share(&self) -> bool {
        self.control.shares_work() && self.request.cutoff == u64::MAX
    }

    /// The request and the control of a part of a count that is searched beside others.
    pub(crate) fn of_part(&self) -> (SearchRequest, &'a Control<'a>) {
        (self.request, self.control)
    }

    /// Adds what the parts have found, whose steps are reported already.
    pub(crate) fn add_parts(&mut self, counts: Counts) {
        self.reported += counts.checks;
        self.counts += counts;
    }

    pub(crate) fn goal(&self) -> Goal {
        self.request.goal
    }

    /// Checks that are still allowed.
    pub(crate) fn checks_left(&self) -> u64 {
        self.request.cutoff - self.counts.checks
    }

    /// The counts, after the last ones are reported to the progress display.
    pub(crate) fn finish(mut self) -> Counts {
        // A search that has ended is not interrupted any more.
        let _ = self.report();
        self.counts
    }

    #[inline]
    fn step(&mut self) -> Result<(), Halt> {
        if self.until_poll == 0 {
            self.report()?;
            self.until_poll = Control::POLL_INTERVAL;
        }
        self.until_poll -= 1;
        Ok(())
    }

    #[cold]
    fn report(&mut self) -> Result<(), Interrupted> {
        let n_new = self.counts.checks - self.reported;
        self.reported = self.counts.checks;
        self.control.poll(n_new)
    }
}
