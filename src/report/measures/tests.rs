//! Figures of made-up rows, of the reference results and of a user's own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use itertools::Itertools;
use plotters::style::RGBColor;
use rayon::prelude::*;

use crate::analysis::synthetic;
use crate::experiment::plan::Plan;
use crate::experiment::runner::{Request, run};
use crate::experiment::spec;
use crate::experiment::store::Row;
use crate::experiment::store::catalog::runs_of;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::rows::PointTrials;
use crate::report::curves::Curves;
use crate::report::curves::panels::panels;
use crate::report::keys::parse;
use crate::report::marks::kinds;
use crate::report::measures::*;
use crate::report::out::canvas::{Drawn, HoverArea, Shape};
use crate::report::out::sheet::{FigureSize, lay_out};
use crate::report::words::Words;
use crate::report::{Drawing, FigureRows, NothingToDraw};
use crate::solver::{Ending, Outcome, Value};

/// Every figure can be drawn from these: few rows of each point, since what is asked of the
/// figures does not depend on how many there are.
fn rows() -> FigureRows {
    let trials = [
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
    let trials = trials.into_iter().unique_by(|it| it.point.to_string());
    let mut trials = trials.collect_vec();
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

/// Trials by the name that a case has for them.
fn named(rows: &str) -> FigureRows {
    let epsilon = synthetic::sweep_over_epsilon;
    let map = synthetic::sweep_over_epsilon_and_eta;
    let changed = |mut trials: Vec<PointTrials>, change: fn(usize, &mut Row)| {
        for (index, point) in trials.iter_mut().enumerate() {
            point.rows.edit_each(|row| change(index, row));
        }
        trials
    };
    let product = |product| {
        let trials = synthetic::factored_products().swap_remove(0);
        let point = trials.point.with("product", Value::Integer(product));
        PointTrials { point, ..trials }
    };
    let trials = match rows {
        "all" => return self::rows(),
        "epsilon" => epsilon(),
        "no danger" => changed(epsilon(), |at, it| {
            it.outcome.dangerous_moves = Some(5 * at.min(1) as u64);
        }),
        "no hit" => changed(epsilon(), |at, it| {
            it.outcome.hitting_time = it.outcome.hitting_time.filter(|_| at != 4);
        }),
        "no hit inside" => changed(epsilon(), |at, it| {
            it.outcome.hitting_time = it.outcome.hitting_time.filter(|_| at != 2);
        }),
        "n" => synthetic::sweep_over_n(),
        "map" => map(),
        "cut map" => changed(map(), |at, it| {
            if at == 0 {
                it.cutoff = 10;
                it.outcome = Outcome::ended(Ending::Censored);
                it.outcome.updates = Some(10);
            }
        }),
        "relaxations" => synthetic::relaxations(),
        "searches" => synthetic::searches(),
        "products" => [15, 21, 33, 55, 77, 91].map(product).into(),
        other => panic!("no rows {other}"),
    };
    FigureRows::of_trials(trials, String::new())
}

/// Specs whose first figures, which have their names, are drawn beside the kinds.
const STUDIES: [(&str, &str); 7] = [
    ("blocked", "absorbed-share"),
    ("classes", "solution-classes"),
    ("constraint-models", "consistency-levels"),
    ("effects-of-epsilon", "effects-of-epsilon"),
    ("factoring", "factoring"),
    ("moves-per-relaxation", "moves-per-relaxation"),
    ("signal-relaxation", "signal-relaxation"),
];

/// Each kind by itself and figures of studies, drawn once for all tests.
fn all_drawn() -> &'static [(&'static str, Figure<'static>, Drawing)] {
    static DRAWN: LazyLock<Vec<(&str, Figure, Drawing)>> = LazyLock::new(|| {
        let rows = rows();
        let kinds = parse::kinds().map(|it| (it.0, preset(it.0)));
        let all = kinds.chain(STUDIES.map(|(file, name)| (name, study(file))));
        let drawing = all.map(|(name, figure)| {
            let drawing = drawn(&figure, &rows);
            (name, figure, drawing)
        });
        drawing.collect()
    });
    &DRAWN
}

/// The first figure of a shipped spec.
pub fn study(file: &str) -> Figure<'static> {
    let spec = spec::read(&Path::new("experiments").join(file).with_extension("toml"));
    let figures = parse::read(&spec.expect("a spec")).expect("figures");
    Figure::of(&figures.leak()[0])
}

