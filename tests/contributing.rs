//! The index of CONTRIBUTING.md: every file that it names is there, and has what it names of it.

use std::path::Path;

use crate::code_version::places;
use crate::program::{root, text_of};

/// The endings of names of files in the index.
const ENDINGS: [&str; 7] = [".rs", ".toml", ".txt", ".html", ".js", ".py", "/"];

/// A line for each row of the index whose files or items are not there.
fn wrong_rows(page: &str) -> Vec<String> {
    let (_, index) = page.split_once("## To change or add").expect("the index");
    let index = index.split("\n## ").next().expect("a piece");
    let rows = index.lines().filter(|line| line.starts_with("| "));
    let rows = rows.filter(|line| !line.starts_with("| what | see |"));
    rows.flat_map(wrong_in_row).collect()
}

fn wrong_in_row(row: &str) -> Vec<String> {
    let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
    let [what, see, rest] = cells[..] else {
        return vec![format!("{row}: {} cells; expected 3", cells.len())];
    };
    let mut wrong = Vec::new();
    let mut named: Option<&str> = None;
    let mut n_items = 0;
    for word in in_code_font(see) {
        if is_path(word) {
            named = Some(word);
            wrong.extend(missing_path(word));
        } else if let Some(file) = named {
            n_items += 1;
            let path = root().join(file);
            if path.is_file() && places(&text_of(path), word).next().is_none() {
                wrong.push(format!("{what}: {file} has no {word}"));
            }
        }
    }
    let points_elsewhere = see.contains("in the code that refuses the input");
    if n_items == 0 && !points_elsewhere {
        wrong.push(format!("{what}: no file with an item"));
    }
    let further = in_code_font(rest).filter(|word| is_path(word));
    wrong.extend(further.filter_map(missing_path));
    wrong
}

fn in_code_font(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn is_path(word: &str) -> bool {
    word.contains('/') && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

fn missing_path(word: &str) -> Option<String> {
    let is_there = root().join(Path::new(word)).exists();
    (!is_there).then(|| format!("{word} is not there"))
}

#[test]
fn what_the_index_names_is_there() {
    let page = text_of(root().join("CONTRIBUTING.md"));
    let wrong = wrong_rows(&page);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_row_of_the_index_is_found() {
    let wrong = |row: &str| wrong_rows(&format!("## To change or add …\n\n{row}\n\n## Style\n"));
    let right = "| a colour | `src/theme/colours.rs`: `COLOURS` | `tests/figures.rs` |";
    assert!(wrong(right).is_empty());
    for (from, to) in [
        ("theme/colours.rs", "theme/colors.rs"),
        ("COLOURS", "COLORS"),
        (": `COLOURS`", ""),
        ("tests/figures.rs", "tests/figure.rs"),
        (" | `tests/figures.rs`", ""),
    ] {
        assert_eq!(
            wrong(&right.replace(from, to)).len(),
            1,
            "{to:?} for {from:?}"
        );
    }
}
