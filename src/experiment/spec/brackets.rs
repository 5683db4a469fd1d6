//! The list or table of a text that is no TOML which was not closed: its error is told where the
//! next line cannot go on. The message is in `source.rs`.

/// The bracket and the offset of the innermost list `[` or table `{` that is open at the end of
/// this text, the part of a file before an error.
pub fn open_at_end(text: &str) -> Option<(char, usize)> {
    let mut open = Vec::new();
    let mut at = 0;
    let mut is_first = true;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match letter {
            '#' => line_of(rest),
            // The head of a table.
            '[' if is_first && open.is_empty() => line_of(rest),
            '"' | '\'' => string_of(rest)?,
            '[' | '{' => {
                open.push((letter, at));
                1
            }
            ']' | '}' => {
                open.pop();
                1
            }
            _ => letter.len_utf8(),
        };
        is_first = letter == '\n' || is_first && letter.is_whitespace();
        at += length;
    }
    open.pop()
}

/// The bytes up to the end of the line.
fn line_of(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// The bytes of the string that a text begins with; `None` where it does not end.
fn string_of(rest: &str) -> Option<usize> {
    let quote = &rest[..1];
    let triple = quote.repeat(3);
    let delimiter = if rest.starts_with(&triple) {
        &*triple
    } else {
        quote
    };
    let has_escapes = quote == "\"";
    let mut at = delimiter.len();
    while !rest[at..].starts_with(delimiter) {
        let letter = rest[at..].chars().next()?;
        if letter == '\n' && delimiter == quote {
            return None;
        }
        at += letter.len_utf8();
        if has_escapes && letter == '\\' {
            at += rest[at..].chars().next()?.len_utf8();
        }
    }
    Some(at + delimiter.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_bracket_that_is_open_is_found() {
        for (text, expected) in [
            ("a = [1, 2\nb = 3", Some(('[', 4))),
            ("[[sweep]]\nn = [4]\n", None),
            ("  [a]\nn = { b = [1],\n", Some(('{', 10))),
            ("n = [\"]\", ']', # ]\n 4", Some(('[', 4))),
            ("n = ['''\n]''', \"\\\"]\",\n", Some(('[', 4))),
            ("n = [[1, 2], [3", Some(('[', 13))),
            ("n = \"[", None),
            ("", None),
        ] {
            assert_eq!(open_at_end(text), expected, "{text}");
        }
    }
}