fn drawn(figure: &Figure, rows: &FigureRows) -> Drawing {
    figure.draw(rows).expect("rows for every figure")
}

/// The figures of a spec that has these after its sweeps.
fn read(figures: &str) -> Result<Vec<FigureSpec>, spec::Refused> {
    const SWEEPS: &str = "seed = 1\n[[sweep]]\nalgorithm = 'cell'\nn = [4, 5, 6, 7, 8, 9]\nepsilon = [0.01, 0.1]\neta = [0, 0.1]\n\
                          trials = 2\ncutoff = 9\n[[sweep]]\nalgorithm = 'factor'\nproduct = 15\nepsilon = 0.1\ntrials = 2\ncutoff = 9\n";
    let text = format!("{SWEEPS}{figures}\n");
    parse::read(&spec::parse("own", "own.toml", &text)?)
}

/// A figure of one's own, as a spec writes it.
fn own(figure: &str) -> Figure<'static> {
    let figures = read(&format!("[[figure]]\n{figure}"));
    Figure::of(&figures.unwrap_or_else(|error| panic!("{error}")).leak()[0])
}

/// The whole numbers that stand after this text, up to a quote.
fn numbers(svg: &str, begin: &str) -> Vec<usize> {
    let rests = svg.split(begin).skip(1);
    let texts = rests.filter_map(|rest| rest.split('"').next());
    texts.map(|it| it.parse().expect(begin)).collect()
}

/// How often a text stands in a part of a drawing.
fn count(drawing: &Result<Drawing, NothingToDraw>, part: &str, text: &str) -> usize {
    let whole = match (drawing, part) {
        (Ok(it), "svg") => it.svg.clone(),
        (Ok(it), "caption") => it.caption.clone(),
        (Ok(it), "table") => it.table.to_markdown(),
        (Ok(it), "left") => it.left_out.join("\n"),
        (Err(it), "error") => it.reason.clone(),
        _ => panic!("{part}: {drawing:?}"),
    };
    whole.matches(text).count()
}

#[test]
fn a_figure_of_ones_own_says_what_it_shows() {
    let lines = include_str!("cases.txt").lines();
    let lines = lines.filter(|it| !it.is_empty() && !it.starts_with('#'));
    let lines = lines.collect_vec();
    let cases = lines.chunk_by(|_, it| it.starts_with(' ')).collect_vec();
    let failed = cases.into_par_iter().flat_map_iter(|case| {
        let (rows, keys) = case[0].split_once(": ").expect("rows: keys");
        if let Err(error) = read(&format!("[[figure]]\n{}", keys.replace("; ", "\n"))) {
            return vec![format!("{}: {error}", case[0])].into_iter();
        }
        let drawing = own(&keys.replace("; ", "\n")).draw(&named(rows));
        let failed = case[1..].iter().filter_map(|expected| {
            let words = expected.trim_start().splitn(3, ' ').collect_vec();
            let found = count(&drawing, words[0], &words[2].replace('¶', "\n"));
            let number = words[1].parse();
            let is_wrong = number.map_or(found == 0, |number: usize| found != number);
            is_wrong.then(|| format!("{}: {expected} (found {found} times)", case[0]))
        });
        failed.collect_vec().into_iter()
    });
    assert_eq!(failed.collect::<Vec<_>>(), [""; 0]);
}

