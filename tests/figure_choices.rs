//! What a `[[figure]]` chooses: refused where it cannot be, drawn where it can, and said.

use crate::program::{Workplace, bytes_of, has, stderr, stdout, text_of};

/// A sweep that runs at once: two rules, n = 4 and 5, two η.
const SWEEPS: &str = "title = \"Small\"\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.05\ntrials = 20\ncutoff = 1e9\n\
                      [[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.05\neta = [0.1, 0.5]\ntrials = 20\ncutoff = 1e9\n";

fn with_figure(lines: &str) -> String {
    format!("{SWEEPS}[[figure]]\n{lines}\n")
}

/// η stands on an axis, a figure has 86 mm and no title, and what is kept is said.
#[test]
fn a_figure_shows_what_its_spec_chooses() {
    let workplace = Workplace::new();
    let figures = "kind = \"curve\"\nname = \"eta\"\nx = \"eta\"\nwhere = { algorithm = \"cell\", n = 5 }\nquantity = \"moves\"\nwidth = \"single\"\ntitle = false\n\
                   [[figure]]\nkind = \"convergence-vs-n\"\nname = \"moves\"\nquantity = \"moves\"\nwhere = { eta = 0.1 }\n\
                   [[figure]]\nkind = \"convergence-vs-n\"\nname = \"plain\"";
    workplace.write("a.toml", &with_figure(figures));
    workplace.succeed("run -q a.toml");
    let output = workplace.succeed("report a.toml");
    assert_eq!(
        stdout(&output),
        "figures/eta.svg\nfigures/moves.svg\nfigures/plain.svg\n"
    );
    let read = |name: &str| text_of(workplace.path().join("figures").join(name));
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
    let said = stderr(&workplace.succeed("check a.toml"));
    let dropped = "figure \"moves\" is drawn without pair (no η)\n";
    has(&said, dropped);
    assert!(read("plain.svg").contains("width=\"1200\""));
    // The choices are no part of the plan.
    let plain = workplace.write("b.toml", SWEEPS);
    let hash = |file: &str| {
        let json = stdout(&workplace.succeed(format!("check --json {file}")));
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
    workplace.succeed("run -q a.toml");
    workplace.succeed("report -q a.toml");
    let read = |name: &str| text_of(workplace.path().join("figures").join(name));
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
        stderr(&workplace.succeed("check a.toml"))
    };
    let told = "figure \"tall\" is higher than 230 mm in print; split it: fewer panels each";
    let twenty = with("{ from = 0.01, to = 0.2, step = 0.01 }");
    has(&twenty, told);
    assert_eq!(with("[0.05, 0.1]"), "");
}

#[test]
fn a_point_that_is_alone_in_its_curve_is_refused() {
    let workplace = Workplace::new();
    let lone = SWEEPS.replacen("n = [4, 5]", "n = 4", 1);
    workplace.write("a.toml", &format!("{lone}[[figure]]\nkind = \"curve\"\n"));
    let output = workplace.reines("check a.toml");
    assert_eq!(output.status.code(), Some(2));
    let told = "pair rule, n = 4, ε = 0.05 stands alone in its curve; leave it out with where, or choose another group";
    has(&stderr(&output), told);
}

/// The second of three figures has nothing to draw: `check` says so with its line, `run` warns, and
/// `report` draws the others before it fails.
#[test]
fn a_figure_without_points_is_found_before_and_stops_no_other() {
    let workplace = Workplace::new();
    let figures = "kind = \"convergence-vs-n\"\nname = \"one\"\n[[figure]]\nkind = \"epsilon-eta\"\nname = \"two\"\n\
                   [[figure]]\nkind = \"curve\"\nname = \"three\"\nwhere = { n = 9 }\n[[figure]]\nkind = \"absorbed-share\"\nname = \"four\"";
    workplace.write("a.toml", &with_figure(figures));
    let output = workplace.reines("check a.toml");
    assert_eq!(output.status.code(), Some(2));
    let two = "a.toml:19: figure \"two\": figure kind \"epsilon-eta\" has nothing to draw: no points with one n differ in both ε and η";
    assert_eq!(stderr(&output), format!("error: {two}\n"));
    assert!(stdout(&output).is_empty());
    let said = stderr(&workplace.succeed("run a.toml"));
    has(&said, &format!("warning: {two}"));
    has(&said, "warning: a.toml:22: figure \"three\"");
    let output = workplace.reines("report a.toml");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "figures/one.svg\nfigures/four.svg\n");
    let said = stderr(&output);
    has(&said, &format!("error: {two}"));
    let three = "error: a.toml:22: figure \"three\": figure kind \"curve\" has nothing to draw: no point has n = 9";
    has(&said, three);
}

#[test]
fn a_figure_of_another_experiment_is_never_overwritten() {
    let workplace = Workplace::new();
    let spec = with_figure("kind = \"absorbed-share\"\nname = \"shares\"");
    for name in ["a.toml", "b.toml"] {
        workplace.write(name, &spec);
        workplace.succeed(format!("run -q {name}"));
    }
    workplace.succeed("report -q a.toml");
    let page = || bytes_of(workplace.path().join("figures/shares.md"));
    let before = page();
    let output = workplace.reines("report b.toml");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: figures: the figure \"shares\" there is of the experiment a; allowed is another name in b.toml, another folder (--figures), or to remove that figure's files first\n"
    );
    assert_eq!(page(), before);
    workplace.succeed("report -q a.toml");
    workplace.succeed("report -q --figures others b.toml");
}

#[test]
fn what_is_left_out_is_said_in_the_figure_the_table_and_the_terminal() {
    let workplace = Workplace::new();
    let spec = with_figure("kind = \"curve\"\nx = \"eta\"\nname = \"eta\"");
    workplace.write("a.toml", &spec);
    workplace.succeed("run -q a.toml");
    let said = stderr(&workplace.succeed("report a.toml"));
    let left = "left out (has no η): pair rule, n = 4, ε = 0.05; pair rule, n = 5, ε = 0.05";
    has(&said, &format!("eta: {left}\n"));
    let read = |name: &str| text_of(workplace.path().join("figures").join(name));
    assert!(read("eta.svg").contains("left out: 2 points (has no η)"));
    assert!(read("eta.md").contains("Left out (has no η): pair rule, n = 4, ε = 0.05; "));
    let quiet = workplace.succeed("report -q a.toml");
    assert!(quiet.stderr.is_empty());
}

#[test]
fn formats_are_words_that_are_known() {
    let workplace = Workplace::new();
    let said = workplace.ends(2, "report --format svg,jpg");
    has(&said, "allowed are svg, png and pdf");
    let spec = with_figure("kind = \"absorbed-share\"\nname = \"shares\"");
    workplace.write("a.toml", &spec);
    workplace.succeed("run -q a.toml");
    workplace.succeed("report --format svg,png,pdf a.toml");
    let read = |ending| {
        let file = workplace
            .path()
            .join("figures/shares")
            .with_extension(ending);
        bytes_of(file)
    };
    assert_eq!(read("png")[..4], *b"\x89PNG");
    assert_eq!(read("pdf")[..5], *b"%PDF-");
}
