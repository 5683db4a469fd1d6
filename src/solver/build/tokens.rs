//! A source file as tokens, without what cannot reach a result: comments, doc comments, whitespace
//! and the items behind `#[cfg(test)]`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// What comes before items for tests, and before doc comments.
const TEST: &[&str] = &["#", "[", "cfg", "(", "test", ")", "]"];
const DOCS: [&[&str]; 2] = [&["#", "[", "doc", "="], &["#", "!", "[", "doc", "="]];
/// Items that end at their first `;`, or else at their first `{…}`.
const ITEMS: &[&str] = &[
    "mod",
    "fn",
    "struct",
    "enum",
    "trait",
    "impl",
    "macro_rules",
];
/// What may stand before these words.
const BEFORE: &[&str] = &["pub", "(", "crate", "super", ")", "const", "unsafe"];
/// What brings in files that would not count.
const INCLUDING: [&str; 4] = [
    "include !",
    "include_str !",
    "include_bytes !",
    "# [ path =",
];

/// One text for each token, marks that stand together, as `::`, being one; and the modules behind
/// `#[cfg(test)]` that have a file of their own. Refuses what [`INCLUDING`] has.
pub fn of(source: &str) -> Result<(Vec<String>, Vec<String>), String> {
    let stream: TokenStream = source.parse().map_err(|error| format!("{error}"))?;
    let (mut all, mut texts, mut test_files) = (Vec::new(), Vec::new(), Vec::new());
    flatten(stream, &mut all);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut rest = all.as_slice();
    while let [first, after @ ..] = rest {
        if let Some(docs) = DOCS.iter().find(|docs| rest.starts_with(docs)) {
            rest = &rest[docs.len() + 2..];
        } else if let Some(length) = tests_length(rest) {
            if let [.., "mod", name, ";"] = rest[..length] {
                test_files.push(name.to_owned());
            }
            rest = &rest[length..];
        } else {
            texts.push((*first).to_owned());
            rest = after;
        }
    }
    let text = texts.join(" ");
    match INCLUDING.iter().find(|words| text.contains(*words)) {
        Some(words) => Err(format!("{words}: a file that would not count")),
        None => Ok((texts, test_files)),
    }
}

/// Adds the tokens of `stream`.
fn flatten(stream: TokenStream, texts: &mut Vec<String>) {
    let mut is_joint = false;
    for tree in stream {
        let joins = std::mem::take(&mut is_joint);
        match tree {
            TokenTree::Ident(_) | TokenTree::Literal(_) => texts.push(tree.to_string()),
            TokenTree::Punct(mark) => {
                is_joint = mark.spacing() == Spacing::Joint;
                match texts.last_mut() {
                    Some(last) if joins => last.push(mark.as_char()),
                    _ => texts.push(mark.to_string()),
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                texts.push(open.to_owned());
                flatten(group.stream(), texts);
                texts.push(close.to_owned());
            }
        }
    }
}

/// How many of `texts` the item for tests has with which they begin; `None` where there is none, or
/// it is not sure where it ends, so that it counts.
fn tests_length(texts: &[&str]) -> Option<usize> {
    let item = texts.strip_prefix(TEST)?;
    let word = item.iter().find(|word| !BEFORE.contains(word))?;
    let to_brace = ITEMS.contains(word);
    let mut depth = 0;
    let end = item.iter().position(|text| {
        match *text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0 && (text.ends_with(';') || to_brace && *text == "}")
    });
    end.filter(|_| to_brace || *word == "use")
        .map(|end| TEST.len() + end + 1)
}
