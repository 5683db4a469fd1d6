//! What a running search is told by its method: it counts, keeps the cutoff, shows the boards and
//! listens for the wish to stop.

use super::pieces::Pieces;
use super::{Counts, Goal, Measures, Request};
use crate::solver::{Control, Ending, Interrupted, Outcome};

/// Why a search ends before it has seen everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The first solution was wanted, and here it is.
    Found,
    /// The checks allowed are spent.
    Cutoff,
    /// Somebody asked to stop.
    Interrupted,
}

impl From<Interrupted> for Halt {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// A search on its way.
pub struct Search<'a> {
    measures: Measures,
    request: Request,
    counts: Counts,
    /// Steps until the stop flag is looked at.
    until_poll: u64,
    /// Checks that the progress display knows of.
    reported: u64,
    visit: &'a mut dyn FnMut(&[usize]),
    control: &'a Control<'a>,
}

impl<'a> Search<'a> {
    pub fn new(
        measures: Measures,
        request: Request,
        visit: &'a mut dyn FnMut(&[usize]),
        control: &'a Control<'a>,
    ) -> Self {
        Self {
            measures,
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
    pub fn check(&mut self) -> Result<(), Halt> {
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
    /// [`Halt::Interrupted`] on the wish to stop.
    #[inline]
    pub fn node(&mut self) -> Result<(), Halt> {
        self.step()?;
        self.counts.nodes += 1;
        Ok(())
    }

    /// Counts a failure.
    #[inline]
    pub fn fail(&mut self) {
        self.counts.failures += 1;
    }

    /// Counts a solution and shows it, if boards are wanted.
    ///
    /// # Errors
    /// [`Halt::Found`] when one is enough.
    pub fn solution(&mut self, board: &[usize]) -> Result<(), Halt> {
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

    /// Takes over what was counted elsewhere, polls included.
    pub fn absorb(&mut self, counts: Counts) {
        self.counts += counts;
        self.reported += counts.checks;
    }

    pub fn goal(&self) -> Goal {
        self.request.goal
    }

    /// The method may use every thread of the present Rayon pool.
    pub fn parallel(&self) -> bool {
        self.request.parallel
    }

    /// Checks that are still allowed.
    pub fn checks_left(&self) -> u64 {
        self.request.cutoff - self.counts.checks
    }

    /// For what is counted elsewhere, to be taken over: it adds to what was counted up to now.
    pub fn pieces(&self) -> Pieces<'a> {
        Pieces::new(
            self.counts,
            self.request.cutoff,
            self.measures,
            self.control,
        )
    }

    /// The counts, after the progress display has been told of the last ones.
    pub fn finish(mut self) -> Counts {
        // A search that has ended stays ended, whatever was asked meanwhile.
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
        let news = self.counts.checks - self.reported;
        self.reported = self.counts.checks;
        self.control.note(|| so_far(self.measures, &self.counts));
        self.control.poll(news)
    }
}

/// A search that has come to these counts, as if its cutoff were now.
pub(super) fn so_far(measures: Measures, counts: &Counts) -> Outcome {
    measures.outcome(counts, Ending::Censored)
}
