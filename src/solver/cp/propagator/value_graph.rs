//! The graph of uninstantiated variables and their values: a matching, and which of its edges no
//! matching has.
//!
//! Edges are bit sets over the values. Searches are plain recursions, as deep as there are
//! variables: a level takes some 200 bytes, and the largest board has 2000.

use crate::bits::{has, put, take};

/// Variables (as members) and values; built anew in each run of its propagator.
#[derive(Debug)]
pub struct ValueGraph {
    n_words: usize,
    /// Per member, `n_words` each: the values it can take.
    rows: Vec<u64>,
    /// Per member: the value it is matched to.
    matched: Vec<Option<u32>>,
    /// Per value: the member that was last matched to it.
    owner: Vec<u32>,
    /// Members without a value.
    single: Vec<u32>,
    /// Values in a row that no member is matched to.
    free: Vec<u64>,
    /// Values that the present search has not seen.
    unseen: Vec<u64>,
    /// Tarjan's stack of members. An index on it serves as the number in the order of the search:
    /// only the order among those on the stack matters.
    stack: Vec<u32>,
    /// Members that reach a free value, and those that do not.
    open: Vec<u32>,
    closed: Vec<u32>,
    /// The values of one component.
    component: Vec<u64>,
    /// Members that lost an edge.
    pruned: Vec<u32>,
}

impl ValueGraph {
    pub fn new(n_members: usize, n_values: usize) -> Self {
        let n_words = n_values.div_ceil(64);
        Self {
            n_words,
            rows: vec![0; n_words * n_members],
            matched: vec![None; n_members],
            owner: vec![0; n_values],
            single: Vec::with_capacity(n_members),
            free: vec![0; n_words],
            unseen: vec![0; n_words],
            stack: Vec::with_capacity(n_members),
            open: Vec::with_capacity(n_members),
            closed: Vec::with_capacity(n_members),
            component: vec![0; n_words],
            pruned: Vec::with_capacity(n_members),
        }
    }

    /// Starts anew, without variables.
    pub fn clear(&mut self) {
        self.free.fill(0);
        self.single.clear();
    }

    /// Adds a variable with the values that `fill` writes into its row, and matches it to `value`
    /// if that is one of them. To be followed by [`ValueGraph::complete`].
    #[inline]
    pub fn add(&mut self, member: u32, value: Option<u32>, fill: impl FnOnce(&mut [u64])) {
        let row = &mut self.rows[member as usize * self.n_words..][..self.n_words];
        fill(row);
        self.free
            .iter_mut()
            .zip(&*row)
            .for_each(|(free, word)| *free |= word);
        self.matched[member as usize] = value.filter(|&value| has(row, value));
        match self.matched[member as usize] {
            Some(value) => self.owner[value as usize] = member,
            None => self.single.push(member),
        }
    }

    /// Completes the matching to all `members`. True if it changed, `None` if there is no complete
    /// one.
    pub fn complete(&mut self, members: &[u32]) -> Option<bool> {
        for &member in members {
            if let Some(value) = self.matched[member as usize] {
                take(&mut self.free, value);
            }
        }
        let changes = !self.single.is_empty();
        while let Some(member) = self.single.pop() {
            self.unseen.fill(u64::MAX);
            if !self.augment(member) {
                return None;
            }
        }
        Some(changes)
    }

    /// Removes the edges that are in no complete matching.
    pub fn prune(&mut self, members: &[u32]) {
        self.pruned.clear();
        self.split(members);
        if !self.closed.is_empty() {
            for at in 0..self.open.len() {
                self.restrict(self.open[at], |graph, at| !graph.unseen[at]);
            }
            for at in 0..self.closed.len() {
                let member = self.closed[at];
                let value = self.value(self.closed[at]);
                if has(&self.unseen, value) {
                    take(&mut self.unseen, value);
                    self.visit(member);
                }
            }
        }
    }

    /// The members that lost an edge in [`ValueGraph::prune`].
    pub fn pruned(&self) -> &[u32] {
        &self.pruned
    }

    /// The values that `member` can take.
    #[inline]
    pub fn row(&self, member: u32) -> &[u64] {
        &self.rows[member as usize * self.n_words..][..self.n_words]
    }

    /// The value that the complete matching gives to `member`.
    ///
    /// # Panics
    /// When the matching is not complete.
    #[inline]
    pub fn value(&self, member: u32) -> u32 {
        self.matched[member as usize].expect("the matching is complete")
    }

    /// Gives `member` a value, moving others along an alternating path of unseen values. False if
    /// there is no such path.
    fn augment(&mut self, member: u32) -> bool {
        if let Some(value) = first_of(self.row(member), &self.free, 0) {
            take(&mut self.free, value);
            self.give(member, value);
            return true;
        }
        while let Some(value) = first_of(self.row(member), &self.unseen, 0) {
            take(&mut self.unseen, value);
            if self.augment(self.owner[value as usize]) {
                self.give(member, value);
                return true;
            }
        }
        false
    }

    fn give(&mut self, member: u32, value: u32) {
        self.matched[member as usize] = Some(value);
        self.owner[value as usize] = member;
    }

