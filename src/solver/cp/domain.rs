//! The variables and their domains, bit sets on the trail, and the events on these that no
//! propagator has seen yet.
//!
//! A variable takes values `0 ..` its capacity. Its domain is one bit per value, 64 to a cell, and
//! one cell for its [`DomainShape`]: least value, greatest value and size, so that each of them is
//! read at once and undone at once.

use super::trail::{CellId, Trail};
use crate::bits::{at_least, first_ones, ones};

/// A value of a variable, or a difference of values.
pub type DomainValue = i32;

/// A variable of a model, named by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Var(u32);

impl Var {
    /// Number of variables that were made before this one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A domain would lose its last value: this branch has no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a domain is empty")]
pub struct Inconsistency;

/// Least and greatest value and size of a domain, 21 bits each in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainShape {
    /// The least value.
    pub min: DomainValue,
    /// The greatest value.
    pub max: DomainValue,
    /// Number of values.
    pub size: u32,
}

impl DomainShape {
    const BITS: u32 = 21;
    const MASK: u64 = (1 << Self::BITS) - 1;

    #[inline]
    fn pack(self) -> u64 {
        self.min as u64 | (self.max as u64) << Self::BITS | u64::from(self.size) << (2 * Self::BITS)
    }

    #[inline]
    fn unpack(cell: u64) -> Self {
        Self {
            min: (cell & Self::MASK) as DomainValue,
            max: (cell >> Self::BITS & Self::MASK) as DomainValue,
            size: (cell >> (2 * Self::BITS)) as u32,
        }
    }
}

/// All domains of a model, their trail, and the events on them that the engine has not handled yet.
#[derive(Debug, Default)]
pub struct Domains {
    /// The memory of the domains and of the propagators.
    pub trail: Trail,
    addresses: Vec<Address>,
    /// Instantiated variables in the order in which they were.
    bound: Vec<Var>,
    /// Length of `bound` where each open level began.
    levels: Vec<usize>,
    /// Per variable: the least event that is awaited, if any.
    awaited: Vec<Option<Event>>,
    /// Per variable: the greatest event since it was last taken from the queue, if any.
    happened: Vec<Option<Event>>,
    /// The event queue: the variables on which something happened that is awaited, each once.
    changed: Vec<Var>,
}

/// The address of a variable's cells: its shape, then its words.
#[derive(Debug, Clone, Copy)]
struct Address {
    shape: CellId,
    capacity: u32,
}

impl Domains {
    /// A variable with the values `0 .. capacity`.
    ///
    /// # Panics
    /// When `capacity` is 0 or above 2²¹ − 1.
    pub fn variable(&mut self, capacity: usize) -> Var {
        assert!(
            (1..=DomainShape::MASK as usize).contains(&capacity),
            "a domain has 1 to 2^21 - 1 values, not {capacity}"
        );
        let index = u32::try_from(self.addresses.len());
        let var = Var(index.expect("a model has far fewer than 2³² variables"));
        let shape = DomainShape {
            min: 0,
            max: capacity as DomainValue - 1,
            size: capacity as u32,
        };
        let shape = self.trail.cell(shape.pack());
        self.trail.cells(first_ones(capacity));
        self.addresses.push(Address {
            shape,
            capacity: capacity as u32,
        });
        self.awaited.push(None);
        self.happened.push(None);
        if capacity == 1 {
            self.bound.push(var);
        }
        var
    }

    /// Number of variables.
    pub fn count(&self) -> usize {
        self.addresses.len()
    }

    /// Least and greatest value and size.
    #[inline]
    pub fn shape(&self, var: Var) -> DomainShape {
        DomainShape::unpack(self.trail.get(self.addresses[var.index()].shape))
    }

    /// Returns whether one value is left.
    #[inline]
    pub fn is_bound(&self, var: Var) -> bool {
        self.size(var) == 1
    }

    /// Number of values left.
    #[inline]
    pub fn size(&self, var: Var) -> u32 {
        self.shape(var).size
    }

    /// The least value left.
    #[inline]
    pub fn min(&self, var: Var) -> DomainValue {
        self.shape(var).min
    }

