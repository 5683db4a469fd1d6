//! Figures as a spec of one's own writes them.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{Chart, figures, numbers, rows, without_single_points};
use crate::analysis::synthetic;
use crate::experiment::spec;
use crate::report::FigureRows;
use crate::report::figure;
use crate::solver::Value;

/// A figure of one's own, as a spec writes it.
fn own(figure: &str) -> Chart {
    parsed(figure).unwrap_or_else(|error| panic!("{error}"))
}

fn parsed(figure: &str) -> Result<Chart, spec::Refused> {
    const SWEEP: &str = "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.1\neta = 0.1\n\
                         trials = 2\ncutoff = 9\n[[figure]]\n";
    let text = format!("{SWEEP}{figure}\n");
    let figures = figure::read(&spec::parse("own", "own.toml", &text)?)?;
    Ok(Chart::of(&figures[0]))
}

/// Keys, each with two values that a figure can only take if they draw two figures.
const TWO_VALUES: &[(&str, [&str; 2])] = &[
    ("x_scale", ["\"linear\"", "\"log\""]),
    ("x_title", ["\"one\"", "\"two\""]),
    ("statistic", ["\"mean\"", "\"q95\""]),
    ("y_scale", ["\"linear\"", "\"log\""]),
    ("y_title", ["\"one\"", "\"two\""]),
    ("y_range", ["[1e-3, 1e3]", "[1e-3, 1e4]"]),
    ("height", ["500", "700"]),
    ("room", ["[0, 0.1]", "[0.1, 0.3]"]),
    ("fit", ["\"none\"", "{ law = \"power\", drawn = true }"]),
    ("guide", ["{ power = 0.1 }", "{ power = -0.1 }"]),
    (
        "over",
        ["{ algorithm = \"cell\" }", "{ algorithm = \"pair\" }"],
    ),
    ("mark", ["\"line\"", "\"points\""]),
    ("mark_best", ["false", "true"]),
    ("right_axis", ["\"1/d\"", "\"none\""]),
    ("width", ["\"single\"", "\"double\""]),
    ("title", ["\"one\"", "\"two\""]),
    ("caption", ["\"one\"", "\"two\""]),
    ("names", ["{ no = \"curve\" }", ""]),
    ("least_points", ["1", "99"]),
];

/// A key is refused, or without it the figure is another one.
#[test]
fn a_key_without_effect_is_refused() {
    let rows = rows();
    let is_ignored = |kind: &str, key: &str, values: &[&str; 2]| {
        let drawings = values.iter().filter_map(|value| {
            let line = match *value {
                "" => String::new(),
                value => format!("{key} = {value}\n"),
            };
            let chart = parsed(&format!("kind = \"{kind}\"\n{line}")).ok()?;
            Some(chart.draw(&without_single_points(&chart, &rows)))
        });
        // What cannot be drawn says why.
        matches!(&drawings.collect::<Vec<_>>()[..], [Ok(one), Ok(other)] if one == other)
    };
    let ignored = figures().into_par_iter().flat_map_iter(|figure| {
        let keys = TWO_VALUES.iter();
        let ignored = keys.filter(|(key, values)| is_ignored(&figure.choices.kind, key, values));
        let told = ignored.map(|(key, _)| format!("{}: {key}", figure.choices.kind));
        told.collect::<Vec<_>>()
    });
    assert_eq!(ignored.collect::<Vec<_>>(), [] as [String; 0]);
}

/// A measure that shares a panel of the kind is one of its own, as it is named.
#[test]
fn a_measure_of_a_shared_panel_of_the_kind_is_drawn_alone() {
    for measure in ["dangerous", "needless"] {
        let chart = own(&format!(
            "kind = \"effects-of-epsilon\"\ny = [\"{measure}\"]"
        ));
        let [panel] = &chart.panels[..] else {
            panic!("one panel");
        };
        assert_eq!(panel.look.measures, [measure]);
        assert_eq!((panel.height, &panel.look.y_title), (720, &None));
    }
}

fn rows_of(trials: Vec<crate::results::PointTrials>) -> FigureRows {
    FigureRows::of_trials(trials, String::new())
}

#[test]
fn measures_that_share_a_panel_are_all_drawn() {
    let rows = rows_of(synthetic::sweep_over_epsilon());
    for (kind, title, measures) in [
        ("curve", "mean moves", ["moves", "hitting_time"]),
        (
            "convergence-vs-epsilon",
            "number of queen moves",
            ["absorption_time", "moves"],
        ),
    ] {
        let [a, b] = measures;
        let chart = own(&format!(
            "kind = \"{kind}\"\nx = \"epsilon\"\ny = [{{ measures = [\"{a}\", \"{b}\"] }}]"
        ));
        let drawing = chart.draw(&rows).expect("a curve of each");
        let quantities = drawing.table.column("quantity");
        for measure in measures {
            assert!(
                quantities.iter().any(|it| it == measure),
                "{kind}: {measure}"
            );
        }
        let legend = drawing.svg.matches(title).count();
        assert!(legend > 10, "a tip of each point and a name: {legend}");
        // Two curves, whose points are as many as the rows that they lead to.
        let tips = numbers(&drawing.svg, "data-row=\"");
        let rows: BTreeSet<usize> = tips.iter().copied().collect();
        assert_eq!((rows.len(), tips.len()), (20, 20), "{kind}");
    }
}

