//! What a figure does not show: how much in its legend, which points in the terminal and under its
//! table.

use super::frame::Missing;
use super::legend::{Entry, Sample};
use super::series::describe;
use super::{Input, Table};
use crate::solver::Point;

/// Points named in one sentence.
const MOST_NAMED: usize = 3;
/// Reasons with sentences of their own.
const MOST_REASONS: usize = 5;

/// Which points a figure shows, why it does not show others, and what else is missing.
#[derive(Debug, Clone, Default)]
pub struct LeftOut {
    shown: Vec<Point>,
    /// Each point in words, and the reason.
    named: Vec<(String, String)>,
    said: Vec<String>,
}

impl LeftOut {
    /// All points but those `shown` are left out.
    pub fn but<'p>(shown: impl IntoIterator<Item = &'p Point>) -> Self {
        Self {
            shown: shown.into_iter().cloned().collect(),
            ..Self::default()
        }
    }

    /// Each of these points with its own reason.
    pub fn with_reasons(mut self, missing: &[Missing]) -> Self {
        let named = missing.iter();
        let named = named.map(|(point, reason)| (describe(point), reason.clone()));
        self.named.extend(named);
        self
    }

    /// The same reason for each of these points.
    pub fn because<'p>(
        mut self,
        points: impl IntoIterator<Item = &'p Point>,
        reason: &str,
    ) -> Self {
        let named = points
            .into_iter()
            .map(|point| (describe(point), reason.to_owned()));
        self.named.extend(named);
        self
    }

    /// With sentences on what else is missing, without full stops.
    pub fn saying(mut self, sentences: impl IntoIterator<Item = String>) -> Self {
        self.said.extend(sentences);
        self
    }

    /// With the points of `input` that are neither shown nor named yet.
    pub fn of_all(mut self, input: &Input) -> Self {
        let missing = input
            .trials
            .iter()
            .map(|trials| &trials.point)
            .filter(|point| !self.shown.contains(point))
            .map(describe)
            .filter(|words| self.named.iter().all(|(named, _)| named != words));
        let reason = "this kind of figure has no place for them";
        let missing: Vec<_> = missing.map(|words| (words, reason.to_owned())).collect();
        self.named.extend(missing);
        self
    }

    /// Each reason with its points, in the order in which they come first.
    fn reasons(&self) -> Vec<(&str, Vec<&str>)> {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for (point, reason) in &self.named {
            match reasons.iter_mut().find(|(known, _)| known == reason) {
                Some((_, points)) => points.push(point),
                None => reasons.push((reason, vec![point])),
            }
        }
        reasons
    }

    /// One sentence for each reason, without full stops.
    pub fn sentences(&self) -> Vec<String> {
        let reasons = self.reasons();
        let others: usize = reasons.iter().skip(MOST_REASONS).map(|it| it.1.len()).sum();
        let sentence = |(reason, points): &(&str, Vec<&str>)| {
            let named = points[..points.len().min(MOST_NAMED)].join("; ");
            let more = match points.len() - points.len().min(MOST_NAMED) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            format!("left out ({reason}): {named}{more}")
        };
        let mut sentences: Vec<String> = reasons.iter().take(MOST_REASONS).map(sentence).collect();
        if others > 0 {
            sentences.push(format!("left out for other reasons: {others} points"));
        }
        self.said.iter().cloned().chain(sentences).collect()
    }

    /// For the legend: how many points, and why where there is one reason.
    pub fn entry(&self) -> Vec<Entry> {
        let points = |count: usize| format!("{count} point{}", if count == 1 { "" } else { "s" });
        let reasons = self.reasons();
        let left_out = match &reasons[..] {
            [] => None,
            [(reason, named)] => Some(format!("left out: {} ({reason})", points(named.len()))),
            _ => Some(format!(
                "left out: {}, named under the table",
                points(self.named.len())
            )),
        };
        let all = self.said.iter().cloned().chain(left_out);
        all.map(|sentence| Entry::new(Sample::None, sentence))
            .collect()
    }

    /// A note for each point.
    pub fn note(&self, table: &mut Table) {
        let notes = self.named.iter();
        let notes = notes.map(|(point, reason)| format!("Left out: {point}: {reason}."));
        table.notes.extend(notes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::pair_key;
    use crate::results::PointTrials;

    /// Six points: one shown, one with a reason of its own, four without.
    #[test]
    fn every_point_is_shown_or_named() {
        let trials: Vec<PointTrials> = (4..10)
            .map(|n| PointTrials {
                point: pair_key(n, 0.01),
                rows: Vec::new().into(),
            })
            .collect();
        let input = Input::of_trials(&trials);
        let left_out = LeftOut::but([&trials[0].point])
            .with_reasons(&[(pair_key(5, 0.01), "alone on its curve".to_owned())])
            .saying(["clipped: 1 curve".to_owned()])
            .of_all(&input);
        assert_eq!(
            left_out.sentences(),
            [
                "clipped: 1 curve",
                "left out (alone on its curve): pair rule, n = 5, ε = 0.01",
                "left out (this kind of figure has no place for them): pair rule, n = 6, ε = 0.01; pair rule, n = 7, ε = 0.01; pair rule, n = 8, ε = 0.01; and 1 more",
            ]
        );
        let entries: Vec<String> = left_out.entry().into_iter().map(|it| it.text).collect();
        assert_eq!(
            entries,
            [
                "clipped: 1 curve",
                "left out: 5 points, named under the table",
            ]
        );
        let mut table = Table {
            header: vec![],
            rows: vec![],
            notes: vec![],
        };
        left_out.note(&mut table);
        assert_eq!(table.notes.len(), 5);
    }
}