    /// The greatest value left.
    #[inline]
    pub fn max(&self, var: Var) -> DomainValue {
        self.shape(var).max
    }

    /// Returns whether `value` is left.
    #[inline]
    pub fn contains(&self, var: Var, value: DomainValue) -> bool {
        let address = self.addresses[var.index()];
        (value as u32) < address.capacity
            && self.word(var, value as usize / 64) >> (value % 64) & 1 == 1
    }

    /// Number of values that `var` had at first: `0 .. capacity`.
    pub fn capacity(&self, var: Var) -> usize {
        self.addresses[var.index()].capacity as usize
    }

    /// Cells of 64 values in the domain of `var`.
    #[inline]
    pub fn n_words(&self, var: Var) -> usize {
        (self.addresses[var.index()].capacity as usize).div_ceil(64)
    }

    /// The values `64 at .. 64 at + 63` of the domain as bits, the least first.
    #[inline]
    pub fn word(&self, var: Var, at: usize) -> u64 {
        self.trail.get(self.word_cell(var, at))
    }

    /// The values of a domain, ascending.
    pub fn values(&self, var: Var) -> impl Iterator<Item = DomainValue> + '_ {
        (0..self.n_words(var)).flat_map(move |at| {
            ones(self.word(var, at)).map(move |bit| (64 * at + bit) as DomainValue)
        })
    }

    /// Instantiated variables in the order in which they were.
    pub fn bound(&self) -> &[Var] {
        &self.bound
    }

    /// Removes `value` from the domain of `var`; nothing happens if it is not there.
    ///
    /// # Errors
    /// [`Inconsistency`] when it is the only one; the domain is left as it is.
    #[inline]
    pub fn remove(&mut self, var: Var, value: DomainValue) -> Result<(), Inconsistency> {
        if !self.contains(var, value) {
            return Ok(());
        }
        let shape = self.shape(var);
        if shape.size == 1 {
            return Err(Inconsistency);
        }
        let at = value as usize / 64;
        self.trail.set(
            self.word_cell(var, at),
            self.word(var, at) & !(1 << (value % 64)),
        );
        self.reshape(var, shape, shape.size - 1);
        Ok(())
    }

    /// Removes all of `values` from the domain of `var`; those that are not there are passed over.
    ///
    /// # Errors
    /// [`Inconsistency`] when no other is left; some may be gone by then, never the last.
    #[inline]
    pub fn remove_all(
        &mut self,
        var: Var,
        mut values: impl Iterator<Item = DomainValue>,
    ) -> Result<(), Inconsistency> {
        if self.n_words(var) > 1 {
            return values.try_for_each(|value| self.remove(var, value));
        }
        let shape = self.shape(var);
        let word = self.word(var, 0);
        let kept = values
            .filter(|&value| (value as u32) < 64)
            .fold(word, |kept, value| kept & !(1 << value));
        if kept == word {
            return Ok(());
        }
        if kept == 0 {
            return Err(Inconsistency);
        }
        self.trail.set(self.word_cell(var, 0), kept);
        self.reshape(var, shape, kept.count_ones());
        Ok(())
    }

    /// Removes every value but `value` from the domain of `var`.
    ///
    /// # Errors
    /// [`Inconsistency`] when `value` is not there; the domain is left as it is.
    pub fn assign(&mut self, var: Var, value: DomainValue) -> Result<(), Inconsistency> {
        if !self.contains(var, value) {
            return Err(Inconsistency);
        }
        self.retain(var, |at| {
            if at == value as usize / 64 {
                1 << (value % 64)
            } else {
                0
            }
        })
    }

    /// Removes every value below `least` from the domain of `var`.
    ///
    /// # Errors
    /// [`Inconsistency`] when there is no other.
    pub fn remove_below(&mut self, var: Var, least: DomainValue) -> Result<(), Inconsistency> {
        if least <= self.min(var) {
            return Ok(());
        }
        self.retain(var, |at| at_least(least, at))
    }

    /// Removes every value above `greatest` from the domain of `var`.
    ///
    /// # Errors
    /// [`Inconsistency`] when there is no other.
    pub fn remove_above(&mut self, var: Var, greatest: DomainValue) -> Result<(), Inconsistency> {
        if greatest >= self.max(var) {
            return Ok(());
        }
        self.retain(var, |at| !at_least(greatest + 1, at))
    }

    /// Keeps of the values `64 at .. 64 at + 63` those in `mask(at)`, for every `at`.
    ///
    /// # Errors
    /// [`Inconsistency`] when no value is left; the domain is left as it is.
    #[inline]
    pub fn retain(&mut self, var: Var, mask: impl Fn(usize) -> u64) -> Result<(), Inconsistency> {
        let shape = self.shape(var);
        let size: u32 = (0..self.n_words(var))
            .map(|at| (self.word(var, at) & mask(at)).count_ones())
            .sum();
        if size == 0 {
            return Err(Inconsistency);
        }
        if size == shape.size {
            return Ok(());
        }
        for at in 0..self.n_words(var) {
            let word = self.word(var, at);
            let kept = self.word(var, at) & mask(at);
            if word != kept {
                self.trail.set(self.word_cell(var, at), kept);
            }
        }
        self.reshape(var, shape, size);
        Ok(())
    }

    /// Opens a level of the search.
    #[inline]
    pub fn push(&mut self) {
        self.trail.push();
        self.levels.push(self.bound.len());
    }

    /// Closes the last level: domains, cells and instantiations are again as they were there.
    ///
    /// # Panics
    /// Without an open level.
    #[inline]
    pub fn undo(&mut self) {
        self.trail.undo();
        let level = self.levels.pop();
        self.bound
            .truncate(level.expect("a level to undo was pushed before"));
    }

    /// Lets events of `var` at or above `event` enter the queue from now on.
    pub(super) fn listen(&mut self, var: Var, event: Event) {
        let awaited = &mut self.awaited[var.index()];
        *awaited = Some(awaited.map_or(event, |least| least.min(event)));
    }

    /// Takes a variable from the event queue, with the greatest event since it was last taken.
    #[inline]
    pub(super) fn next_change(&mut self) -> Option<(Var, Event)> {
        let var = self.changed.pop()?;
        self.happened[var.index()].take().map(|event| (var, event))
    }

    #[inline]
    fn word_cell(&self, var: Var, at: usize) -> CellId {
        self.addresses[var.index()].shape.plus(1 + at)
    }

    /// Writes the new shape of a domain that has lost values, and queues the event.
    #[inline]
    fn reshape(&mut self, var: Var, old: DomainShape, size: u32) {
        let min = self.first_from(var, old.min);
        let max = self.last_to(var, old.max);
        self.trail.set(
            self.addresses[var.index()].shape,
            DomainShape { min, max, size }.pack(),
        );
        let event = if size == 1 {
            self.bound.push(var);
            Event::Instantiate
        } else if min != old.min || max != old.max {
            Event::Bounds
        } else {
            Event::Domain
        };
        if self.awaited[var.index()].is_some_and(|least| event >= least) {
            let happened = &mut self.happened[var.index()];
            if happened.is_none() {
                self.changed.push(var);
            }
            *happened = (*happened).max(Some(event));
        }
    }

    /// The least value of a domain that is not below `value`; there is one.
    #[inline]
    fn first_from(&self, var: Var, value: DomainValue) -> DomainValue {
        let mut at = value as usize / 64;
        let mut word = self.word(var, at) & (u64::MAX << (value % 64));
        while word == 0 {
            at += 1;
            word = self.word(var, at);
        }
        64 * at as DomainValue + word.trailing_zeros() as DomainValue
    }

    /// The greatest value of a domain that is not above `value`; there is one.
    #[inline]
    fn last_to(&self, var: Var, value: DomainValue) -> DomainValue {
        let mut at = value as usize / 64;
        let mut word = self.word(var, at) & (u64::MAX >> (63 - value % 64));
        while word == 0 {
            at -= 1;
            word = self.word(var, at);
        }
        64 * at as DomainValue + 63 - word.leading_zeros() as DomainValue
    }
}

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