/// Forty bins of one width, each bar between its ends and within the frame, whatever is empty or
/// beyond the axis.
#[test]
fn a_bar_is_as_wide_as_its_bin() {
    for keys in ["y_scale = 'log'", "y_range = [0, 0.02]", ""] {
        let figure = own(&format!("kind = 'histogram'\nmost_curves = 1\n{keys}"));
        let svg = figure.draw(&named("epsilon")).expect("a histogram").svg;
        let tips = svg.split_once("<g class=\"points\"").expect("tips").1;
        let [x, y, width, height] =
            [" x", " y", " width", " height"].map(|it| numbers(tips, &format!("{it}=\"")));
        assert_eq!(x.len(), 40);
        assert!(width.iter().all(|it| it.abs_diff(width[0]) <= 1), "{keys}");
        assert!((1..40).all(|at| x[at] == x[at - 1] + width[at - 1]));
        assert!((0..40).all(|at| y[at] + height[at] == y[0] + height[0]));
        let is_within = height.iter().all(|it| *it <= 1000);
        assert!(is_within && height.contains(&0), "{keys}");
    }
}

/// The number of a law in the legend is the slope of its dashes, also where the points reject it:
/// the marks' places and the table's numbers say how long a unit of each axis is.
#[test]
fn the_legend_has_the_law_that_is_drawn() {
    let (figure, rows) = (
        own("x = 'epsilon'\nfit = { law = 'power', drawn = true }"),
        named("epsilon"),
    );
    let table = drawn(&figure, &rows).table;
    let logarithm = |column: &str, row: usize| -> Option<f64> {
        Some(libm::log(table.column(column)[row].parse().ok()?))
    };
    let layers = layers(&figure, &rows);
    let tips = layers.iter().flat_map(|layer| &layer.tips);
    let marks = tips.filter_map(|tip| match tip.area {
        // A lower bound is written with ≥.
        HoverArea::Disc(spot, _) => {
            let columns = ["epsilon", "mean(absorption_time)"];
            let [x, y] = columns.map(|column| logarithm(column, tip.row));
            Some((spot, x?, y?))
        }
        HoverArea::Tile(..) => None,
    });
    let marks = marks.sorted_by_key(|mark| mark.0.1).collect_vec();
    let [(high, x_high, y_high), (low, x_low, y_low)] = [marks[0], marks[marks.len() - 1]];
    let unit_across = f64::from(high.0 - low.0) / (x_high - x_low);
    let unit_upwards = f64::from(high.1 - low.1) / (y_high - y_low);

    let is_fit = |layer: &&Drawn| {
        layer
            .legend
            .iter()
            .any(|entry| entry.text.starts_with("fit"))
    };
    let fit = layers.iter().find(is_fit).expect("its layer");
    let dashes = fit.shapes.iter().filter_map(|shape| match shape {
        Shape::Line(spots, ..) => Some((spots[0], spots[spots.len() - 1])),
        _ => None,
    });
    let dashes = dashes.collect_vec();
    let (first, last) = (dashes[0].0, dashes[dashes.len() - 1].1);
    let rise = f64::from(last.1 - first.1) / unit_upwards;
    let slope = rise / (f64::from(last.0 - first.0) / unit_across);

    let said = fit.legend[0].text.replace('−', "-");
    let (_, power) = said.split_once("∝ ε^(").expect("a power");
    let power: f64 = power
        .split(')')
        .next()
        .unwrap_or_default()
        .parse()
        .expect("a number");
    assert!((power - slope).abs() < 0.01, "{said}: {slope}");
    assert!(said.ends_with("; rejected by the points)"), "{said}");
}

