//! Events on domains, and who has not heard of them yet.

use super::domain::Var;

/// What can happen to a domain; each event includes those before it (an instantiation moves a bound
/// and changes the domain).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// A value went.
    Domain,
    /// The least or the greatest value went.
    Bounds,
    /// One value is left.
    Instantiate,
}

/// Variables that changed in a way that somebody awaits.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Per variable: the least event that is awaited, if any.
    awaited: Vec<Option<Event>>,
    /// Per variable: the greatest event since the last look, if any.
    happened: Vec<Option<Event>>,
    /// The variables on which something happened.
    changed: Vec<Var>,
}

impl News {
    pub fn add_variable(&mut self) {
        self.awaited.push(None);
        self.happened.push(None);
    }

    /// From now on changes of `var` at or above `event` are news.
    pub fn listen(&mut self, var: Var, event: Event) {
        let awaited = &mut self.awaited[var.index()];
        *awaited = Some(awaited.map_or(event, |least| least.min(event)));
    }

    #[inline]
    pub fn tell(&mut self, var: Var, event: Event) {
        if self.awaited[var.index()].is_some_and(|least| event >= least) {
            let happened = &mut self.happened[var.index()];
            if happened.is_none() {
                self.changed.push(var);
            }
            *happened = (*happened).max(Some(event));
        }
    }

    /// A variable that changed since it was last told here, and the greatest event on it.
    #[inline]
    pub fn next(&mut self) -> Option<(Var, Event)> {
        let var = self.changed.pop()?;
        self.happened[var.index()].take().map(|event| (var, event))
    }
}
