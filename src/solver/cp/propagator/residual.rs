//! The graph of uninstantiated variables and their values: a matching, and which of its edges no matching has.
//!
//! Edges are bit sets over the values. Searches recurse as deep as there are variables.

use crate::solver::cp::bits::{has, ones, put, take};

/// Variables (as places) and values; built anew in each run of its propagator.
#[derive(Debug)]
pub struct Residual {
    n_words: usize,
    /// Per place, `n_words` each: the values it can take.
    rows: Vec<u64>,
    /// Per place: the value it is matched to.
    matched: Vec<Option<u32>>,
    /// Per value: the place that was last matched to it.
    owner: Vec<u32>,
    /// Places without a value.
    single: Vec<u32>,
    /// Values in a row that no place is matched to.
    free: Vec<u64>,
    /// Values that the present search has not seen.
    unseen: Vec<u64>,
    /// Tarjan's stack of places.
    stack: Vec<u32>,
    /// Places that reach a free value, and those that do not.
    open: Vec<u32>,
    closed: Vec<u32>,
    /// The values of one component.
    component: Vec<u64>,
    /// Places that lost an edge.
    pruned: Vec<u32>,
}

impl Residual {
    pub fn new(n_places: usize, n_values: usize) -> Self {
        let n_words = n_values.div_ceil(64);
        Self {
            n_words,
            rows: vec![0; n_words * n_places],
            matched: vec![None; n_places],
            owner: vec![0; n_values],
            single: Vec::with_capacity(n_places),
            free: vec![0; n_words],
            unseen: vec![0; n_words],
            stack: Vec::with_capacity(n_places),
            open: Vec::with_capacity(n_places),
            closed: Vec::with_capacity(n_places),
            component: vec![0; n_words],
            pruned: Vec::with_capacity(n_places),
        }
    }

    /// Starts anew, without variables.
    pub fn clear(&mut self) {
        self.free.fill(0);
        self.single.clear();
    }

    /// Adds a variable with the values that `fill` writes into its row, and matches it to `value` if that is one of them. To be followed by
    /// [`Residual::complete`].
    #[inline]
    pub fn add(&mut self, place: u32, value: Option<u32>, fill: impl FnOnce(&mut [u64])) {
        let row = &mut self.rows[place as usize * self.n_words..][..self.n_words];
        fill(row);
        self.free.iter_mut().zip(&*row).for_each(|(free, word)| *free |= word);
        self.matched[place as usize] = value.filter(|&value| has(row, value));
        match self.matched[place as usize] {
            Some(value) => self.owner[value as usize] = place,
            None => self.single.push(place),
        }
    }

    /// Completes the matching to all `members`. True if it changed, `None` if there is no complete one.
    pub fn complete(&mut self, members: &[u32]) -> Option<bool> {
        for &place in members {
            if let Some(value) = self.matched[place as usize] {
                take(&mut self.free, value);
            }
        }
        let changes = !self.single.is_empty();
        while let Some(place) = self.single.pop() {
            self.unseen.fill(u64::MAX);
            if !self.augment(place) {
                return None;
            }
        }
        Some(changes)
    }

    /// Takes away the edges that are in no complete matching.
    pub fn prune(&mut self, members: &[u32]) {
        self.pruned.clear();
        self.split(members);
        if !self.closed.is_empty() {
            for at in 0..self.open.len() {
                self.restrict(self.open[at], |residual, at| !residual.unseen[at]);
            }
            for at in 0..self.closed.len() {
                let (place, value) = (self.closed[at], self.value(self.closed[at]));
                if has(&self.unseen, value) {
                    take(&mut self.unseen, value);
                    self.visit(place);
                }
            }
        }
    }

    /// The places that lost an edge in [`Residual::prune`].
    pub fn pruned(&self) -> &[u32] {
        &self.pruned
    }

    /// The values that `place` can take.
    #[inline]
    pub fn row(&self, place: u32) -> &[u64] {
        &self.rows[place as usize * self.n_words..][..self.n_words]
    }

