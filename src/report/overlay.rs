//! Two runs in one figure: the distributions of A and B at a few points.

use super::legend::{LegendEntry, Sample};
use super::scene::FigureSize;
use super::sheet::{self, Part};
use super::staircase::{self, Stairs, is_clipped};
use super::style::SeriesStyle;
use crate::analysis::comparison::end_point::EndPoint;
use crate::analysis::survival::SurvivalCurve;
use crate::experiment::spec::Choices;
use crate::results::rows::Rows;

/// Most points that a figure shows.
const MOST_PANELS: usize = 4;

/// One point's rows on both sides.
pub struct OverlaidPoint<'a> {
    /// What the panel is called.
    pub label: String,
    pub end_point: EndPoint,
    pub a: &'a Rows,
    pub b: &'a Rows,
}

struct Curves {
    label: String,
    sides: [SurvivalCurve; 2],
    /// A's restricted mean: the unit of x.
    scale: f64,
}

/// The file's and the page's SVG of the first [`MOST_PANELS`] points, one panel each: the share of
/// trials whose value is larger, with intervals; `sides` says in the legend what A and B are.
/// `None` where no point has such values.
pub fn overlay(
    title: &str,
    sides: &[String; 2],
    points: &[OverlaidPoint],
) -> Option<(String, String)> {
    let panels: Vec<Curves> = points.iter().filter_map(curves).take(MOST_PANELS).collect();
    if panels.is_empty() {
        return None;
    }
    let description = "Share of trials with a larger value, of two runs, with pointwise 95 % intervals, logarithmic, at the points with the least p-values.";
    let parts = Part::stack(panels.iter().map(Curves::plot).collect());
    let [a, b] = sides;
    let mut legend = vec![
        LegendEntry::new(Sample::Curve(SeriesStyle::of(0)), format!("A: {a}")),
        LegendEntry::new(Sample::Curve(SeriesStyle::of(1)), format!("B: {b}")),
        LegendEntry::new(
            Sample::None,
            "bars: pointwise 95 % intervals; a curve ends at its largest value or at the cutoff",
        ),
    ];
    let is_clipped = |it: &Curves| it.sides.iter().any(|side| is_clipped(side, it.scale));
    if panels.iter().any(is_clipped) {
        let text = "arrow: the curve goes on beyond the frame";
        legend.push(LegendEntry::new(Sample::Beyond, text));
    }
    let scene = sheet::scene(&FigureSize::of(&Choices::default()), title, &parts, legend);
    Some((scene.file(title, description), scene.on_page("")))
}

fn curves(point: &OverlaidPoint) -> Option<Curves> {
    let curve = |rows: &Rows| {
        let observed = rows.without_boards();
        let observed = observed.filter_map(|row| point.end_point.observed(&row));
        SurvivalCurve::of(&observed.collect::<Vec<_>>())
    };
    let sides = [curve(point.a)?, curve(point.b)?];
    let scale = sides[0].restricted_mean();
    let label = format!("{}: {}", point.label, point.end_point.name());
    (scale > 0.0).then_some(Curves {
        label,
        sides,
        scale,
    })
}

impl Curves {
    fn plot(&self) -> Part<'_> {
        let sides = self.sides.iter().enumerate().map(|(side, curve)| Stairs {
            curve,
            scale: self.scale,
            style: SeriesStyle::of(side),
            is_open: curve.steps().last().is_none_or(|step| step.survival > 0.0),
        });
        staircase::plot(
            (self.label.clone(), 460),
            ("value / mean of A", "share above"),
            sides.collect(),
            [false, false],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, SyntheticLaw, trials};

    /// Every end point is drawn, and a clipped curve is said to go on.
    #[test]
    fn every_end_point_can_be_overlaid() {
        let law = SyntheticLaw::of_pair_8(u64::MAX);
        let rows = |seed: u64| trials(&mut Draws::new(seed), &law, 100).rows;
        let (a, b) = (rows(1), rows(2));
        let mut late = a.clone();
        late.edit_each(|row| {
            row.outcome.absorption_time = row.outcome.absorption_time.map(|time| 30 * time);
        });
        let sides = ["first".to_owned(), "second".to_owned()];
        let drawn = |b: &Rows, end_points: &[EndPoint]| {
            let point = |&end_point: &EndPoint| OverlaidPoint {
                label: "pair n=8".to_owned(),
                end_point,
                a: &a,
                b,
            };
            let points: Vec<OverlaidPoint> = end_points.iter().map(point).collect();
            overlay("A & B", &sides, &points).map(|it| it.0)
        };
        let svg = drawn(&b, &EndPoint::ALL).expect("there are rows");
        let named = EndPoint::ALL.map(|it| format!("pair n=8: {}", it.name()));
        assert!(named.iter().all(|label| svg.contains(label)));
        assert!(svg.contains("A: first\n") && svg.contains("B: second\n"));
        assert_eq!(drawn(&b, &[]), None);
        let goes_on = |b: &Rows| {
            let svg = drawn(b, &[EndPoint::AbsorptionTime]).expect("there are rows");
            svg.contains("arrow: the curve goes on")
        };
        assert!(!goes_on(&a) && goes_on(&late));
    }
}
