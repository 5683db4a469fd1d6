//! `all_different` with bounds consistency.
//!
//! López-Ortiz, Quimper, Tromp and van Beek, "A fast and simple algorithm for bounds consistency of
//! the alldifferent constraint", IJCAI 2003. A Hall interval holds as many variables as values; no
//! other variable may have a bound in it. The paper's filter for the lower bounds is here in one
//! function, and runs on the mirrored values for the upper bounds.
//!
//! Consistency is bounds(Z): a support may use any value between two bounds, holes included. A
//! value is also removed from all other variables as soon as one takes it. So only uninstantiated
//! variables remain, on the values that no variable has taken, numbered without gaps; the Hall
//! intervals are the same.

use super::Propagator;
use super::views::{Members, Range, View};
use crate::cp::domain::{DomainValue, Domains, Event, Inconsistency, Var};

/// `all_different`, bounds(Z) consistent.
#[derive(Debug)]
pub struct BoundsConsistent {
    members: Members,
    ranks: Ranks,
    intervals: Vec<RankInterval>,
    /// Per width up to the number of intervals: how many have it.
    with_width: Vec<usize>,
    hall: HallIntervals,
}

/// The values that no variable has taken, numbered from 0.
#[derive(Debug)]
struct Ranks {
    /// Per value: how many untaken ones are below.
    of: Vec<u32>,
    /// Per rank: the value.
    values: Vec<DomainValue>,
}

/// The ranks from the least to the greatest value of a variable.
#[derive(Debug, Clone, Copy)]
struct RankInterval {
    member: u32,
    min: u32,
    max: u32,
}

impl BoundsConsistent {
    pub fn new(views: &[View], domains: &mut Domains) -> Self {
        let range = Range::of(views, domains);
        Self {
            members: Members::new(views, range, domains),
            ranks: Ranks {
                of: vec![0; range.len],
                values: Vec::with_capacity(range.len),
            },
            intervals: Vec::with_capacity(views.len()),
            with_width: Vec::with_capacity(views.len() + 1),
            hall: HallIntervals::default(),
        }
    }

    fn rank_values(&mut self, domains: &Domains) {
        let Ranks { of, values } = &mut self.ranks;
        of.fill(0);
        for &member in self.members.bound(&domains.trail) {
            let (var, offset) = self.members.view(member);
            of[(domains.min(var) + offset) as usize] = 1;
        }
        values.clear();
        for (value, rank) in of.iter_mut().enumerate() {
            let taken = std::mem::replace(rank, values.len() as u32) == 1;
            if !taken {
                values.push(value as DomainValue);
            }
        }
    }

    fn read_intervals(&mut self, domains: &Domains) {
        self.intervals.clear();
        for &member in self.members.unbound(&domains.trail) {
            let (var, offset) = self.members.view(member);
            let shape = domains.shape(var);
            let rank = |value: DomainValue| self.ranks.of[(value + offset) as usize];
            self.intervals.push(RankInterval {
                member,
                min: rank(shape.min),
                max: rank(shape.max),
            });
        }
    }

    /// True if the widths alone exclude what could fail or move a bound: for every t below the
    /// number of intervals, fewer than t are at most t wide. (A Hall interval of t ranks holds t of
    /// them; one that holds all intervals moves no bound.)
    fn are_wide(&mut self) -> bool {
        let k = self.intervals.len();
        self.with_width.clear();
        self.with_width.resize(k + 1, 0);
        for interval in &self.intervals {
            self.with_width[((interval.max - interval.min) as usize + 1).min(k)] += 1;
        }
        let mut up_to = 0;
        (1..k).all(|t| {
            up_to += self.with_width[t];
            up_to < t
        })
    }

    fn mirror(&mut self) {
        let last = self.ranks.values.len() as u32 - 1;
        for interval in &mut self.intervals {
            (interval.min, interval.max) = (last - interval.max, last - interval.min);
        }
    }

