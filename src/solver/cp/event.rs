//! Events on domains, and the queue of those that no propagator has seen yet.

use super::domain::Var;

/// What can happen to a domain; each event includes those before it (an instantiation moves a bound
/// and changes the domain).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A value was removed.
    Domain,
    /// The least or the greatest value was removed.
    Bounds,
    /// One value is left.
    Instantiate,
}

/// The variables with an event that a propagator awaits, each once, with the greatest event on it.
#[derive(Debug, Default)]
pub(super) struct EventQueue {
    /// Per variable: the least event that is awaited, if any.
    awaited: Vec<Option<Event>>,
    /// Per variable: the greatest event since it was last taken from the queue, if any.
    happened: Vec<Option<Event>>,
    /// The variables on which something happened.
    changed: Vec<Var>,
}

impl EventQueue {
    pub fn add_variable(&mut self) {
        self.awaited.push(None);
        self.happened.push(None);
    }

    /// From now on events of `var` at or above `event` enter the queue.
    pub fn listen(&mut self, var: Var, event: Event) {
        let awaited = &mut self.awaited[var.index()];
        *awaited = Some(awaited.map_or(event, |least| least.min(event)));
    }

    /// Adds an event, if one such is awaited.
    #[inline]
    pub fn push(&mut self, var: Var, event: Event) {
        if self.awaited[var.index()].is_some_and(|least| event >= least) {
            let happened = &mut self.happened[var.index()];
            if happened.is_none() {
                self.changed.push(var);
            }
            *happened = (*happened).max(Some(event));
        }
    }

    /// Takes a variable from the queue, with the greatest event since it was last taken.
    #[inline]
    pub fn pop(&mut self) -> Option<(Var, Event)> {
        let var = self.changed.pop()?;
        self.happened[var.index()].take().map(|event| (var, event))
    }
}
