//! The missing trials of a plan, and the order in which they run: first some of each point, which
//! tell how long its trials take; then point by point, those of the longest trials first, so that a
//! run under way has complete points, and short trials fill the threads at its end.

use std::collections::BinaryHeap;

use super::finished::{Finished, TrialId};
use super::workers::runs_in_lanes;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::solver::LANES_PER_THREAD;

/// Teams of lanes that a point has trials for, from which on its first trials are a team alone. To
/// begin and end a team costs about as much as 40 trials.
const MANY_TEAMS: u64 = 64;

/// The trials that are missing and were not given out.
pub struct Queue<'a> {
    plan: &'a Plan,
    finished: &'a Finished<'a>,
    points: Vec<PointQueue>,
    /// Points of which no trial has begun and no length is known; the last runs next. It is the one
    /// with the largest n.
    new: Vec<usize>,
    /// Points of whose trials the mean length is known, in nanoseconds.
    known: BinaryHeap<(u64, usize)>,
    /// Points of which the first trials run.
    begun: Vec<usize>,
    /// The point whose trials run now.
    current: Option<usize>,
}

/// The trials of a point.
struct PointQueue {
    /// Trials that are missing and were not given out.
    left: u64,
    /// The next candidate, under all seeds one after the other.
    next: u64,
    /// Trials that may begin before those of all other points have.
    first: u64,
    /// Trials that must end before their mean length counts.
    probes: u64,
    /// Trials whose length is known, and their seconds.
    timed: (u64, f64),
}

impl<'a> Queue<'a> {
    /// The missing trials that run with nothing beside them, or the others.
    pub fn new(finished: &'a Finished<'a>, alone: bool) -> Self {
        let plan = finished.plan;
        let mut queue = Self {
            plan,
            finished,
            points: Vec::with_capacity(plan.points.len()),
            new: Vec::new(),
            known: BinaryHeap::new(),
            begun: Vec::new(),
            current: None,
        };
        for (at, (planned, work)) in plan.points.iter().zip(&finished.tally.works).enumerate() {
            let is_meant = planned.repeats.is_some() == alone;
            let left = work.count.expected - work.count.finished;
            let left = if is_meant { left } else { 0 };
            let first = first_of(planned, left);
            queue.points.push(PointQueue {
                left,
                next: 0,
                first,
                probes: first.min(LANES_PER_THREAD as u64),
                timed: work.timed,
            });
            match (left, work.timed.0) {
                (0, _) => {}
                (_, 0) => queue.new.push(at),
                _ => queue.make_known(at),
            }
        }
        queue
    }

    /// The next trial; `None` when all were given out.
    pub fn next(&mut self) -> Option<TrialId> {
        if let Some(point) = self.new.pop() {
            self.begun.push(point);
            return self.next_at(point);
        }
        loop {
            let known = || self.known.pop().map(|(_, point)| point);
            let next = self.current.or_else(known).or_else(|| self.begun.pop())?;
            self.current = Some(next);
            match self.take(next) {
                Some(id) => return Some(id),
                None => self.current = None,
            }
        }
    }

    /// The next trial of a point that has begun; `None` where it has none, or other points come
    /// first.
    pub fn next_at(&mut self, point: usize) -> Option<TrialId> {
        let first = &mut self.points[point].first;
        if *first == 0 && !self.new.is_empty() {
            return None;
        }
        *first = first.saturating_sub(1);
        self.take(point)
    }

    /// Notes how long a trial has taken.
    pub fn note_length(&mut self, point: usize, seconds: f64) {
        let own = &mut self.points[point];
        own.timed = (own.timed.0 + 1, own.timed.1 + seconds);
        if own.timed.0 == own.probes {
            self.begun.retain(|begun| *begun != point);
            self.make_known(point);
        }
    }

    fn make_known(&mut self, point: usize) {
        let (trials, seconds) = self.points[point].timed;
        let nanoseconds = seconds * 1e9 / trials as f64;
        self.known.push((nanoseconds as u64, point));
    }

