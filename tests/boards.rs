//! `reines board` as a user meets it, and the drawings of docs/rules.md, which it makes.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::program::{Words, Workplace, has, stderr, stdout, text_of};

/// The drawings of `docs/boards/`, and how each is made there.
const DRAWINGS: [(&str, &str); 8] = [
    (
        "figure-1.svg",
        "figure-1.txt --title Figure_1:_every_queen_is_threatened,_and_no_move_is_safe",
    ),
    (
        "figure-2-before.svg",
        "figure-2-before.txt --signals figure-2-before.signals --arrow b3-c3 --crop b3-c3 --width 40 --title Figure_2_before_the_update",
    ),
    (
        "figure-2-after.svg",
        "figure-2-after.txt --signals figure-2-after.signals --crop b3-c3 --width 40 --title Figure_2_after_the_update",
    ),
    (
        "figure-3-before.svg",
        "figure-3.txt --signals figure-3-before.signals --crop b3-c3 --width 40 --title Figure_3_before_the_update",
    ),
    (
        "figure-3-after.svg",
        "figure-3.txt --signals figure-3-after.signals --crop b3-c3 --width 40 --title Figure_3_after_the_update",
    ),
    (
        "figure-4-before.svg",
        "figure-4.txt --signals figure-4-before.signals --crop b3-c3 --width 40 --title Figure_4_before_the_update",
    ),
    (
        "figure-4-after.svg",
        "figure-4.txt --signals figure-4-after.signals --crop b3-c3 --width 40 --title Figure_4_after_the_update",
    ),
    (
        "figure-7.svg",
        "figure-7.txt --signals true --omega --title Figure_7:_two_queens_in_a_triangle,_with_omega",
    ),
];

const FIGURE_7: &str = include_str!("../docs/boards/figure-7.txt");

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards")
}

fn told(workplace: &Workplace, arguments: impl Words) -> String {
    stdout(&workplace.succeed(arguments))
}

/// Golden bytes: what `reines board` draws is what the docs show.
#[test]
fn the_drawings_of_the_docs_have_the_bytes_that_they_had() {
    let workplace = Workplace::new();
    for entry in fs::read_dir(docs()).expect("the drawings are here") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        workplace.write(&name, &text_of(&path));
    }
    let renewed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("boards");
    fs::create_dir_all(&renewed).expect("cargo's temporary folder can be written");
    let mut changed = Vec::new();
    for (name, made) in DRAWINGS {
        let words: Vec<String> = made.split(' ').map(|word| word.replace('_', " ")).collect();
        let arguments: Vec<&str> = ["board"]
            .into_iter()
            .chain(words.iter().map(String::as_str))
            .collect();
        let svg = told(&workplace, &arguments);
        fs::write(renewed.join(name), &svg).expect("cargo's temporary folder can be written");
        if fs::read_to_string(docs().join(name)).ok() != Some(svg) {
            changed.push(name);
        }
    }
    assert!(
        changed.is_empty(),
        "other bytes than docs/boards has: {changed:?}. If that is meant, look at them in {0} and renew them: cp {0}/*.svg docs/boards/",
        renewed.display()
    );
}

/// The text is the drawing again, with the names of rows and columns.
#[test]
fn a_position_as_text_can_be_read_again() {
    let workplace = Workplace::new();
    workplace.write("a.txt", FIGURE_7);
    let text = told(&workplace, "board a.txt --plain");
    assert_eq!(
        text,
        "6  . . . . Q .\n5  Q . . . . .\n4  × Q . . . .\n3  . . . Q . .\n2  . . . . . Q\n1  . . Q . . .\n   a b c d e f\n\
         # marked: a4\n# threatened: a5 b4\n"
    );
    workplace.write("b.txt", &text);
    assert_eq!(told(&workplace, "board b.txt --plain"), text);
    let everything = ["--signals", "true", "--omega", "--missing", "--mark", "f6"];
    let everything = told(
        &workplace,
        [&["board", "a.txt", "--plain"], &everything[..]].concat(),
    );
    workplace.write("c.txt", &everything);
    assert_eq!(
        told(&workplace, "board c.txt --plain"),
        text.replace("Q .\n5", "Q ×\n5")
            .replace("marked: a4", "marked: f6 a4")
    );
    // By hand: b5 is in line with a5, b4 and d3.
    has(&everything, "# 5  - 3 4 3 2 4\n");
    assert!(everything.contains("\n# a5 SE\n") && everything.contains("\n# a4 N E\n"));
    let part = told(&workplace, "board a.txt --plain --crop c2-a1");
    assert_eq!(part, "2  . . .\n1  . . Q\n   a b c\n");
}

