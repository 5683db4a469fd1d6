//! The moves until the first solution, over what a law predicts of them.

use super::kit::*;
use crate::analysis::course::hitting_law::HittingLaw;

pub const HITTING_LAW: MeasureTable = MeasureTable {
    name: "hitting-law",
    of: Of::Series,
    measures: &[
        Measure::new("measured_over_predicted", "measured / predicted"),
        Measure::new("one_conflict_share", "share of the time with one conflict"),
    ],
    rows,
    ignores: MeasureTable::OF_ERRORS,
    ..MeasureTable::PLAIN
};

fn rows(scope: &Scope) -> Result<Frame, String> {
    let chart = scope.chart;
    let laws = scope.rows.courses.iter();
    let laws = laws.map(|it| (it.point.clone(), HittingLaw::of(it)));
    let missing = |(point, law): &(_, Option<HittingLaw>)| {
        let reason = "no hit, no late moments, or n without a known N₁";
        let has_no_law = || law.is_none().then(|| reason.to_owned());
        chart.off_axis(point).or_else(has_no_law)
    };
    let time =
        |(_, law): &(_, Option<HittingLaw>)| law.as_ref().map_or(f64::INFINITY, |it| it.mean_time);
    let mut left_out = Vec::new();
    let placed = placed(chart, laws, missing, &mut left_out);
    let kept = fastest(chart, placed, time, &mut left_out).into_iter();
    let kept: Vec<_> = kept.filter_map(|it| Some((it.0, it.1?))).collect();
    let columns = Frame::of(&kept, &KEY_AXES)
        .left_out(left_out)
        .column("trials", |(_, it)| it.trials)
        .column("cut_off", |(_, it)| it.cut_off)
        .estimate("moves_at_hit", |(_, it)| it.moves_at_hit)
        .column("moments", |(_, it)| it.moments)
        .estimate("one_conflict_share", |(_, it)| it.one_conflict_share)
        .column("solutions", |(_, it)| it.solutions)
        .column("one_conflict", |(_, it)| it.one_conflict)
        .estimate("measured_over_predicted", |(_, it)| it.constant)
        .estimate("wait_ratio", |(_, it)| Some(it.factors.as_ref()?.wait_ratio))
        .estimate("visit_ratio", |(_, it)| Some(it.factors.as_ref()?.visit_ratio))
        .estimate("hits_from_one", |(_, it)| Some(it.factors.as_ref()?.hits_from_one))
        .estimate("product", |(_, it)| Some(it.factors.as_ref()?.product))
        .note(
            "`measured_over_predicted`: `moves_at_hit` · `one_conflict_share` · `solutions` / `one_conflict`. `one_conflict_share`: of the `moments` of the series after 100 relaxation times of the signals and before the absorption. \
             `one_conflict`: placements with exactly one attacking pair.",
        )
        .note(
            "Of all time up to the hit, where all trials wrote down their moves: `wait_ratio`, the mean wait for a move at one conflict over the mean wait; `visit_ratio`, moves that leave a placement with one conflict, per hit, · `solutions` / `one_conflict`; \
             `product` of the two. `hits_from_one`: the share of the hits whose move left a placement with one conflict. Brackets hold 95 % intervals: the t interval of the logarithm, over trials; of `hits_from_one` Wilson's.",
        )
        .warn_if(
            |(_, it)| it.cut_off > 0,
            "the moves and moments of trials that were cut off count up to there",
        );
    Ok(columns.frame)
}
