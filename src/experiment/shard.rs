//! Shards: parts of a plan that run apart, on other machines or at other times, and add up to the
//! same bytes.
//!
//! Trial `t` of a point under a seed belongs to shard `(h + t) mod K` of K, where h is the integer
//! made of the first 8 bytes, the least first, of BLAKE3 over a line that can be written by hand:
//! the point as the plan hash writes it, and the seed.
//!
//! ```text
//! pair epsilon=0.01 n=8 seed=2012
//! ```
//!
//! Of the m trials of a line each shard gets m/K, rounded up or down, so that shards cost about the
//! same whatever a point costs; the hash decides which shards have one more. A point whose rows
//! decide how many trials it has belongs to one shard as a whole, since no other shard has the rows
//! that decide: to `h mod K`, h made of the line without the seed.
//! Documented for users in docs/inside.md.

use std::fmt;
use std::str::FromStr;

use super::plan::{PlannedPoint, hash};

/// Most shards of a plan; a larger number is taken for a typing error.
pub(crate) const MAX_SHARDS: u32 = 100_000;

/// One of the K shards of a plan; written `3/8`, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    // First, since shards are ordered by it.
    count: u32,
    index: u32,
}

impl Shard {
    /// Shard `index` of `count`.
    pub fn new(index: u32, count: u32) -> Result<Self, String> {
        match count {
            0 => Err("expected at least one shard".into()),
            count if count > MAX_SHARDS => Err(format!("expected at most {MAX_SHARDS} shards")),
            1 if index > 0 => Err("shards count from 0; expected 0/1".into()),
            count if index >= count => Err(format!(
                "shards count from 0; expected 0/{count} to {}/{count}",
                count - 1
            )),
            count => Ok(Self { index, count }),
        }
    }

    /// All shards of `count`.
    pub fn all(count: u32) -> impl Iterator<Item = Self> {
        (0..count).map(move |index| Self { index, count })
    }

    /// The shard's number, counted from 0.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Shards of the plan.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// True if a trial of a point under a seed belongs to this shard; of a sequential point all
    /// trials do, or none.
    pub(super) fn owns(self, planned: &PlannedPoint, seed: u64) -> impl Fn(u32) -> bool + use<> {
        let mut line = hash::point(&planned.point);
        let is_sequential = planned.sequential.is_some();
        if !is_sequential {
            line += &format!(" seed={seed}");
        }
        let hash = blake3::hash(line.as_bytes());
        let first = hash.as_bytes().first_chunk();
        let number = u64::from_le_bytes(*first.expect("a BLAKE3 has 32 bytes"));
        let count = u64::from(self.count);
        move |trial| {
            let step = if is_sequential { 0 } else { u64::from(trial) };
            (number % count + step) % count == u64::from(self.index)
        }
    }

    /// The shard's folder within its run's.
    pub(super) fn folder_name(&self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }

    /// [`Self::folder_name`] read back.
    pub(super) fn from_folder_name(name: &str) -> Option<Self> {
        let (index, count) = name.split_once("-of-")?;
        let shard = Self::new(index.parse().ok()?, count.parse().ok()?).ok()?;
        (shard.folder_name() == name).then_some(shard)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| {
            let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| are_digits)
        };
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(index, count)| number(index).zip(number(count)));
        let Some((index, count)) = numbers else {
            return Err("expected I/K, as 0/8 for the first of eight".into());
        };
        Self::new(index, count)
    }
}

/// `0-2,5,7-8`: ascending numbers, consecutive ones joined, as in an array of Slurm.
pub(crate) fn ranges(numbers: &[u32]) -> String {
    let text = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        single => single.iter().map(u32::to_string).collect(),
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::Plan;
    use crate::solver::DynamicsChoice;

    #[test]
    fn shards_are_written_i_of_k() {
        for text in ["0/1", "0/8", "7/8", "99999/100000"] {
            let shard: Shard = text.parse().expect(text);
            assert_eq!(shard.to_string(), text);
            assert_eq!(Shard::from_folder_name(&shard.folder_name()), Some(shard));
        }
        let wrong = "/ 1/0 0/0 8/8 1/1 9/8 -1/8 +1/8 a/8 1/b 1 1/8/2 0/100001 0/4294967296";
        for text in wrong.split(' ').chain(["", "1 / 8"]) {
            let reason = text.parse::<Shard>().expect_err(text);
            let is_sentence = !reason.contains('\n') && reason.len() > 20;
            assert!(is_sentence, "{text}: {reason}");
        }
        for name in ["01-of-8", "8-of-8", "1-of-+8", "1-8", ".partial-of-8"] {
            assert_eq!(Shard::from_folder_name(name), None, "{name}");
        }
    }

    /// The expected shards are those that a separate implementation of BLAKE3 computes.
    #[test]
    fn the_shards_are_the_documented_ones() {
        let shards = |n: &str, trials: &str, up_to: u32| -> Vec<Vec<u32>> {
            let text = format!(
                "seed = 2012\n[[sweep]]\nalgorithm = \"pair\"\nepsilon = 0.01\ncutoff = 9\n\
                 n = {n}\ntrials = {trials}\n"
            );
            let plan = Plan::example(&text, DynamicsChoice::Auto);
            let of_point = |planned: &PlannedPoint| {
                let owners = (0..up_to).flat_map(|trial| {
                    let has = move |shard: &Shard| shard.owns(planned, 2012)(trial);
                    Shard::all(7).filter(has).map(|shard| shard.index())
                });
                owners.collect()
            };
            plan.points.iter().map(of_point).collect()
        };
        let of_trials = shards("8", "10", 10);
        assert_eq!(of_trials, [[0, 1, 2, 3, 4, 5, 6, 0, 1, 2]]);
        let of_points = shards("\"4..12\"", "{ min = 30, max = 99, precision = 0.1 }", 2);
        assert_eq!(of_points, [4, 0, 2, 1, 6, 1, 4, 5, 6].map(|it| [it; 2]));
    }

    #[test]
    fn neighbours_are_joined() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[3], "3"),
            (&[0, 1, 2, 5, 7, 8], "0-2,5,7-8"),
        ] {
            assert_eq!(ranges(numbers), text);
        }
    }
}
