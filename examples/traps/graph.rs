//! A directed graph of numbered positions.

/// Edges by their source, one after another.
pub struct Graph {
    /// The edges of source `i` are `targets[from[i]..from[i + 1]]`.
    from: Vec<usize>,
    targets: Vec<u32>,
}

impl Graph {
    pub fn of(size: usize, targets_of: impl Fn(u32) -> Vec<u32>) -> Self {
        let mut from = vec![0];
        let mut targets = Vec::new();
        for index in 0..size as u32 {
            targets.extend(targets_of(index));
            from.push(targets.len());
        }
        Self { from, targets }
    }

    fn targets(&self, source: u32) -> &[u32] {
        &self.targets[self.from[source as usize]..self.from[source as usize + 1]]
    }

    fn size(&self) -> usize {
        self.from.len() - 1
    }

    fn reversed(&self) -> Self {
        let mut from = vec![0; self.size() + 1];
        for &target in &self.targets {
            from[target as usize + 1] += 1;
        }
        for index in 0..self.size() {
            from[index + 1] += from[index];
        }
        let mut free = from.clone();
        let mut targets = vec![0; self.targets.len()];
        for source in 0..self.size() as u32 {
            for &target in self.targets(source) {
                targets[free[target as usize]] = source;
                free[target as usize] += 1;
            }
        }
        Self { from, targets }
    }

    /// For each position, true if a path leads from it to one of `goals`, which may be itself.
    pub fn leading_to(&self, goals: &[u32]) -> Vec<bool> {
        let back = self.reversed();
        let mut leads = vec![false; self.size()];
        let mut waiting = goals.to_vec();
        for &goal in goals {
            leads[goal as usize] = true;
        }
        while let Some(position) = waiting.pop() {
            for &earlier in back.targets(position) {
                if !std::mem::replace(&mut leads[earlier as usize], true) {
                    waiting.push(earlier);
                }
            }
        }
        leads
    }

    /// The sizes of the closed sets among positions that no path leaves: of each position all that
    /// it leads to, if all of these lead back.
    pub fn closed_sets(&self, among: &[u32]) -> Vec<usize> {
        let mut is_done = vec![false; self.size()];
        let mut sizes = Vec::new();
        for &start in among {
            if is_done[start as usize] {
                continue;
            }
            let reached = self.reached(start);
            // What reaches a position that was looked at before is no closed set of its own.
            let is_new = reached.iter().all(|&other| !is_done[other as usize]);
            if is_new
                && reached
                    .iter()
                    .all(|&other| self.reached(other).len() == reached.len())
            {
                sizes.push(reached.len());
                for &other in &reached {
                    is_done[other as usize] = true;
                }
            } else {
                is_done[start as usize] = true;
            }
        }
        sizes
    }

    /// All positions that paths from here lead to, itself among them.
    fn reached(&self, start: u32) -> Vec<u32> {
        let mut reached = vec![start];
        let mut seen = std::collections::BTreeSet::from([start]);
        let mut next = 0;
        while next < reached.len() {
            for &target in self.targets(reached[next]) {
                if seen.insert(target) {
                    reached.push(target);
                }
            }
            next += 1;
        }
        reached
    }
}
