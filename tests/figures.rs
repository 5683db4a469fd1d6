//! The shipped figures, drawn from the reference results: not a byte of a figure or of its table
//! changes unseen.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use itertools::Itertools;
use reines::experiment::spec;
use reines::report::{self, keys, parse};

use crate::program::{Workplace, csv, files_of, has, lacks, name_of, root, skipped, text_of};

/// The figures that show seconds, which change with every run.
fn timed() -> Vec<String> {
    let mut timed = Vec::new();
    for path in files_of(&root().join("experiments"), ".toml") {
        let figures = spec::read(&path).and_then(|spec| parse::read(&spec));
        let mut figures = figures.expect("a spec");
        figures.retain(|it| report::Figure::of(it).shows_seconds());
        timed.extend(figures.iter().map(|it| it.name.clone()));
    }
    timed
}

/// A file of `figures/` is what `report` draws of the reference results, and one of
/// `docs/wall-clock` where it shows seconds, so that `make figures` leaves a clone clean.
#[test]
fn the_figures_in_the_repository_are_those_of_the_reference_results() {
    let timed = timed();
    assert!(!timed.is_empty());
    let renewed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("renewed");
    let (mut changed, mut shown) = (Vec::new(), Vec::new());
    for (name, text) in &drawn().0 {
        let figure = name.split('.').next().unwrap_or_default();
        let is_timed = timed.iter().any(|it| it == figure);
        let folder = if is_timed {
            "docs/wall-clock"
        } else {
            "figures"
        };
        shown.extend(is_timed.then(|| name.clone()));
        let file = format!("{folder}/{name}");
        if fs::read(root().join(&file)).ok().as_deref() != Some(text.as_bytes()) {
            fs::create_dir_all(renewed.join(folder)).expect("cargo's folder can be written");
            fs::write(renewed.join(&file), text).expect("cargo's folder can be written");
            changed.push(file);
        }
    }
    assert!(
        changed.is_empty(),
        "not as `report` draws them: {changed:?}. If that is meant, look at the figures in {renewed} and renew them: cp -r {renewed}/. .",
        renewed = renewed.display()
    );
    // `make reference` copies the files that are there.
    let kept = files_of(&root().join("docs/wall-clock"), "");
    let kept: Vec<String> = kept.iter().map(|it| name_of(it)).collect();
    assert_eq!(kept, shown, "docs/wall-clock");
}