/// No dangerous move at the least ε: a linear axis shows that, a logarithmic one cannot.
#[test]
fn each_panel_is_judged_by_its_own_scale() {
    let mut trials = synthetic::sweep_over_epsilon();
    for (index, point) in trials.iter_mut().enumerate() {
        let moves = if index == 0 { 0 } else { 5 };
        point
            .rows
            .edit_each(|row| row.outcome.dangerous_moves = Some(moves));
    }
    let rows = rows_of(trials);
    let left_out = |moves: &str, dangerous: &str| {
        let chart = own(&format!(
            "kind = \"curve\"\nx = \"epsilon\"\ny = [{{ measure = \"moves\", y_scale = \"{moves}\" }}, \
             {{ measure = \"dangerous_moves\", y_scale = \"{dangerous}\" }}]"
        ));
        let drawing = chart.draw(&rows).expect("two panels");
        let shown = drawing.table.column("quantity");
        let shown = shown.iter().filter(|it| *it == "dangerous_moves").count();
        (drawing.left_out, shown)
    };
    assert_eq!(left_out("log", "linear"), (Vec::new(), 10));
    let (said, shown) = left_out("linear", "log");
    assert_eq!((said.len(), shown), (1, 9));
    let reason = "left out (mean dangerous moves: 0 has no place on a logarithmic axis): pair rule";
    assert!(said[0].starts_with(reason), "{said:?}");
}

/// A fit is of what its panel shows; a table without columns for it gets them.
#[test]
fn a_fit_is_of_the_measure_of_its_panel() {
    let template = &synthetic::factored_products()[0];
    let of = |product| {
        let mut trials = template.clone();
        trials.point = trials.point.with("product", Value::Integer(product));
        trials
    };
    let rows = rows_of([15, 21, 33, 55, 77, 91].map(of).to_vec());
    let drawing = own("kind = \"factoring\"\nfit = \"power\"")
        .draw(&rows)
        .expect("products");
    let [fits, values] = ["fit", "value"].map(|name| drawing.table.column(name));
    let powers = fits
        .iter()
        .zip(&values)
        .filter(|it| ["power", "power_between_ends"].contains(&&**it.0));
    let powers: Vec<&String> = powers.map(|it| it.1).collect();
    let is_whole = powers.len() == 2 && powers.iter().all(|it| !it.is_empty());
    assert!(is_whole, "one of each panel: {powers:?}");
    let without = parsed("kind = \"absorbed-share\"\nfit = \"power\"").err();
    let message = without.expect("shares have no errors to fit with").message;
    assert!(message.contains("without effect"), "{message}");
}

/// Only boards of n queens against n itself have an S(n) that their moves could follow.
#[test]
fn local_powers_are_those_of_local_rules_against_n_alone() {
    let has_powers = |figure: &str, trials| {
        let drawing = own(figure).draw(&rows_of(trials)).expect("a curve");
        let table = drawing.table.to_markdown();
        table.contains("moves_at_hit_local_power")
    };
    let times = |x: &str| format!("table = \"times\"\nx = \"{x}\"\nfit = \"exponential\"\n");
    // n!/S(n) is the same at n = 4 and 5.
    let mut larger = synthetic::sweep_over_n();
    larger.retain(|it| it.point.integer("n") > Some(5));
    assert!(has_powers(&times("n"), larger.clone()));
    assert!(!has_powers(&times("permutations_per_solution"), larger));
    assert!(!has_powers(&times("n"), synthetic::relaxations()));
    let of_products =
        "kind = \"factoring\"\ntable = \"times\"\ny = [\"absorption_time\"]\nfit = \"power\"";
    assert!(!has_powers(of_products, synthetic::factored_products()));
}