/// What stands after ± in a tile is half the width of the interval of the logarithm, ln(high / low)
/// / 2, in whole per cent, rounded up as in the table of `run`.
#[test]
fn a_tile_has_half_the_width_of_its_interval() {
    let drawing = drawn(&own("kind = 'epsilon-eta'"), &named("map"));
    let numbers = |column: &str| {
        let cells = drawing.table.column(column).into_iter();
        cells.map(|cell| cell.parse::<f64>().ok()).collect_vec()
    };
    let [low, high] = ["low", "high"].map(|end| numbers(&format!("mean(absorption_time)_{end}")));
    let ends = low.into_iter().zip(high);
    let halves = ends.filter_map(|(low, high)| Some(50.0 * libm::log(high? / low?)));
    let halves = halves.map(|half| format!(">± {} %<", half.ceil()));
    let halves = halves.collect_vec();
    assert!(halves.len() > 5, "{halves:?}");
    assert_eq!(drawing.svg.matches(">± ").count(), halves.len());
    for half in halves {
        assert!(drawing.svg.contains(&half), "{half}");
    }
}

/// Each mark has its word, a shape, tips, and as many layers of Vega-Lite as it says.
#[test]
fn every_mark_is_drawn_and_written() {
    for kind in &kinds::ALL {
        let name = format!("{:?}", kind.shape).to_lowercase();
        let keys = match &*name {
            "bars" => "kind = 'histogram'\nmost_curves = 1".to_owned(),
            "tile" => "kind = 'epsilon-eta'".to_owned(),
            name => format!("mark = '{name}'\nx = 'epsilon'\nwhere = {{ n = 8, eta = 0.1 }}"),
        };
        let figure = own(&keys);
        assert_eq!(figure.spec.mark, kind.shape);
        let drawing = drawn(&figure, &rows());
        assert!(drawing.svg.contains("data-row"), "{name}");
        let vega: serde_json::Value = serde_json::from_str(&drawing.vega).expect("Vega-Lite");
        let panel = &vega["vconcat"][0];
        let layers = panel["layer"].as_array();
        let layers = layers.or_else(|| panel["spec"]["layer"].as_array());
        assert_eq!(layers.expect("layers").len(), kind.vega.len(), "{name}");
    }
}

/// Each measure of each table can be drawn of some rows: its numbers are a column of the CSV, and
/// points have tips.
#[test]
fn every_measure_is_drawn_and_written() {
    let rows = ["all", "epsilon", "n", "relaxations"].map(named);
    let mut n_measures = 0;
    for table in TABLES {
        for measure in table.measures {
            let across = table.across.first();
            let across = across.map_or("n", |(column, _)| column);
            let name = measure.name;
            let keys = format!("x = '{across}'\ny = '{name}'\nmark = 'points'");
            let figure = own(&keys);
            let mut drawings = rows.iter().filter_map(|rows| figure.draw(rows).ok());
            let drawing = drawings
                .next()
                .unwrap_or_else(|| panic!("no rows for {name}"));
            let header = &drawing.table.header;
            assert!(
                header.iter().any(|column| column == name),
                "{name}: {header:?}"
            );
            assert!(drawing.svg.contains("data-row"), "{name}");
            n_measures += 1;
        }
    }
    assert!(n_measures > 20, "{n_measures} measures");
}

/// Keys, each with two values that a figure can only take if they draw two figures.
const TWO_VALUES: &[(&str, [&str; 2])] = &[
    ("x_scale", ["\"linear\"", "\"log\""]),
    ("x_title", ["\"one\"", "\"two\""]),
    ("bin", ["{ count = 10 }", "{ count = 20 }"]),
    ("x_range", ["[1, 9]", "[1, 10]"]),
    ("y_scale", ["\"linear\"", "\"log\""]),
    ("y_title", ["\"one\"", "\"two\""]),
    ("y_range", ["[1e-3, 1e3]", "[1e-3, 1e4]"]),
    ("height", ["500", "700"]),
    (
        "band",
        [
            "[\"q25(moves)\", \"q75(moves)\"]",
            "[\"q05(moves)\", \"q95(moves)\"]",
        ],
    ),
    ("fit", ["\"none\"", "{ law = \"power\", drawn = true }"]),
    ("over", ["{ algorithm = 'cell' }", "{ algorithm = 'pair' }"]),
    ("mark", ["\"line\"", "\"points\""]),
    ("mark_best", ["false", "true"]),
    ("right_axis", ["\"1/d\"", "\"none\""]),
    ("width", ["\"single\"", "\"double\""]),
    ("title", ["\"one\"", "\"two\""]),
    ("caption", ["\"one\"", "\"two\""]),
    ("rules", ["[]", "[{ x = 6, text = \"one\" }]"]),
    (
        "words",
        [
            "{}",
            "{ against = \"selon\", over = \"sur\", trial = \"essai\", rule = \"règle\" }",
        ],
    ),
    ("names", ["{ no = \"curve\" }", "{}"]),
];

