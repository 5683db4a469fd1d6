mod own;

use std::sync::LazyLock;

use super::*;
use crate::analysis::synthetic;
use crate::experiment::spec;
use crate::report::{Drawing, FigureRows, figure};
use crate::solver::{Ending, Point};

/// Every figure can be drawn from these: few rows of each point, since what is asked of the
/// figures does not depend on how many there are.
fn rows() -> FigureRows {
    let mut trials = [
        synthetic::sweep_over_epsilon(),
        synthetic::sweep_over_n(),
        synthetic::sweep_over_epsilon_and_eta(),
        synthetic::relaxations(),
        synthetic::synchronous_steps(),
        synthetic::factored_products(),
        synthetic::searches(),
        synthetic::constraint_searches(),
    ]
    .concat();
    // A plan has each point once.
    let mut known = Vec::new();
    trials.retain(|it| {
        let is_new = !known.contains(&it.point);
        known.push(it.point.clone());
        is_new
    });
    for point in &mut trials {
        point.rows = point.rows.iter().take(12).collect();
    }
    FigureRows {
        timings: synthetic::timings(&trials),
        courses: synthetic::courses(),
        machine: "a machine".to_owned(),
        ..FigureRows::of_trials(trials, "plan 00ff00ff".to_owned())
    }
}

/// Each kind by itself.
fn figures() -> &'static [Chart] {
    static FIGURES: LazyLock<Vec<Chart>> =
        LazyLock::new(|| figure::kinds().map(|it| preset(it.0)).collect());
    &FIGURES
}

/// Every figure of them, drawn once for all tests.
fn all_drawn() -> impl Iterator<Item = (&'static Chart, &'static Drawing)> {
    static DRAWN: LazyLock<Vec<Drawing>> = LazyLock::new(|| {
        let rows = rows();
        figures()
            .iter()
            .map(|figure| drawn(figure, &rows))
            .collect()
    });
    figures().iter().zip(DRAWN.iter())
}

/// The drawing without the points that are alone in a curve, which the kind `curve` refuses.
fn drawn(figure: &Chart, rows: &FigureRows) -> Drawing {
    let kept = without_single_points(figure, rows);
    figure.draw(&kept).expect("rows for every figure")
}

fn without_single_points(figure: &Chart, rows: &FigureRows) -> FigureRows {
    let has_other = |own: &Point| {
        let mut others = rows.trials.iter().filter(|it| it.point != *own);
        others.any(|it| it.point.is_same_apart(own, &["n"]))
    };
    rows.kept(|point| figure.choices.kind != "curve" || has_other(point))
}

/// The whole numbers that stand after this text, up to a quote.
fn numbers(svg: &str, begin: &str) -> Vec<usize> {
    let rests = svg.split(begin).skip(1);
    let texts = rests.filter_map(|rest| rest.split('"').next());
    texts.map(|it| it.parse().expect(begin)).collect()
}

/// No text, marker or line may lie outside the canvas; tag soup would not show in any browser.
#[test]
fn svgs_are_closed_and_stay_on_the_canvas() {
    for (figure, Drawing { svg, .. }) in all_drawn() {
        assert!(!svg.contains("<title></title>"), "each kind has a title");
        assert!(svg.ends_with("</svg>\n"));
        stays_on_its_canvas(&figure.choices.kind, svg);
    }
}

fn stays_on_its_canvas(kind: &str, svg: &str) {
    let across = ["x", "x1", "x2", "cx"].map(|name| (name, 2400));
    let height = numbers(svg, "viewBox=\"0 0 2400 ")[0];
    let down = ["y", "y1", "y2", "cy"].map(|name| (name, height));
    for (name, limit) in [across, down].concat() {
        let most = numbers(svg, &format!(" {name}=\"")).into_iter().max();
        assert!(most <= Some(limit), "{kind}: {name} = {most:?}");
    }
    // Curves, bars and markers are polylines and polygons; a map has tiles alone.
    let lists = svg.split(" points=\"").skip(1);
    let lists = lists.filter_map(|rest| rest.split('"').next());
    let spots: Vec<&str> = lists.flat_map(str::split_whitespace).collect();
    assert!(
        !spots.is_empty() || kind == "epsilon-eta",
        "{kind}: no lines"
    );
    for spot in spots {
        let (x, y) = spot.split_once(',').expect("x,y");
        let [x, y] = [x, y].map(|it| it.parse::<usize>().expect("a whole number"));
        assert!(x <= 2400 && y <= height, "{kind}: {spot}");
    }
}