    fn take(&mut self, point: usize) -> Option<TrialId> {
        let (own, planned) = (&mut self.points[point], &self.plan.points[point]);
        if own.left == 0 {
            return None;
        }
        loop {
            let trials = u64::from(planned.trials);
            let (seed, trial) = (own.next / trials, own.next % trials);
            own.next += 1;
            let id = TrialId {
                point,
                seed: self.plan.seeds[seed as usize],
                trial: planned.first + trial as u32,
            };
            if !self.finished.has(id) {
                own.left -= 1;
                return Some(id);
            }
        }
    }
}

/// Trials of a point that tell how long the others take: one, or where they run side by side a team
/// of them, and all if there are few.
fn first_of(planned: &PlannedPoint, left: u64) -> u64 {
    let team = LANES_PER_THREAD as u64;
    match runs_in_lanes(planned) {
        true if left > MANY_TEAMS * team => team,
        true => left,
        false => left.min(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Dynamics, DynamicsChoice};

    fn plan(dynamics: Dynamics) -> Plan {
        let text = "seeds = [1, 2]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.01\n\
             trials = 3\ncutoff = 10\n[[sweep]]\nalgorithm = \"pair\"\nn = 6\nepsilon = 0.01\n\
             trials = 1\ncutoff = 10\n[[sweep]]\nalgorithm = \"rows\"\nn = [4, 5]\nrepeats = 3\ncutoff = 10\n";
        Plan::example(text, DynamicsChoice::Only(dynamics))
    }

    fn point(queue: &mut Queue) -> Option<usize> {
        queue.next().map(|id| id.point)
    }

    #[test]
    fn one_trial_of_each_point_and_then_the_longest() {
        let plan = plan(Dynamics::Stepwise);
        let mut finished = Finished::new(&plan);
        let of_first = TrialId {
            point: 0,
            seed: 1,
            trial: 1,
        };
        assert!(finished.enter(of_first) && !finished.enter(of_first));
        let mut queue = Queue::new(&finished, false);
        let first: Vec<_> = (0..3).map(|_| point(&mut queue)).collect();
        assert_eq!(first, [Some(2), Some(1), Some(0)]);
        for (at, seconds) in [(2, 9.0), (0, 2.0), (1, 0.5)] {
            queue.note_length(at, seconds);
        }
        let mut rest = Vec::new();
        while let Some(id) = queue.next() {
            assert_ne!(id, of_first);
            rest.push(id);
        }
        let points: Vec<_> = rest.iter().map(|id| id.point).collect();
        assert_eq!(points, [2, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
        rest.sort_by_key(|id| (id.point, id.seed, id.trial));
        let count = rest.len();
        rest.dedup();
        assert_eq!(rest.len(), count, "none comes twice");
    }

    /// Nothing is known yet when a thread asks for more: the points that have begun go on.
    #[test]
    fn no_thread_waits_for_the_first_trials() {
        let plan = plan(Dynamics::Stepwise);
        let finished = Finished::new(&plan);
        let mut queue = Queue::new(&finished, false);
        let points: Vec<_> = std::iter::from_fn(|| point(&mut queue)).collect();
        assert_eq!(points.len(), 14);
        assert_eq!(points[..6], [2, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn timed_trials_come_alone() {
        let plan = plan(Dynamics::Stepwise);
        let finished = Finished::new(&plan);
        let mut queue = Queue::new(&finished, true);
        let points: Vec<_> = std::iter::from_fn(|| point(&mut queue)).collect();
        assert_eq!(points, [4, 3, 3, 4]);
    }

    /// A team goes on with its point while there are few trials.
    #[test]
    fn a_team_has_all_trials_of_a_small_point() {
        let plan = plan(Dynamics::Lanes);
        let finished = Finished::new(&plan);
        let mut queue = Queue::new(&finished, false);
        assert_eq!(point(&mut queue), Some(2));
        let second = point(&mut queue).expect("a point");
        let team = std::iter::from_fn(|| queue.next_at(second));
        assert_eq!((second, team.count()), (1, 5));
    }
}