    /// Sorts the members into `open` and `closed`; `unseen` becomes the values of the closed ones.
    fn split(&mut self, members: &[u32]) {
        self.open.clear();
        self.closed.clear();
        self.closed.extend_from_slice(members);
        // `component` serves as the values from which a free one is reached.
        self.component.copy_from_slice(&self.free);
        let mut before = if self.free.iter().all(|&word| word == 0) {
            members.len()
        } else {
            usize::MAX
        };
        while self.closed.len() < before {
            before = self.closed.len();
            let Self {
                n_words,
                rows,
                matched,
                closed,
                open,
                component,
                ..
            } = self;
            closed.retain(|&member| {
                let row = &rows[member as usize * *n_words..][..*n_words];
                let reaches = row
                    .iter()
                    .zip(&*component)
                    .any(|(row, reaching)| row & reaching != 0);
                if reaches {
                    matched[member as usize]
                        .iter()
                        .for_each(|&value| put(component, value));
                    open.push(member);
                }
                !reaches
            });
        }
        self.unseen.fill(0);
        for &member in &self.closed {
            self.matched[member as usize]
                .iter()
                .for_each(|&value| put(&mut self.unseen, value));
        }
    }

    /// Tarjan's search from `member`, whose value is seen: the lowest index on the stack that it
    /// reaches. Each component is pruned when found.
    fn visit(&mut self, member: u32) -> usize {
        let index = self.stack.len();
        self.stack.push(member);
        let mut lowest = index;
        // Words of its row before this one have no unseen value.
        let mut word = 0;
        while let Some(value) = first_of(self.row(member), &self.unseen, word) {
            take(&mut self.unseen, value);
            word = value as usize / 64;
            lowest = lowest.min(self.visit(self.owner[value as usize]));
        }
        let row = self.row(member);
        let lowest = (0..lowest)
            .find(|&low| has(row, self.value(self.stack[low])))
            .unwrap_or(lowest);
        if lowest == index {
            self.close(index);
        }
        lowest
    }

    /// The members from `index` on the stack are a component: they keep its values only.
    fn close(&mut self, index: usize) {
        self.component.fill(0);
        for &member in &self.stack[index..] {
            self.matched[member as usize]
                .iter()
                .for_each(|&value| put(&mut self.component, value));
        }
        while self.stack.len() > index {
            if let Some(member) = self.stack.pop() {
                self.restrict(member, |graph, at| graph.component[at]);
            }
        }
    }

    /// Keeps those edges of `member` that are in `mask`, word by word.
    fn restrict(&mut self, member: u32, mask: impl Fn(&Self, usize) -> u64) {
        let mut lost = 0;
        for at in 0..self.n_words {
            let kept = mask(self, at);
            let word = &mut self.rows[member as usize * self.n_words + at];
            lost |= *word & !kept;
            *word &= kept;
        }
        if lost != 0 {
            self.pruned.push(member);
        }
    }
}

/// The least value in both sets, from word `start` on.
#[inline]
fn first_of(row: &[u64], values: &[u64], start: usize) -> Option<u32> {
    let common = |at: usize| row[at] & values[at];
    (start..row.len())
        .find(|&at| common(at) != 0)
        .map(|at| 64 * at as u32 + common(at).trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of the largest board.
    const N: u32 = 2000;

    /// Prunes on half the stack that threads have: member i is matched to i and can also take
    /// i + 1, up to a greatest value; the last member is not matched yet and can take other values;
    /// value N is free. What the members are matched to in the end, and what they can still take.
    fn pruned(greatest: u32, last: &'static [u32]) -> Option<Vec<(u32, Vec<u32>)>> {
        let run = move || {
            let mut graph = ValueGraph::new(N as usize, N as usize + 1);
            graph.clear();
            for member in 0..N - 1 {
                graph.add(member, Some(member), |words| {
                    put(words, member);
                    put(words, (member + 1).min(greatest));
                });
            }
            graph.add(N - 1, None, |words| {
                last.iter().for_each(|&it| put(words, it))
            });
            let members: Vec<u32> = (0..N).collect();
            graph.complete(&members)?;
            graph.prune(&members);
            let left = |member| -> Vec<u32> {
                let row = graph.row(member);
                (0..=N).filter(|&value| has(row, value)).collect()
            };
            let found = members.iter().map(|&it| (graph.value(it), left(it)));
            Some(found.collect())
        };
        std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(run)
            .expect("the system has memory for a thread")
            .join()
            .expect("it does not overflow")
    }

    /// The last member takes 0, so that every other moves up by one; each keeps only its new value.
    #[test]
    fn the_longest_alternating_path() {
        let expected = (0..N).map(|member| (member + 1) % N);
        let expected = expected.map(|value| (value, vec![value]));
        assert_eq!(pruned(N, &[0]), Some(expected.collect()));
    }

    /// The same path with nothing free at its end: N members for N − 1 values.
    #[test]
    fn the_longest_way_to_nowhere() {
        assert_eq!(pruned(N - 2, &[0]), None);
    }

    /// Round one circle each way: one component, in which every value stays.
    #[test]
    fn the_longest_circle() {
        let kept = pruned(N, &[0, N - 1]).expect("there is a matching");
        for ((_, left), member) in kept.into_iter().zip(0..) {
            let row = if member < N - 1 {
                [member, member + 1]
            } else {
                [0, N - 1]
            };
            assert_eq!(left, row);
        }
    }

    /// A way through N members without a return: each is a component of its own, and keeps one
    /// value.
    #[test]
    fn the_longest_chain() {
        let expected = (0..N).map(|member| (member, vec![member]));
        assert_eq!(pruned(N, &[N - 1]), Some(expected.collect()));
    }
}