/// A key is refused, or without it the figure is another one.
#[test]
fn a_key_without_effect_is_refused() {
    let mut rows = rows();
    // A line has two values of n.
    for mut point in synthetic::sweep_over_epsilon() {
        point.point = point.point.with("n", Value::Integer(7));
        rows.trials.push(point);
    }
    let is_ignored = |kind: &str, key: &str, values: &[&str; 2]| {
        let drawings = values.iter().filter_map(|value| {
            let figures = read(&format!("[[figure]]\nkind = {kind:?}\n{key} = {value}"));
            Some(Figure::of(&figures.ok()?[0]).draw(&rows))
        });
        // What cannot be drawn says why.
        matches!(&drawings.collect::<Vec<_>>()[..], [Ok(one), Ok(other)] if one == other)
    };
    let kinds: Vec<&str> = parse::kinds().map(|it| it.0).collect();
    let ignored = kinds.par_iter().flat_map_iter(|kind| {
        let keys = TWO_VALUES.iter();
        let ignored = keys.filter(|(key, values)| is_ignored(kind, key, values));
        ignored.map(move |(key, _)| format!("{kind}: {key}"))
    });
    assert_eq!(ignored.collect::<Vec<_>>(), [] as [String; 0]);
    let shares = read("[[figure]]\nx = 'class'\ny = 'weight'\nfit = 'power'");
    let message = shares.expect_err("they have no errors to fit with").message;
    assert!(message.contains("without effect"), "{message}");
}

/// A program that takes a column's type from its first rows reads all of it: its numbers are all
/// whole, or all have a point or an exponent. What is whole and what is real does not depend on the
/// values.
#[test]
fn a_column_of_a_csv_has_whole_numbers_or_reals() {
    const WHOLE: [&str; 7] = [
        "n", "product", "trials", "censored", "cutoff", "nodes", "repeats",
    ];
    const REAL: [&str; 4] = ["epsilon", "eta", "mean", "mean_low"];
    let mut found: BTreeMap<String, bool> = BTreeMap::new();
    for (name, _, drawing) in all_drawn() {
        let csv = drawing.table.to_csv();
        let mut reader = csv::Reader::from_reader(&csv[..]);
        let header = reader.headers().expect("a header").clone();
        let rows = reader
            .records()
            .map(|row| row.expect("a row"))
            .collect_vec();
        for (index, column) in header.iter().enumerate() {
            let cells = rows.iter().map(|row| &row[index]);
            let cells = cells.filter(|cell| !cell.is_empty()).collect_vec();
            let is_of_numbers = cells.iter().all(|cell| cell.parse::<f64>().is_ok());
            if cells.is_empty() || !is_of_numbers || column == "seconds_in_the_text" {
                continue;
            }
            let is_real = |cell: &&str| cell.contains(['.', 'e']);
            let reals = cells.iter().filter(|cell| is_real(cell)).count();
            assert!(reals == 0 || reals == cells.len(), "{name}: {column}");
            found.insert(column.to_owned(), reals > 0);
        }
    }
    for (columns, are_real) in [(&WHOLE[..], false), (&REAL[..], true)] {
        for column in columns {
            assert_eq!(found.get(*column), Some(&are_real), "{column}");
        }
    }
}