/// The ends of each text that is read from left to right, reckoning half of its size for each
/// character.
fn text_ends(svg: &str) -> Vec<(f64, f64, &str)> {
    let number = |text: &str, name: &str| -> Option<f64> {
        let (_, rest) = text.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()?.parse().ok()
    };
    let mut found = Vec::new();
    for text in svg.split("<text").skip(1) {
        let (head, rest) = text.split_once('>').expect("a text");
        let words = rest.split('<').next().unwrap_or_default().trim();
        if let (Some(x), Some(size)) = (number(head, "x"), number(head, "font-size"))
            && !head.contains("rotate")
        {
            let long = 0.5 * size * words.chars().count() as f64;
            let left = match number(head, "x") {
                _ if head.contains("\"middle\"") => x - long / 2.0,
                _ if head.contains("\"end\"") => x - long,
                _ => x,
            };
            found.push((left, left + long, words));
        }
    }
    found
}

/// Tried are figures of 178 mm and of 86 mm; the longest title of an axis is that of n!/S(n).
#[test]
fn no_text_leaves_its_figure() {
    let rows = rows();
    // 4!/S(4) = 5!/S(5).
    let larger = rows.kept(|point| point.integer("n") > Some(4));
    let narrow = |kind: &str, x: Option<&str>| {
        let mut own = Figure::of_kind(kind);
        own.width = Some(figure::Width::Single);
        let rows = if x.is_some() { &larger } else { &rows };
        own.x = x.map_or(own.x, str::to_owned);
        (1380.0, drawn(&Chart::of(&own), rows).svg)
    };
    let mut all = vec![narrow("curve", Some("permutations_per_solution"))];
    assert!(all[0].1.contains("n!/S(n)"));
    all.extend(figures().iter().map(|it| narrow(&it.choices.kind, None)));
    all.extend(all_drawn().map(|(_, it)| (2400.0, it.svg.clone())));
    for (width, svg) in all {
        for (left, right, words) in text_ends(&svg) {
            let is_inside = left >= 0.0 && right <= width;
            assert!(is_inside, "{words}: {left} to {right} of {width}");
        }
    }
}

/// Names are in the legend, sentences in the caption. What is left out is said in both.
#[test]
fn no_figure_has_more_than_90_words() {
    for (figure, Drawing { svg, .. }) in all_drawn() {
        let texts = svg.split("<text").skip(1);
        let texts = texts.filter_map(|it| it.split_once('>')?.1.split("</text>").next());
        let texts = texts.filter(|text| !text.trim_start().starts_with("left out: "));
        let words = texts.flat_map(str::split_whitespace);
        let is_word = |it: &&str| it.chars().any(char::is_alphabetic);
        let words: Vec<&str> = words.filter(is_word).collect();
        let (kind, count) = (&figure.choices.kind, words.len());
        assert!(count <= 90, "{kind}: {count}: {}", words.join(" "));
    }
}

#[test]
fn points_have_tips_and_lead_to_rows_that_there_are() {
    for (figure, Drawing { svg, table, .. }) in all_drawn() {
        let tips = svg.split_once("<g class=\"points\"");
        let tips = tips.map_or("", |(_, tips)| tips);
        let rows = numbers(tips, "data-row=\"");
        assert!(rows.iter().all(|row| (1..=table.rows.len()).contains(row)));
        let (points, kind) = (tips.matches("<title>").count(), &figure.choices.kind);
        assert!(points > 0, "{kind}");
        assert_eq!(rows.len(), points, "{kind}");
    }
}

