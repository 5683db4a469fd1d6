//! What a spec may say.

use itertools::Itertools;
use reines::experiment::plan::{Plan, PlannedPoint};
use reines::experiment::spec::{self, MAX_POINTS, Refused, Spec};
use reines::report::parse;

use crate::program::{experiments, has, name_of, text_of, words};

/// Every experiment in the folders, by name and text: a spec that is never checked may be wrong.
pub fn shipped() -> Vec<(String, String)> {
    let name = |path: &std::path::PathBuf| name_of(path).trim_end_matches(".toml").to_owned();
    let paths = experiments().into_iter();
    paths.map(|path| (name(&path), text_of(path))).collect()
}

/// A valid spec; the tests below change one line of it.
pub const GOOD: &str = r#"title = "A small one"
seed = 7

[[sweep]]
algorithm = "cell"
n = 8
epsilon = 0.01
eta = 0.1
trials = 20
cutoff = 1e6

[[figure]]
kind = "convergence-vs-n"
"#;

pub fn parse(text: &str) -> Result<Spec, Refused> {
    let spec = spec::parse("small", "small.toml", text)?;
    parse::read(&spec).map(|_| spec)
}

pub fn parsed(text: &str) -> Spec {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn refused(text: &str) -> String {
    let refused = parse(text).err();
    refused
        .unwrap_or_else(|| panic!("accepted:\n{text}"))
        .to_string()
}

/// [`GOOD`] with one line replaced.
pub fn with(line: &str, by: &str) -> String {
    assert_eq!(GOOD.matches(&format!("{line}\n")).count(), 1, "{line}");
    GOOD.replace(&format!("{line}\n"), &format!("{by}\n"))
}

/// The spec that a run has kept may have keys and figures of another version.
#[test]
fn of_a_kept_spec_the_keys_of_the_plan_alone_are_read() {
    let more = "[[figure]]\nkind = \"gone\"\n[[set]]\n\"figure[1].name\" = \"x\"\ntrials = 7\n";
    let kept = format!("nonsense = [1]\nrank = \"a\"\n{GOOD}{more}");
    assert!(parse(&kept).is_err());
    let hash = |spec: &Spec| Plan::new(spec).expect("a plan").hash();
    let spec = spec::parse_plan("small", "small.toml", &kept).expect("a plan");
    let same = parsed(&with("trials = 20", "trials = 7"));
    assert_eq!(hash(&spec), hash(&same));
    let shown = |text: &str| {
        let spec = spec::parse_shown("small", "small.toml", text).expect("TOML");
        let figures = parse::read_each(&spec).expect("tables").into_iter();
        let (figures, unread): (Vec<_>, Vec<_>) = figures.partition_result();
        let unread: Vec<String> = unread.iter().map(Refused::to_string).collect();
        (spec.title.unwrap_or_default(), figures.len(), unread)
    };
    let (title, figures, unread) = shown(&kept);
    assert_eq!((&*title, figures, unread.len()), ("A small one", 1, 1));
    has(
        &unread[0],
        "small.toml:17:8: kind = \"gone\": unknown figure kind",
    );
    // A plan that is lost leaves title and figures.
    let lost = kept.replace("eta = 0.1", "eta = 0.1\nevents.keep = \"moves\"");
    let error = spec::parse_plan("small", "small.toml", &lost).err();
    has(&error.expect("lost").to_string(), "unknown key");
    assert_eq!(shown(&lost).1, 1);
}

/// The values that the axis of this place has by such a line, as they are printed.
fn values(place: usize, text: &str) -> String {
    let line = ["n = 8", "epsilon = 0.01"][place];
    let values = &parsed(&with(line, text)).sweeps[0].axes[place].1;
    values.iter().join(" ")
}

#[test]
fn the_shipped_experiments_are_valid_and_draw_every_kind_of_figure() {
    let mut kinds = Vec::new();
    for (name, text) in shipped() {
        let spec = spec::parse(&name, &name, &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(spec.title.is_some() && spec.source.is_some(), "{name}");
        let figures = parse::read(&spec).unwrap_or_else(|error| panic!("{error}"));
        kinds.extend(figures.iter().map(|figure| figure.kind.clone()));
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, parse::kinds().map(|it| it.0).collect::<Vec<_>>());
}

#[test]
fn every_form_of_an_axis_gives_its_values() {
    let all = (1..=64).join(" ");
    for (form, expected) in [
        ("[8, 4, 0x10, 4, 6.0]", "4 6 8 16"),
        ("\"4..6\"", "4 5 6"),
        ("\" 4..=6 \"", "4 5 6"),
        ("{ from = 4, to = 12, step = 4 }", "4 8 12"),
        ("{ from = 4, to = 11, step = 4 }", "4 8"),
        ("{ from = 4, to = 6 }", "4 5 6"),
        ("{ from = 1, to = 64, points = 64 }", &*all),
        ("{ from = 5, to = 5, step = 1 }", "5"),
        ("{ from = 5, to = 5, points = 1 }", "5"),
    ] {
        assert_eq!(values(0, &format!("n = {form}")), expected, "{form}");
    }
    let dotted = "n.from = 4\nn.to = 64\nn.points = 5\nn.scale = \"log\"";
    assert_eq!(values(0, dotted), "4 8 16 32 64");
    for (form, expected) in [
        ("1", "1"),
        ("-0.0", "0"),
        ("[0, 1, 0.5]", "0 0.5 1"),
        (
            "{ from = 0, to = 1, points = 5, scale = 'linear' }",
            "0 0.25 0.5 0.75 1",
        ),
        (
            "{ from = 1e-4, to = 1e-2, points = 3, scale = 'log' }",
            "0.0001 0.001 0.01",
        ),
    ] {
        assert_eq!(values(1, &format!("epsilon = {form}")), expected, "{form}");
    }
    for (form, expected) in [
        ("{ at = [9, 2.5, 9] }", &[3, 9][..]),
        ("{ at = { from = 1, to = 4, points = 3 } }", &[1, 3, 4]),
        ("{ at = \"0..3\" }", &[0, 1, 2, 3]),
        ("{ at = { from = 0, to = 100, step = 50 } }", &[0, 50, 100]),
        ("{ at = \"n^2\" }", &[64]),
        ("[0, 100, 1000]", &[0, 100, 1000]),
        ("[0, \"n^2\"]", &[0, 64]),
    ] {
        let series = format!("trials = 20\nseries = {form}");
        let spec = parsed(&with("trials = 20", &series));
        assert_eq!(&*spec.sweeps[0].recorded, expected, "{form}");
    }
}

/// The points of a spec with their trials and cutoffs.
fn points(spec: &Spec) -> Vec<String> {
    let plan = Plan::new(spec).unwrap_or_else(|error| panic!("{error}"));
    let points = plan.points.iter();
    let told = |it: &PlannedPoint| {
        let (trials, cutoff) = (it.trials, it.cutoff);
        format!("{} ×{trials} ≤{cutoff} {:?}", it.point, it.recorded)
    };
    points.map(told).collect()
}

/// A sweep has a default where its algorithm, its variant and its own keys leave room for it.
#[test]
fn sweeps_share_defaults() {
    let shared = "seed = 1
[defaults]
algorithm = \"cell\"
n = \"4..5\"
epsilon = 0.1
eta = 0.2
trials = [7, 8]
cutoff = 100
goal = \"all\"
series.at = [0, 50]
[[sweep]]
[[sweep]]
eta = [0.3, 0.4]
cutoff = 200
[[sweep]]
algorithm = \"pair\"
trials = 3
[[sweep]]
algorithm = \"synchronous\"
variant = \"blind\"
[[sweep]]
algorithm = \"synchronous\"
[[sweep]]
algorithm = \"bitboard\"
";
    let series = "[0, 50]";
    let cell = |n: u32, eta: &str, trials: u32, cutoff: u32| {
        format!("cell n={n} epsilon=0.1 eta={eta} ×{trials} ≤{cutoff} {series}")
    };
    let expected = [
        "bitboard n=4 goal=all ×1 ≤100 []".to_owned(),
        "bitboard n=5 goal=all ×1 ≤100 []".to_owned(),
        cell(4, "0.2", 7, 100),
        cell(4, "0.3", 7, 200),
        cell(4, "0.4", 7, 200),
        cell(5, "0.2", 8, 100),
        cell(5, "0.3", 8, 200),
        cell(5, "0.4", 8, 200),
        format!("pair n=4 epsilon=0.1 ×3 ≤100 {series}"),
        format!("pair n=5 epsilon=0.1 ×3 ≤100 {series}"),
        "synchronous blind n=4 epsilon=0.1 ×7 ≤100 []".to_owned(),
        "synchronous blind n=5 epsilon=0.1 ×8 ≤100 []".to_owned(),
        "synchronous informed n=4 epsilon=0.1 eta=0.2 ×7 ≤100 []".to_owned(),
        "synchronous informed n=5 epsilon=0.1 eta=0.2 ×8 ≤100 []".to_owned(),
    ];
    assert_eq!(points(&parsed(shared)), expected);
}

/// An axis that one of several algorithms lacks is the others' alone.
#[test]
fn a_sweep_may_name_several_algorithms() {
    let text = |algorithms: &str| {
        let keys = "n = 4\nepsilon = 0.1\neta = 0.2\ntrials = 7\ncutoff = 100\n";
        format!("seeds = \"3..5\"\n[[sweep]]\nalgorithm = {algorithms}\n{keys}")
    };
    let spec = parsed(&text("[\"pair\", \"cell\"]"));
    let each = ["cell n=4 epsilon=0.1 eta=0.2", "pair n=4 epsilon=0.1"];
    assert_eq!(points(&spec), each.map(|it| format!("{it} ×7 ≤100 []")));
    assert_eq!(spec.seeds, [3, 4, 5]);
    has(&refused(&text("[\"pair\"]")), "eta goes with cell");
    has(&refused(&text("[\"pair\", \"pari\"]")), "unknown algorithm");
}

/// Each value of n has its own ε, trials and moments; numbers in the file and in a formula meet.
#[test]
fn a_value_follows_another_axis() {
    let text = |n: &str, more: &str| {
        format!("seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = {n}\ncutoff = 9e9\n{more}")
    };
    let law = "epsilon = { from = \"0.0032 * (n / 8)^-1.5 to 2 digits\", to = \"2 * 0.0085 * (n/8)^-1.5 to 2 digits\", points = 3, scale = \"log\" }\ntrials = [9, 5]\nseries.at = [\"n^3\", 700]\n";
    let followed = points(&parsed(&text("[4, 8]", law)));
    let written = |n, from, to, trials, at| {
        let range = format!("{{ from = {from}, to = {to}, points = 3, scale = \"log\" }}");
        let more = format!("epsilon = {range}\ntrials = {trials}\nseries.at = [{at}, 700]\n");
        points(&parsed(&text(n, &more)))
    };
    let four = written("4", "0.0091", "0.048", 9, 64);
    let eight = written("8", "0.0032", "0.017", 5, 512);
    assert_eq!(followed, [four, eight].concat());
    let both = "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 8]\nepsilon = [0.1, 0.2]\neta = \"epsilon * n / 8\"\ntrials = 1\ncutoff = 9\n";
    let own = ["4 0.1 0.05", "4 0.2 0.1", "8 0.1 0.1", "8 0.2 0.2"].map(words);
    let own = own.map(|it| format!("cell n={} epsilon={} eta={} ×1 ≤9 []", it[0], it[1], it[2]));
    assert_eq!(points(&parsed(both)), own);
    let wide = "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\nn = 8\nepsilon = { from = 0, to = 1, points = 100_000 }\neta = \"epsilon\"\ntrials = 1\ncutoff = 9\n";
    assert_eq!(points(&parsed(wide)).len(), 100_000);
    let wider = wide.replace("n = 8", "n = [7, 8]");
    has(&refused(&wider), "small.toml:2:1: [[sweep]]: 100002 points");
}

/// A position has the side of the sweep's boards and as many queens, and is a local rule's.
#[test]
fn a_start_is_a_position_of_the_sweep() {
    let rows = |rows: &str| format!("eta = 0.1\nstart = [{rows}]");
    let position = "expected n rows of n cells with n queens";
    for (lines, expected) in [
        (rows("\"Q\""), "its side is 1; expected n = 1"),
        (rows("\"..\", \"Q.\""), position),
        (rows("\"Q.\", \"Q\""), position),
        (rows("\"Q.\", \"q.\""), position),
        (rows("\"Q.\", 1"), "expected a text"),
        (rows(""), "its side is 0"),
        (
            "eta = 0.1\nsignals = 'true'".to_owned(),
            "expected signals beside start",
        ),
    ] {
        let text = with("eta = 0.1", &lines).replace("n = 8", "n = 2");
        has(&refused(&text), expected);
    }
    let search = GOOD.replace("\"cell\"", "\"fill\"\nstart = [\"Q\"]");
    has(&refused(&search), "start goes with cell, pair");
}

/// A choice of a sweep changes that one choice of a variant that all share, and a variant takes the
/// place of choices.
#[test]
fn a_choice_over_a_variant_changes_that_choice_alone() {
    for (shared, own, expected) in [
        (
            "variant = 'PN_PL'",
            "branching = 'min-domain'",
            &["PN_PD"][..],
        ),
        ("branching = 'min-domain'", "variant = 'PN_PL'", &["PN_PL"]),
        ("variant = 'AA_DC'", "symmetry = true", &["AASDC"]),
        ("variant = 'AN_DC'", "constraints = 'domain'", &["AA_DC"]),
        (
            "variant = ['PN_PL', 'AN_DC']",
            "symmetry = true",
            &["ANSDC", "PNSPL"],
        ),
        (
            "variant = 'PN_PL'",
            "constraints = ['neq', 'bounds']\nsymmetry = [false, true]",
            &["PBSPL", "PB_PL", "PNSPL", "PN_PL"],
        ),
        // Neither alone can be.
        (
            "variant = 'AN_DC'",
            "model = 'primal'\ndecision = 'primal'\nbranching = 'random'",
            &["PN_PR"],
        ),
    ] {
        let head = "seed = 1\n[defaults]\nalgorithm = 'cp'\nn = 4\ncutoff = 9";
        let spec = parsed(&format!("{head}\n{shared}\n[[sweep]]\n{own}"));
        assert_eq!(spec.sweeps[0].variants.of, expected, "{own}");
        let set = format!("{head}\n[[sweep]]\n{shared}\n[[set]]\n{own}");
        let of_set = &parsed(&set).sweeps[0].variants.of;
        assert_eq!(of_set, expected, "{own}");
    }
}

/// A key of the constraint models that is set leaves the variants of other algorithms.
#[test]
fn what_is_set_touches_the_sweeps_whose_algorithm_has_it() {
    let shared = "epsilon = 0.1\neta = 0.1\ntrials = 2\ncutoff = 9\nn = 4\n";
    let blind = "[[sweep]]\nalgorithm = 'synchronous'\nvariant = 'blind'\n";
    let others = "[[sweep]]\nalgorithm = 'cp'\n[[sweep]]\nalgorithm = 'cell'\n";
    let spec = format!("seed = 1\n[defaults]\n{shared}{blind}{others}[[set]]\n");
    for (key, expected) in [
        ("symmetry = true", "PNSPL"),
        ("branching = 'min-domain'", "PN_PD"),
        ("constraints = 'domain'", "PA_PL"),
    ] {
        let sweeps = parsed(&format!("{spec}{key}\n")).sweeps;
        let variants = sweeps.iter().map(|sweep| &sweep.variants.of[..]);
        let variants = variants.collect::<Vec<_>>().concat();
        assert_eq!(variants, ["blind", expected, ""], "{key}");
    }
}

/// Of a list of conditions one must hold, as of several options; of those of a file and of a
/// command both.
#[test]
fn of_a_list_of_conditions_one_must_hold() {
    let text = |only: &str, set: &str| {
        let sweep = "[[sweep]]\nalgorithm = \"pair\"\nn = \"4..7\"\nepsilon = 0.1\ntrials = 5\ncutoff = 9\n";
        format!("{only}\nseeds = [1, 2]\n{sweep}{set}")
    };
    for (only, set, expected) in [
        ("only = [\"n=4\", \"n=5\"]", "", &[4, 5][..]),
        (
            "only = [\"n=4\", \"n=5\"]",
            "[[set]]\nonly = \"n>4\"\n",
            &[5],
        ),
        ("only = \"n=4..5,n=7\"", "", &[4, 5, 7]),
        ("only = \"n=4,n=6..9\"", "", &[4, 6, 7]),
        ("only = \"variant=safe,n=4\"", "", &[4]),
        ("only = \"variant=(safe),n=4\"", "", &[4]),
    ] {
        let plan = Plan::new(&parsed(&text(only, set))).expect("a plan");
        let sizes = plan.points.iter().filter_map(|it| it.point.integer("n"));
        assert_eq!(sizes.collect::<Vec<_>>(), expected, "{only} {set}");
    }
    let plan = Plan::new(&parsed(&text("only = \"trial=3,trial=2,n=4\"", ""))).expect("a plan");
    assert_eq!((plan.points[0].first, plan.points[0].trials), (2, 2));
    let told = refused(&text("only = \"trial=1,trial=3\"", ""));
    has(
        &told,
        "trials 1 and 3 do not follow each other; expected a range of trials",
    );
}

/// `safe` is named as it is written, and with a start beside it every condition is named by its
/// form.
#[test]
fn every_condition_can_be_named() {
    let text = |only: &str| {
        let certain =
            "certain = { source = \"safe\", none = \"b.queens==0\" }\nstart = [\"Q.\", \".Q\"]";
        let start = "n = 2\nepsilon = 0.1\ntrials = 5\ncutoff = 9\n";
        format!("only = '{only}'\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\n{start}{certain}\n")
    };
    let safe = "from Q./.Q";
    let other = "b.queens == 0 from Q./.Q";
    for (only, expected) in [
        ("variant=safe", safe),
        ("variant=source", safe),
        ("variant!=safe", other),
        ("variant=b.queens == 0", other),
        ("variant=(b.queens==0)", other),
        ("variant=none", other),
        ("variant!=none", safe),
    ] {
        let plan = Plan::new(&parsed(&text(only))).unwrap_or_else(|error| panic!("{error}"));
        let variants = plan.points.iter().map(|it| &*it.point.variant);
        assert_eq!(variants.collect::<Vec<_>>(), [expected], "{only}");
    }
}

#[test]
fn numbers_are_taken_exactly() {
    let cutoff = |text: &str| parsed(&with("cutoff = 1e6", text)).sweeps[0].cutoff;
    assert_eq!(cutoff("cutoff = 9.2e18"), 9_200_000_000_000_000_000);
    assert_eq!(cutoff("cutoff = 9223372036854775807"), (1 << 63) - 1);
    assert_eq!(cutoff("cutoff = 1_000_000_000"), 1_000_000_000);
    let seeds = |text: &str| parsed(&with("seed = 7", text)).seeds;
    assert_eq!(seeds("seed = 0"), [0]);
    assert_eq!(seeds("seeds = [3, 1, 2e0]"), [1, 2, 3]);
}

/// 100 000 points are the limit, whether from one axis, a product, or many sweeps: none of these is
/// expanded.
#[test]
fn no_file_can_ask_for_absurd_memory() {
    let wide = "[[sweep]]\nalgorithm = \"pair\"\nn = 8\nepsilon = { from = 0, to = 1, points = 100_000 }\ntrials = 1\ncutoff = 1\n";
    let spec = parsed(&format!("seed = 1\n{wide}"));
    assert_eq!(spec.sweeps[0].size(), MAX_POINTS);
    assert!(parse(&format!("seed = 1\n{}", wide.repeat(10_000))).is_err());
    let told = refused(&format!("seeds = [{}]\n{wide}", (0..1001).join(", ")));
    has(&told, "expected a list of 1 to 1000 values");
}