/// No text, marker or line may lie outside the canvas; tag soup would not show in any browser.
/// Tried are figures of 178 mm and of 86 mm; the longest title of an axis is that of n!/S(n). Of a
/// text half of its size is reckoned for each sign.
#[test]
fn svgs_are_closed_and_nothing_leaves_its_figure() {
    let (rows, larger) = (rows(), rows().kept(|it| it.integer("n") > Some(5)));
    let narrow = |kind: &str, keys: &str, rows| {
        let figure = own(&format!("kind = {kind:?}\nwidth = 'single'\n{keys}"));
        (1380, drawn(&figure, rows).svg)
    };
    let mut all = vec![narrow("curve", "x = 'permutations_per_solution'", &larger)];
    assert!(all[0].1.contains("n!/S(n)"));
    all.extend(parse::kinds().map(|it| narrow(it.0, "", &rows)));
    // Points beyond the range, a curve of 1/d without its last ratio, many marks at one x, and a
    // long number at the end of an axis.
    let sides = named("n");
    for (kind, keys) in [
        (
            "curve",
            "y_range = [1e4, 1e6]\nwhere = { algorithm = 'pair' }",
        ),
        (
            "convergence-vs-n",
            "over = { algorithm = 'cell' }\nvary = ['epsilon']",
        ),
        (
            "convergence-vs-n",
            "over = { algorithm = 'pair' }\nvary = ['epsilon']",
        ),
        (
            "curve",
            "mark = 'points'\nx = 'epsilon'\ngroup = ['algorithm', 'n']",
        ),
        (
            "histogram",
            "x_range = [10, 1e5]\nx_scale = 'log'\nwhere = { algorithm = 'pair', n = 6 }",
        ),
    ] {
        all.push(narrow(kind, keys, &sides));
    }
    all.extend(all_drawn().iter().map(|it| (2400, it.2.svg.clone())));
    for (width, svg) in all {
        let title = svg.split("</title>").next().unwrap_or_default();
        assert!(!title.ends_with("<title>") && svg.ends_with("</svg>\n"));
        let height = numbers(&svg, &format!("viewBox=\"0 0 {width} "))[0];
        let lists = svg.split(" points=\"").skip(1);
        let spots = lists.flat_map(|it| it.split('"').next().unwrap_or_default().split(' '));
        let spots = spots.filter_map(|it| it.split_once(',')).collect_vec();
        let of = |own: &str| own.parse().expect("a whole number");
        let across = spots
            .iter()
            .map(|it| of(it.0))
            .chain(numbers(&svg, " cx=\""));
        let down = spots
            .iter()
            .map(|it| of(it.1))
            .chain(numbers(&svg, " cy=\""));
        let [x, y] = [" x=\"", " y=\""].map(|it| numbers(&svg, it));
        assert!(across.chain(x).max() <= Some(width), "{title}");
        assert!(down.chain(y).max() <= Some(height), "{title}");
        let texts = svg.split("<text").skip(1);
        for text in texts.filter(|it| !it.contains("rotate")) {
            let (head, rest) = text.split_once('>').expect("a text");
            let words = rest.split('<').next().unwrap_or_default().trim();
            let [x, size] = [" x=\"", "font-size=\""].map(|it| numbers(head, it)[0] as f64);
            let long = 0.5 * size * words.chars().count() as f64;
            let left = match head {
                _ if head.contains("\"middle\"") => x - long / 2.0,
                _ if head.contains("\"end\"") => x - long,
                _ => x,
            };
            let is_within = left >= 0.0 && left + long <= width as f64;
            assert!(is_within, "{title}: {words}");
        }
    }
}

