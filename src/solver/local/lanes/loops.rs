//! The steps of all batches, compiled once for each set of instructions and chosen when the program
//! runs.

use super::batch::{ALL, Batch};
use super::kernel::Kernel;
#[cfg(target_arch = "x86_64")]
use super::vector::{Avx2, Avx512};
use super::vector::{Instructions, LANES, Plain, Vector};

/// Which part of a step to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Choice,
    Update,
    Both,
}

type Run<K, const W: usize> = unsafe fn(&K, &mut [Batch<K, W>], u64, Phase) -> u64;

/// The loop by some instructions that the processor has.
pub struct Loop<K: Kernel<W>, const W: usize>(Run<K, W>);

impl<K: Kernel<W>, const W: usize> Loop<K, W> {
    /// The loop by these instructions.
    ///
    /// # Panics
    /// Where the processor does not have them.
    pub fn by(instructions: Instructions) -> Self {
        assert!(
            Instructions::available().contains(&instructions),
            "the processor has no such instructions"
        );
        Self(match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::OneLane if Instructions::available().contains(&Instructions::Avx2) => {
                by_one_lane::<K, W>
            }
            // Seldom: one lane of all is as good there.
            #[cfg(target_arch = "x86_64")]
            Instructions::OneLane => steps::<Plain<LANES>, K, W>,
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::OneLane => steps::<Plain<1>, K, W>,
            Instructions::Portable => steps::<Plain<LANES>, K, W>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => by_avx2::<K, W>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => by_avx512::<K, W>,
            #[cfg(target_arch = "x86_64")]
            Instructions::NewerAvx512 => by_newer_avx512::<K, W>,
        })
    }

    /// Steps of all batches, until a lane has stopped or there have been so many; returns their
    /// number.
    pub fn run(&self, kernel: &K, batches: &mut [Batch<K, W>], most: u64, phase: Phase) -> u64 {
        // SAFETY: the processor has the instructions, or there would be no such loop.
        unsafe { (self.0)(kernel, batches, most, phase) }
    }
}

/// [`steps`] compiled for a processor that has more than every one has.
macro_rules! compiled {
    ($($(#[$doc:meta])* $name:ident: $Vector:ty, $features:literal;)+) => {$(
        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        unsafe fn $name<K: Kernel<W>, const W: usize>(
            kernel: &K,
            batches: &mut [Batch<K, W>],
            most: u64,
            phase: Phase,
        ) -> u64 {
            steps::<$Vector, K, W>(kernel, batches, most, phase)
        }
    )+};
}

compiled! {
    /// A processor with AVX2 also counts bits in one instruction, which plain code may not use.
    by_one_lane: Plain<1>, "bmi1,bmi2,popcnt,lzcnt";
    by_avx2: Avx2, "avx2,bmi1,bmi2,popcnt,lzcnt";
    by_avx512: Avx512<false>, "avx512f,avx512bw,avx2,bmi1,bmi2,popcnt,lzcnt";
    by_newer_avx512: Avx512<true>,
        "avx512vpopcntdq,avx512vbmi2,avx512f,avx512bw,avx2,bmi1,bmi2,popcnt,lzcnt";
}

#[inline(always)]
fn steps<V: Vector, K: Kernel<W>, const W: usize>(
    kernel: &K,
    batches: &mut [Batch<K, W>],
    most: u64,
    phase: Phase,
) -> u64 {
    // A batch without a trial is left alone: those with trials come first or are few.
    for step in 1..=most {
        if phase != Phase::Update {
            for batch in batches.iter_mut().filter(|batch| batch.idle != ALL) {
                kernel.choose::<V>(&mut batch.boards, &mut batch.drawn, &mut batch.found);
            }
        }
        if phase == Phase::Choice {
            return step;
        }
        for batch in batches.iter_mut().filter(|batch| batch.idle != ALL) {
            batch.attended = kernel.apply::<V>(&mut batch.boards, &batch.drawn, &mut batch.found);
        }
        let mut has_stopped = false;
        for batch in batches.iter_mut().filter(|batch| batch.idle != ALL) {
            batch.finish(kernel);
            has_stopped |= batch.stopped != 0;
        }
        if has_stopped {
            return step;
        }
    }
    most
}
