//! What a `[[figure]]` chooses: refused where it cannot be, drawn where it can, and said.

use std::fs;

use crate::program::{Workplace, stderr, stdout};
use reines::experiment::spec;

/// A sweep that runs at once: two rules, n = 4 and 5, two η.
const SWEEPS: &str = "title = \"Small\"\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 20\ncutoff = 1e9\n\
                      [[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.05\neta = [0.1, 0.5]\ntrials = 20\ncutoff = 1e9\n";

fn with_figure(lines: &str) -> String {
    format!("{SWEEPS}[[figure]]\n{lines}\n")
}

fn refused(lines: &str) -> String {
    let text = with_figure(lines);
    match spec::parse("a", "a.toml", &text, &reines::report::kinds()) {
        Ok(_) => panic!("not refused: {lines}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_slip_in_a_figure_has_its_line_key_and_what_is_allowed() {
    const WORDS: &str = "n, epsilon, eta";
    let slips = [
        (
            "kind = \"curve\"\nxx = \"eta\"",
            "a.toml:18: xx = \"eta\": unknown key; allowed are kind, name, where, width, title, x, quantity, panels, divide, group, facet, x_scale, y_scale, right_axis, fit, fit_from, mark_best, interval".to_owned(),
        ),
        (
            "kind = \"curve\"\nx = \"epslon\"",
            format!("a.toml:18: x = \"epslon\": unknown axis of these sweeps; allowed is one of {WORDS}; did you mean \"epsilon\"?"),
        ),
        (
            "kind = \"curve\"\nwhere = { product = 15 }",
            format!("a.toml:18: where.product = 15: unknown key; allowed are algorithm, variant, goal, {WORDS}"),
        ),
        (
            "kind = \"curve\"\nwhere = { n = \"8\" }",
            "a.toml:18: where.n = \"8\": allowed is an integer from 1 to ".to_owned(),
        ),
        (
            "kind = \"curve\"\nwhere = 8",
            "a.toml:18: where = 8: allowed is a table such as { n = 8, epsilon = [0.01, 0.1] }".to_owned(),
        ),
        (
            "kind = \"curve\"\nwhere = { algorithm = [] }",
            "a.toml:18: where.algorithm = []: allowed is a text, or a list of texts, for algorithm".to_owned(),
        ),
        (
            "kind = \"curve\"\ngroup = [\"eta\", \"eta\"]",
            "a.toml:18: group = \"eta\": the key is doubled; allowed is each key once".to_owned(),
        ),
        (
            "kind = \"curve\"\ngroup = \"eta\"",
            format!("a.toml:18: group = \"eta\": allowed is a list of algorithm, variant, goal, {WORDS}"),
        ),
        (
            "kind = \"curve\"\nwidth = \"wide\"",
            "a.toml:18: width = \"wide\": unknown width; allowed is one of single, double".to_owned(),
        ),
        (
            "kind = \"curve\"\ntitle = 8",
            "a.toml:18: title = 8: allowed is true, false or a text".to_owned(),
        ),
        (
            "kind = \"curve\"\nfit = \"line\"",
            "a.toml:18: fit = \"line\": unknown law; allowed is one of none, exponential, power".to_owned(),
        ),
        (
            "kind = \"convergence-vs-n\"\nquantity = \"nodes\"",
            "a.toml:18: quantity = \"nodes\": unknown column of numbers; allowed is one of absorption_time, hitting_time, moves, moves_at_hit".to_owned(),
        ),
        (
            "kind = \"best-epsilon\"\nquantity = \"moves\"",
            "a.toml:18: quantity = \"moves\": the kind best-epsilon has its own quantity; allowed is quantity with the kinds convergence-vs-epsilon, convergence-vs-n, curve, pair-vs-cell, scaling".to_owned(),
        ),
        (
            "kind = \"curve\"\npanels = [\"moves\", \"wins\"]",
            "a.toml:18: panels = \"wins\": unknown column of a panel; allowed is one of ".to_owned(),
        ),
        (
            "kind = \"time-course\"\npanels = [\"moves\"]",
            "a.toml:18: panels = \"moves\": unknown column of a panel; allowed is one of true_signals, threatened, ".to_owned(),
        ),
        (
            "kind = \"curve\"\npanels = [\"moves\"]\nquantity = \"moves\"",
            "a.toml:19: quantity = \"moves\": panels names the quantities; allowed is one of both keys".to_owned(),
        ),
        (
            "kind = \"curve\"\nfit_from = 8",
            "a.toml:18: fit_from = 8: allowed is fit_from together with fit".to_owned(),
        ),
        (
            "kind = \"curve\"\nfit = \"power\"\nfit_from = \"here\"",
            "a.toml:19: fit_from = \"here\": allowed is a number".to_owned(),
        ),
        (
            "kind = \"curve\"\nx = \"eta\"\nright_axis = \"1/d\"",
            "a.toml:19: right_axis = \"1/d\": 1/d is of n; allowed is right_axis with x = \"n\"".to_owned(),
        ),
        (
            "kind = \"curve\"\nfacet = \"n\"",
            "a.toml:18: facet = \"n\": that axis stands across; allowed is another one".to_owned(),
        ),
        (
            "kind = \"curve\"\nquantity = \"moves\"\nmark_best = true",
            "a.toml:19: mark_best = true: it marks the least mean time; allowed is mark_best with the quantity absorption_time".to_owned(),
        ),
        (
            "kind = \"curve\"\ndivide = \"n^4\"",
            "a.toml:18: divide = \"n^4\": unknown divisor; allowed is one of n, n^2, n^3, sites * n".to_owned(),
        ),
        (
            "kind = \"convergence-vs-n\"\nx = \"eta\"",
            "a.toml:18: x = \"eta\": the kind convergence-vs-n has its own x; allowed is x with the kinds curve".to_owned(),
        ),
    ];
    for (lines, expected) in slips {
        let told = refused(lines);
        assert!(
            told.starts_with(&expected),
            "told {told}\nexpected {expected}"
        );
    }
}

/// η stands on an axis, a figure has 86 mm and no title, and what is kept is said.
#[test]
fn a_figure_shows_what_its_spec_chooses() {
    let workplace = Workplace::new();
    let figures = "kind = \"curve\"\nname = \"eta\"\nx = \"eta\"\nwhere = { algorithm = \"cell\", n = 5 }\nquantity = \"moves\"\nwidth = \"single\"\ntitle = false\n\
                   [[figure]]\nkind = \"convergence-vs-n\"\nname = \"moves\"\nquantity = \"moves\"\nwhere = { eta = 0.1 }\n\
                   [[figure]]\nkind = \"convergence-vs-n\"\nname = \"plain\"";
    workplace.write("a.toml", &with_figure(figures));
    workplace.succeed(&["run", "-q", "a.toml"]);
    let output = workplace.succeed(&["report", "a.toml"]);
    assert_eq!(
        stdout(&output),
        "figures/eta.svg\nfigures/moves.svg\nfigures/plain.svg\n"
    );
    let read = |name: &str| {
        fs::read_to_string(workplace.path().join("figures").join(name)).expect("just written")
    };
    let svg = read("eta.svg");
    let title = "<title>Mean moves against η</title>";
    assert!(svg.contains("width=\"86mm\"") && svg.contains(title));
    assert!(!svg.contains("Small"), "that is the experiment's title");
    assert!(svg.contains("η, probability of a random destination"));
    assert!(svg.contains("shown: 2 of 6 points, n = 5; algorithm = cell"));
    assert_eq!(read("eta.csv").lines().count(), 3);
    // 6 pt are 2.117 mm: in units of 86 mm / 1380.
    let sizes = svg.split("font-size=\"").skip(1);
    let sizes = sizes.filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
    let least = sizes.fold(f64::INFINITY, f64::min);
    assert!(least * 86.0 / 1380.0 >= 2.116, "{least}");
    let moves = read("moves.svg");
    assert!(moves.contains("mean number of queen moves"));
    assert!(moves.contains("shown: 2 of 6 points, η = 0.1; without pair (no η)"));
    let said = stderr(&workplace.succeed(&["check", "a.toml"]));
    let dropped = "figure \"moves\" is drawn without pair (no η)\n";
    assert!(said.contains(dropped), "{said}");
    assert!(read("plain.svg").contains("width=\"1200\""));
    // The choices are no part of the plan.
    let plain = workplace.write("b.toml", SWEEPS);
    let hash = |file: &str| {
        let json = stdout(&workplace.succeed(&["check", "--json", file]));
        let hash = json.split("\"plan_hash\": \"").nth(1).expect("a plan hash");
        hash[..8].to_owned()
    };
    assert_eq!(hash("a.toml"), hash(plain));
}

/// A preset is a curve with these keys: the same points and the same fitted numbers.
#[test]
fn what_a_preset_does_can_be_written_by_anybody() {
    let workplace = Workplace::new();
    let figures = "kind = \"curve\"\nname = \"own\"\ntitle = \"My own\"\ny_scale = \"log\"\nright_axis = \"1/d\"\n\
                   [[figure]]\nkind = \"convergence-vs-n\"\nname = \"preset\"\n\
                   [[figure]]\nkind = \"curve\"\nname = \"many\"\npanels = [\"absorption_time\", \"moves\"]\nfacet = \"epsilon\"\n\
                   divide = \"sites * n\"\nmark_best = true";
    workplace.write("a.toml", &with_figure(figures));
    workplace.succeed(&["run", "-q", "a.toml"]);
    workplace.succeed(&["report", "-q", "a.toml"]);
    let read = |name: &str| {
        fs::read_to_string(workplace.path().join("figures").join(name)).expect("just written")
    };
    let own = read("own.svg");
    assert!(own.contains("<title>My own</title>") && own.contains("1/d(n) (right axis)"));
    let times = |name: &str| -> Vec<String> {
        let text = read(name);
        let is_time = |line: &&str| line.contains("absorption_time");
        let lines = text.lines().filter(is_time);
        lines
            .map(|line| line.split(',').nth(11).expect("a mean").to_owned())
            .collect()
    };
    assert_eq!(times("own.csv"), times("preset.csv"));
    let many = read("many.svg");
    assert!(many.contains("mean absorption time / (sites · n) (updates)"));
    assert!(many.contains("mean moves / (sites · n) (queen moves)") && many.contains("ε = 0.05"));
    assert!(read("many.csv").contains("mean_divided"));
}

/// Twenty frames on one column of a journal are too high; two are not.
#[test]
fn a_figure_that_is_higher_than_a_page_is_told_before() {
    let workplace = Workplace::new();
    let with = |epsilon: &str| {
        let sweeps = SWEEPS.replace("epsilon = 0.05", &format!("epsilon = {epsilon}"));
        let figure = "kind = \"curve\"\nname = \"tall\"\nwidth = \"single\"\nfacet = \"epsilon\"";
        workplace.write("a.toml", &format!("{sweeps}[[figure]]\n{figure}\n"));
        stderr(&workplace.succeed(&["check", "a.toml"]))
    };
    let told = "figure \"tall\" is higher than 230 mm in print; split it: fewer panels each";
    let twenty = with("{ from = 0.01, to = 0.2, step = 0.01 }");
    assert!(twenty.contains(told), "{twenty}");
    assert_eq!(with("[0.05, 0.1]"), "");
}

#[test]
fn a_point_that_is_alone_in_its_curve_is_refused() {
    let workplace = Workplace::new();
    let lone = SWEEPS.replacen("n = [4, 5]", "n = 4", 1);
    workplace.write("a.toml", &format!("{lone}[[figure]]\nkind = \"curve\"\n"));
    let output = workplace.reines(&["check", "a.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let told = "pair rule, n = 4, ε = 0.05 stands alone in its curve; leave it out with where, or choose another group";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

/// The second of three figures has nothing to draw: `check` says so with its line, `run` warns, and
/// `report` draws the others before it fails.
#[test]
fn a_figure_without_points_is_found_before_and_stops_no_other() {
    let workplace = Workplace::new();
    let figures = "kind = \"convergence-vs-n\"\nname = \"one\"\n[[figure]]\nkind = \"epsilon-eta\"\nname = \"two\"\n\
                   [[figure]]\nkind = \"curve\"\nname = \"three\"\nwhere = { n = 9 }\n[[figure]]\nkind = \"absorbed-share\"\nname = \"four\"";
    workplace.write("a.toml", &with_figure(figures));
    let output = workplace.reines(&["check", "a.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let two = "a.toml:19: figure \"two\": figure kind \"epsilon-eta\" has nothing to draw: no points with one n differ in both ε and η";
    assert_eq!(stderr(&output), format!("error: {two}\n"));
    assert!(stdout(&output).is_empty());
    let said = stderr(&workplace.succeed(&["run", "a.toml"]));
    assert!(said.contains(&format!("warning: {two}")), "{said}");
    assert!(
        said.contains("warning: a.toml:22: figure \"three\""),
        "{said}"
    );
    let output = workplace.reines(&["report", "a.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "figures/one.svg\nfigures/four.svg\n");
    let said = stderr(&output);
    assert!(said.contains(&format!("error: {two}")), "{said}");
    let three = "error: a.toml:22: figure \"three\": figure kind \"curve\" has nothing to draw: no point has n = 9";
    assert!(said.contains(three), "{said}");
}

#[test]
fn a_figure_of_another_experiment_is_never_overwritten() {
    let workplace = Workplace::new();
    let spec = with_figure("kind = \"absorbed-share\"\nname = \"shares\"");
    for name in ["a.toml", "b.toml"] {
        workplace.write(name, &spec);
        workplace.succeed(&["run", "-q", name]);
    }
    workplace.succeed(&["report", "-q", "a.toml"]);
    let page = || fs::read(workplace.path().join("figures/shares.md")).expect("drawn");
    let before = page();
    let output = workplace.reines(&["report", "b.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: figures: the figure \"shares\" there is of the experiment a; allowed is another name in b.toml, another folder (--figures), or to remove that figure's files first\n"
    );
    assert_eq!(page(), before);
    workplace.succeed(&["report", "-q", "a.toml"]);
    workplace.succeed(&["report", "-q", "--figures", "others", "b.toml"]);
}

#[test]
fn what_is_left_out_is_said_in_the_figure_the_table_and_the_terminal() {
    let workplace = Workplace::new();
    let spec = with_figure("kind = \"curve\"\nx = \"eta\"\nname = \"eta\"");
    workplace.write("a.toml", &spec);
    workplace.succeed(&["run", "-q", "a.toml"]);
    let said = stderr(&workplace.succeed(&["report", "a.toml"]));
    let left = "left out (has no η): pair rule, n = 4, ε = 0.05; pair rule, n = 5, ε = 0.05";
    assert!(said.contains(&format!("eta: {left}\n")), "{said}");
    let read = |name: &str| {
        fs::read_to_string(workplace.path().join("figures").join(name)).expect("just written")
    };
    assert!(read("eta.svg").contains("left out: 2 points (has no η)"));
    assert!(read("eta.md").contains("Left out: pair rule, n = 4, ε = 0.05: has no η."));
    let quiet = workplace.succeed(&["report", "-q", "a.toml"]);
    assert!(quiet.stderr.is_empty());
}

#[test]
fn formats_are_words_that_are_known() {
    let workplace = Workplace::new();
    let output = workplace.reines(&["report", "--format", "svg,jpg"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("allowed are svg, png and pdf"), "{said}");
    let spec = with_figure("kind = \"absorbed-share\"\nname = \"shares\"");
    workplace.write("a.toml", &spec);
    workplace.succeed(&["run", "-q", "a.toml"]);
    workplace.succeed(&["report", "--format", "svg,png,pdf", "a.toml"]);
    let read = |ending| {
        let file = workplace
            .path()
            .join("figures/shares")
            .with_extension(ending);
        fs::read(file).expect("drawn")
    };
    assert_eq!(read("png")[..4], *b"\x89PNG");
    assert_eq!(read("pdf")[..5], *b"%PDF-");
}
