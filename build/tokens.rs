//! A source file as tokens, without what cannot reach a result: comments, doc comments, whitespace
//! and the items behind `#[cfg(test)]`.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// The tokens of a source file.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// One text for each token; marks that stand together, as `::`, are one, but for `,` and `;`.
    pub texts: Vec<String>,
    /// The modules behind `#[cfg(test)]` that have a file of their own; their paths from this file.
    pub test_modules: Vec<Vec<String>>,
}

/// Words with which items begin that end at their first `;`.
const TO_SEMICOLON: [&str; 4] = ["use", "const", "static", "type"];
/// Words with which items begin that end there or at their first `{…}`.
const ITEMS: [&str; 8] = [
    "mod",
    "fn",
    "struct",
    "enum",
    "union",
    "trait",
    "impl",
    "macro_rules",
];
/// Words before these; `pub` may have a group in parentheses.
const QUALIFIERS: [&str; 3] = ["pub", "unsafe", "async"];

impl Tokens {
    /// The tokens of `source`.
    ///
    /// # Errors
    /// Text that is no Rust, and files included by a macro or an attribute: these would not count.
    pub fn of(source: &str) -> Result<Self, String> {
        let stream: TokenStream = source.parse().map_err(|error| format!("{error}"))?;
        let mut tokens = Self::default();
        tokens.add(stream, &mut Vec::new());
        let included = tokens.texts.windows(2).find(|pair| {
            let includes = ["include", "include_str", "include_bytes"].contains(&pair[0].as_str());
            includes && pair[1].starts_with('!')
        });
        match included {
            Some(pair) => Err(format!(
                "{}! of a file, which the code version would not cover",
                pair[0]
            )),
            None if tokens.has_path_attribute() => {
                Err("#[path] of a file, which the code version would not cover".to_owned())
            }
            None => Ok(tokens),
        }
    }

    fn has_path_attribute(&self) -> bool {
        let attribute = |texts: &[String]| texts[0] == "#" && texts[1..] == ["[", "path", "="];
        self.texts.windows(4).any(attribute)
    }

    /// Adds the tokens of `stream`, which lies in these modules of the file.
    fn add(&mut self, stream: TokenStream, modules: &mut Vec<String>) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut rest = trees.as_slice();
        while !rest.is_empty() {
            let (attributes, item) = leading_attributes(rest);
            let for_tests = attributes.iter().any(|(_, inner)| is_cfg_test(inner));
            if let Some(length) = item_length(item).filter(|_| for_tests) {
                self.test_modules
                    .extend(file_module(&item[..length], modules));
                rest = &item[length..];
                continue;
            }
            for (mark, inner) in attributes.into_iter().filter(|(_, inner)| !is_doc(inner)) {
                self.texts.extend([mark, "[".to_owned()]);
                self.add(inner, modules);
                self.texts.push("]".to_owned());
            }
            rest = self.add_first(item, modules);
        }
    }

    /// Adds the first of `trees`, marks that stand together as one; returns the others.
    fn add_first<'a>(
        &mut self,
        trees: &'a [TokenTree],
        modules: &mut Vec<String>,
    ) -> &'a [TokenTree] {
        let Some((first, mut rest)) = trees.split_first() else {
            return trees;
        };
        match first {
            TokenTree::Ident(_) | TokenTree::Literal(_) => self.texts.push(first.to_string()),
            TokenTree::Punct(mark) => {
                let (mut text, mut spacing) = (mark.as_char().to_string(), mark.spacing());
                while spacing == Spacing::Joint
                    && let [TokenTree::Punct(next), others @ ..] = rest
                    && ![',', ';'].contains(&next.as_char())
                {
                    text.push(next.as_char());
                    (spacing, rest) = (next.spacing(), others);
                }
                self.texts.push(text);
            }
            TokenTree::Group(group) => self.add_group(group, modules),
        }
        rest
    }

    fn add_group(&mut self, group: &Group, modules: &mut Vec<String>) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        let module = match self.texts.as_slice() {
            [.., word, name] if word == "mod" && open == "{" => Some(name.clone()),
            _ => None,
        };
        let depth = modules.len();
        modules.extend(module);
        self.texts.push(open.to_owned());
        self.add(group.stream(), modules);
        self.texts.push(close.to_owned());
        modules.truncate(depth);
    }
}

/// The attributes at the beginning, each with its mark `#` or `#!`, and what follows them.
fn leading_attributes(mut trees: &[TokenTree]) -> (Vec<(String, TokenStream)>, &[TokenTree]) {
    let is = |tree: &TokenTree, mark| matches!(tree, TokenTree::Punct(it) if it.as_char() == mark);
    let mut attributes = Vec::new();
    loop {
        let (mark, group, rest) = match trees {
            [hash, TokenTree::Group(group), rest @ ..] if is(hash, '#') => ("#", group, rest),
            [hash, bang, TokenTree::Group(group), rest @ ..] if is(hash, '#') && is(bang, '!') => {
                ("#!", group, rest)
            }
            _ => return (attributes, trees),
        };
        if group.delimiter() != Delimiter::Bracket {
            return (attributes, trees);
        }
        attributes.push((mark.to_owned(), group.stream()));
        trees = rest;
    }
}

fn is_doc(attribute: &TokenStream) -> bool {
    matches!(attribute.clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == "doc")
}

fn is_cfg_test(attribute: &TokenStream) -> bool {
    attribute.to_string().replace(' ', "") == "cfg(test)"
}

/// How many of `trees` the item, or the statement, has with which they begin; `None` where that is
/// not sure, so that they count.
fn item_length(trees: &[TokenTree]) -> Option<usize> {
    let word = |tree: Option<&TokenTree>| match tree {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let mut start = 0;
    while QUALIFIERS.contains(&word(trees.get(start)).as_str())
        || start > 0 && matches!(trees.get(start), Some(TokenTree::Group(_)))
    {
        start += 1;
    }
    let (first, second) = (word(trees.get(start)), word(trees.get(start + 1)));
    let is_function = first == "const" && ITEMS.contains(&second.as_str());
    let to_semicolon = TO_SEMICOLON.contains(&first.as_str()) && !is_function;
    if !to_semicolon && !is_function && !ITEMS.contains(&first.as_str()) {
        return statement_length(trees);
    }
    let end = trees.iter().position(|tree| match tree {
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Group(group) => !to_semicolon && group.delimiter() == Delimiter::Brace,
        _ => false,
    });
    end.map(|end| end + 1)
}

/// How many of `trees` the statement has that they begin with, if it has no block and no `,`.
fn statement_length(trees: &[TokenTree]) -> Option<usize> {
    for (index, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Punct(mark) if mark.as_char() == ';' => return Some(index + 1),
            TokenTree::Punct(mark) if mark.as_char() == ',' => return None,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return None,
            _ => {}
        }
    }
    None
}

/// `mod x;` → the path of x from the file; nothing for other items.
fn file_module(item: &[TokenTree], modules: &[String]) -> Option<Vec<String>> {
    match item {
        [
            ..,
            TokenTree::Ident(word),
            TokenTree::Ident(name),
            TokenTree::Punct(_),
        ] if word == "mod" => Some([modules, &[name.to_string()]].concat()),
        _ => None,
    }
}
