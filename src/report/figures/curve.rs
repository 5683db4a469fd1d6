//! Any quantity against any axis, grouped as the spec says.

use crate::analysis::average::Average;
use crate::analysis::mean::Estimate;
use crate::experiment::spec::{Choices, Law};
use crate::experiment::store::PointKey;
use crate::report::chart::{Chart, Fit, Panel, Scope, axis_title};
use crate::report::foresight::Foreseen;
use crate::report::frame::{Frame, Keyed, mean_is};
use crate::report::series::{Along, Points, word};
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::solver::point::KEY_AXES;
use crate::solver::{ALGORITHMS, symbol};

/// The mean of a column against an axis, one curve for each group of points; scales and fits as the
/// spec chooses.
pub struct AnyCurve;

/// More curves could not be told apart.
const MOST_CURVES: usize = 10;

impl Figure for AnyCurve {
    fn kind(&self) -> &'static str {
        "curve"
    }

    fn doc(&self) -> &'static str {
        "the mean of any column against any axis: x, quantity, group, x_scale, y_scale and fit say which"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["x", "quantity", "group", "x_scale", "y_scale", "fit"]
    }

    fn takes_steps(&self, choices: &Choices) -> bool {
        unit_of(quantity(choices)) != Some("updates")
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let quantity = quantity(plan.choices);
        let fills = |point: &PointKey| {
            let algorithm = ALGORITHMS.iter().find(|it| it.name() == point.algorithm);
            algorithm.is_some_and(|it| it.columns().iter().any(|column| column.name == quantity))
        };
        with_chart(plan.choices, |chart| {
            let keys = plan.points.iter().map(|it| &it.point);
            let keys = keys.filter(|it| chart.has_place(it) && fills(it));
            let points = Points::of(keys.collect(), &chart.along, |_| None);
            refuse_doubles(&points.kept, &chart.along)?;
            let is_there = !points.in_curves(&chart.along).kept.is_empty();
            is_there
                .then_some(())
                .ok_or_else(|| chart.nothing.to_owned())
        })
        .map_err(|reason| self.nothing(&reason))
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        with_chart(input.choices, |chart| chart.drawn(input))
            .map_err(|reason| self.nothing(&reason))
    }
}

fn quantity(choices: &Choices) -> &str {
    choices.quantity.as_deref().unwrap_or("absorption_time")
}

/// Unit of a stored column; `None` for a name that is none.
fn unit_of(quantity: &str) -> Option<&'static str> {
    let mut columns = crate::solver::outcome::COLUMNS.iter();
    columns.find(|it| it.name == quantity).map(|it| it.unit)
}

fn with_chart<T>(choices: &Choices, with: impl FnOnce(&Chart) -> T) -> T {
    let (x, quantity) = (choices.x.as_deref().unwrap_or("n"), quantity(choices));
    let unit = unit_of(quantity).filter(|unit| !unit.is_empty());
    let unit = unit.map_or_else(String::new, |unit| format!(" ({unit})"));
    let title = format!("mean {}{unit}", quantity.replace('_', " "));
    let fit = |law| match law {
        Law::Power => Fit::POWER,
        Law::Exponential => Fit {
            rows: ("factor_per_unit", "factor_per_unit"),
            ..Fit::EXPONENTIAL
        },
    };
    with(&Chart {
        kind: "curve",
        lead: &format!("Mean{} against {}", &title[4..], axis_title(x)),
        along: Along {
            axes: &[x],
            group: choices.group.as_deref(),
            least: 2,
            most: MOST_CURVES,
        },
        x_is_logarithmic: choices.x_is_logarithmic,
        nothing: &format!("no two points of one curve differ in {x} and have {quantity}"),
        rows,
        panels: &[Panel {
            height: 1000,
            title: &title,
            is_logarithmic: choices.y_is_logarithmic,
            room: (0.0, 0.08),
            ..Panel::PLAIN
        }],
        fit: choices.fit.map(fit),
        ..Chart::PLAIN
    })
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let (chart, quantity) = (scope.chart, quantity(scope.choices));
    let x = chart.along.axes[0];
    let y_is_logarithmic = chart.panels[0].is_logarithmic == Some(true);
    let all = scope.measured(|it| Some((it.point.clone(), Average::of(it, quantity))));
    let points = Points::of(all, &chart.along, |(key, average)| {
        let zero = match average {
            _ if key.axes.get(x).is_none() => return Some(format!("has no {}", symbol(x))),
            None => return Some(format!("has no {quantity}")),
            _ if !chart.has_place(key) => symbol(x),
            Some(it) if y_is_logarithmic && it.mean.value <= 0.0 => "the mean",
            Some(_) => return None,
        };
        Some(format!("{zero} = 0 has no place on a logarithmic axis"))
    });
    refuse_doubles(&points.kept, &chart.along)?;
    let Points { kept, left_out } = points.in_curves(&chart.along);
    let kept: Vec<(PointKey, Average)> = kept
        .into_iter()
        .filter_map(|(key, average)| Some((key, average?)))
        .collect();
    let columns = Frame::of(&kept, &KEY_AXES)
        .means(|(_, it)| Some((it.mean, it.is_lower_bound())))
        .column("quantity", |_| quantity)
        .column("trials", |(_, it)| it.trials)
        .column("censored", |(_, it)| it.censored)
        .column("cutoff", |(_, it)| it.cutoff)
        .column("mean_is", |(_, it)| mean_is(it.is_lower_bound()))
        .column("method", |(_, it)| it.method)
        .estimate("mean", |(_, it)| Estimate {
            value: it.mean.value,
            interval: it.interval,
        })
        .note(&format!(
            "The mean of the column `{quantity}` over the `trials` of a point; `mean_low` and `mean_high` are its 95 % interval by `method` (docs/statistics.md)."
        ));
    let frame = Frame {
        left_out,
        ..columns.frame
    };
    Ok(if kept.iter().any(|(_, it)| it.is_lower_bound()) {
        frame.noted(
            "`lower bound`: `censored` trials were cut off and count with what they had come to; the true mean is larger.",
        )
    } else {
        frame
    })
}

