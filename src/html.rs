//! What every page needs: text that stays text, bytes inside of a page, and a policy that lets
//! nothing run but what the page was written with. Here are how numbers are written on pages
//! (narrow spaces), plurals (`1 point`, `2 points`), Markdown that is escaped, and the head of a
//! page; colours by day and night are in `theme/colours.rs`.

use std::fmt::Display;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use sha2::{Digest, Sha256};

use crate::theme::palette::PAGES;

/// What every page looks like.
const STYLE: &str = include_str!("html/style.css");

/// Text for the inside of an element or of an attribute; characters that neither HTML nor XML
/// allows become U+FFFD.
pub fn escaped(text: &str) -> String {
    escaped_inside(text)
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// Text for the inside of an element, in HTML or in an SVG: quotes stay.
pub fn escaped_inside(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let (run, after) = rest.split_at(run_of(rest, &INSIDE));
        escaped += run;
        let mut signs = after.chars();
        match signs.next() {
            None => return escaped,
            Some('&') => escaped += "&amp;",
            Some('<') => escaped += "&lt;",
            Some('>') => escaped += "&gt;",
            Some(c) => escaped.push(allowed(c)),
        }
        rest = signs.as_str();
    }
}

fn allowed(c: char) -> char {
    let is_allowed =
        matches!(c, '\n' | '\t') || !(c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}'));
    if is_allowed { c } else { '\u{FFFD}' }
}

/// The bytes that are copied into an element, and into Markdown, as they are.
static INSIDE: [bool; 256] = ascii_without(b"&<>");
static IN_MARKDOWN: [bool; 256] = ascii_without(b"<]");

/// True for each sign of ASCII that is printed or white space, but for these.
const fn ascii_without(special: &[u8]) -> [bool; 256] {
    let mut is_copied = [false; 256];
    let mut sign = b' ';
    while sign <= b'~' {
        is_copied[sign as usize] = true;
        sign += 1;
    }
    is_copied[b'\n' as usize] = true;
    is_copied[b'\t' as usize] = true;
    let mut index = 0;
    while index < special.len() {
        is_copied[special[index] as usize] = false;
        index += 1;
    }
    is_copied
}

/// The length of the beginning of a text that is copied as it is. Texts of a hundred megabytes are
/// escaped in such runs: sign by sign takes several times as long.
fn run_of(text: &str, is_copied: &[bool; 256]) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && is_copied[usize::from(bytes[end])] {
        end += 1;
    }
    end
}

/// Text in Markdown that neither begins an element of HTML nor is a link or an image.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let (run, after) = rest.split_at(run_of(rest, &IN_MARKDOWN));
        escaped += run;
        let mut signs = after.chars();
        let Some(sign) = signs.next() else {
            return escaped;
        };
        rest = signs.as_str();
        let begins_element = |next: char| next.is_ascii_alphabetic() || "/!?".contains(next);
        match (sign, signs.next()) {
            ('<', Some(next)) if begins_element(next) => escaped += "&lt;",
            (']', Some('(' | '[' | ':')) => escaped += "\\]",
            _ => escaped.push(allowed(sign)),
        }
    }
}

/// A number for people to read: the digits before its point in threes, with narrow spaces.
pub fn spaced(number: impl Display) -> String {
    let number = number.to_string();
    // Three digits are not divided.
    if number.len() <= 3 {
        return number;
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let end = number
        .find(|c| !is_digit(c) && c != '-')
        .unwrap_or(number.len());
    let mut text = String::new();
    for (index, c) in number.char_indices() {
        if index < end && (end - index).is_multiple_of(3) && text.ends_with(is_digit) {
            text.push('\u{202F}');
        }
        text.push(c);
    }
    text
}

/// `1 point`, `2 points`, `12 000 trials`; of a noun that takes an s.
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = spaced(count);
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The first of some words, and how many more there are.
pub fn first_of(most: usize, separator: &str, mut words: Vec<String>) -> String {
    let more = words.len().saturating_sub(most);
    words.truncate(most);
    words.extend((more > 0).then(|| format!("and {} more", spaced(more))));
    words.join(separator)
}

/// JSON for the inside of a `<script type="application/json">`, which no text in it can end.
///
/// # Panics
/// For what has no JSON.
pub fn json(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("numbers, texts and lists");
    json.replace('<', "\\u003c")
}

/// Bytes as text.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A template of minijinja with its values, in HTML; all text in it is escaped.
///
/// # Panics
/// When it cannot be rendered, which the tests of each template exclude.
pub fn filled(template: &str, values: Value) -> String {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    // The engine's own escape leaves characters that no page may have.
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() {
            text
        } else {
            escaped(&text)
        };
        Ok(out.write_str(&text)?)
    });
    environment
        .render_named_str("page.html", template, values)
        .expect("a template that its tests render")
}

