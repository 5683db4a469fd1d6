//! The sets of rows whose queens stand in the east, one of each two that are each other upside
//! down, in an order that never changes.

/// Sets of northern rows for which placements are kept at a time.
fn block_len(n: usize) -> usize {
    match n {
        0..=20 => 64,
        21..=22 => 16,
        _ => 2,
    }
}

/// Sets of rows with one part in the north from a list, and all parts in the south that go with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Sets of rows of the north.
    pub norths: Vec<u32>,
    /// What they are joined with.
    pub units: Vec<Unit>,
}

/// Sets of rows with one southern part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// The part in the south, as bits of rows of the whole board.
    pub south: u32,
    /// The parts in the north, as indices of [`Block::norths`], and the multiplicity: 2 for a set
    /// that stands for its mirror image too.
    pub members: Vec<(usize, u64)>,
}

impl Block {
    /// Sets of rows in it.
    pub fn n_sets(&self) -> u64 {
        self.units
            .iter()
            .map(|unit| unit.members.len() as u64)
            .sum()
    }

    /// Leaves the first so many sets.
    pub fn truncate(&mut self, mut n_sets: u64) {
        for unit in &mut self.units {
            let kept = unit
                .members
                .len()
                .min(usize::try_from(n_sets).unwrap_or(usize::MAX));
            unit.members.truncate(kept);
            n_sets -= kept as u64;
        }
        self.units.retain(|unit| !unit.members.is_empty());
    }
}

/// All sets of ⌊n/2⌋ of n rows, 1 ≤ n < 32, the first ⌈n/2⌉ of them the north.
pub(super) fn blocks(n: usize) -> impl Iterator<Item = Block> {
    let (n_north, n_east) = (n.div_ceil(2), n / 2);
    let n_south = n - n_north;
    (n_east - n_south.min(n_east)..=n_east.min(n_north)).flat_map(move |k| {
        let norths = subsets(n_north, k);
        let souths: Vec<u32> = subsets(n_south, n_east - k)
            .into_iter()
            .map(|rows| rows << n_north)
            .collect();
        let blocks: Vec<Vec<u32>> = norths.chunks(block_len(n)).map(<[u32]>::to_vec).collect();
        blocks.into_iter().map(move |norths| {
            let units = souths.iter().map(|&south| unit(n, &norths, south));
            let units = units.filter(|unit| !unit.members.is_empty()).collect();
            Block { norths, units }
        })
    })
}

fn unit(n: usize, norths: &[u32], south: u32) -> Unit {
    let multiplicity = |north: u32| {
        let rows = north | south;
        let upside_down = rows.reverse_bits() >> (u32::BITS as usize - n);
        match rows.cmp(&upside_down) {
            std::cmp::Ordering::Less => Some(2),
            std::cmp::Ordering::Equal => Some(1),
            std::cmp::Ordering::Greater => None,
        }
    };
    let members = norths.iter().enumerate();
    let members = members.filter_map(|(at, &north)| Some((at, multiplicity(north)?)));
    Unit {
        south,
        members: members.collect(),
    }
}

/// The set of these rows.
pub(super) fn all(rows: std::ops::Range<usize>) -> u32 {
    rows.fold(0, |set, row| set | 1 << row)
}

/// The sets of `k` of the first `of` bits, in ascending order.
pub(super) fn subsets(of: usize, k: usize) -> Vec<u32> {
    (0..1_u32 << of)
        .filter(|set| set.count_ones() as usize == k)
        .collect()
}

/// The number of sets in all blocks: (C(n, ⌊n/2⌋) + those that are their own mirror image) / 2.
pub fn n_sets(n: usize) -> u64 {
    let binomial = |of: u64, k: u64| (1..=k).fold(1, |product, i| product * (of - k + i) / i);
    let (n, k) = (n as u64, n as u64 / 2);
    // Rows come in pairs; for odd n the middle one is taken where ⌊n/2⌋ is odd.
    let symmetric = if n % 2 == 0 && k % 2 == 1 {
        0
    } else {
        binomial(k, k / 2)
    };
    (binomial(n, k) + symmetric) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every set of rows comes exactly once when mirror images are included.
    #[test]
    fn every_set_of_rows_is_taken_or_stands_for_its_mirror_image() {
        for n in 1..=13 {
            let mut seen = BTreeSet::new();
            let mut n_listed = 0;
            for block in blocks(n) {
                n_listed += block.n_sets();
                for unit in block.units {
                    for (at, multiplicity) in unit.members {
                        let rows = block.norths[at] | unit.south;
                        let mirrored =
                            (0..n).fold(0, |set, row| set | (rows >> row & 1) << (n - 1 - row));
                        let n_new = u64::from(seen.insert(rows)) + u64::from(seen.insert(mirrored));
                        assert_eq!(n_new, multiplicity, "n = {n}");
                    }
                }
            }
            let all: BTreeSet<u32> = subsets(n, n / 2).into_iter().collect();
            assert_eq!((seen, n_listed), (all, n_sets(n)), "n = {n}");
        }
        // C(20, 10) = 184 756 and C(10, 5) = 252.
        assert_eq!(n_sets(20), (184_756 + 252) / 2);
    }
}
