//! The figure of a comparison's page: both sides overlaid where they differ most.

use super::Compared;
use crate::analysis::comparison::end_point::EndPoint;
use crate::analysis::comparison::{Finding, PointComparison};
use crate::report::overlay::{OverlaidPoint, overlay};

/// The figure of the points with the least p-values, each by the end point that has it; identical
/// points come last, by their absorption time: for a file and for a page. `None` where no point can
/// be drawn.
pub fn drawn(title: &str, compared: &[Compared]) -> Option<(String, String)> {
    let each = |compared| Compared::points(compared).filter_map(|point| overlaid(compared, point));
    let mut points: Vec<(f64, OverlaidPoint)> = compared.iter().flat_map(each).collect();
    points.sort_by(|x, y| x.0.total_cmp(&y.0));
    let points: Vec<OverlaidPoint> = points.into_iter().map(|(_, point)| point).collect();
    overlay(title, &sides(compared), &points)
}

/// What A and B are: the code versions of their runs.
fn sides(compared: &[Compared]) -> [String; 2] {
    let named = |side: fn(&Compared) -> &str| {
        let mut versions: Vec<&str> = compared.iter().map(side).collect();
        versions.sort_unstable();
        versions.dedup();
        match versions[..] {
            [version] => format!("code version {version}"),
            _ => format!("{} code versions", versions.len()),
        }
    };
    [
        named(|it| &it.pair.a.manifest.code_version),
        named(|it| &it.pair.b.manifest.code_version),
    ]
}

/// A comparable point with its least p-value.
fn overlaid<'a>(
    compared: &'a Compared,
    point: &'a PointComparison,
) -> Option<(f64, OverlaidPoint<'a>)> {
    let (p, end_point) = match &point.finding {
        Finding::NotComparable(_) => return None,
        Finding::Identical { .. } => (2.0, EndPoint::AbsorptionTime),
        Finding::Different(difference) => {
            let least = difference
                .tests
                .iter()
                .min_by(|x, y| x.test.p.total_cmp(&y.test.p))?;
            (least.test.p, least.end_point)
        }
    };
    let rows = |side: usize| {
        compared.trials[side]
            .iter()
            .find(|trials| trials.point == point.point)
            .map(|trials| &trials.rows)
    };
    let label = format!("{}, {}", compared.pair.experiment, point.point);
    Some((
        p,
        OverlaidPoint {
            label,
            end_point,
            a: rows(0)?,
            b: rows(1)?,
        },
    ))
}