/// Two different points that would stand at one place of a curve: which key tells them apart.
fn refuse_doubles<P: Keyed>(points: &[P], along: &Along) -> Result<(), String> {
    let is_double = |a: &PointKey, b: &PointKey| {
        along.place(a) == along.place(b) && a != b && along.joins(a, b)
    };
    for (index, a) in points.iter().map(Keyed::key).enumerate() {
        let mut others = points[index + 1..].iter().map(Keyed::key);
        if let Some(b) = others.find(|b| is_double(a, b)) {
            return Err(format!(
                "{a} and {b} would stand at one {} of one curve; add {} to group, or choose with where",
                along.axes[0],
                difference(a, b)
            ));
        }
    }
    Ok(())
}

fn difference<'a>(a: &'a PointKey, b: &'a PointKey) -> &'a str {
    let axes = a.axes.by_name().chain(b.axes.by_name()).map(|it| it.0);
    let mut keys = ["algorithm", "variant"].into_iter().chain(axes);
    keys.find(|key| word(a, key) != word(b, key))
        .unwrap_or("goal")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;
    use crate::experiment::spec::Law;
    use crate::results::PointTrials;

    fn draw(choices: &Choices, trials: &[PointTrials]) -> Result<Drawing, NothingToDraw> {
        AnyCurve.draw(&Input {
            title: "Any",
            trials,
            courses: &[],
            timings: &[],
            machine: "",
            provenance: "",
            choices,
            remarks: &[],
        })
    }

    fn along(x: &str) -> Choices {
        Choices {
            x: Some(x.to_owned()),
            ..Choices::default()
        }
    }

    /// η from 0 to 0.5 at several ε: a curve for each ε, on a linear axis since η = 0 is there.
    #[test]
    fn a_figure_against_eta_has_a_curve_for_each_epsilon() {
        let trials = synthetic::sweep_over_epsilon_and_eta();
        let drawing = draw(&along("eta"), &trials).expect("points with η");
        assert!(
            drawing
                .svg
                .contains("η, probability of a random destination")
        );
        let epsilons = trials.iter().filter_map(|it| it.point.real("epsilon"));
        let mut epsilons: Vec<f64> = epsilons.collect();
        epsilons.sort_by(f64::total_cmp);
        epsilons.dedup();
        for epsilon in epsilons.iter().take(10) {
            let label = format!("cell rule, n = 8, ε = {epsilon}\n");
            assert!(drawing.svg.contains(&label), "{label}");
        }
        assert!(drawing.left_out.is_empty(), "{:?}", drawing.left_out);
        assert!(
            drawing
                .table
                .rows
                .iter()
                .all(|row| row.len() == drawing.table.header.len())
        );
    }

    /// Without ε in `group` there would be several means at one η.
    #[test]
    fn two_points_at_one_place_of_a_curve_are_refused() {
        let trials = synthetic::sweep_over_epsilon_and_eta();
        let choices = Choices {
            group: Some(vec!["algorithm".to_owned(), "n".to_owned()]),
            ..along("eta")
        };
        let error = draw(&choices, &trials).expect_err("many ε");
        assert!(error.reason.contains("add epsilon to group"), "{error}");
        let points = trials.iter().map(|it| crate::report::ForeseenPoint {
            point: it.point.clone(),
            trials: 10,
            has_series: false,
            has_moves: false,
        });
        let foreseen = Foreseen {
            choices: &choices,
            points: points.collect(),
        };
        assert_eq!(AnyCurve.foresee(&foreseen), Err(error));
    }

    #[test]
    fn other_quantities_and_fits_are_drawn() {
        let choices = Choices {
            quantity: Some("moves".to_owned()),
            fit: Some(Law::Exponential),
            y_is_logarithmic: Some(true),
            ..along("n")
        };
        let drawing = draw(&choices, &synthetic::sweep_over_n()).expect("points with n");
        assert!(drawing.svg.contains("mean moves (queen moves)"));
        assert!(drawing.svg.contains("-fold per row"));
        assert!(
            drawing
                .table
                .rows
                .iter()
                .any(|row| row.contains(&"factor_per_unit".to_owned()))
        );
        let nodes = Choices {
            quantity: Some("nodes".to_owned()),
            ..along("n")
        };
        assert!(draw(&nodes, &synthetic::sweep_over_n()).is_err());
        let checks = Choices {
            quantity: Some("checks".to_owned()),
            ..along("n")
        };
        draw(&checks, &synthetic::searches()).expect("searches have checks");
        draw(&nodes, &synthetic::constraint_searches()).expect("searches have nodes");
    }
}
