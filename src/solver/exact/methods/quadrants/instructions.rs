//! Which instructions the inner loops use: chosen when the program runs, the build stays a baseline
//! one. The results are the same.

use super::list::List;
use super::plain;
use super::table::{ENTRIES, Group};
#[cfg(target_arch = "x86_64")]
use super::wide::{avx2, avx512};

/// What this processor has. Made by [`best`] and [`present`] alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loops {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The fastest that this processor has.
pub(super) fn best() -> Loops {
    present().last().unwrap_or(Loops::Plain)
}

/// All that this processor has, the slowest first.
pub(super) fn present() -> impl Iterator<Item = Loops> {
    let plain = (Loops::Plain, true);
    #[cfg(target_arch = "x86_64")]
    let all = [
        plain,
        (Loops::Avx2, avx2::is_present()),
        (Loops::Avx512, avx512::is_present()),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let all = [plain];
    all.into_iter()
        .filter(|&(_, is_present)| is_present)
        .map(|(it, _)| it)
}

/// Calls the loop of this name in the module for these instructions.
macro_rules! call {
    ($instructions:expr, $name:ident $(::<$n:literal>)? ($($argument:expr),*)) => {
        match $instructions {
            Loops::Plain => plain::$name$(::<$n>)?($($argument),*),
            // SAFETY: the processor has the instructions, or the value would not have been made.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => unsafe { avx2::$name$(::<$n>)?($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => unsafe { avx512::$name$(::<$n>)?($($argument),*) },
        }
    };
}

impl Loops {
    /// [`plain::join`].
    #[inline]
    pub fn join(self, first: &[u64], second: &[u64], unions: &mut List) {
        // The loops are fastest where the inner one is long.
        let (outer, inner) = if first.len() > second.len() {
            (second, first)
        } else {
            (first, second)
        };
        call!(self, join(outer, inner, unions));
    }

    /// [`plain::part`].
    pub fn part(self, masks: &[u64], bit: u64, parts: [&mut List; 2]) {
        call!(self, part(masks, bit, parts));
    }

    /// [`plain::transpose`], then [`plain::spread`].
    pub fn spread(self, taken: &mut [Group; 64], free: &mut [Group]) {
        call!(self, transpose(taken));
        call!(self, spread(taken, free));
    }

    /// [`plain::count`], with as many chunks as `free` has.
    pub fn count(self, masks: &[u64], free: &[Group]) -> u64 {
        match free.len() / ENTRIES {
            1 => call!(self, count::<1>(masks, free)),
            2 => call!(self, count::<2>(masks, free)),
            3 => call!(self, count::<3>(masks, free)),
            4 => call!(self, count::<4>(masks, free)),
            5 => call!(self, count::<5>(masks, free)),
            6 => call!(self, count::<6>(masks, free)),
            7 => call!(self, count::<7>(masks, free)),
            8 => call!(self, count::<8>(masks, free)),
            9 => call!(self, count::<9>(masks, free)),
            chunks => unreachable!("{chunks} chunks: a table has 1 to 9"),
        }
    }
}
