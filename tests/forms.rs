//! The forms of an SVG that every program reads which draws them (docs/data.md, the table of
//! renderers): no other stands in any of ours.

use std::collections::BTreeSet;

use crate::figures::drawn;
use crate::program::{Workplace, files_of, name_of, root, text_of};

/// The elements of figures and boards, each with its attributes.
const FORMS: [(&str, &str); 12] = [
    ("svg", "xmlns xmlns:xlink role width height viewBox"),
    ("title", ""),
    ("desc", ""),
    ("defs", ""),
    (
        "g",
        "class fill font-family font-size text-anchor pointer-events",
    ),
    (
        "rect",
        "class x y width height fill fill-opacity stroke stroke-width data-row",
    ),
    (
        "circle",
        "id class cx cy r fill fill-opacity stroke stroke-width data-row",
    ),
    ("polyline", "fill stroke stroke-width points"),
    ("polygon", "fill fill-opacity points"),
    (
        "path",
        "id class fill stroke stroke-width stroke-dasharray transform d",
    ),
    ("use", "xlink:href x y"),
    (
        "text",
        "class x y text-anchor font-family font-size font-weight fill transform",
    ),
];

/// What a title may describe: of a text, some programs print it or leave out the text.
const TITLED: [&str; 3] = ["svg", "circle", "rect"];

/// What is wrong with an SVG, each once.
fn wrong_forms(svg: &str) -> BTreeSet<String> {
    let mut wrong = BTreeSet::new();
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or((part, ""));
        if tag.starts_with('/') {
            open.pop();
            continue;
        }
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        match FORMS.iter().find(|form| form.0 == name) {
            Some((_, known)) => wrong.extend(wrong_attributes(name, attributes, known)),
            None => drop(wrong.insert(format!("<{name}>"))),
        }
        if name == "title" && open.last().is_some_and(|parent| !TITLED.contains(parent)) {
            wrong.insert(format!("<title> in {open:?}"));
        }
        if name == "text" && part.contains('\u{202F}') {
            wrong.insert("a narrow space in <text>".to_owned());
        }
        if !part.contains("/>") {
            open.push(name);
        }
    }
    let is_raised = |sign: &char| "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ".contains(*sign);
    wrong.extend(
        svg.chars()
            .filter(is_raised)
            .map(|sign| format!("superscript {sign}")),
    );
    wrong
}

/// What is wrong with the attributes of an element that may have these.
fn wrong_attributes(name: &str, attributes: &str, known: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut quoted = attributes.split('"');
    while let (Some(key), Some(value)) = (quoted.next(), quoted.next()) {
        let key = key.trim().trim_end_matches('=');
        let is_known = known.split(' ').any(|own| own == key);
        let is_meant = match key {
            "fill-opacity" => value
                .parse()
                .is_ok_and(|part: f64| part > 0.0 && part < 1.0),
            // Named fonts first, and no quotes, which are read as a part of the name.
            "font-family" => {
                value.starts_with("Arial, Helvetica, ") && value.ends_with(", sans-serif")
            }
            "font-size" => value.parse::<u32>().is_ok(),
            _ => true,
        };
        if !is_known || !is_meant {
            wrong.push(format!("{name} {key}={value}"));
        }
    }
    wrong
}

#[test]
fn every_svg_has_only_forms_that_every_program_reads() {
    let (files, page) = drawn();
    let figures = files.iter().filter(|file| file.0.ends_with(".svg"));
    let mut svgs: Vec<(String, String)> = figures.cloned().collect();
    for folder in ["docs/boards", "docs/wall-clock"] {
        let files = files_of(&root().join(folder), ".svg");
        svgs.extend(files.iter().map(|path| (name_of(path), text_of(path))));
    }
    let in_page = page.split("<svg ").skip(1);
    let in_page = in_page.filter_map(|rest| rest.split_once("</svg>"));
    svgs.extend(in_page.map(|(svg, _)| ("page".to_owned(), format!("<svg {svg}</svg>"))));
    assert!(svgs.len() > 80, "{}", svgs.len());
    for (name, svg) in &svgs {
        assert_eq!(wrong_forms(svg), BTreeSet::new(), "{name}");
    }
}

/// Each of these is read by one program and not by another.
#[test]
fn a_form_that_some_program_does_not_read_is_found() {
    let label = "<svg role=\"img\"><text x=\"1\" y=\"2\">a 10^6</text></svg>";
    assert_eq!(wrong_forms(label), BTreeSet::new());
    let changed = |from: &str, to: &str| wrong_forms(&label.replace(from, to)).len();
    for (from, to) in [
        ("y=\"2\"", "y=\"2\" dy=\"9\""),
        ("y=\"2\"", "y=\"2\" opacity=\"0.5\""),
        (
            "y=\"2\"",
            "y=\"2\" fill=\"#222222\" style=\"fill-opacity:0.5\"",
        ),
        ("y=\"2\"", "y=\"2\" font-family=\"sans-serif\""),
        ("10^6", "10⁶"),
        ("10^6", "10<tspan>6</tspan>"),
        ("10^6", "<title>six</title>"),
        ("10^6", "1\u{202F}000"),
    ] {
        assert_eq!(changed(from, to), 1, "{to}");
    }
}

/// What a figure says in the words of its spec: each word of the SVG is one of the spec's.
#[test]
fn a_french_figure_has_no_english_word() {
    let spec = text_of(root().join("tests/data/french.toml"));
    let place = Workplace::with(&spec);
    place.succeed("run -q a.toml");
    place.succeed("report -q a.toml");
    let svg = place.text("figures/temps.svg");
    // What stands before an equals sign is what is replaced.
    let said = spec.lines().map(|line| match line.split_once("\" ") {
        Some((_, after)) if line.starts_with('"') => after,
        _ => line,
    });
    let french = words_of(&said.collect::<Vec<_>>().join("\n"));
    let texts = svg.split('>').filter_map(|part| part.split('<').next());
    let found = words_of(&texts.collect::<Vec<_>>().join("\n"));
    assert!(found.len() > 30, "{found:?}");
    let english: Vec<&String> = found.difference(&french).collect();
    assert_eq!(english, [] as [&String; 0]);
    // Without them it is an English one.
    place.write(
        "a.toml",
        spec.split("[figure.words]").next().unwrap_or_default(),
    );
    place.succeed("report -q a.toml");
    assert!(words_of(&place.text("figures/temps.svg")).contains("hitting"));
}

/// The words of a text in small letters, of two letters and more.
fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|sign: char| !sign.is_alphanumeric());
    // The hashes of the caption have digits.
    let words = words.filter(|word| word.chars().all(char::is_alphabetic));
    let words = words.filter(|word| word.chars().count() > 1);
    words.map(str::to_lowercase).collect()
}