    /// The value that the complete matching gives to `place`.
    ///
    /// # Panics
    /// When the matching is not complete.
    #[inline]
    pub fn value(&self, place: u32) -> u32 {
        self.matched[place as usize].expect("the matching is complete")
    }

    /// Gives `place` a value, moving others along an alternating path of unseen values. False if there is no such path.
    fn augment(&mut self, place: u32) -> bool {
        for at in 0..self.n_words {
            if let Some(bit) = ones(self.row(place)[at] & self.free[at]).next() {
                let value = (64 * at + bit) as u32;
                take(&mut self.free, value);
                self.give(place, value);
                return true;
            }
        }
        for at in 0..self.n_words {
            while let Some(bit) = ones(self.row(place)[at] & self.unseen[at]).next() {
                let value = (64 * at + bit) as u32;
                take(&mut self.unseen, value);
                if self.augment(self.owner[value as usize]) {
                    self.give(place, value);
                    return true;
                }
            }
        }
        false
    }

    fn give(&mut self, place: u32, value: u32) {
        self.matched[place as usize] = Some(value);
        self.owner[value as usize] = place;
    }

    /// Sorts the members into `open` and `closed`; `unseen` becomes the values of the closed ones.
    fn split(&mut self, members: &[u32]) {
        self.open.clear();
        self.closed.clear();
        self.closed.extend_from_slice(members);
        // `component` serves as the values from which a free one is reached.
        self.component.copy_from_slice(&self.free);
        let mut before = if self.free.iter().all(|&word| word == 0) { members.len() } else { usize::MAX };
        while self.closed.len() < before {
            before = self.closed.len();
            let Self { n_words, rows, matched, closed, open, component, .. } = self;
            closed.retain(|&place| {
                let row = &rows[place as usize * *n_words..][..*n_words];
                let reaches = row.iter().zip(&*component).any(|(row, reaching)| row & reaching != 0);
                if reaches {
                    matched[place as usize].iter().for_each(|&value| put(component, value));
                    open.push(place);
                }
                !reaches
            });
        }
        self.unseen.fill(0);
        for &place in &self.closed {
            self.matched[place as usize].iter().for_each(|&value| put(&mut self.unseen, value));
        }
    }

    /// Tarjan's search from `place`, whose value is seen: the lowest index on the stack that it reaches. Each component is pruned when found.
    ///
    /// The index on the stack serves as the number in the order of the search: only the order among those on the stack matters.
    fn visit(&mut self, place: u32) -> usize {
        let index = self.stack.len();
        self.stack.push(place);
        let mut lowest = index;
        for at in 0..self.n_words {
            while let Some(bit) = ones(self.row(place)[at] & self.unseen[at]).next() {
                let value = 64 * at + bit;
                take(&mut self.unseen, value as u32);
                lowest = lowest.min(self.visit(self.owner[value]));
            }
        }
        let row = self.row(place);
        lowest = (0..lowest).find(|&low| has(row, self.value(self.stack[low]))).unwrap_or(lowest);
        if lowest == index {
            self.close(index);
        }
        lowest
    }

    /// The places from `index` on the stack are a component: they keep its values only.
    fn close(&mut self, index: usize) {
        self.component.fill(0);
        for &place in &self.stack[index..] {
            self.matched[place as usize].iter().for_each(|&value| put(&mut self.component, value));
        }
        while self.stack.len() > index {
            if let Some(place) = self.stack.pop() {
                self.restrict(place, |residual, at| residual.component[at]);
            }
        }
    }

    /// Keeps those edges of `place` that are in `mask`, word by word.
    fn restrict(&mut self, place: u32, mask: impl Fn(&Self, usize) -> u64) {
        let mut lost = 0;
        for at in 0..self.n_words {
            let kept = mask(self, at);
            let word = &mut self.rows[place as usize * self.n_words + at];
            lost |= *word & !kept;
            *word &= kept;
        }
        if lost != 0 {
            self.pruned.push(place);
        }
    }
}
