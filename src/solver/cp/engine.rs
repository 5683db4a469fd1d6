//! Propagation to the fixed point. Decided here: the order in which propagators run (those that are
//! linear in what changed first, each once in the queue), which events make them run, the
//! constraint that is blamed for a failure (`culprit`), and the weighted degree of a variable. The
//! weights themselves are raised in `search.rs`, which also counts nodes and failures.

use std::collections::VecDeque;

use super::domain::{DomainValue, Domains, Event, Inconsistency, Var};
use super::propagator::Propagator;

/// The variables, the propagators on them, and which of these have to run.
#[derive(Default)]
pub struct Engine {
    /// The variables.
    pub domains: Domains,
    propagators: Vec<Posted>,
    /// Per variable: the propagators on it.
    subscribers: Vec<Vec<Subscriber>>,
    /// Variables of `domains.bound()` whose instantiation has been announced.
    n_announced: usize,
    /// Propagators that have to run: the light ones, then the others.
    queues: [VecDeque<u32>; 2],
    culprit: Option<usize>,
    n_constraints: usize,
}

struct Posted {
    propagator: Box<dyn Propagator>,
    /// Number of its first constraint.
    first_constraint: usize,
    queue: usize,
    queued: bool,
    /// Members in its scope that changed since it last ran.
    changed: Vec<u32>,
}

/// A propagator on a variable.
#[derive(Debug, Clone, Copy)]
struct Subscriber {
    propagator: u32,
    /// Index of the variable in the propagator's scope.
    member: u32,
    /// The least event that makes the propagator run, if one does.
    event: Option<Event>,
}

impl Engine {
    /// Adds a propagator; it runs in the next [`Engine::fixed_point`], which must be the first one.
    pub fn post(&mut self, propagator: impl Propagator + 'static) {
        let id = self.propagators.len() as u32;
        let event = propagator.runs_on();
        self.subscribers.resize_with(self.domains.count(), Vec::new);
        for (member, &var) in propagator.scope().iter().enumerate() {
            self.subscribers[var.index()].push(Subscriber {
                propagator: id,
                member: member as u32,
                event,
            });
            if let Some(event) = event {
                self.domains.listen(var, event);
            }
        }
        let n_constraints = propagator.n_constraints();
        let queue = usize::from(!propagator.is_light());
        let posted = Posted {
            queue,
            queued: event.is_some(),
            changed: (0..propagator.scope().len() as u32).collect(),
            first_constraint: self.n_constraints,
            propagator: Box::new(propagator),
        };
        if posted.queued {
            self.queues[queue].push_back(id);
        }
        self.n_constraints += n_constraints;
        self.propagators.push(posted);
    }

    /// Number of constraints posted.
    pub fn n_constraints(&self) -> usize {
        self.n_constraints
    }

    /// The constraint that failed last, if a constraint did.
    pub fn culprit(&self) -> Option<usize> {
        self.culprit
    }

    /// The sum of `weights` over the constraints on `var` that are on another uninstantiated
    /// variable too (Boussemart et al. 2004).
    pub fn weighted_degree(&self, var: Var, weights: &[u64]) -> u64 {
        let subscribers = self.subscribers[var.index()].iter();
        let degrees = subscribers.map(|subscriber| {
            let posted = &self.propagators[subscriber.propagator as usize];
            let weights = &weights[posted.first_constraint..][..posted.propagator.n_constraints()];
            posted
                .propagator
                .weighted_degree(subscriber.member as usize, weights, &self.domains)
        });
        degrees.sum()
    }

    /// Sets `var` to `value` and propagates to the fixed point.
    ///
    /// # Errors
    /// [`Inconsistency`] when a constraint cannot hold; the domains are then in no useful state
    /// until an undo.
    #[inline]
    pub fn assign(&mut self, var: Var, value: DomainValue) -> Result<(), Inconsistency> {
        self.culprit = None;
        let assigned = self.domains.assign(var, value);
        assigned.and_then(|()| self.fixed_point())
    }

    /// Takes `value` from `var` and propagates to the fixed point.
    ///
    /// # Errors
    /// As [`Engine::assign`].
    #[inline]
    pub fn remove(&mut self, var: Var, value: DomainValue) -> Result<(), Inconsistency> {
        self.culprit = None;
        let removed = self.domains.remove(var, value);
        removed.and_then(|()| self.fixed_point())
    }

    /// Opens a level of the search.
    #[inline]
    pub fn push(&mut self) {
        self.domains.push();
    }

    /// Closes the last level: everything is as it was at its [`Engine::push`].
    ///
    /// # Panics
    /// Without an open level.
    #[inline]
    pub fn undo(&mut self) {
        self.domains.undo();
        self.n_announced = self.domains.bound().len();
    }

    /// Announces every instantiation and runs propagators until none has anything to do.
    ///
    /// # Errors
    /// As [`Engine::assign`].
    #[inline]
    pub fn fixed_point(&mut self) -> Result<(), Inconsistency> {
        let result = self.run();
        if result.is_err() {
            self.clear();
        }
        result
    }

    fn run(&mut self) -> Result<(), Inconsistency> {
        loop {
            self.announce_instantiations()?;
            self.enqueue(None);
            let Some(next) = self.queues.iter_mut().find_map(VecDeque::pop_front) else {
                return Ok(());
            };
            let posted = &mut self.propagators[next as usize];
            posted.queued = false;
            let result = posted
                .propagator
                .propagate(&posted.changed, &mut self.domains);
            posted.changed.clear();
            if result.is_err() {
                self.blame(next);
                return result;
            }
            // Before anything else changes: only its own changes are left out.
            let own = posted.propagator.is_idempotent().then_some(next);
            self.enqueue(own);
        }
    }

    /// Calls the propagators on each newly instantiated variable.
    #[inline]
    fn announce_instantiations(&mut self) -> Result<(), Inconsistency> {
        while let Some(&var) = self.domains.bound().get(self.n_announced) {
            self.n_announced += 1;
            for at in 0..self.subscribers[var.index()].len() {
                let Subscriber {
                    propagator, member, ..
                } = self.subscribers[var.index()][at];
                let result = self.propagators[propagator as usize]
                    .propagator
                    .instantiated(member as usize, &mut self.domains);
                if result.is_err() {
                    self.blame(propagator);
                    return result;
                }
            }
        }
        Ok(())
    }

    /// Queues the propagators that await the events in the event queue, except `but`: the one that
    /// has just caused them, if it is idempotent.
    #[inline]
    fn enqueue(&mut self, but: Option<u32>) {
        while let Some((var, event)) = self.domains.next_change() {
            for subscriber in &self.subscribers[var.index()] {
                if subscriber.event.is_none_or(|least| event < least)
                    || Some(subscriber.propagator) == but
                {
                    continue;
                }
                let posted = &mut self.propagators[subscriber.propagator as usize];
                posted.changed.push(subscriber.member);
                if !posted.queued {
                    posted.queued = true;
                    self.queues[posted.queue].push_back(subscriber.propagator);
                }
            }
        }
    }

    fn blame(&mut self, propagator: u32) {
        let posted = &self.propagators[propagator as usize];
        self.culprit = Some(posted.first_constraint + posted.propagator.culprit());
    }

    /// Empties the queues.
    fn clear(&mut self) {
        while self.domains.next_change().is_some() {}
        for queue in &mut self.queues {
            for id in queue.drain(..) {
                let posted = &mut self.propagators[id as usize];
                posted.queued = false;
                posted.changed.clear();
            }
        }
    }
}