/// The recipes of docs/spec.md are the figures of docs/recipes/recipes.toml, and the pictures
/// beside them are what `report` draws.
#[test]
fn the_recipes_of_the_docs_are_drawn_as_shown() {
    let spec = text_of(root().join("docs/recipes/recipes.toml"));
    let docs = text_of(root().join("docs/spec.md"));
    let (_, section) = docs.split_once("### Ten recipes").expect("the recipes");
    let (section, _) = section.split_once("### Kinds").expect("the kinds");
    let blocks = section.split("```toml\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("```").expect("its end").0);
    let blocks: Vec<&str> = blocks.collect();
    assert_eq!(blocks.len(), 10);
    assert!(
        spec.ends_with(&blocks.join("\n")),
        "docs/recipes/recipes.toml"
    );

    let place = Workplace::new();
    place.write("recipes.toml", &spec);
    place.succeed("run -q recipes.toml");
    place.succeed("report -q --vega recipes.toml");
    let renewed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("renewed");
    let mut changed = Vec::new();
    for block in &blocks {
        let name = block.split('"').nth(1).expect("a name in quotes");
        let drawn = place.text(format!("figures/{name}.svg"));
        let file = format!("docs/recipes/{name}.svg");
        if fs::read_to_string(root().join(&file)).ok().as_deref() != Some(&*drawn) {
            fs::create_dir_all(renewed.join("docs/recipes")).expect("cargo's folder");
            fs::write(renewed.join(&file), drawn).expect("cargo's folder can be written");
            changed.push(file);
        }
    }
    assert!(
        changed.is_empty(),
        "not as `report` draws them: {changed:?}; if that is meant: cp -r {}/. .",
        renewed.display()
    );
    a_band_is_an_area_of_vega_lite(&place);
    a_reference_line_has_the_values_of_its_formula(&place);
}

/// The ends of the area are the quartiles of the CSV.
fn a_band_is_an_area_of_vega_lite(place: &Workplace) {
    let vega: serde_json::Value = serde_json::from_str(&place.text("figures/medians.vl.json"))
        .expect("the figure as Vega-Lite");
    let panel = &vega["vconcat"][0];
    let area = &panel["layer"][0];
    assert_eq!(area["mark"]["type"], "area");
    assert_eq!(area["encoding"]["y"]["field"], "band_low");
    assert_eq!(area["encoding"]["y2"]["field"], "band_high");
    let table = csv(&place.text("figures/medians.csv"));
    let points = panel["data"]["values"].as_array().expect("points");
    assert_eq!(points.len(), 4);
    for point in points {
        let row = point["row"].as_u64().expect("a row of the CSV");
        let row = &table[row as usize - 1];
        for (field, column) in [("band_low", "q25(moves)"), ("band_high", "q75(moves)")] {
            let drawn = point[field].as_f64().expect("an end of the band");
            let written: f64 = row[column].parse().expect("a number");
            assert!(
                (drawn / written - 1.0).abs() < 1e-5,
                "{field}: {drawn}, {written}"
            );
        }
    }
}

/// n!/S(n) by hand: 24/2, 120/10, 720/4 and 5040/40.
fn a_reference_line_has_the_values_of_its_formula(place: &Workplace) {
    let table = csv(&place.text("figures/rules.csv"));
    let lines = table.iter();
    let lines = lines.filter(|row| row["fit"] == "tries of random permutations");
    let values = lines.map(|row| (row["n"].as_str(), row["value"].parse().expect("a number")));
    let values: Vec<(&str, f64)> = values.collect();
    assert_eq!(
        values,
        [("4", 12.0), ("5", 12.0), ("6", 180.0), ("7", 126.0)]
    );
    let svg = place.text("figures/rules.svg");
    assert!(svg.contains("grey line: tries of random permutations"));
}

/// A legend has the name of a condition, not its text.
#[test]
fn conditions_have_names_in_the_shipped_figures() {
    let figures = drawn().0.iter().filter(|file| file.0.ends_with(".svg"));
    let unnamed = figures.filter(|(_, svg)| svg.contains("certain: "));
    let unnamed: Vec<&String> = unnamed.map(|file| &file.0).collect();
    assert!(unnamed.is_empty(), "{unnamed:?}");
}

/// docs/spec.md says of each key of a figure what the program does.
#[test]
fn the_docs_have_every_key_of_a_figure() {
    let docs = text_of(root().join("docs/spec.md"));
    let lines = keys::KEYS.iter();
    let lines = lines.map(|(key, doc)| format!("- `{key}`: {}", doc.trim()));
    let lines: Vec<String> = lines.collect();
    assert!(
        docs.contains(&lines.join("\n")),
        "docs/spec.md: expected\n{}",
        lines.join("\n")
    );
}

/// A figure that an earlier spec could draw, and the present one cannot: its files would be taken
/// for those of the present rows. Those of its neighbour, of another experiment and of a figure
/// that was renamed stay.
#[test]
fn a_figure_that_cannot_be_drawn_leaves_no_old_files() {
    const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = [4, 5]\nepsilon = [0.1, 0.2]\n\
        trials = 6\ncutoff = 1e4\n[[figure]]\nname = 'across'\nx = 'epsilon'\nx_scale = 'log'\n\
        y = ['moves']\n[[figure]]\nname = 'upwards'\nx = 'n'\ny = ['moves']\nwhere = { n = 5 }\n";
    let place = Workplace::with(SPEC);
    let files = || {
        let paths = files_of(&place.path().join("figures"), "");
        paths.iter().map(|it| name_of(it)).collect_vec()
    };
    place.succeed("run -q a.toml");
    place.succeed("report -q a.toml");
    assert_eq!(files().len(), 6);
    // Without an ε on a logarithmic axis, and under -q.
    place.write("a.toml", &SPEC.replace("[0.1, 0.2]", "0"));
    place.succeed("run -q a.toml");
    let said = place.ends(1, "report -q a.toml");
    has(
        &said,
        "not drawn: a.toml:8:1: figure \"across\": figure kind \"curve\" has nothing to draw: ",
    );
    has(&said, "; its old files are removed\n");
    assert_eq!(files(), ["upwards.csv", "upwards.md", "upwards.svg"]);
    // There is nothing left to remove.
    lacks(&place.ends(1, "report -q a.toml"), "removed");
    // The same where no other figure is drawn.
    let alone = SPEC
        .replace("n = [4, 5]", "n = 4")
        .replace("[0.1, 0.2]", "0");
    place.write("a.toml", &alone);
    place.succeed("run -q a.toml");
    place.write("figures/across.svg", "of the user");
    let said = place.ends(1, "report -q a.toml");
    assert_eq!(said.matches("not drawn: a.toml:").count(), 2, "{said}");
    assert_eq!(files(), ["across.svg"]);
}

/// A spec with a figure of this name.
fn with_figure(name: &str) -> String {
    format!(
        "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = [4, 5, 6]\nepsilon = 0.1\n\
         trials = 6\ncutoff = 1e6\n[[figure]]\nname = '{name}'\ny = ['moves']\n"
    )
}

/// A folder with specs in `experiments`, each with a figure.
fn with_figures(figures: &[(&str, &str)]) -> Workplace {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("it can be made");
    for (experiment, figure) in figures {
        place.write(
            &format!("experiments/{experiment}.toml"),
            &with_figure(figure),
        );
    }
    place
}

/// Of `-s` and `--only`: the rows are complete already, and the figures those of the present spec,
/// to the byte those of a fresh folder. The spec that the run has kept stays as it is.
#[test]
fn figures_of_a_changed_plan_are_those_of_the_present_spec() {
    let (place, fresh) = (with_figures(&[("a", "old")]), with_figures(&[("a", "new")]));
    place.succeed("run -q -s trials=4 a");
    place.succeed("run -q --only n<=5 a");
    place.succeed("report -q a-with-trials-4");
    let run = name_of(&place.runs("results", "a")[0]);
    let kept = place.text(format!("results/a/{run}/spec.toml"));
    place.write("experiments/a.toml", &with_figure("new"));
    has(&place.ends(0, "run -s trials=4 a"), "complete already");
    assert_eq!(place.ends(0, "report -q a-with-trials-4"), "");
    assert_eq!(place.ends(0, format!("report -q results/a/{run}")), "");

    fresh.succeed("run -q -s trials=4 a");
    fresh.succeed("run -q --only n<=5 a");
    fresh.succeed("report -q a-with-trials-4");
    fresh.succeed(format!("report -q results/a/{run}"));
    let files = files_of(&fresh.path().join("figures"), "");
    assert_eq!(files.len(), 6);
    for file in files {
        let name = format!("figures/{}", name_of(&file));
        assert_eq!(place.text(&name), text_of(&file), "{name}");
    }
    let table = place.text("figures/new.md");
    has(&table, "- Drawn from a part of the plan: 12 of 18 trials.");
    assert_eq!(place.text(format!("results/a/{run}/spec.toml")), kept);

    // Those of a reference, too, whichever word names them.
    let reference = place.path().join("results/reference");
    fs::create_dir(&reference).expect("it can be made");
    fs::rename(place.path().join("results/a"), reference.join("a")).expect("it is there");
    for words in ["results/reference", "--results results/reference"] {
        place.ends(1, format!("report -q --figures reference {words}"));
        assert!(place.path().join("reference/new.svg").exists(), "{words}");
        fs::remove_dir_all(place.path().join("reference")).expect("it is there");
    }
    fs::rename(reference.join("a"), place.path().join("results/a")).expect("it is there");

    // Two runs of one experiment would draw the same files.
    let said = place.ends(2, format!("report -q a results/a/{run}"));
    has(
        &said,
        &format!("error: results/a/{run}: experiments/a.toml has the same experiment name \"a\"; "),
    );

    // Only where there is no spec any more its own are drawn.
    fs::remove_file(place.path().join("experiments/a.toml")).expect("it is there");
    for (words, figure) in [
        (format!("results/a/{run}"), "old"),
        ("a-with-trials-4".to_owned(), "old-with-trials-4"),
    ] {
        let said = place.ends(0, format!("report --figures kept {words}"));
        has(
            &said,
            "no spec of it stands beside its results; the figures are those that its run has kept\n",
        );
        assert!(
            place.path().join(format!("kept/{figure}.svg")).exists(),
            "{figure}"
        );
    }
}

/// A figure belongs to the experiment that has drawn it, as long as that may draw it again: then it
/// is taken over by nobody, and with `--force` by another one when its experiment has no spec any
/// more, or its spec no such figure.
#[test]
fn figures_of_an_experiment_that_is_gone_are_taken_over_with_force() {
    let place = with_figures(&[("a", "f1"), ("c", "f1")]);
    let specs = place.path().join("experiments");
    let rename =
        |from: &str, to: &str| fs::rename(specs.join(from), specs.join(to)).expect("it is there");
    place.succeed("run -q a c");
    place.succeed("report -q a");
    let there = "figures: the figure \"f1\" there is of the experiment";
    for command in [
        "report c",
        "report --force c",
        "report --force c a",
        "report --force --html p.html a c",
    ] {
        has(
            &place.ends(2, command),
            &format!("{there} a; expected another name in "),
        );
        has(&place.text("figures/f1.md"), "<!-- experiment: a -->");
    }

    rename("a.toml", "b.toml");
    place.succeed("run -q b");
    let said = place.ends(2, "report b");
    has(
        &said,
        &format!("{there} a, which has no spec any more; --force takes it over for b\n"),
    );
    let said = place.ends(0, "report --force b");
    has(
        &said,
        &format!("{there} a, which has no spec any more; it is now of b\n"),
    );
    has(&place.text("figures/f1.md"), "<!-- experiment: b -->");

    // Without names, too: what has no spec any more is left out, the page as in a fresh folder.
    rename("c.toml", "c.txt");
    let said = place.ends(0, "report --html page.html");
    has(
        &said,
        "a: left out: it has no spec any more; `reines report a` draws its run\n",
    );
    has(&said, "c: left out: it has no spec any more; ");
    let page = place.text("page.html");
    has(&page, "id=\"experiment-b\"");
    lacks(&page, "experiment-a");
    rename("c.txt", "c.toml");

    // A spec with an error may still ask for it; one that asks for another figure does not.
    place.write(
        "experiments/b.toml",
        &with_figure("f1").replace("seed", "sead"),
    );
    has(
        &place.ends(2, "report --force c"),
        &format!("{there} b; expected another name in "),
    );
    place.write("experiments/b.toml", &with_figure("f2"));
    let said = place.ends(2, "report c");
    has(
        &said,
        &format!(
            "{there} b, whose spec has no such figure any more; --force takes it over for c\n"
        ),
    );
    // Two figures that have changed their names with each other.
    place.write("experiments/c.toml", &with_figure("f1"));
    place.ends(0, "report --force b c");
    has(&place.text("figures/f1.md"), "<!-- experiment: c -->");
    has(&place.text("figures/f2.md"), "<!-- experiment: b -->");
    // What this command has drawn already is never taken over, nor what is no figure.
    rename("b.toml", "b.txt");
    let said = place.ends(2, "report --force --figures new results/b c");
    has(
        &said,
        "new: the figure \"f1\" there is of the experiment b; expected another name in ",
    );
    place.write("experiments/d.toml", &with_figure("f2"));
    place.succeed("run -q d");
    fs::remove_file(place.path().join("figures/f2.md")).expect("it is there");
    has(
        &place.ends(2, "report --force d"),
        "figures/f2.svg: it is of no figure; ",
    );
    // A spec in a folder within that of the specs is one, too.
    fs::create_dir(specs.join("large")).expect("it can be made");
    rename("c.toml", "large/c.toml");
    place.write("experiments/d.toml", &with_figure("f1"));
    has(
        &place.ends(2, "report --force d"),
        &format!("{there} c; expected another name in "),
    );
}

/// A table of restarts needs 40 trials of a point: that a quick run has fewer is no fault of the
/// figure, and that no point has nodes is one.
#[test]
fn what_a_quick_run_cannot_draw_is_told_and_no_error() {
    const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = [4, 5]\nepsilon = 0.1\n\
        trials = 40\ncutoff = 1e6\n[[figure]]\nname = 'drawn'\ny = ['moves']\n\
        [[figure]]\nname = 'restarts'\ny = ['restart_time']\n";
    let place = Workplace::with(SPEC);
    place.succeed("run -q --quick a.toml");
    let said = place.ends(0, "report --quick a.toml");
    has(&said, "not drawn: a.toml:11:1: figure \"restarts\": ");
    assert_eq!(place.ends(0, "report -q --quick a.toml"), "");
    has(
        &place.ends(1, "report -q a.toml"),
        "not drawn: a.toml:11:1: figure \"restarts\": ",
    );
    let nodes = SPEC.replace("restart_time", "nodes");
    place.write("a.toml", &nodes);
    has(
        &place.ends(1, "report -q --quick a.toml"),
        "not drawn: a.toml:11:1: figure \"restarts\": ",
    );
}

/// The figures that a user may want of trials, written in TOML alone. What the kind `curve` shows
/// is taken again from the rows as `export` writes them.
#[test]
fn figures_of_ones_own_show_what_the_rows_say() {
    let workplace = Workplace::new();
    workplace.write("own.toml", include_str!("data/own-figures.toml"));
    workplace.succeed("run -q own.toml");
    workplace.succeed("report -q own.toml");
    workplace.succeed("export -o rows.csv own.toml");
    let rows = csv(&workplace.text("rows.csv"));
    let own = OwnFigures { workplace, rows };
    own.show_means();
    own.show_distributions();
    own.show_trials();
    own.are_drawn();
}

/// The figures of one's own, and the rows that they are drawn from.
struct OwnFigures {
    workplace: Workplace,
    rows: Vec<BTreeMap<String, String>>,
}

/// The numbers in a column of rows, infinite where a cell is empty.
fn numbers(rows: &[&BTreeMap<String, String>], column: &str) -> Vec<f64> {
    let cells = rows.iter().map(|row| row[column].parse());
    cells.map(|it| it.unwrap_or(f64::INFINITY)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl OwnFigures {
    /// The rows of a point, of all seeds.
    fn of(&self, [algorithm, n, epsilon]: [&str; 3]) -> Vec<&BTreeMap<String, String>> {
        let key = [("algorithm", algorithm), ("n", n), ("epsilon", epsilon)];
        let rows = self.rows.iter();
        let own = rows.filter(|row| key.iter().all(|(name, value)| row[*name] == *value));
        own.collect()
    }

    fn table(&self, figure: &str) -> Vec<BTreeMap<String, String>> {
        csv(&self.workplace.text(format!("figures/{figure}.csv")))
    }

    /// A figure's table has this number of a point.
    fn shows(&self, figure: &str, key: [&str; 3], column: &str, expected: f64) {
        let names = ["algorithm", "n", "epsilon"];
        let mut table = self.table(figure).into_iter();
        let row = table.find(|row| names.iter().zip(key).all(|(it, key)| row[*it] == key));
        let found: f64 = row.expect("its row")[column].parse().expect("a number");
        assert!((found / expected - 1.0).abs() < 1e-5, "{found}, {expected}");
    }

    fn show_means(&self) {
        let key = ["pair", "4", "0.1"];
        let own = self.of(key);
        assert_eq!(own.len(), 120);
        let [moves, updates] = ["moves", "updates"].map(|it| mean(&numbers(&own, it)));
        self.shows(
            "moves-per-update",
            key,
            "mean(moves / updates)",
            moves / updates,
        );
        self.shows("time-against-moves", key, "mean(moves)", moves);
        let mut times = numbers(&own, "absorption_time");
        times.sort_by(f64::total_cmp);
        self.shows("median-time", key, "median(absorption_time)", times[59]);
        let key = ["cell", "7", "0.05"];
        let times = numbers(&self.of(key), "absorption_time");
        let censored = times.iter().filter(|it| it.is_infinite()).count();
        self.shows(
            "share-censored",
            key,
            "share(censored)",
            censored as f64 / 120.0,
        );
        let key = ["pair", "5", "0.04"];
        let [of_pair, of_cell] = ["pair", "cell"].map(|it| self.of([it, "5", "0.04"]));
        let mut times = numbers(&of_pair, "absorption_time");
        let ratio = mean(&times) / mean(&numbers(&of_cell, "absorption_time"));
        self.shows(
            "pair-over-cell",
            key,
            "ratio_of_mean(absorption_time)",
            ratio,
        );
        times.sort_by(f64::total_cmp);
        self.shows("slowest-trials", key, "q95(absorption_time)", times[75]);
        self.show_several_statistics();
        let of_seed = of_pair.into_iter().filter(|row| row["seed"] == "11");
        let of_seed = numbers(&of_seed.collect_vec(), "absorption_time");
        assert_eq!(of_seed.len(), 40);
        for figure in ["each-seed", "seeds"] {
            self.shows(figure, key, "mean(absorption_time)", mean(&of_seed));
        }
    }

    /// Ranks 20, 40 and 60 of 80 are the quartiles and the median. A figure has them beside each
    /// other, a mean beside a share, and numbers of two tables in one row.
    fn show_several_statistics(&self) {
        let key = ["pair", "6", "0.02"];
        let own = self.of(key);
        assert_eq!(own.len(), 80);
        let mut moves = numbers(&own, "moves");
        moves.sort_by(f64::total_cmp);
        for (column, rank) in [
            ("q25(moves)", 20),
            ("median(moves)", 40),
            ("q75(moves)", 60),
        ] {
            self.shows("quartiles", key, column, moves[rank - 1]);
        }
        let key = ["cell", "7", "0.05"];
        let own = self.of(key);
        let times = numbers(&own, "absorption_time");
        let censored = times.iter().filter(|it| it.is_infinite()).count();
        self.shows(
            "moves-and-censored",
            key,
            "mean(moves)",
            mean(&numbers(&own, "moves")),
        );
        let share = censored as f64 / 120.0;
        self.shows("moves-and-censored", key, "share(censored)", share);
        let key = ["pair", "8", "0.05"];
        let own = self.of(key);
        let [dangerous, moves] = ["dangerous_moves", "moves"].map(|it| mean(&numbers(&own, it)));
        let figure = "danger-and-time-without-a-safe-move";
        self.shows(
            figure,
            key,
            "mean(dangerous_moves / moves)",
            dangerous / moves,
        );
        assert!(self.table(figure)[0].contains_key("no_safe_move_low"));
        let searches = self.table("nodes-and-seconds");
        assert_eq!(searches.len(), 12);
        for row in searches {
            let id = ["variant", "n"];
            let mut all = self.rows.iter();
            let own = all.find(|it| id.iter().all(|key| it[*key] == row[*key]));
            let own = own.expect("its row");
            let [nodes, solutions] = ["nodes", "solutions"].map(|it| numbers(&[own], it)[0]);
            let found = numbers(&[&row], "mean(nodes / solutions)")[0];
            assert!((found / (nodes / solutions) - 1.0).abs() < 1e-5, "{row:?}");
            assert!(numbers(&[&row], "median(seconds)")[0] > 0.0);
        }
    }

    fn show_distributions(&self) {
        let bins = self.table("histogram");
        assert_eq!(bins.len(), 80, "40 bins of each rule");
        let shares = bins.iter().map(|bin| bin["absorbed_in_bin"].parse::<f64>());
        let all: f64 = shares.map(|it| it.expect("a share")).sum();
        assert!((all - 2.0).abs() < 1e-4, "each trial is in one bin: {all}");
        for bin in bins {
            let own = self.of([&bin["algorithm"], "5", "0.04"]);
            is_of(&bin, &numbers(&own, "absorption_time"), 1.0);
        }
        // The last trials are cut off.
        let key = ["pair", "8", "0.01"];
        let own = self.of(key);
        let [updates, times] = ["updates", "absorption_time"].map(|it| numbers(&own, it));
        let ended = times.iter().filter(|it| it.is_finite()).count();
        let unit = updates.iter().sum::<f64>() / ended as f64;
        self.shows("survival", key, "unit", unit);
        for bin in self.table("survival") {
            is_of(&bin, &times, unit);
        }
        let bins = self.table("moves");
        assert_eq!(bins.len(), 10);
        let own = self.of(["pair", "5", "0.1"]);
        let is_ended = |row: &&BTreeMap<String, String>| !row["absorption_time"].is_empty();
        let (ended, cut_off): (Vec<_>, Vec<_>) = own.into_iter().partition(is_ended);
        let cut_off = numbers(&cut_off, "moves").into_iter();
        let least = cut_off.fold(f64::INFINITY, f64::min);
        let mut ends = numbers(&ended, "moves");
        ends.resize(120, f64::INFINITY);
        for bin in bins {
            let is_bound = bin["to"].parse::<f64>().expect("a number") > least;
            assert_eq!(bin["absorbed_in_bin_is_bound"] == "true", is_bound);
            if !is_bound {
                is_of(&bin, &ends, 1.0);
            }
        }
    }

    /// Of 24 points 83 trials each, or all.
    fn show_trials(&self) {
        let trials = self.table("trials");
        assert_eq!(trials.len(), 12 * 83 + 9 * 80 + 3 * 16);
        for trial in trials {
            let id = ["algorithm", "n", "epsilon", "seed", "trial"];
            let mut all = self.rows.iter().enumerate();
            let row = all.find(|row| id.iter().all(|it| row.1[*it] == trial[*it]));
            let (at, row) = row.expect("its row");
            let earlier = self.rows[..at].iter().rev();
            let earlier = earlier.take_while(|it| id[..3].iter().all(|key| it[*key] == row[*key]));
            assert!(earlier.count() < 83);
            let ratio = numbers(&[&trial], "mean(moves)")[0] / numbers(&[row], "moves")[0];
            assert!((ratio - 1.0).abs() < 1e-5);
            let is_open = ["absorption_time", "moves"]
                .map(|it| trial[&format!("mean({it})_is_bound")] == "true");
            assert_eq!(is_open, [row["absorption_time"].is_empty(); 2]);
        }
    }

    /// The figures are whole, and say in words what they show.
    fn are_drawn(&self) {
        let figure = |name: &str| self.workplace.text(format!("figures/{name}.svg"));
        for (name, words) in [
            ("map", "least mean moves"),
            ("seconds-per-node", "time per node (µs)"),
            ("absorbed-by", "two cells"),
            ("own-words", "probability of a dangerous move"),
            ("pair-over-cell", "over that with algorithm = cell"),
            ("map-of-n", "least median absorption time of each n"),
            ("each-seed", "seed = 12"),
            ("panels", "n = 6"),
            (
                "quartiles",
                "band: from 25 % quantile of moves to 75 % quantile of moves",
            ),
            ("moves-and-censored", "share of censored trials"),
            ("mean-and-median", "median moves"),
            ("nodes-and-seconds", "time (seconds)"),
            (
                "danger-and-time-without-a-safe-move",
                "dangerous / queen moves",
            ),
            ("by-rule", "cell rule"),
            ("three-survivals", "share of trials not yet absorbed"),
        ] {
            assert!(figure(name).contains(words), "{name}: {words}");
        }
        let files = files_of(&self.workplace.path().join("figures"), ".svg");
        assert_eq!(files.len(), 32);
        assert!(files.iter().all(|it| text_of(it).ends_with("</svg>\n")));
    }
}

/// A bin has the shares of these times, its ends in this unit.
fn is_of(bin: &BTreeMap<String, String>, times: &[f64], unit: f64) {
    let number = |column: &str| -> f64 { bin[column].parse().expect("a number") };
    let (from, to) = (number("from") * unit, number("to") * unit);
    let share = |is_so: &dyn Fn(f64) -> bool| {
        times.iter().filter(|it| is_so(**it)).count() as f64 / times.len() as f64
    };
    // Ends are written with six digits.
    let slack = 1e-5 * to;
    let [least, most] =
        [-slack, slack].map(|it| share(&|time| time <= to + it) + it.signum() * 1e-6);
    assert!((least..=most).contains(&number("absorbed")), "{bin:?}");
    let [least, most] = [slack, -slack]
        .map(|it| share(&|time| time > from + it && time <= to - it) - it.signum() * 1e-6);
    assert!(
        (least..=most).contains(&number("absorbed_in_bin")),
        "{bin:?}"
    );
}

/// Name and text of every file that `reines report` writes of the reference results, in order of
/// the names, and the page with all of them; drawn once for all tests.
pub fn drawn() -> &'static (Vec<(String, String)>, String) {
    static DRAWN: LazyLock<(Vec<(String, String)>, String)> = LazyLock::new(draw);
    &DRAWN
}

fn draw() -> (Vec<(String, String)>, String) {
    let mut paths = files_of(&root().join("experiments"), ".toml");
    paths.insert(0, root().join("results/reference"));
    let words = paths.iter().map(|it| format!(" '{}'", it.display()));
    let words: String = words.collect();
    let workplace = Workplace::new();
    workplace.succeed(format!(
        "report --figures figures --html index.html --results{words}"
    ));
    let files = files_of(&workplace.path().join("figures"), "");
    let file = |path: &PathBuf| (name_of(path), text_of(path));
    let files = files.iter().map(file).collect();
    let page = workplace.text("index.html");
    (files, page)
}

/// The commands of docs/spec.md make a PDF and a PNG of a figure.
#[test]
fn figures_become_pdf_and_png_by_the_commands_of_the_docs() {
    if Command::new("rsvg-convert")
        .arg("--version")
        .output()
        .is_err()
    {
        return skipped("no rsvg-convert");
    }
    let place = Workplace::new();
    let svg = text_of(root().join("figures/convergence-vs-epsilon.svg"));
    place.write("figure.svg", &svg);
    let docs = text_of(root().join("docs/spec.md"));
    let commands = docs.split('`').filter(|it| it.starts_with("rsvg-convert "));
    let commands: Vec<&str> = commands.collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        let mut words = command.split(' ');
        let program = words.next().expect("a word");
        let status = Command::new(program)
            .args(words)
            .current_dir(place.path())
            .status();
        assert!(status.expect("it is there").success(), "{command}");
    }
    let begins = |file: &str| fs::read(place.path().join(file)).expect(file)[..4].to_vec();
    assert_eq!(begins("figure.pdf"), *b"%PDF");
    assert_eq!(begins("figure.png"), *b"\x89PNG");
}
