//! `all_different` with domain consistency.
//!
//! Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994. An assignment is a matching of variables and values. Given
//! one that covers the variables, an edge is in another one exactly if it lies on an alternating cycle, or on an even alternating path
//! that ends at a value nobody takes. With each matched pair as one node (an edge from x to y: x could take y's value), these are the edges inside a
//! strongly connected component (Tarjan, SIAM Journal on Computing 1, 1972) and those of the variables that reach a free value.
//!
//! The matching is kept on the trail and only mended. A value also goes from everywhere else as soon as a variable takes it, so the graph
//! has the uninstantiated variables only. Edges are bit sets over the values.

use super::Propagator;
use super::all_different::Range;
use super::unbound::Unbound;
use crate::solver::cp::domain::{Domains, Event, Inconsistency, Value, Var, View, ones};
use crate::solver::cp::trail::CellId;

/// `all_different`, domain consistent.
#[derive(Debug)]
pub struct DomainConsistent {
    scope: Vec<Var>,
    /// Per place: what makes the least value of all views 0.
    offsets: Vec<Value>,
    unbound: Unbound,
    /// Per place: the value that the last matching gave to the variable.
    matching: CellId,
    graph: Graph,
}

/// The uninstantiated variables and their values; built anew in each run.
#[derive(Debug, Default)]
struct Graph {
    n_words: usize,
    /// Per place, `n_words` each: the values it can take.
    rows: Vec<u64>,
    /// Per place: the value it is matched to, or [`NOBODY`].
    matched: Vec<u32>,
    /// Per value: the place that is matched to it.
    owner: Vec<u32>,
    /// Values in a row that no place is matched to.
    free: Vec<u64>,
    /// Values of nodes that the present search has not seen.
    unseen: Vec<u64>,
    /// Tarjan's stack of places.
    stack: Vec<u32>,
    /// Places that cannot reach a free value.
    closed: Vec<u32>,
    /// Places that can.
    open: Vec<u32>,
    /// The values of one component.
    component: Vec<u64>,
}

const NOBODY: u32 = u32::MAX;

impl DomainConsistent {
    pub fn new(views: &[View], domains: &mut Domains) -> Self {
        let range = Range::of(views, domains);
        let n_words = range.len.div_ceil(64);
        let graph = Graph {
            n_words,
            rows: vec![0; n_words * views.len()],
            matched: vec![NOBODY; views.len()],
            owner: vec![NOBODY; range.len],
            free: vec![0; n_words],
            unseen: vec![0; n_words],
            component: vec![0; n_words],
            ..Graph::default()
        };
        Self {
            scope: views.iter().map(|view| view.var).collect(),
            offsets: views.iter().map(|view| view.offset - range.least).collect(),
            unbound: Unbound::new(views.len(), domains),
            matching: domains.trail.cells(views.iter().map(|_| u64::from(NOBODY))),
            graph,
        }
    }

    /// Reads the domains and the old matching, as far as it still holds; the places left without a value go to `graph.open`.
    fn read(&mut self, domains: &Domains) {
        let Graph { n_words, rows, matched, owner, free, open, .. } = &mut self.graph;
        free.fill(0);
        open.clear();
        for &place in self.unbound.members(&domains.trail) {
            let at = place as usize;
            let row = &mut rows[at * *n_words..][..*n_words];
            shift_up(domains, self.scope[at], self.offsets[at] as usize, row);
            free.iter_mut().zip(&*row).for_each(|(free, word)| *free |= word);
            let value = domains.trail.get(self.matching.plus(at)) as u32;
            if value != NOBODY && has(row, value) {
                matched[at] = value;
                owner[value as usize] = place;
            } else {
                matched[at] = NOBODY;
                open.push(place);
            }
        }
        for &place in self.unbound.members(&domains.trail) {
            let value = matched[place as usize];
            if value != NOBODY {
                free[value as usize / 64] &= !(1 << (value % 64));
            }
        }
    }