/// Kinds that show times or moves name what they show: ratios with `over`, each quantity whose
/// thin line they have, all measures of a panel.
#[test]
fn captions_name_what_is_shown() {
    let mut warm = synthetic::sweep_over_n();
    warm.retain(|it| it.point.axes.get("epsilon") == Some(Value::real(0.1)));
    let rows = rows_of(warm);
    let drawn = |figure: &str| own(figure).draw(&rows).expect("a curve");
    // At the hit the times and moves are 1 / 1.3 of those at the absorption.
    for (y, thin) in [
        ("[\"absorption_time\"]", "hitting time"),
        ("[\"moves\"]", "moves until the first solution"),
        (
            "[\"absorption_time\", \"moves\"]",
            "hitting time and moves until the first solution",
        ),
    ] {
        let drawing = drawn(&format!("kind = \"convergence-vs-n\"\ny = {y}"));
        assert!(drawing.svg.contains(&format!(">\nthin: {thin}\n<")), "{y}");
        let line = format!(
            "; thin line: mean {}, where",
            thin.replace("and ", "and mean ")
        );
        assert!(drawing.caption.contains(&line), "{}", drawing.caption);
    }
    let both =
        "kind = \"convergence-vs-n\"\ny = [{ measures = [\"hitting_time\", \"absorption_time\"] }]";
    let caption = drawn(both).caption;
    let named = "Mean hitting time and mean absorption time against n, and 1/d(n)";
    assert!(caption.starts_with(named), "{caption}");
}

/// The cell rule's times over the pair rule's: no time is the least or grows, no law has 1/d.
#[test]
fn ratios_of_times_are_no_times() {
    let drawn = |figure: &str, trials| {
        let over = format!("{figure}\nover = {{ algorithm = \"pair\" }}");
        own(&over).draw(&rows_of(trials)).expect("ratios")
    };
    let scaling = drawn("kind = \"scaling\"", synthetic::sweep_over_n());
    assert!(!scaling.table.to_markdown().contains("local_power"));
    let mut both = synthetic::sweep_over_epsilon();
    let slower = both.clone().into_iter().map(|mut it| {
        it.point.algorithm = "cell".to_owned();
        it
    });
    both.extend(slower.collect::<Vec<_>>());
    let best = drawn("kind = \"convergence-vs-epsilon\"", both);
    for said in ["least mean time", "thin:", "thin line"] {
        assert!(!best.svg.contains(said), "{said}");
    }
    let shared =
        "y = [{ measures = [\"hitting_time\", \"absorption_time\"] }]\nwhere = { epsilon = 0.01 }";
    let title = &own(&format!("{shared}\nover = {{ algorithm = \"pair\" }}")).panels[0].title;
    let expected = "ratio to algorithm = pair, mean hitting time, mean absorption time";
    assert_eq!(title, expected);
    let shared = drawn(shared, synthetic::sweep_over_n());
    let named =
        "Mean hitting time and mean absorption time over those with algorithm = pair against n";
    assert!(shared.caption.starts_with(named), "{}", shared.caption);
}

/// A time is long and slower, a number of moves is great, and so is a ratio.
#[test]
fn a_map_says_what_is_worse() {
    for (choices, ends, worse) in [
        ("", "mean time, from long to short", "slower"),
        (
            "y = [\"hitting_time\"]",
            "mean hitting time, from long to short",
            "slower",
        ),
        (
            "y = [\"moves\"]",
            "mean number of queen moves, from many to few",
            "more",
        ),
        (
            "over = { eta = 0 }",
            "mean absorption time, from high to low",
            "greater",
        ),
    ] {
        let chart = own(&format!("kind = \"epsilon-eta\"\n{choices}"));
        let drawing = chart.draw(&rows_of(synthetic::sweep_over_epsilon_and_eta()));
        let drawing = drawing.expect("a map");
        let contends = format!("not significantly {worse} than the best");
        assert!(drawing.svg.contains(ends), "{ends}");
        assert_eq!(drawing.svg.matches(&contends).count(), 2, "{contends}");
        assert!(drawing.caption.contains(&contends), "{}", drawing.caption);
    }
}

/// All trials hit, and one of each point is not absorbed: no mark of the hitting times is open.
#[test]
fn the_legend_has_no_mark_that_is_not_drawn() {
    let mut trials = synthetic::sweep_over_n();
    for point in &mut trials {
        point.rows.edit_each(|row| {
            row.outcome.hitting_time = Some(row.outcome.hitting_time.unwrap_or(7) + 1);
        });
    }
    let svg = |measure: &str| {
        let chart = own(&format!("kind = \"convergence-vs-n\"\ny = [\"{measure}\"]"));
        chart.draw(&rows_of(trials.clone())).expect("curves").svg
    };
    assert!(svg("absorption_time").contains("lower bound"));
    assert!(!svg("hitting_time").contains("lower bound"));
}

#[test]
fn the_faster_point_is_named_by_what_differs() {
    let rows = rows_of(synthetic::sweep_over_epsilon_and_eta());
    let chart = own("kind = \"convergence-vs-epsilon\"\nvary = [\"eta\"]");
    let left_out = chart.draw(&rows).expect("a curve").left_out;
    assert!(
        left_out
            .iter()
            .any(|it| it.starts_with("left out (another η of this ε is faster)")),
        "{left_out:?}"
    );
}