/// A signal that is not true is drawn and listed apart, and so is one that is missing.
#[test]
fn listed_signals_are_true_or_false() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "Q . .\n. . .\n. . .\n");
    workplace.write("s.txt", "b3 W E\nc3 # nothing\na3 E\n");
    let text = told(&workplace, "board a.txt --signals s.txt --missing --plain");
    assert_eq!(
        text,
        "3  Q . .\n2  . . .\n1  . . .\n   a b c\n# threatened: a3\n# true signals:\n# b3 W\n# false signals:\n# a3 E\n# b3 E\n\
         # missing signals:\n# c3 W\n# a2 N\n# b2 NW\n# a1 N\n# c1 NW\n"
    );
    let svg = told(&workplace, "board a.txt --signals s.txt");
    let count = |name: &str| svg.matches(&format!("-{name}\" x=")).count();
    assert_eq!(
        ["true-W", "false-E", "true-E", "ring", "queen"].map(count),
        [1, 2, 0, 1, 1]
    );
    assert!(!svg.contains("missing"));
    // Two shapes, not two colours of one.
    let shape = |name: &str| {
        let definition = svg
            .lines()
            .find(|line| line.contains(&format!("-{name}\" class=")));
        definition.expect("it is used").contains("stroke=")
    };
    assert_eq!([shape("true-W"), shape("false-E")], [false, true]);
}

#[test]
fn boards_of_solve_are_drawn() {
    let workplace = Workplace::new();
    let json = told(&workplace, "solve --n 6 --all --json");
    workplace.write("boards.json", &json);
    let svg = told(&workplace, "board boards.json");
    assert_eq!(svg.matches("-queen\" x=").count(), 4 * 6);
    assert!(svg.contains("<title>4 boards</title>") && !svg.contains("ring"));
    let text = told(&workplace, "board boards.json --plain");
    assert!(
        text.starts_with("6  . Q . . . .\n5  . . . Q . .\n"),
        "{text}"
    );
    let one = told(&workplace, "solve --n 4 --json");
    let mut program = workplace
        .command("board - --plain")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = program.stdin.take().expect("piped");
    input.write_all(one.as_bytes()).expect("the program reads");
    drop(input);
    let output = program.wait_with_output().expect("the program ends");
    assert_eq!(
        stdout(&output),
        "4  . Q . .\n3  . . . Q\n2  Q . . .\n1  . . Q .\n   a b c d\n"
    );
}

#[test]
fn no_file_is_overwritten_unless_asked_for() {
    let workplace = Workplace::new();
    workplace.write("a.txt", FIGURE_7);
    let read = |name: &str| workplace.text(name);
    workplace.write("old.svg", "old");
    let refused = workplace.reines("board a.txt -o old.svg");
    let error = "error: old.svg: it exists; --force overwrites it\n";
    assert_eq!(
        (refused.status.code(), stderr(&refused).as_str()),
        (Some(2), error)
    );
    assert_eq!(read("old.svg"), "old");
    workplace.succeed("board a.txt -o old.svg --force");
    assert!(read("old.svg").starts_with("<svg "));
    workplace.succeed("board a.txt -o new.svg");
    assert_eq!(read("new.svg"), told(&workplace, "board a.txt"));
    let folder = workplace.reines("board a.txt -o missing/new.svg");
    assert!(!folder.status.success() && stderr(&folder).contains("missing/new.svg"));
}

/// Nothing of a title gets out of its element.
#[test]
fn a_title_is_text() {
    let workplace = Workplace::new();
    workplace.write("a.txt", "Q\n");
    let title = "</title><script>alert(1)</script> & ]]> \u{1b}[0m \u{7}";
    let svg = told(&workplace, ["board", "a.txt", "--title", title]);
    assert!(svg.contains(
        "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; ]]&gt; \u{FFFD}[0m \u{FFFD}</title>"
    ));
    assert!(!svg.contains("<script"));
}
