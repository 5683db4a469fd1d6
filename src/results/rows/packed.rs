//! Numbers of one column in as many bytes each as the largest of them needs.

/// A column of numbers, some of which may not be there.
pub struct Packed {
    least: u64,
    /// The code of the least number: 1 where some number is not there, which then has the code 0.
    first: u128,
    /// Bytes of a code, 0 to 9.
    width: usize,
    /// The bits of a code.
    mask: u128,
    /// The codes one after the other, and as many bytes more as are read at once.
    bytes: Box<[u8]>,
}

/// Bytes that are read at once.
const READ: usize = size_of::<u128>();

impl Packed {
    pub fn of(numbers: &[Option<u64>]) -> Self {
        let least = numbers.iter().flatten().copied().min().unwrap_or(0);
        let first = u128::from(numbers.contains(&None));
        let code = |number: &Option<u64>| number.map_or(0, |it| u128::from(it - least) + first);
        let largest = numbers.iter().map(code).max().unwrap_or(0);
        let width = (u128::BITS - largest.leading_zeros()).div_ceil(8) as usize;
        let mut bytes = Vec::with_capacity(numbers.len() * width + READ);
        for number in numbers {
            bytes.extend_from_slice(&code(number).to_le_bytes()[..width]);
        }
        bytes.extend([0; READ]);
        Self {
            least,
            first,
            width,
            mask: (1 << (8 * width)) - 1,
            bytes: bytes.into(),
        }
    }

    /// The number at an index below the number of numbers.
    #[inline]
    pub fn get(&self, at: usize) -> Option<u64> {
        let read = self.bytes[at * self.width..].first_chunk();
        let code = u128::from_le_bytes(*read.expect("enough bytes follow")) & self.mask;
        Some(self.least + code.checked_sub(self.first)? as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of each.
    fn same_again(numbers: &[Option<u64>]) -> usize {
        let packed = Packed::of(numbers);
        let found: Vec<Option<u64>> = (0..numbers.len()).map(|at| packed.get(at)).collect();
        assert_eq!(found, numbers);
        assert_eq!(packed.bytes.len(), numbers.len() * packed.width + READ);
        packed.width
    }

    /// The numbers here have every number of bits, with the least and the greatest number, from
    /// bases whose sums end at 2⁶⁴ − 1.
    #[test]
    fn numbers_of_every_width_come_back() {
        for width in 1..=64 {
            let most = u64::MAX >> (64 - width);
            for base in [0, 1.min(u64::MAX - most), u64::MAX - most] {
                let mut numbers: Vec<Option<u64>> = (0..101_u64)
                    .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & most)
                    .chain([0, most, 0])
                    .map(|number| Some(base + number))
                    .collect();
                assert_eq!(same_again(&numbers), (width as usize).div_ceil(8));
                numbers.iter_mut().step_by(3).for_each(|it| *it = None);
                same_again(&numbers);
            }
        }
    }

    #[test]
    fn what_is_the_same_or_not_there_takes_no_bytes() {
        for numbers in [vec![], vec![None; 9], vec![Some(u64::MAX); 5]] {
            assert_eq!(same_again(&numbers), 0, "{numbers:?}");
        }
        same_again(&[None, Some(5)]);
    }
}
