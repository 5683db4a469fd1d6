//! Forms of code that save a line and cost a reader time, counted in `src` by their text.

use std::collections::BTreeMap;

use regex_lite::Regex;

use super::rust_files;
use crate::program::{root, text_of};

/// The largest number of places that each form may have. A commit that lowers a number writes the
/// lower one here; none may raise one.
const MOST: [(&str, usize); 6] = [
    ("packed", 17),
    ("it", 0),
    ("again", 5),
    ("long chain", 4),
    ("function above 40 lines", 35),
    ("function above 60 lines", 0),
];

/// The patterns, compiled once.
struct Patterns {
    /// `let (a, b) = (x, y)`, and the same of an array: one `let` that names unrelated values.
    packed: Regex,
    /// A closure whose argument is called `it`, `own` or `one`.
    nameless: Regex,
    /// The name that a `let` gives to one value.
    named: Regex,
    function: Regex,
    /// Seven calls or more in one statement, each on a line.
    long_chain: Regex,
}

impl Patterns {
    fn new() -> Self {
        let compiled = |pattern: &str| Regex::new(pattern).expect("a pattern");
        Self {
            packed: compiled(
                r"^let (mut )?\((mut )?\w+, .*\) = \($|^let \((mut )?\w+, .*\) = \(.*,.*\);$|^let \[\w+(, \w+)+\] = (\[|if |match |\w.*\{ ?\[)",
            ),
            nameless: compiled(r"\|\(?&{0,2}\(?(?:it|own|one)(?:: [^|]+)?\)?(?:, _)?\)?\|"),
            named: compiled(r"^let (?:mut )?(\w+)(?::[^=]+)? = "),
            function: compiled(r"^(pub(\([\w: ]+\))? )?(const |unsafe |async )*fn \w+"),
            long_chain: compiled(r"(?:\n\s+\.\w+(?:::<[^>]*>)?\([^;]*?){7,};"),
        }
    }

    /// The forms in a file, each with the number of its line.
    fn forms(&self, text: &str) -> Vec<(&'static str, usize)> {
        let code = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let mut found = Vec::new();
        let mut function: Option<Function> = None;

        for (line, number) in code.lines().zip(1..) {
            let statement = line.trim();
            if statement.starts_with("//") {
                continue;
            }
            if self.function.is_match(statement) {
                function = Some(Function::new(line, number));
            }
            if let Some(ended) = function.take_if(|function| function.ends_with(line)) {
                let n_lines = number - ended.first_line + 1;
                if n_lines > 40 {
                    found.push(("function above 40 lines", ended.first_line));
                }
                if n_lines > 60 {
                    found.push(("function above 60 lines", ended.first_line));
                }
            }
            if self.packed.is_match(statement) {
                found.push(("packed", number));
            }
            for _ in self.nameless.find_iter(statement) {
                found.push(("it", number));
            }
            let named = self.named.captures(statement);
            if let (Some(function), Some(named)) = (&mut function, named)
                && function.is_third_value(&named[1])
            {
                found.push(("again", number));
            }
        }

        let without_comments = Regex::new(r"//[^\n]*").expect("a pattern");
        let without_comments = without_comments.replace_all(code, "");
        for chain in self.long_chain.find_iter(&without_comments) {
            let lines_before = without_comments[..chain.start()].matches('\n').count();
            found.push(("long chain", lines_before + 2));
        }
        found
    }
}

/// A function that is being read.
struct Function {
    first_line: usize,
    indent: usize,
    /// How many values each name of a `let` has had.
    values: BTreeMap<String, usize>,
}

impl Function {
    fn new(line: &str, number: usize) -> Self {
        Self {
            first_line: number,
            indent: line.len() - line.trim_start().len(),
            values: BTreeMap::new(),
        }
    }

    fn ends_with(&self, line: &str) -> bool {
        line.len() == self.indent + 1 && line.ends_with('}')
    }

    fn is_third_value(&mut self, name: &str) -> bool {
        let n_values = self.values.entry(name.to_owned()).or_default();
        *n_values += 1;
        name != "_" && *n_values == 3
    }
}

/// Each form, with the places where it stands.
fn places() -> BTreeMap<&'static str, Vec<String>> {
    let patterns = Patterns::new();
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for path in rust_files(&root().join("src")) {
        let inside = path.strip_prefix(root()).expect("below the root");
        let is_test = inside.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            name == "tests" || name == "tests.rs" || name == "samples.rs"
        });
        if is_test {
            continue;
        }
        for (form, line) in patterns.forms(&text_of(&path)) {
            let place = format!("{}:{line}", inside.display());
            places.entry(form).or_default().push(place);
        }
    }
    places
}

/// Where this fails the places are printed: the new one is written plainly.
#[test]
fn plain_code_does_not_become_rarer() {
    let places = places();
    for (form, most) in MOST {
        let found = places.get(form).map_or(&[][..], Vec::as_slice);
        let listed = found.join("\n");
        assert!(
            found.len() <= most,
            "{listed}\n{form}: {} places, at most {most} expected",
            found.len()
        );
        println!("{form}: {} places of at most {most}", found.len());
    }
}

/// A line of each form is found, and its plain neighbour is not.
#[test]
fn each_form_is_found_where_it_is_planted() {
    let patterns = Patterns::new();
    let forms = |text: &str| {
        let found = patterns.forms(text).into_iter();
        found.map(|(form, _)| form).collect::<Vec<_>>()
    };
    assert_eq!(forms("let (words, rows) = (1, 2);"), ["packed"]);
    assert_eq!(forms("let [low, high] = [1, 2];"), ["packed"]);
    assert!(forms("let (low, high) = ends(&row);").is_empty());
    assert_eq!(forms("rows.map(|it| it.n)"), ["it"]);
    assert_eq!(forms("rows.map(|&(own, _)| own)"), ["it"]);
    assert!(forms("rows.map(|row| row.n)").is_empty());

    let renamed = "fn f() {\n    let x = 1;\n    let x = 2;\n    let x = 3;\n}\n";
    assert_eq!(forms(renamed), ["again"]);
    assert!(forms(&renamed.replace("let x = 3", "let y = 3")).is_empty());

    let function = |n_lines: usize| format!("fn f() {{\n{}}}\n", "    x();\n".repeat(n_lines - 2));
    assert!(forms(&function(40)).is_empty());
    assert_eq!(forms(&function(41)), ["function above 40 lines"]);
    assert_eq!(forms(&function(61)).len(), 2);

    let chain = |n_calls: usize| format!("let x = y{};\n", "\n    .f()".repeat(n_calls));
    assert!(forms(&chain(6)).is_empty());
    assert_eq!(forms(&chain(7)), ["long chain"]);
    let in_tests = "#[cfg(test)]\nmod tests {\nlet (a, b) = (1, 2);\n}";
    assert!(forms(in_tests).is_empty());
}
