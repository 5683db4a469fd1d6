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

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 steps of 12 as a report that is full says it, with two waits.
    const WORDS: [u32; REPORT + 2] = [7, 10, FULL | 2 << 8, 1, 3, 2, 1, 0, 1, 5 | 6 << 16, 4];

    fn read(changed: &[(usize, u32)], most: u32) -> Result<Report, String> {
        let mut words = WORDS;
        changed.iter().for_each(|&(at, word)| words[at] = word);
        Report::read(|at| words[at], most, 7)
    }

    #[test]
    fn a_sound_report_is_read() {
        let expected = Report {
            made: 10,
            end: End::GoesOn,
            skipped: 1,
            moves: 3,
            kinds: [2, 1, 0],
            entries: 1,
            waits: vec![[5, 6], [4, 0]],
        };
        assert_eq!(read(&[], 12), Ok(expected));
        for (status, end) in [(HIT, End::Hit), (STILL, End::Still)] {
            assert_eq!(read(&[(2, status)], 12).map(|it| it.end), Ok(end));
        }
        assert!(read(&[(2, GOES_ON)], 10).is_ok());
    }

    /// Another launch's, a launch that was cut short, too many steps, no known end, a loop that did
    /// not end, more waits, moves or entries than there can be.
    #[test]
    fn a_report_that_cannot_be_is_refused() {
        for (changed, most, word) in [
            ((0, 6), 12, "no report of the launch"),
            ((2, GOES_ON), 12, "10 steps made, 12 asked for"),
            ((1, 13), 12, "13 steps made"),
            ((2, 9), 12, "unknown"),
            ((2, BROKEN), 12, "a loop ended"),
            ((2, FULL | 33 << 8), 12, "33 waits"),
            ((3, 11), 12, "11 steps without a draw"),
            ((4, 11), 12, "11 moves"),
            ((8, 4), 12, "4 entries"),
        ] {
            let refused = read(&[changed], most);
            assert!(
                refused.as_ref().is_err_and(|reason| reason.contains(word)),
                "{refused:?}"
            );
        }
    }
}