/// Means of trials that were cut off are lower bounds; shares count such trials apart.
#[test]
fn trials_cut_off_are_explained_where_there_are_any() {
    let mut complete = rows();
    let is_cut_off = |ending: Ending| ending == Ending::Censored;
    complete
        .trials
        .retain(|it| !it.rows.iter().any(|row| is_cut_off(row.outcome.ending)));
    complete.timings = synthetic::timings(&complete.trials);
    for point in &mut complete.courses {
        point.trials.retain(|it| !is_cut_off(it.0.outcome.ending));
    }
    for (figure, drawing) in all_drawn() {
        let kind = &*figure.choices.kind;
        let words = match kind {
            "absorbed-share"
            | "distribution"
            | "histogram"
            | "moves-per-relaxation"
            | "run-length"
            | "solution-classes" => "cut off",
            _ if figure.draws_courses() => "cut off",
            _ => "lower bound",
        };
        for (drawing, expected) in [(drawing, true), (&drawn(figure, &complete), false)] {
            assert_eq!(drawing.svg.contains(words), expected, "{kind}");
            let table = drawing.table.to_markdown();
            assert_eq!(table.contains(words), expected, "{kind}");
        }
    }
}

#[test]
fn nothing_to_draw_is_an_error_that_says_why() {
    let nothing = FigureRows::default();
    for figure in figures() {
        let error = figure.draw(&nothing).expect_err("no rows");
        assert_eq!(error.kind, figure.choices.kind);
        assert!(!error.reason.is_empty());
    }
}

/// What `list figures KIND` prints stands in a spec as it is, and is the kind; a key below it
/// replaces the kind's.
#[test]
fn a_kind_can_be_pasted_into_a_spec() {
    const SWEEPS: &str = "seed = 1
[[sweep]]
algorithm = \"cell\"
n = [4, 5]
epsilon = 0.1
eta = 0.1
trials = 2
cutoff = 9
[[sweep]]
algorithm = \"factor\"
product = 15
epsilon = 0.1
trials = 2
cutoff = 9
";
    let read = |own: &str| {
        let spec = spec::parse("own", "own.toml", &format!("{SWEEPS}{own}\n"));
        let figures = spec.and_then(|it| figure::read(&it));
        figures.unwrap_or_else(|error| panic!("{error}")).remove(0)
    };
    for (kind, doc) in figure::kinds() {
        let preset = Figure::of_kind(kind);
        let own = Figure {
            name: preset.name.clone(),
            line: preset.line,
            keep: Vec::new(),
            has_own_title: false,
            ..read(&figure::lines_of_kind(kind))
        };
        assert_eq!(own, preset, "{kind}");
        assert!(!doc.is_empty() && !preset.y.is_empty(), "{kind}");
    }
    let own = "[[figure]]\nkind = \"convergence-vs-n\"\ny = [\"moves\"]\nfit = \"power\"\n";
    let figure = Chart::of(&read(own));
    let panel = &figure.panels[0];
    let fit = panel.look.fit.as_ref().map(|it| it.law);
    let shown = (&*panel.columns[0].only, fit, panel.look.is_logarithmic);
    assert_eq!(shown, ("moves", Some(figure::Law::Power), Some(true)));
    assert_eq!((panel.height, figure.choices.has_density), (1120, true));
}

/// 1/d and the times stand on one logarithmic scale: their marks lie on one line of height
/// against the logarithm of the value.
#[test]
fn a_decade_of_the_density_is_as_long_as_one_of_the_times() {
    let rows = FigureRows::of_trials(synthetic::sweep_over_n(), String::new());
    let drawn = preset("convergence-vs-n").draw(&rows).expect("a curve");
    let means = drawn.table.column("mean");
    let tips = drawn.svg.split("<circle ").skip(1);
    let spot = |tip: &str| {
        let number = |begin: &str| -> Option<usize> {
            tip.split_once(begin)?.1.split('"').next()?.parse().ok()
        };
        let mean = &means[number("data-row=\"")? - 1];
        let mean: f64 = mean.trim_start_matches('≥').parse().expect("a number");
        Some((libm::log10(mean), number("cy=\"")? as f64))
    };
    let mut spots: Vec<(f64, f64)> = tips.filter_map(spot).collect();
    spots.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (spots[0], spots[spots.len() - 1]);
    assert!(spots.len() > 6 && last.0 - first.0 > 3.0, "{spots:?}");
    let slope = (last.1 - first.1) / (last.0 - first.0);
    for (log, y) in spots {
        let line = first.1 + slope * (log - first.0);
        assert!((y - line).abs() < 2.0, "{log}: {y}, {line}");
    }
}
