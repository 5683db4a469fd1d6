//! What curves of searches come to, in a sentence for each measure: which search has the least of
//! it, and which the most.

use super::number::short;
use super::panel::Mark;
use super::search_curves::{Measure, SearchCurve};
use super::series::without_goal;
use crate::solver::goal::Goal;

/// Searches are compared with those of the same goal, at the largest n at which two of them ended.
pub fn findings(curves: &[SearchCurve], measures: &[Measure]) -> Vec<String> {
    let mut goals: Vec<Option<Goal>> = Vec::new();
    for curve in curves {
        let goal = curve.last().point.goal;
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    let of_goal = |goal| {
        let same: Vec<&SearchCurve> = curves
            .iter()
            .filter(|curve| curve.last().point.goal == goal)
            .collect();
        let finding = |&measure: &Measure| finding(&same, measure, in_words(goal));
        measures.iter().filter_map(finding).collect::<Vec<_>>()
    };
    goals.into_iter().flat_map(of_goal).collect()
}

fn in_words(goal: Option<Goal>) -> &'static str {
    match goal {
        Some(Goal::First) => "searches for one board",
        Some(Goal::All) => "searches for all boards",
        _ => "searches that count boards",
    }
}

/// `None` where no n has two searches that ended, or all have the same.
fn finding(curves: &[&SearchCurve], measure: Measure, searches: &str) -> Option<String> {
    let marks: Vec<Vec<Mark>> = curves.iter().map(|curve| curve.marks(measure)).collect();
    let at = |n: f64| -> Vec<(f64, &SearchCurve)> {
        let there = curves.iter().zip(&marks).filter_map(|(curve, marks)| {
            let mark = marks.iter().find(|it| it.x == n && !it.is_lower_bound)?;
            Some((mark.y, *curve))
        });
        there.collect()
    };
    let sides = marks.iter().flatten().map(|mark| mark.x);
    let n = sides.filter(|&n| at(n).len() > 1).max_by(f64::total_cmp)?;
    let mut there = at(n);
    there.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (least, most) = (there.first()?, there.last()?);
    let name = |curve: &SearchCurve| without_goal(&curve.last().point, &["n"]);
    let value = |value: f64| short(value, 3);
    (least.0 < most.0).then(|| {
        format!(
            "{}, {} {searches} that ended at n = {n}: least {} with {}, most {} with {}",
            measure.axis_title(),
            there.len(),
            value(least.0),
            name(least.1),
            value(most.0),
            name(most.1)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::search::SearchSummary;
    use crate::analysis::synthetic::{constraint_searches, timings};
    use crate::report::search_curves::curves;

    /// Of the three searches for all boards one was cut off at n = 12; goals stay apart.
    #[test]
    fn the_least_and_the_most_of_one_goal_at_the_largest_common_side() {
        let trials = constraint_searches();
        let searches = SearchSummary::of(&trials, &timings(&trials));
        let curves = curves(&searches);
        let found = findings(&curves, &[Measure::Nodes]);
        assert_eq!(
            found,
            [
                "nodes, 2 searches for all boards that ended at n = 12: least 1.33·10⁵ with cp PA_PL, most 1.45·10⁵ with cp PB_PL",
                "nodes, 2 searches for one board that ended at n = 60: least 1120 with cp PA_PD, most 90200 with cp PA_PR",
            ]
        );
    }
}
