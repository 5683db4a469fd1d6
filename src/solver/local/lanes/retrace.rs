//! A trial once more from its last checkpoint, with each wait on its own: to where it is at a cutoff
//! between two checkpoints, or so that its events have their times.

use std::vec::IntoIter;

use super::batch::{Batch, wait_alone};
use super::follower::Follower;
use super::kernel::Kernel;
use super::loops::{Loop, Phase};
use super::seat::Seat;
use super::waits::composition;
use crate::solver::Point;
use crate::solver::local::configuration::Move;

/// The draws with one number of open sites since the last checkpoint.
pub struct Draws {
    pub open: usize,
    pub number: u32,
    /// Updates that changed nothing before them.
    pub failures: u64,
}

/// A trial as it was at its last checkpoint.
pub struct Retrace<'a, K: Kernel<W>, const W: usize> {
    pub kernel: &'a K,
    /// For one lane.
    pub steps: &'a Loop<K, W>,
    pub point: &'a Point,
    pub seat: &'a Seat<W>,
}

impl<K: Kernel<W>, const W: usize> Retrace<'_, K, W> {
    /// Goes forward with the draws that there have been since, until after so many updates. Returns
    /// the trial as it is then.
    ///
    /// Given the sum of their waits, those of the draws with one number of open sites are a uniform
    /// composition of it. They come from a stream of this checkpoint's own, so that neither a
    /// follower nor the cutoff has an effect on anything else.
    #[cold]
    pub fn run(
        &self,
        draws: &[Draws],
        until: u64,
        mut follower: Option<&mut dyn Follower>,
    ) -> Seat<W> {
        let mut waits = self.single_waits(draws);
        let mut again = [Batch::idle(self.kernel, &self.seat.tally)];
        again[0].seat(0, &self.seat.board, self.seat.tally.clone());
        let mut time = self.seat.time;
        while time < until {
            self.steps.run(self.kernel, &mut again, 1, Phase::Choice);
            let is_draw = (again[0].drawn.on_open | again[0].drawn.on_slot) & 1 == 1;
            if is_draw {
                let wait = self.wait(&again[0], &mut waits);
                if wait > until - time || wait == u64::MAX {
                    break;
                }
                time += wait;
            }
            let moves = again[0].tallies[0].counters.moves;
            self.steps.run(self.kernel, &mut again, 1, Phase::Update);
            if let Some(follower) = follower.as_mut().filter(|_| is_draw) {
                let has_moved = again[0].tallies[0].counters.moves > moves;
                self.tell(*follower, &again[0], time, has_moved);
            }
        }
        Seat {
            board: again[0].boards.take(0),
            tally: again[0].tallies[0].clone(),
            time: until,
            ..*self.seat
        }
    }

    /// By number of open sites: updates that changed nothing before each draw.
    fn single_waits(&self, draws: &[Draws]) -> Vec<IntoIter<u64>> {
        let mut singles = self.seat.singles(self.point);
        let n_sites = self.kernel.slots().n_sites() as usize;
        let mut waits: Vec<IntoIter<u64>> = Vec::new();
        waits.resize_with(n_sites + 1, || Vec::new().into_iter());
        for draws in draws {
            let parts = composition(draws.failures, draws.number, &mut singles);
            waits[draws.open] = parts.into_iter();
        }
        waits
    }

    /// Updates up to the draw that the lane has chosen, itself included.
    fn wait(&self, batch: &Batch<K, W>, waits: &mut [IntoIter<u64>]) -> u64 {
        let open = batch.drawn.open[0] as usize;
        if open > 0 {
            return waits[open].next().unwrap_or(u64::MAX).saturating_add(1);
        }
        // Drawn once more when the site is updated.
        let mut stream = batch.tallies[0].waits.clone();
        let (rest, slots) = (self.kernel.rest(&batch.boards, 0), self.kernel.slots());
        wait_alone(rest.weight(slots), slots, &mut stream)
    }

    /// Tells of a draw, unless it has come to nothing.
    fn tell(&self, follower: &mut dyn Follower, batch: &Batch<K, W>, update: u64, has_moved: bool) {
        let moved = batch.tallies[0].moved.filter(|_| has_moved);
        let drawn = self.kernel.drawn_site(&batch.found, 0);
        let Some(site) = drawn.or_else(|| moved.map(|moved| self.kernel.site_of(moved))) else {
            return;
        };
        let layout = self.kernel.layout();
        let queen = moved.map(|moved| Move {
            from: layout.cell(moved.from),
            to: layout.cell(moved.to),
            certain: moved.is_certain,
        });
        follower.updated(update, site, queen);
    }
}
