//! `list --stale`: what no spec makes any more is named, and nothing else.

use std::fs;

use crate::program::{Workplace, has, stdout};

/// A spec with figures of these names.
fn spec(figures: &[&str]) -> String {
    let figures = figures.iter();
    let figures = figures
        .map(|name| format!("[[figure]]\nname = \"{name}\"\nx = \"n\"\ny = \"absorption_time\"\n"));
    format!(
        "seed = 1\ndynamics = \"stepwise\"\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\n\
         epsilon = 0.1\neta = 0.1\ntrials = 3\ncutoff = 20_000\n{}",
        figures.collect::<String>()
    )
}

/// The experiments `a`, with the figures `first` and `second`, and `b`, with `third`, all drawn.
fn drawn() -> Workplace {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    place.write("experiments/a.toml", &spec(&["first", "second"]));
    place.write("experiments/b.toml", &spec(&["third"]));
    for command in [
        "run -q a",
        "run -q a -s trials=4",
        "run -q b",
        "report -q a b",
    ] {
        place.succeed(command);
    }
    place
}

/// The paths that are named, each without its folder's name where that is `figures`.
fn stale(place: &Workplace) -> Vec<String> {
    let output = place.succeed("list --stale --json");
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let stale = found["stale"].as_array().expect("a list").iter();
    let path = |stale: &serde_json::Value| stale["path"].as_str().expect("a path").to_owned();
    stale.map(path).collect()
}

/// Three files a figure, and no other.
fn files(figure: &str) -> [String; 3] {
    ["md", "svg", "csv"].map(|ending| format!("figures/{figure}.{ending}"))
}

#[test]
fn what_no_spec_makes_any_more_is_named_and_stays() {
    let place = drawn();
    place.write("figures/notes.md", "# Mine\n");
    place.write("figures/poster.svg", "<svg/>\n");
    assert_eq!(stale(&place), [""; 0], "every spec is there");

    place.write("experiments/a.toml", &spec(&["first", "renamed"]));
    assert_eq!(stale(&place), files("second"), "a figure has another name");

    // An earlier plan of `a` stays one of `a`.
    place.write(
        "experiments/a.toml",
        &spec(&["first"]).replace("seed = 1", "seed = 2"),
    );
    assert_eq!(stale(&place), files("second"), "a plan is another one");

    let [old, new] = ["b", "c"].map(|name| place.path().join(format!("experiments/{name}.toml")));
    fs::rename(&old, &new).expect("it is there");
    let mut expected = [files("second"), files("third")].concat();
    expected.push("results/b".to_owned());
    assert_eq!(stale(&place), expected, "an experiment has another name");

    let said = stdout(&place.succeed("list --stale"));
    has(
        &said,
        "a figure of the experiment a, whose spec has no such figure any more",
    );
    has(
        &said,
        "a figure of the experiment b, which has no spec any more",
    );
    has(&said, "runs of an experiment that has no spec any more");
    for path in &expected {
        assert!(place.path().join(path).exists(), "{path} was removed");
    }
}

/// What a spec with an error asks for is not known; without any spec nothing is.
#[test]
fn what_is_not_known_is_not_named() {
    let place = drawn();
    place.write("experiments/b.toml", "sede = 1\n");
    assert_eq!(stale(&place), [""; 0]);

    fs::remove_dir_all(place.path().join("experiments")).expect("it is there");
    let said = place.ends(2, "list --stale");
    has(
        &said,
        "experiments: no spec is in it; expected the specs of what is still made",
    );
}