    fn write_intervals(&self, domains: &mut Domains) -> Result<(), Inconsistency> {
        for interval in &self.intervals {
            let (var, offset) = self.members.view(interval.member);
            domains.remove_below(var, self.ranks.values[interval.min as usize] - offset)?;
            domains.remove_above(var, self.ranks.values[interval.max as usize] - offset)?;
        }
        Ok(())
    }
}

impl Propagator for BoundsConsistent {
    fn scope(&self) -> &[Var] {
        &self.members.scope
    }

    fn runs_on(&self) -> Option<Event> {
        Some(Event::Bounds)
    }

    fn instantiated(&mut self, member: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        self.members.instantiated(member, domains)
    }

    fn propagate(&mut self, _: &[u32], domains: &mut Domains) -> Result<(), Inconsistency> {
        if self.members.unbound(&domains.trail).len() < 2 {
            return Ok(());
        }
        self.rank_values(domains);
        self.read_intervals(domains);
        if self.are_wide() {
            return Ok(());
        }
        let n_ranks = self.ranks.values.len();
        let raised = self.hall.raise_minima(&mut self.intervals, n_ranks)?;
        self.mirror();
        let lowered = self.hall.raise_minima(&mut self.intervals, n_ranks)?;
        if raised || lowered {
            self.mirror();
            return self.write_intervals(domains);
        }
        Ok(())
    }
}

/// The paper's working memory: nodes 0 ..= ranks + 2, where the rank r is between the nodes r + 1
/// and r + 2.
#[derive(Debug, Default)]
struct HallIntervals {
    /// `t`: points to the next node with capacity left; a root points below itself.
    tree: Vec<usize>,
    /// `h`: points to the end of the Hall interval that a node is in; outside of any it points
    /// below itself.
    hall: Vec<usize>,
    /// `d`: capacity between a root and the root below it.
    capacity: Vec<isize>,
}

impl HallIntervals {
    /// Moves every least rank that is in a Hall interval of other variables behind that
    /// interval. True if one moved.
    fn raise_minima(
        &mut self,
        intervals: &mut [RankInterval],
        n_ranks: usize,
    ) -> Result<bool, Inconsistency> {
        self.start(n_ranks + 3);
        intervals.sort_unstable_by_key(|interval| interval.max);
        let mut raised = false;
        for interval in intervals {
            let x = interval.min as usize + 1;
            let y = interval.max as usize + 2;
            let mut z = path_end(&self.tree, x + 1);
            if z == n_ranks + 2 {
                return Err(Inconsistency);
            }
            let below = self.tree[z];
            self.capacity[z] -= 1;
            if self.capacity[z] == 0 {
                self.tree[z] = z + 1;
                z = path_end(&self.tree, z + 1);
                self.tree[z] = below;
            }
            compress(&mut self.tree, x + 1, z, z);
            let free = z as isize - y as isize;
            if self.capacity[z] < free {
                return Err(Inconsistency);
            }
            if self.hall[x] > x {
                let end = path_end(&self.hall, self.hall[x]);
                interval.min = end as u32 - 1;
                compress(&mut self.hall, x, end, end);
                raised = true;
            }
            if self.capacity[z] == free {
                let from = self.hall[y];
                compress(&mut self.hall, from, below - 1, y);
                self.hall[y] = below - 1;
            }
        }
        Ok(raised)
    }

    fn start(&mut self, n_nodes: usize) {
        self.tree.clear();
        self.tree
            .extend((0..n_nodes).map(|node| node.saturating_sub(1)));
        self.hall.clone_from(&self.tree);
        self.capacity.clear();
        self.capacity.resize(n_nodes, 1);
    }
}

/// `pathmax`: the node at the end of the way up.
#[inline]
fn path_end(pointers: &[usize], mut node: usize) -> usize {
    while pointers[node] > node {
        node = pointers[node];
    }
    node
}

/// `pathset`: lets every node on the way from `start` to `end` point to `target`.
#[inline]
fn compress(pointers: &mut [usize], start: usize, end: usize, target: usize) {
    let mut node = start;
    while node != end {
        node = std::mem::replace(&mut pointers[node], target);
    }
}
