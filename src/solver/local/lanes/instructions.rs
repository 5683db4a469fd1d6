//! The loop of steps, compiled once for each set of instructions and chosen when the program runs.
//! The results are the same bits. Which processors have AVX2 or AVX-512 code is decided here.

use super::batch::Batch;
use super::kernel::{InLanes, Kernel};
use super::layout::Layout;
use crate::LANES_PER_THREAD;

/// The instructions that the loop was compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// What every processor of its kind has.
    Portable,
    /// AVX2 and what the processors that have it have besides.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The instructions that this processor has, the fastest last.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut available = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
        {
            available.push(Self::Avx2);
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq")
            {
                available.push(Self::Avx512);
            }
        }
        available
    }

    /// The fastest of this processor.
    pub fn fastest() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }

    /// Finds the open sites in all lanes; by instructions that the processor was found to have.
    pub(super) fn find<K: Kernel<G>, const G: usize>(
        self,
        layout: &Layout,
        batch: &mut FullBatch<G>,
    ) {
        match self {
            Self::Portable => batch.find::<K>(layout),
            // SAFETY: the processor has them.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { find_by_avx2::<K, G>(layout, batch) },
            // SAFETY: the processor has them.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { find_by_avx512::<K, G>(layout, batch) },
        }
    }

    /// Writes the signals of the sites that were drawn, as [`Batch::apply`] says; by instructions
    /// that the processor was found to have.
    pub(super) fn apply<K: Kernel<G>, const G: usize>(
        self,
        coins_up_to: u64,
        batch: &mut FullBatch<G>,
    ) {
        match self {
            Self::Portable => batch.apply::<K>(coins_up_to),
            // SAFETY: the processor has them.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { apply_by_avx2::<K, G>(coins_up_to, batch) },
            // SAFETY: the processor has them.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { apply_by_avx512::<K, G>(coins_up_to, batch) },
        }
    }

    /// Steps of all lanes, until a trial has ended or there have been so many; by instructions that
    /// the processor was found to have.
    pub(super) fn run<K: Kernel<G>, const G: usize>(
        self,
        rule: &InLanes<K, G>,
        batch: &mut FullBatch<G>,
        most: u32,
    ) {
        match self {
            Self::Portable => steps::<K, G, false>(rule, batch, most),
            // SAFETY: the processor has them.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { by_avx2(rule, batch, most) },
            // SAFETY: the processor has them.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { by_avx512(rule, batch, most) },
        }
    }
}

/// The trials that run side by side on one thread.
pub type FullBatch<const G: usize> = Batch<G, LANES_PER_THREAD>;

/// [`steps`], and two parts of a step, compiled for a processor that has more than every one has.
macro_rules! compiled {
    ($($name:ident, $find:ident, $apply:ident: $features:literal;)+) => {$(
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $name<K: Kernel<G>, const G: usize>(
            rule: &InLanes<K, G>,
            batch: &mut FullBatch<G>,
            most: u32,
        ) {
            steps::<K, G, true>(rule, batch, most);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $find<K: Kernel<G>, const G: usize>(layout: &Layout, batch: &mut FullBatch<G>) {
            batch.find::<K>(layout);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $apply<K: Kernel<G>, const G: usize>(coins_up_to: u64, batch: &mut FullBatch<G>) {
            batch.apply::<K>(coins_up_to);
        }
    )+};
}

compiled! {
    by_avx2, find_by_avx2, apply_by_avx2: "avx2,bmi1,bmi2,popcnt,lzcnt";
    by_avx512, find_by_avx512, apply_by_avx512: "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt";
}

#[inline(always)]
fn steps<K: Kernel<G>, const G: usize, const BMI2: bool>(
    rule: &InLanes<K, G>,
    batch: &mut FullBatch<G>,
    most: u32,
) {
    for _ in 0..most {
        batch.step::<K, BMI2>(rule);
        if batch.ended != 0 {
            return;
        }
    }
}
