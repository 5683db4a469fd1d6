//! What is printed: text that stays text, whatever a file's name or a manifest holds, and that may
//! get lost without harm to the work. What `--quiet` leaves out, and how characters that steer a
//! terminal are shown, is decided here.

use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints a line on standard error. A line that cannot be written is lost: the disk may be full, or
/// its reader gone, and the work goes on.
macro_rules! message {
    ($($words:tt)*) => {
        $crate::cli::terminal::print_message(format_args!($($words)*))
    };
}

pub(super) use message;

/// Prints a line on standard error, unless only errors are wanted.
macro_rules! optional_message {
    ($($words:tt)*) => {
        if !$crate::cli::terminal::is_quiet() {
            $crate::cli::terminal::print_message(format_args!($($words)*));
        }
    };
}

pub(super) use optional_message;

/// True with `--quiet`.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Lets [`optional_message!`] print nothing from now on.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub fn print_message(words: fmt::Arguments<'_>) {
    let line = format!("{words}\n");
    // At once, so that lines of two processes do not mix.
    let _ = io::stderr().write_all(plain(&line).as_bytes());
}

/// Standard output for text. When its reader has closed it (`| head -1`), the rest is lost, and
/// neither the work nor the exit code depends on it.
pub struct Out;

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        match io::stdout().write_all(plain(&text).as_bytes()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                // What failed has no other name.
                let words = format!("standard output: {error}");
                Err(io::Error::new(error.kind(), words))
            }
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Prints lines on standard output that say what was written elsewhere: nothing with `--quiet`.
pub fn print_remarks(lines: impl IntoIterator<Item = String>) -> io::Result<()> {
    let mut lines = lines.into_iter().filter(|_| !is_quiet());
    lines.try_for_each(|line| writeln!(Out, "{line}"))
}

/// A count as a number, the nearest there is where it has more than 64 bits.
pub fn json_count(count: u128) -> serde_json::Value {
    u64::try_from(count).map_or_else(|_| (count as f64).into(), Into::into)
}

/// Text that does to a terminal nothing but show itself: what steers one becomes `\u001b` and the
/// like, as in JSON. Ends of lines and tabs stay.
fn plain(text: &str) -> String {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    let shown = |c: char| {
        if steers(c) {
            format!("\\u{:04x}", u32::from(c))
        } else {
            c.to_string()
        }
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_and_does_nothing() {
        let text = "ε ≤ 0.01\n\ta\u{1b}[2J\r\u{9b}";
        assert_eq!(plain(text), "ε ≤ 0.01\n\ta\\u001b[2J\\u000d\\u009b");
    }
}
