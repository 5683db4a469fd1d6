//! What is printed: text that stays text, whatever a file's name or a manifest holds, and that may
//! get lost without harm to the work.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

/// Prints a line on standard error. A line that cannot be written is lost: the disk may be full, or
/// its reader gone, and the work goes on.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::cli::terminal::say_line(format_args!($($words)*))
    };
}

pub(super) use say;

/// Prints a line on standard error, unless only errors are wanted.
macro_rules! remark {
    ($($words:tt)*) => {
        if !$crate::cli::terminal::is_quiet() {
            $crate::cli::terminal::say_line(format_args!($($words)*));
        }
    };
}

pub(super) use remark;

/// True with `--quiet`.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Lets [`remark`] print nothing from now on.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub fn say_line(words: fmt::Arguments<'_>) {
    let line = format!("{words}\n");
    // At once, so that lines of two processes do not mix.
    let _ = io::stderr().write_all(plain(&line).as_bytes());
}

/// Standard output for text. When its reader has closed it (`| head -1`), the rest is lost, and
/// neither the work nor the exit code depends on it.
pub fn out() -> Out {
    Out(io::stdout())
}

pub struct Out(Stdout);

pub fn print(lines: impl IntoIterator<Item = String>) -> io::Result<()> {
    let (mut out, mut lines) = (out(), lines.into_iter());
    lines.try_for_each(|line| writeln!(out, "{line}"))
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        open(self.0.write_all(plain(&text).as_bytes()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        open(self.0.flush())
    }
}

/// What was written, or is lost since the reader is gone.
pub fn open(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        // What failed has no other name.
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("standard output: {error}"),
        )),
        Ok(()) => Ok(()),
    }
}

/// Prints lines on standard output that say what was written elsewhere: nothing with `--quiet`.
pub fn print_remarks(lines: impl IntoIterator<Item = String>) -> io::Result<()> {
    match is_quiet() {
        true => Ok(()),
        false => print(lines),
    }
}

/// JSON that is shown as it is.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    // JSON has an escape for 16 bits, and no hidden character has more.
    Ok(shown(&text, |c| format!("\\u{:04x}", u32::from(c))).into_owned())
}

/// A count as a number, the nearest there is where it has more than 64 bits.
pub fn json_count(count: u128) -> serde_json::Value {
    u64::try_from(count).map_or_else(|_| (count as f64).into(), Into::into)
}

/// Text that does to a terminal nothing but show itself: what moves the cursor, turns the direction
/// of writing or is not seen becomes `\u{1b}` and the like. Ends of lines and tabs stay.
pub fn plain(text: &str) -> Cow<'_, str> {
    shown(text, |c| c.escape_unicode().to_string())
}

/// A text in which `escaped` stands for what is not to be seen.
fn shown(text: &str, escaped: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            shown += &escaped(c);
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Control characters, and those that steer the direction of writing or have no width.
fn is_hidden(c: char) -> bool {
    let is_unseen = matches!(
        c,
        '\u{061C}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{FFFE}'
            | '\u{FFFF}'
    );
    is_unseen || (c.is_control() && c != '\n' && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_and_does_nothing() {
        for (text, shown) in [
            ("ε ≤ 0.01\n\tn = 8", "ε ≤ 0.01\n\tn = 8"),
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("a\rb\u{7f}\u{9b}", "a\\u{d}b\\u{7f}\\u{9b}"),
            ("\u{202e}gpj\u{2066}", "\\u{202e}gpj\\u{2066}"),
            ("\u{202f}1", "\u{202f}1"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn json_of_any_text_is_read_back_as_it_was() {
        let text = "a\u{1b}\u{202e}\u{9b}\"\\ ε \u{1f451}";
        let written = json(&[text]).expect("a text has JSON");
        assert!(!written.contains(is_hidden) && written.contains('\u{1f451}'));
        let read: Vec<String> = serde_json::from_str(&written).expect("it is JSON");
        assert_eq!(read, [text]);
    }
}
