//! Numbers of one column in as many bits each as the largest of them needs.

/// A column of numbers, some of which may not be there.
#[derive(Debug)]
pub enum Bits {
    /// None is there.
    Absent,
    /// Each is `first` and, `step` times, its place.
    Even { first: u64, step: u64 },
    /// Each is `least` and what its bits say.
    Packed {
        least: u64,
        /// Of each number, 1 to 64.
        width: u32,
        /// Numbers one after the other, the low bits first, and eight bytes more than they need.
        bytes: Box<[u8]>,
        /// A bit for each number: whether it is there; empty where all are.
        present: Box<[u8]>,
    },
}

impl Bits {
    /// All of `numbers`.
    pub fn of(numbers: &[Option<u64>]) -> Self {
        let there = || numbers.iter().flatten().copied();
        let (Some(least), Some(most)) = (there().min(), there().max()) else {
            return Self::Absent;
        };
        let all_there = there().count() == numbers.len();
        if let Some(even) = Self::even(numbers).filter(|_| all_there) {
            return even;
        }
        let width = (u64::BITS - (most - least).leading_zeros()).max(1);
        let mut bytes = vec![0; (numbers.len() * width as usize).div_ceil(8) + 8];
        for (at, number) in numbers.iter().enumerate() {
            put(&mut bytes, at, width, number.map_or(0, |it| it - least));
        }
        Self::Packed {
            least,
            width,
            bytes: bytes.into(),
            present: if all_there {
                Box::default()
            } else {
                flags(numbers)
            },
        }
    }

    /// Numbers that grow by the same step, or are all the same.
    fn even(numbers: &[Option<u64>]) -> Option<Self> {
        let first = (*numbers.first()?)?;
        let step = match numbers.get(1) {
            Some(second) => (*second)?.checked_sub(first)?,
            None => 0,
        };
        let is_even = |(place, number): (usize, &Option<u64>)| {
            let reach = (place as u64).checked_mul(step);
            *number == reach.and_then(|reach| first.checked_add(reach))
        };
        let mut places = numbers.iter().enumerate();
        places.all(is_even).then_some(Self::Even { first, step })
    }

    /// Whether no number is there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The number in a place below the number of numbers.
    #[inline]
    pub fn get(&self, at: usize) -> Option<u64> {
        match self {
            Self::Absent => None,
            Self::Even { first, step } => Some(first + at as u64 * step),
            Self::Packed {
                least,
                width,
                bytes,
                present,
            } => {
                let is_there = present
                    .get(at / 8)
                    .is_none_or(|flags| flags >> (at % 8) & 1 == 1);
                is_there.then(|| least + fetch(bytes, at, *width))
            }
        }
    }

    /// Bytes taken beyond its own size.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Packed { bytes, present, .. } => bytes.len() + present.len(),
            _ => 0,
        }
    }
}

fn flags(numbers: &[Option<u64>]) -> Box<[u8]> {
    let flag = |(bit, number): (usize, &Option<u64>)| u8::from(number.is_some()) << bit;
    let byte = |eight: &[Option<u64>]| eight.iter().enumerate().map(flag).sum();
    numbers.chunks(8).map(byte).collect()
}

/// Sets the bits of a number that were 0.
fn put(bytes: &mut [u8], at: usize, width: u32, number: u64) {
    let bit = at * width as usize;
    // A number of 64 bits that begins within a byte ends in the ninth.
    let shifted = u128::from(number) << (bit % 8);
    let place = &mut bytes[bit / 8..];
    for (byte, of_number) in place.iter_mut().zip(shifted.to_le_bytes()).take(9) {
        *byte |= of_number;
    }
}

#[inline]
fn fetch(bytes: &[u8], at: usize, width: u32) -> u64 {
    let bit = at * width as usize;
    let from = &bytes[bit / 8..];
    let low = u64::from_le_bytes(*from.first_chunk().expect("eight bytes follow")) >> (bit % 8);
    let number = match (bit % 8) as u32 + width > u64::BITS {
        true => low | u64::from(from[8]) << (u64::BITS - (bit % 8) as u32),
        false => low,
    };
    number & (u64::MAX >> (u64::BITS - width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_again(numbers: &[Option<u64>]) -> Bits {
        let bits = Bits::of(numbers);
        let found: Vec<Option<u64>> = (0..numbers.len()).map(|at| bits.get(at)).collect();
        assert_eq!(found, numbers);
        bits
    }

    /// Every width, with the least and the greatest number of that many bits, from bases whose sums
    /// end at 2⁶⁴ − 1.
    #[test]
    fn numbers_of_every_width_come_back() {
        for width in 1..=64 {
            let most = u64::MAX >> (64 - width);
            for base in [0, 1.min(u64::MAX - most), u64::MAX - most] {
                let numbers: Vec<u64> = (0..101_u64)
                    .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & most)
                    .chain([0, most, 0])
                    .map(|number| base + number)
                    .collect();
                let all: Vec<Option<u64>> = numbers.iter().copied().map(Some).collect();
                same_again(&all);
                let is_there = |place: usize| !place.is_multiple_of(3);
                let some = numbers.iter().enumerate();
                let some: Vec<_> = some.map(|(at, it)| is_there(at).then_some(*it)).collect();
                same_again(&some);
            }
        }
    }

    #[test]
    fn what_is_even_or_not_there_takes_no_bytes() {
        for numbers in [
            vec![],
            vec![None; 9],
            vec![Some(u64::MAX); 5],
            (7..90).map(Some).collect(),
            vec![Some(3)],
            vec![Some(0), Some(u64::MAX)],
        ] {
            assert_eq!(same_again(&numbers).bytes(), 0, "{numbers:?}");
        }
        for numbers in [
            vec![Some(1), Some(0)],
            vec![Some(5), None, Some(7)],
            vec![None, Some(5)],
            vec![Some(0), Some(u64::MAX), Some(5)],
            vec![Some(0), Some(1), Some(3)],
        ] {
            assert!(same_again(&numbers).bytes() > 0, "{numbers:?}");
        }
    }
}
