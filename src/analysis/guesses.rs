//! How long a search by guesses takes. It is the divisor `guesses` of factoring.

/// The expected number of guesses until a · b = N, with a uniform in 1 … 2^(L − 1) − 1 and b
/// uniform in 1 … 2^⌈L/2⌉ − 1, both drawn anew each time, for N of L bits:
/// (2^(L − 1) − 1)(2^⌈L/2⌉ − 1) / s, with s the number of such pairs (a, b) whose product is N.
/// `None` where there is none.
pub fn expected_guesses(product: u64) -> Option<f64> {
    let bits = u64::BITS - product.leading_zeros();
    let [a_max, b_max] = [bits.checked_sub(1)?, bits.div_ceil(2)].map(|bits| (1_u64 << bits) - 1);
    let is_pair = |b: &u64| product.is_multiple_of(*b) && product / b <= a_max;
    let pairs = (1..=b_max).filter(is_pair).count();
    (pairs > 0).then(|| a_max as f64 * b_max as f64 / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 15 = 5 · 3 alone among 7 · 3 pairs; 35 = 5 · 7 = 7 · 5 among 31 · 7; a prime by none, since
    /// 1 and N are on no lattice together.
    #[test]
    fn guesses_by_hand() {
        let guesses = [15, 35, 143, 437].map(expected_guesses);
        let expected = [21.0, 31.0 * 3.5, 127.0 * 7.5, 255.0 * 15.5];
        assert_eq!(guesses, expected.map(Some));
        assert_eq!([5, 7, 13, 31, 257].map(expected_guesses), [None; 5]);
    }
}