/// A whole page: its head with the style that pages share, then `style`, and the markup `body`. Its
/// policy lets nothing run or load but what is in it.
pub fn document(title: &str, style: &str, body: &str) -> String {
    let content = format!(
        "<title>{}</title>\n<style>\n{}{STYLE}{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title),
        colours()
    );
    let policy = escaped(&policy(&content));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{content}"
    )
}

/// The colours of pages by day and, on a screen, by night.
fn colours() -> String {
    let at = |time: usize| {
        let colours = PAGES.iter();
        let colours = colours.map(|(name, by_time)| format!(" --{name}: {};", by_time[time]));
        colours.collect::<String>()
    };
    let day = at(0);
    let night = at(1);
    format!(
        ":root {{{day} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{{night} }} }}\n"
    )
}

/// A content security policy for a page that loads nothing: its `<style>` and `<script>` elements
/// (those without a type) are allowed by their hashes, nothing else is.
pub fn policy(page: &str) -> String {
    let hashes = |element: &str| {
        let begin = format!("<{element}>");
        let inside = page.split(begin.as_str()).skip(1);
        let texts = inside.filter_map(|rest| rest.split(&format!("</{element}>")).next());
        let allowed = texts.map(|text| format!(" 'sha256-{}'", base64(&Sha256::digest(text))));
        let allowed: String = allowed.collect();
        if allowed.is_empty() {
            " 'none'".to_owned()
        } else {
            allowed
        }
    };
    format!(
        "default-src 'none'; style-src{}; script-src{}; base-uri 'none'; form-action 'none'",
        hashes("style"),
        hashes("script")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_of_a_text_is_the_text() {
        for (text, markdown_of_it) in [
            ("ε < 0.1, n <9, a & b", "ε < 0.1, n <9, a & b"),
            ("<script>1</script>", "&lt;script>1&lt;/script>"),
            ("a <!-- b <?c", "a &lt;!-- b &lt;?c"),
            ("![x](http://a)", "![x\\](http://a)"),
            ("[low, high] (ms)", "[low, high] (ms)"),
            ("a\u{FFFE}\u{1b}b", "a\u{FFFD}\u{FFFD}b"),
        ] {
            assert_eq!(markdown(text), markdown_of_it);
        }
    }

    #[test]
    fn text_stays_text() {
        let hostile = "<script>'a' & \"b\"]]></script>\u{0}\u{FFFE}é\n";
        assert_eq!(
            escaped(hostile),
            "&lt;script&gt;&#39;a&#39; &amp; &quot;b&quot;]]&gt;&lt;/script&gt;\u{FFFD}\u{FFFD}é\n"
        );
        assert_eq!(
            escaped_inside(hostile),
            escaped(hostile)
                .replace("&#39;", "'")
                .replace("&quot;", "\"")
        );
        assert_eq!(
            json(&["</script>", "<!--"]),
            "[\"\\u003c/script>\",\"\\u003c!--\"]"
        );
    }

    #[test]
    fn digits_stand_in_threes() {
        let cases = [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1\u{202F}000"),
            ("1216436", "1\u{202F}216\u{202F}436"),
            ("-123.4567", "-123.4567"),
            ("-12345.6789", "-12\u{202F}345.6789"),
            ("1·10⁵", "1·10⁵"),
            ("∞", "∞"),
        ];
        for (number, text) in cases {
            assert_eq!(spaced(number), text);
        }
    }

    /// The example of the specification (CSP level 3, 8.4), and RFC 4648.
    #[test]
    fn the_policy_has_the_hash_of_each_script_and_style() {
        let page = "<style></style><script type=\"x\">no</script><script>doSomething();</script>";
        assert_eq!(
            policy(page),
            "default-src 'none'; style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; \
             script-src 'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='; base-uri 'none'; \
             form-action 'none'"
        );
        assert_eq!(base64(b"fooba"), "Zm9vYmE=");
        assert!(policy("").contains("script-src 'none'"));
    }
}
