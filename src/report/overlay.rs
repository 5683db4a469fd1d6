//! Two runs in one figure: the distributions of A and B at a few points.

use super::legend::{Entry, Sample};
use super::scene::Page;
use super::sheet::{self, Plot};
use super::staircase::{self, Stairs, is_clipped};
use super::style::SeriesStyle;
use crate::analysis::comparison::end_point::EndPoint;
use crate::analysis::survival::SurvivalCurve;
use crate::results::rows::Rows;

/// Most points that a figure shows.
pub const MOST_PANELS: usize = 4;

const HEIGHT: i32 = 460;

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
/// trials whose value is larger, with bands; `sides` says in the legend what A and B are. `None`
/// where no point has such values.
pub fn overlay(
    title: &str,
    sides: &[String; 2],
    points: &[OverlaidPoint],
) -> Option<(String, String)> {
    let panels: Vec<Curves> = points.iter().filter_map(curves).take(MOST_PANELS).collect();
    if panels.is_empty() {
        return None;
    }
    let description = "Share of trials with a larger value, of two runs, with pointwise 95 % bands, logarithmic, at the points with the least p-values.";
    let parts = Plot::stack(panels.iter().map(Curves::plot).collect());
    let is_clipped = panels.iter().any(Curves::is_clipped);
    let legend = legend(sides, is_clipped);
    let scene = sheet::scene(&Page::default(), title, &parts, legend);
    let file = scene.file(title, description);
    Some((file, scene.on_page("")))
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

fn legend([a, b]: &[String; 2], is_clipped: bool) -> Vec<Entry> {
    let mut entries = vec![
        Entry::new(Sample::Curve(SeriesStyle::of(0)), format!("A: {a}")),
        Entry::new(Sample::Curve(SeriesStyle::of(1)), format!("B: {b}")),
        Entry::new(
            Sample::Strip(SeriesStyle::of(0).colour),
            "band: pointwise 95 % interval; a curve ends at its largest value or at the cutoff",
        ),
    ];
    if is_clipped {
        let text = "arrow: the curve goes on beyond the frame";
        entries.push(Entry::new(Sample::Beyond, text));
    }
    entries
}

impl Curves {
    /// Whether a curve goes on beyond the axis.
    fn is_clipped(&self) -> bool {
        let mut sides = self.sides.iter();
        sides.any(|side| is_clipped(side, self.scale))
    }

    fn plot(&self) -> Plot<'_> {
        let sides = self.sides.iter().enumerate();
        let sides = sides.map(|(side, curve)| Stairs {
            curve,
            scale: self.scale,
            style: SeriesStyle::of(side),
            is_open: curve.steps().last().is_none_or(|step| step.survival > 0.0),
        });
        let titles = ("value / mean of A", "share above");
        Plot {
            label: self.label.clone(),
            ..staircase::plot(HEIGHT, titles, sides.collect(), |_| {})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, trials};

    #[test]
    fn every_end_point_can_be_overlaid() {
        let rows = |seed: u64| {
            let law = Law::of_pair_8(3_000_000);
            trials(&mut Draws::new(seed), &law, 100).rows
        };
        let (a, b) = (rows(1), rows(2));
        let point = |end_point| OverlaidPoint {
            label: "pair n=8".to_owned(),
            end_point,
            a: &a,
            b: &b,
        };
        let sides = ["first".to_owned(), "second".to_owned()];
        let (svg, _) = overlay("A & B", &sides, &EndPoint::ALL.map(point)).expect("there are rows");
        assert!(
            EndPoint::ALL
                .iter()
                .all(|end_point| svg.contains(&format!("pair n=8: {}", end_point.name())))
        );
        assert!(svg.contains("A: first\n") && svg.contains("B: second\n"));
        assert_eq!(overlay("", &sides, &[]), None);
    }

    #[test]
    fn a_clipped_curve_is_said_to_go_on() {
        let law = Law::of_pair_8(u64::MAX);
        let a = trials(&mut Draws::new(1), &law, 100).rows;
        let mut b = a.clone();
        b.edit_each(|row| {
            row.outcome.absorption_time = row.outcome.absorption_time.map(|time| 30 * time);
        });
        let drawn = |b: &Rows| {
            let point = OverlaidPoint {
                label: String::new(),
                end_point: EndPoint::AbsorptionTime,
                a: &a,
                b,
            };
            let drawn = overlay("", &[String::new(), String::new()], &[point]);
            drawn.expect("there are rows").0
        };
        let (whole, clipped) = (drawn(&a), drawn(&b));
        let arrow = "arrow: the curve goes on";
        assert!(!whole.contains(arrow) && clipped.contains(arrow));
    }
}
