//! What the device says of a trial after a launch, and whether it can be.

use super::program::{BROKEN, FULL, GOES_ON, HIT, MOST_WAITS, REPORT, STILL};

/// A trial's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Steps that were made.
    pub made: u32,
    pub end: End,
    /// Steps in which nothing was drawn.
    pub skipped: u32,
    pub moves: u32,
    /// Dangerous, needless and deceived ones.
    pub kinds: [u32; 3],
    pub entries: u32,
    /// Of each draw without an open site, in order: sites with one queen that may move, and with
    /// two.
    pub waits: Vec<[u32; 2]>,
}

/// How a launch has ended for a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// After all its steps, or with a report that is full.
    GoesOn,
    /// At its first solution.
    Hit,
    /// Where nothing can change any more.
    Still,
}

impl Report {
    /// From a trial's words, when it was told to make at most so many steps with these flags.
    ///
    /// # Errors
    /// What the device cannot have done if it has done what it was told.
    pub fn read(word: impl Fn(usize) -> u32, most: u32, flags: u32) -> Result<Self, String> {
        let [echo, made, ended, skipped, moves, a, b, c, entries]: [u32; REPORT] =
            std::array::from_fn(&word);
        let (status, n_waits) = (ended & 0xFF, (ended >> 8) as usize);
        if echo != flags {
            return Err(format!(
                "no report of the launch: {echo:#x}, not {flags:#x}"
            ));
        }
        let end = match status {
            GOES_ON | FULL => End::GoesOn,
            HIT => End::Hit,
            STILL => End::Still,
            BROKEN => return Err("a loop ended before its time".to_owned()),
            _ => return Err(format!("ended in an unknown way: {status}")),
        };
        if made > most || made < most && status == GOES_ON {
            return Err(format!("{made} steps made, {most} asked for"));
        }
        if n_waits > MOST_WAITS || skipped > made || moves > made || entries > moves {
            return Err(format!(
                "{n_waits} waits, {skipped} steps without a draw, {moves} moves and {entries} \
                 entries in {made} steps"
            ));
        }
        let waits = (0..n_waits).map(|number| {
            let word = word(REPORT + number);
            [word & 0xFFFF, word >> 16]
        });
        Ok(Self {
            made,
            end,
            skipped,
            moves,
            kinds: [a, b, c],
            entries,
            waits: waits.collect(),
        })
    }
}
