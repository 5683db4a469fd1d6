//! A mean over two axes at once.

use super::kit::*;
use crate::analysis::optimum::Contest;

pub const MAP: MeasureTable = MeasureTable {
    name: "map",
    rows,
    ignores: &[
        "facet",
        "share_y",
        "fit",
        "fit_from",
        "guide",
        "group",
        "colour",
        "mark_best",
        "right_axis",
        "most_curves",
        "least_points",
        "compare",
        "names",
        "x_scale",
        "y_scale",
        "y_range",
        "y_title",
        "x_title",
        "height",
        "room",
    ],
    ..MeasureTable::TIMES
};

/// Map after map, under them what is found of each.
fn rows(scope: &Scope) -> Result<Frame, String> {
    let varying = scope.chart.map_axes();
    let mut points = scope.measured(PointSummary::of);
    points.sort_by(|a, b| {
        let (a, b) = (&a.point, &b.point);
        a.order_apart(b, &varying).then_with(|| a.order(b))
    });
    let share_map = |a: &PointSummary, b: &PointSummary| a.point.is_same_apart(&b.point, &varying);
    let both_vary = |points: &&[PointSummary]| {
        let varies = |axis: &str| {
            let values = points.iter();
            distinct(values.filter_map(|it| Some(it.point.axes.get(axis)?.number())))
        };
        varying.iter().all(|axis| varies(axis).len() > 1)
    };
    let has_time = |it: &&PointSummary| {
        it.time()
            .is_some_and(|time| time.measured.estimate.value > 0.0)
    };
    let shown = points.chunk_by(share_map).filter(both_vary).flatten();
    let mut frame = of_points(&quantities(shown.filter(has_time))).frame;
    let (apart, only) = (
        varying.map(str::to_owned),
        &*scope.chart.panels[0].columns[0].only,
    );
    let shown = (0..frame.keys.len()).filter(|&row| frame.word(row, "quantity") == only);
    let shown: Vec<usize> = shown.collect();
    let keys = frame.keys.clone();
    for map in shown.chunk_by(|&a, &b| keys[a].is_same_apart(&keys[b], &varying)) {
        let means = map.iter().filter_map(|&row| frame.estimate(row, "mean"));
        if let Some(contest) = Contest::of(&means.collect::<Vec<_>>()) {
            let contenders = contest.worse.iter().filter(|it| !**it).count() as f64;
            let contenders = Estimate::exactly(contenders);
            frame.push_fit(
                (&keys[map[0]], &apart),
                "tiles_that_may_be_best",
                contenders,
            );
        }
    }
    Ok(frame)
}