    /// Mends the matching.
    fn complete(&mut self, domains: &mut Domains) -> Result<(), Inconsistency> {
        if self.graph.open.is_empty() {
            return Ok(());
        }
        while let Some(place) = self.graph.open.pop() {
            self.graph.unseen.fill(u64::MAX);
            if !self.graph.augment(place) {
                return Err(Inconsistency);
            }
        }
        for &place in self.unbound.members(&domains.trail) {
            let (cell, value) = (self.matching.plus(place as usize), u64::from(self.graph.matched[place as usize]));
            if domains.trail.get(cell) != value {
                domains.trail.set(cell, value);
            }
        }
        Ok(())
    }

    /// Takes the values of the closed places from the open ones, and from each closed place those outside its component.
    fn prune(&mut self, domains: &mut Domains) -> Result<(), Inconsistency> {
        let Self { scope, offsets, graph, .. } = self;
        let mut keep = |place: u32, row: &[u64], kept: &dyn Fn(usize) -> u64| {
            let (var, offset) = (scope[place as usize], offsets[place as usize] as usize);
            if row.iter().enumerate().all(|(at, word)| word & !kept(at) == 0) {
                return Ok(());
            }
            domains.retain(var, |at| shifted_down(kept, row.len(), offset, at))
        };
        for &place in &graph.open {
            keep(place, graph.row(place), &|at| !graph.unseen[at])?;
        }
        for at in 0..graph.closed.len() {
            let place = graph.closed[at];
            if graph.is_unseen(graph.matched[place as usize]) {
                graph.see(graph.matched[place as usize]);
                graph.visit(place, &mut keep)?;
            }
        }
        Ok(())
    }
}

impl Propagator for DomainConsistent {
    fn scope(&self) -> &[Var] {
        &self.scope
    }

    fn runs_on(&self) -> Option<Event> {
        Some(Event::Domain)
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn instantiated(&mut self, place: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        self.unbound.remove(place, &mut domains.trail);
        self.unbound.take_value(place, &self.scope, &self.offsets, domains)
    }

    fn propagate(&mut self, _: &[u32], domains: &mut Domains) -> Result<(), Inconsistency> {
        if self.unbound.members(&domains.trail).len() < 2 {
            return Ok(());
        }
        self.read(domains);
        self.complete(domains)?;
        self.graph.split(self.unbound.members(&domains.trail));
        if self.graph.closed.is_empty() { Ok(()) } else { self.prune(domains) }
    }
}

impl Graph {
    #[inline]
    fn row(&self, place: u32) -> &[u64] {
        &self.rows[place as usize * self.n_words..][..self.n_words]
    }

    #[inline]
    fn is_unseen(&self, value: u32) -> bool {
        has(&self.unseen, value)
    }

    #[inline]
    fn see(&mut self, value: u32) {
        self.unseen[value as usize / 64] &= !(1 << (value % 64));
    }

    #[inline]
    fn give(&mut self, place: u32, value: u32) {
        self.matched[place as usize] = value;
        self.owner[value as usize] = place;
    }

    /// Gives `place` a value, moving others along an alternating path of unseen values. False if there is no such path.
    fn augment(&mut self, place: u32) -> bool {
        for at in 0..self.n_words {
            if let Some(bit) = ones(self.row(place)[at] & self.free[at]).next() {
                self.free[at] &= !(1 << bit);
                self.give(place, (64 * at + bit) as u32);
                return true;
            }
        }
        for at in 0..self.n_words {
            while let Some(bit) = ones(self.row(place)[at] & self.unseen[at]).next() {
                let value = (64 * at + bit) as u32;
                self.see(value);
                if self.augment(self.owner[value as usize]) {
                    self.give(place, value);
                    return true;
                }
            }
        }
        false
    }

