//! Files that hold no spec, names that none may have, and specs that would write to the same place.

use std::path::Path;

use reines::experiment::spec::{self, MAX_BYTES, MAX_POINTS, Spec};

use crate::program::has;
use crate::spec::{GOOD, KINDS, parse, parsed, refused};

#[test]
fn paths_that_are_no_spec_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = |name: &str, bytes: Option<&[u8]>| {
        let path = folder.path().join(name);
        if let Some(bytes) = bytes {
            std::fs::write(&path, bytes).expect("written");
        }
        let error = spec::read(&path, &KINDS)
            .err()
            .expect("no spec")
            .to_string();
        error
            .strip_prefix(&path.display().to_string())
            .expect("the file comes first")
            .to_owned()
    };
    assert!(told("missing.toml", None).starts_with(": cannot be read: "));
    assert_eq!(told("", None), ": is a folder: a spec is a TOML file");
    assert_eq!(
        told("latin1.toml", Some(b"seed = 1\ntitle = \"\xe9tude\"")),
        ": is not UTF-8: byte 10 of line 2 does not fit (a spec is a TOML file)"
    );
    let long = vec![b'#'; MAX_BYTES as usize + 1];
    assert_eq!(
        told("long.toml", Some(&long)),
        ": is larger than 1048576 bytes: a spec is a short TOML file"
    );
    assert!(told("latest.toml", Some(GOOD.as_bytes())).contains("\"latest\""));
    assert!(told("empty.toml", Some(b"")).starts_with(":1: missing key seed"));
}

#[test]
fn a_file_gives_its_spec_the_name_of_its_stem() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.first-try.toml");
    // A byte order mark and the line ends of another system are no part of what a spec says.
    std::fs::write(&path, format!("\u{feff}{}", GOOD.replace('\n', "\r\n"))).expect("written");
    let spec = spec::read(&path, &KINDS).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (spec.name.as_str(), spec.sweeps[0].line),
        ("a.first-try", 4)
    );
    assert_eq!(spec.file, path.display().to_string());
}

#[test]
fn an_experiment_cannot_have_a_name_that_results_need() {
    for name in ["", "..", "a/b", "reference", "latest", "LATEST", "a\nb"] {
        let error = spec::parse(name, "x.toml", GOOD, &KINDS)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            error.starts_with("x.toml: the file's stem ") && error.contains("allowed "),
            "{name:?}: {error}"
        );
    }
}

#[test]
fn experiments_that_would_write_to_the_same_place() {
    let named = |name: &str, figure: &str| -> Spec {
        let text = format!("{GOOD}name = \"{figure}\"\n");
        let file = Path::new("experiments").join(name).with_extension("toml");
        spec::parse(name, &file.display().to_string(), &text, &KINDS)
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let told = |specs: &[Spec]| {
        spec::refuse_shared_names(specs)
            .err()
            .map(|error| error.to_string())
    };
    assert_eq!(told(&[named("a", "one"), named("b", "two")]), None);
    assert_eq!(
        told(&[named("a", "one"), named("b", "One")]).as_deref(),
        Some(
            "experiments/b.toml: experiments/a.toml has a figure of the same name \"One\"; allowed is a name of its own"
        )
    );
    assert_eq!(
        told(&[named("a", "one"), named("A", "two")]).as_deref(),
        Some(
            "experiments/A.toml: experiments/a.toml has the same experiment name \"A\"; allowed is a name of its own"
        )
    );
}

/// 100 000 points are the limit, whether from one axis, a product, or many sweeps: none of these is
/// expanded.
#[test]
fn no_file_can_ask_for_absurd_memory() {
    let wide = "[[sweep]]\nalgorithm = \"pair\"\nn = 8\nepsilon = { from = 0, to = 1, points = 100_000 }\ntrials = 1\ncutoff = 1\n";
    let spec = parsed(&format!("seed = 1\n{wide}"));
    assert_eq!(spec.sweeps[0].size(), MAX_POINTS);
    assert!(parse(&format!("seed = 1\n{}", wide.repeat(10_000))).is_err());
    let seeds: Vec<String> = (0..1001).map(|seed| seed.to_string()).collect();
    let told = refused(&format!("seeds = [{}]\n{wide}", seeds.join(", ")));
    has(&told, "allowed is a list of 1 to 1000 seeds");
    let tags = "\"a\", ".repeat(101);
    let told = refused(&format!("seed = 7\ntags = [{tags}]\n{wide}"));
    has(&told, "allowed is a list of at most 100 texts");
    has(
        &refused(""),
        "small.toml:1: missing key sweep; needed is at least one [[sweep]]",
    );
}
