//! How many points and trials of one experiment, or of several, are how. The sentence on how many
//! trials of how many were compared is here.

use super::compared::Compared;
use crate::analysis::comparison::{Design, Finding};
use crate::cli::text::spaced;

/// How many points of one experiment, or of several, are how.
#[derive(Default)]
pub struct PointCounts {
    /// Points of both sides.
    pub all: usize,
    /// Points with identical rows, and the trials of these.
    pub same: usize,
    pub same_trials: usize,
    /// Points with other rows, and those of them of which that is more than chance.
    pub other: usize,
    pub proven: usize,
    pub not_comparable: usize,
    pub only_in_a: usize,
    pub only_in_b: usize,
    /// Trials with the same row and another course, and those with courses that are not compared.
    pub courses: usize,
    pub other_rows: usize,
    /// Trials compared as pairs, and all trials of A and B at the points where they are.
    pub pairs: usize,
    pub beside_pairs: [usize; 2],
    /// Trials compared as independent samples, of A and B, those of them with a partner, and of
    /// these those with another row than it.
    pub samples: [usize; 2],
    pub partners: usize,
    pub other_partners: usize,
}

impl PointCounts {
    pub fn of(compared: &[Compared], identical: bool) -> Self {
        let mut counts = Self::default();
        for experiment in compared {
            let comparison = &experiment.comparison;
            counts.all += comparison.points.len();
            counts.only_in_a += comparison.only_in_a.len();
            counts.only_in_b += comparison.only_in_b.len();
            if let Some(courses) = &experiment.courses {
                counts.courses += courses.differing as usize;
                counts.other_rows += courses.other_rows as usize;
            }
            for point in &comparison.points {
                let row_counts = experiment.rows_count && point.point.goal.is_none();
                let is_proven = identical || row_counts || point.is_different;
                counts.add(&point.finding, is_proven);
            }
        }
        counts
    }

    /// Adds a point; `is_proven` tells whether rows that differ are a difference.
    fn add(&mut self, finding: &Finding, is_proven: bool) {
        match finding {
            Finding::NotComparable(_) => self.not_comparable += 1,
            Finding::Identical { trials, of } => {
                self.same += 1;
                self.same_trials += trials;
                self.add_trials(Design::Pairs, [*trials; 2], *of);
            }
            Finding::Different(found) => {
                self.other += 1;
                self.proven += usize::from(is_proven);
                self.add_trials(found.design, found.trials, found.of);
                if found.design == Design::Samples {
                    self.partners += found.common;
                    self.other_partners += found.differing;
                }
            }
        }
    }

    fn add_trials(&mut self, design: Design, used: [usize; 2], of: [usize; 2]) {
        match design {
            Design::Pairs => {
                self.pairs += used[0];
                add(&mut self.beside_pairs, of);
            }
            Design::Samples => add(&mut self.samples, used),
        }
    }

    /// How many trials of how many were compared, and how; `None` where each trial of both sides
    /// was compared with its partner.
    pub fn trials_in_words(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.beside_pairs != [self.pairs; 2] {
            let [a, b] = self.beside_pairs.map(spaced);
            let pairs = spaced(self.pairs);
            parts.push(format!(
                "{pairs} of {a} trials of A with {pairs} of {b} of B, those of the same seed and index"
            ));
        }
        if self.samples != [0; 2] {
            let [a, b] = self.samples;
            let partners = match self.partners {
                0 => "none of them has".to_owned(),
                partners => format!(
                    "only {partners} ({} with another row) have",
                    self.other_partners
                ),
            };
            parts.push(format!(
                "all {a} trials of A with all {b} of B as independent samples, since {partners} the same seed and index on both sides"
            ));
        }
        let words = format!("compared: {}", parts.join(", and "));
        (!parts.is_empty()).then_some(words)
    }
}

fn add(sums: &mut [usize; 2], others: [usize; 2]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}