    /// Sorts the members into `open` and `closed`; `unseen` becomes the values of the closed ones.
    fn split(&mut self, members: &[u32]) {
        self.stack.clear();
        self.open.clear();
        self.closed.clear();
        self.closed.extend_from_slice(members);
        // `component` serves as the values from which a free one is reached.
        self.component.copy_from_slice(&self.free);
        let mut before = usize::MAX;
        while self.closed.len() < before && self.free.iter().any(|&word| word != 0) {
            before = self.closed.len();
            let Self { n_words, rows, matched, closed, open, component, .. } = self;
            closed.retain(|&place| {
                let row = &rows[place as usize * *n_words..][..*n_words];
                let reaches = row.iter().zip(&*component).any(|(row, reaching)| row & reaching != 0);
                if reaches {
                    let value = matched[place as usize] as usize;
                    component[value / 64] |= 1 << (value % 64);
                    open.push(place);
                }
                !reaches
            });
        }
        self.unseen.fill(0);
        for &place in &self.closed {
            let value = self.matched[place as usize] as usize;
            self.unseen[value / 64] |= 1 << (value % 64);
        }
    }

    /// Tarjan's search from `place`, whose value is seen: the lowest place on the stack that it reaches. Each component is pruned when found.
    ///
    /// A place on the stack stands for its index in the order of the search: only the order among those on the stack matters.
    fn visit(
        &mut self,
        place: u32,
        keep: &mut impl FnMut(u32, &[u64], &dyn Fn(usize) -> u64) -> Result<(), Inconsistency>,
    ) -> Result<usize, Inconsistency> {
        let index = self.stack.len();
        self.stack.push(place);
        let mut lowest = index;
        for at in 0..self.n_words {
            while let Some(bit) = ones(self.row(place)[at] & self.unseen[at]).next() {
                let value = 64 * at + bit;
                self.see(value as u32);
                lowest = lowest.min(self.visit(self.owner[value], keep)?);
            }
        }
        let reached = |&low: &usize| has(self.row(place), self.matched[self.stack[low] as usize]);
        lowest = (0..lowest).find(reached).unwrap_or(lowest);
        if lowest == index {
            self.close(index, keep)?;
        }
        Ok(lowest)
    }

    /// The places from `index` on the stack are a component: they keep their own values.
    fn close(
        &mut self,
        index: usize,
        keep: &mut impl FnMut(u32, &[u64], &dyn Fn(usize) -> u64) -> Result<(), Inconsistency>,
    ) -> Result<(), Inconsistency> {
        self.component.fill(0);
        for &place in &self.stack[index..] {
            let value = self.matched[place as usize] as usize;
            self.component[value / 64] |= 1 << (value % 64);
        }
        for &place in &self.stack[index..] {
            keep(place, self.row(place), &|at| self.component[at])?;
        }
        self.stack.truncate(index);
        Ok(())
    }
}

#[inline]
fn has(words: &[u64], value: u32) -> bool {
    words[value as usize / 64] >> (value % 64) & 1 == 1
}

/// The domain of `var` with every value raised by `offset`.
#[inline]
fn shift_up(domains: &Domains, var: Var, offset: usize, row: &mut [u64]) {
    let (words, bits) = (offset / 64, offset % 64);
    row.fill(0);
    for at in 0..domains.n_words(var) {
        let word = domains.word(var, at);
        row[at + words] |= word << bits;
        if bits > 0 && word >> (64 - bits) != 0 {
            row[at + words + 1] |= word >> (64 - bits);
        }
    }
}

/// Word `at` of a row of `n_words` with every value lowered by `offset`.
#[inline]
fn shifted_down(row: &dyn Fn(usize) -> u64, n_words: usize, offset: usize, at: usize) -> u64 {
    let (words, bits) = (offset / 64, offset % 64);
    let word = |at: usize| if at < n_words { row(at) } else { 0 };
    let low = word(at + words) >> bits;
    if bits == 0 { low } else { low | word(at + words + 1) << (64 - bits) }
}