/// Names are in the legend, sentences in the caption: at most 120 words, without those of what is
/// left out, which is said in both. Points have tips and lead to rows that there are.
#[test]
fn figures_have_few_words_and_a_tip_for_each_point() {
    for (kind, _, Drawing { svg, table, .. }) in all_drawn() {
        let texts = svg.split("<text").skip(1);
        let texts = texts.filter_map(|it| it.split_once('>')?.1.split("</text>").next());
        let texts = texts.filter(|text| !text.trim_start().starts_with("left out: "));
        let words = texts.flat_map(str::split_whitespace);
        let words = words.filter(|it| it.chars().any(char::is_alphabetic));
        assert!(
            words.clone().count() <= 120,
            "{kind}: {}",
            words.format(" ")
        );
        let tips = svg.split_once("<g class=\"points\"").expect(kind).1;
        let rows = numbers(tips, "data-row=\"");
        let is_there = |row| (1..=table.rows.len()).contains(row);
        assert!(rows.iter().all(is_there), "{kind}");
        assert_eq!(rows.len(), tips.matches("<title>").count(), "{kind}");
    }
}

/// Means of trials that were cut off are lower bounds; shares count such trials apart.
#[test]
fn trials_cut_off_are_explained_where_there_are_any() {
    let mut complete = rows();
    let is_cut_off = |it: &Row| it.outcome.ending == Ending::Censored;
    let is_whole = |it: &PointTrials| !it.rows.iter().any(|row| is_cut_off(&row));
    complete.trials.retain(is_whole);
    complete.timings = synthetic::timings(&complete.trials);
    for point in &mut complete.courses {
        point.trials.retain(|it| !is_cut_off(&it.0));
    }
    for (kind, figure, drawing) in all_drawn() {
        let words = match *kind {
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
    for (kind, figure, _) in all_drawn() {
        let error = figure.draw(&FigureRows::default()).expect_err("no rows");
        assert!(!error.reason.is_empty(), "{kind}");
    }
}

/// What `list figures KIND` prints stands in a spec as it is, and is the kind.
#[test]
fn a_kind_can_be_pasted_into_a_spec() {
    for (kind, doc) in parse::kinds() {
        let preset = FigureSpec::of_kind(kind);
        let own = FigureSpec {
            name: preset.name.clone(),
            line: preset.line,
            keep: Vec::new(),
            // Pasted, the spec itself asks for the fits of its kind.
            asks_for_fit: preset.asks_for_fit,
            ..read(&parse::lines_of_kind(kind)).expect(kind).remove(0)
        };
        assert_eq!(own, preset, "{kind}");
        assert!(!doc.is_empty() && !preset.y.is_empty(), "{kind}");
    }
}

/// The figures of a spec, each with what its layers draw of the reference run, or of one that is
/// made.
fn layers_of(file: &Path) -> Vec<(String, Vec<Drawn>)> {
    let spec = spec::read(file).expect("a spec");
    let figures = parse::read(&spec).expect("figures");
    let kept = runs_of(Path::new("results/reference"), &spec.name);
    let place = tempfile::tempdir().expect("a temporary directory");
    let folder = kept.ok().and_then(|mut it| it.pop()).unwrap_or_else(|| {
        let plan = Plan::new(&spec).expect("a plan");
        let request = Request::new(&spec, &plan, place.path());
        run(&request, &false.into(), &mut ()).expect("nothing stops the run");
        request.folder()
    });
    let run = CompleteRun::at(folder).expect("a complete run");
    let rows = FigureRows::of(&figures, &run).expect("rows");
    let layers = |it: &FigureSpec| (it.name.clone(), layers(&Figure::of(it), &rows));
    figures.iter().map(layers).collect()
}

fn layers(figure: &Figure, rows: &FigureRows) -> Vec<Drawn> {
    let drawn = figure.of_kept(rows, |rows| {
        let curves = Curves::of(figure, figure.table(rows)?)?;
        let (grid, size) = (panels(&curves), FigureSize::of(figure.spec));
        let (mut drawn, words) = (Vec::new(), Words::default());
        for (plot, (frame, _)) in grid.plots().zip(lay_out(size, "", &grid, 1.0).frames) {
            let panel = plot.on(frame, size.least_text, &words);
            drawn.extend(plot.layers.iter().map(|it| it.draw(&panel)));
        }
        Ok(drawn)
    });
    drawn.unwrap_or_default()
}

/// The colour of a shape, and its form without place and size; `None` for texts.
fn form(shape: &Shape) -> Option<([u8; 3], String)> {
    let rgb = |it: RGBColor| [it.0, it.1, it.2];
    Some(match shape {
        Shape::Line(_, colour, width) => (rgb(*colour), format!("line {width}")),
        Shape::Polygon(corners, it) => ([it.0, it.1, it.2], format!("{}", corners.len())),
        Shape::Rectangle(.., it) => ([it.0, it.1, it.2], "strip".to_owned()),
        Shape::Disc(.., it) | Shape::Ring(.., it) => (rgb(*it), "round".to_owned()),
        Shape::Text(..) => return None,
    })
}

/// A sample in grey or ink stands for its form in any colour, in ink a round one for any marker, a
/// strip for all in its colour, and a line for a curve of one point, too.
fn stands_for(sample: &([u8; 3], String), painted: &([u8; 3], String)) -> bool {
    let (is_ink, is_grey) = (sample.0 == [34; 3], sample.0 == [89; 3]);
    let is_round = is_ink && sample.1 == "round" && !painted.1.contains("line");
    let is_of_any_form = sample.1 == "strip" || sample.1 == "line 6";
    match painted.0 == sample.0 {
        true => is_of_any_form || painted.1 == sample.1 || is_round,
        false => {
            let is_of_form = painted.1 == sample.1 || is_round || is_grey && sample.1 == "line 6";
            (is_ink || is_grey || sample.1 == "strip") && is_of_form
        }
    }
}

/// In every shipped figure, those of a user's own and all kinds: what a legend shows is drawn by
/// the layer that says it, and what is drawn in a colour is in the legend.
#[test]
fn the_legend_shows_what_is_drawn_and_all_of_it() {
    let files = fs::read_dir("experiments").expect("the package's folder");
    let files = files.map(|it| it.expect("a file").path());
    let files = files.chain(["tests/data/own-figures.toml".into()]);
    let files: Vec<PathBuf> = files.filter(|it| it.is_file()).collect();
    let figures = files.par_iter().flat_map_iter(|it| layers_of(it));
    let (mut figures, rows): (Vec<_>, _) = (figures.collect(), rows());
    let kinds = all_drawn().iter();
    figures.extend(kinds.map(|(kind, figure, _)| (kind.to_string(), layers(figure, &rows))));
    assert!(figures.iter().filter(|it| !it.1.is_empty()).count() > 75);
    for (name, layers) in figures {
        let legend = layers.iter().flat_map(|it| &it.legend);
        let samples = legend.flat_map(|it| &it.sample).filter_map(form);
        // The name of a curve may stand beside it.
        let texts = layers.iter().flat_map(|it| &it.shapes);
        let texts = texts.filter_map(|it| match it {
            Shape::Text(_, _, it) => Some(([it.colour.0, it.colour.1, it.colour.2], String::new())),
            _ => None,
        });
        let all = samples.chain(texts).collect_vec();
        for Drawn { shapes, legend, .. } in &layers {
            let painted = shapes.iter().filter_map(form).collect_vec();
            let samples = legend.iter().flat_map(|it| &it.sample).filter_map(form);
            let mut untrue = samples.filter(|it| !painted.iter().any(|own| stands_for(it, own)));
            assert_eq!(untrue.next(), None, "{name}");
            let is_map = legend.iter().any(|it| it.sample.len() > 9);
            let is_plain = |it: &[u8; 3]| is_map || it.iter().all_equal();
            let is_told = |it: &&([u8; 3], String)| all.iter().any(|own| own.0 == it.0);
            let mut untold = painted.iter().filter(|it| !is_plain(&it.0) && !is_told(it));
            assert_eq!(untold.next(), None, "{name}");
        }
    }
}