/// A share of 0 of 100 on a logarithmic axis: Wilson's upper end is there, and the line has a gap.
#[test]
fn a_share_of_0_is_an_arrow_down_and_a_gap() {
    let mut trials = synthetic::sweep_over_epsilon();
    let share = |trials: &[crate::results::PointTrials], scale: &str| {
        let chart = own(&format!(
            "kind = \"curve\"\nx = \"epsilon\"\nstatistic = \"share\"\ny = [{{ measure = \"hitting_time\", y_scale = \"{scale}\" }}]"
        ));
        chart.draw(&rows_of(trials.to_vec())).expect("a curve")
    };
    let whole = share(&trials, "log");
    trials[4]
        .rows
        .edit_each(|row| row.outcome.hitting_time = None);
    let drawing = share(&trials, "log");
    assert!(drawing.svg.contains("arrow down: 0") && !whole.svg.contains("arrow down"));
    assert_eq!(drawing.left_out, [] as [String; 0]);
    assert_eq!(numbers(&drawing.svg, "data-row=\"").len(), 10);
    // By default a share has an axis from 0 to 1.
    let linear = share(&whole_shares(), "linear");
    for end in [">\n0\n<", ">\n1\n<"] {
        assert!(linear.svg.contains(end), "{end:?}");
    }
}

/// Where all trials hit, an axis of the values alone would show nothing but 1.
fn whole_shares() -> Vec<crate::results::PointTrials> {
    let mut trials = synthetic::sweep_over_epsilon();
    for point in &mut trials {
        point
            .rows
            .edit_each(|row| row.outcome.hitting_time = Some(5));
    }
    trials
}

/// The moments of a trial at one ε would be joined by upright strokes.
#[test]
fn two_numbers_at_one_x_of_a_line_are_an_error() {
    let figure = "table = \"series\"\nx = \"epsilon\"\ny = [\"attacked\"]\nleast_points = 1";
    let reason = |more: &str| own(&format!("{figure}{more}")).draw(&rows()).map(|_| ());
    let error = reason("").expect_err("moments").reason;
    let words = "at one epsilon of one curve; choose mark";
    assert!(error.contains(words), "{error}");
    reason("\nmark = \"points\"").expect("points are not joined");
}

/// The panels of a facet stand two in a row on a wide figure. By default they have one upright
/// axis, so one height means one number, and the left one of a row alone is labelled.
#[test]
fn panels_of_a_facet_stand_side_by_side_and_share_their_axis() {
    let rows = rows_of(synthetic::sweep_over_epsilon_and_eta());
    let drawn = |more: &str| {
        let figure = format!("x = \"epsilon\"\nfacet = \"eta\"\ny_scale = \"linear\"\n{more}");
        own(&figure).draw(&rows).expect("a panel for each η").svg
    };
    let [shared, own_axes, narrow] = ["", "share_y = false", "width = \"single\""].map(drawn);
    let count = |svg: &str, text: &str| svg.matches(text).count();
    let panels = count(&shared, ">\nη = ");
    let labels = |svg| count(svg, ">\n0\n<");
    assert!(panels > 2, "{panels}");
    assert_eq!(labels(&shared), panels.div_ceil(2));
    assert_eq!([labels(&own_axes), labels(&narrow)], [panels; 2]);
    // The title of the axis across stands under the lowest panel of each column.
    let titles = |svg| count(svg, "ε, probability of a dangerous move\n");
    assert_eq!([titles(&shared), titles(&narrow)], [2, 1]);
}

/// A point beyond the range is named, and its curve has a gap there.
#[test]
fn points_beyond_a_range_are_left_out_with_their_reason() {
    let rows = rows_of(synthetic::sweep_over_epsilon());
    let drawn = |range: &str| {
        let chart = own(&format!(
            "x = \"epsilon\"\ny = [\"moves\"]\ny_range = {range}"
        ));
        chart.draw(&rows).expect("a curve")
    };
    let all = drawn("[1, 1e12]");
    let values = all.table.column("mean");
    let mut values: Vec<f64> = values
        .iter()
        .map(|it| it.parse().expect("a mean"))
        .collect();
    values.sort_by(f64::total_cmp);
    let most = values[values.len() - 2];
    let part = drawn(&format!("[1, {most}]"));
    assert_eq!(all.left_out, [] as [String; 0]);
    assert_eq!(part.left_out.len(), 1);
    assert!(
        part.left_out[0].starts_with("left out (beyond y_range): "),
        "{:?}",
        part.left_out
    );
    let tips = |it: &crate::report::Drawing| numbers(&it.svg, "data-row=\"").len();
    assert!(tips(&part) < tips(&all));
}
