//! The densities as fractions of whole numbers, whose decimals are computed digit by digit: nothing
//! is rounded on the way.

use std::cmp::Ordering;

use super::solution_count;

/// Of what share of which positions the density speaks; the definitions stand at the functions of
/// the same name one room up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// n queens, each on a cell of its own drawing: S(n) · n! / n^(2n), the start of the local
    /// rules.
    Independent,
    /// n queens on distinct cells: S(n) / C(n², n).
    DistinctCells,
    /// One queen per row: S(n) / nⁿ.
    OnePerRow,
}

impl Definition {
    pub const ALL: [Self; 3] = [Self::Independent, Self::DistinctCells, Self::OnePerRow];

    /// The density at `n` under this definition; `None` outside n = 1 … 27.
    pub fn at(self, n: u32) -> Option<Fraction> {
        let solutions = solution_count(n)?;
        let cells = n * n;
        let (above, below): (Vec<u32>, Vec<u32>) = match self {
            Self::Independent => ((1..=n).collect(), vec![cells; n as usize]),
            Self::DistinctCells => ((1..=n).collect(), (cells - n + 1..=cells).collect()),
            Self::OnePerRow => (Vec::new(), vec![n; n as usize]),
        };
        let product = |factors: &[u32], first: u64| {
            factors
                .iter()
                .fold(Natural::from(first), |product, &factor| {
                    product.times(factor)
                })
        };
        Some(Fraction {
            numerator: product(&above, solutions),
            denominator: product(&below, 1),
        })
    }
}

/// A ratio of natural numbers, the lower one not 0, as long as it came from a [`Definition`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction {
    numerator: Natural,
    denominator: Natural,
}

impl Fraction {
    /// 1 divided by it; `None` for 0.
    pub fn inverse(self) -> Option<Self> {
        (!self.numerator.is_zero()).then_some(Self {
            numerator: self.denominator,
            denominator: self.numerator,
        })
    }

    /// `d.ddde±x` with this many significant digits, at least one, the last rounded half up; `0`
    /// for 0.
    pub fn scientific(&self, digits: usize) -> String {
        if self.numerator.is_zero() {
            return "0".into();
        }
        let Self {
            numerator: mut rest,
            denominator: mut unit,
        } = self.clone();
        let mut exponent = 0;
        while rest.order(&unit).is_lt() {
            rest = rest.times(10);
            exponent -= 1;
        }
        while rest.order(&unit.clone().times(10)).is_ge() {
            unit = unit.times(10);
            exponent += 1;
        }
        let mut found: Vec<u8> = Vec::with_capacity(digits);
        for _ in 0..digits {
            let mut digit = 0;
            while rest.order(&unit).is_ge() {
                rest.subtract(&unit);
                digit += 1;
            }
            found.push(digit);
            rest = rest.times(10);
        }
        if rest.order(&unit.times(5)).is_ge() && !round_up(&mut found) {
            exponent += 1;
        }
        let digits: String = found
            .iter()
            .map(|&digit| char::from(b'0' + digit))
            .collect();
        let point = if digits.len() > 1 { "." } else { "" };
        format!("{}{point}{}e{exponent}", &digits[..1], &digits[1..])
    }
}

/// Adds one to the last decimal digit. Whether the number kept its length: 9.99 becomes 1.00 and
/// not 10.00.
fn round_up(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        *digit = (*digit + 1) % 10;
        if *digit > 0 {
            return true;
        }
    }
    digits[0] = 1;
    false
}

/// A natural number of any size: as much of the arithmetic as a fraction's digits need.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Natural {
    /// In base 2³², the least first; none of the last ones is 0.
    digits: Vec<u32>,
}

impl Natural {
    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    fn times(mut self, factor: u32) -> Self {
        let mut carry = 0;
        for digit in &mut self.digits {
            let product = u64::from(*digit) * u64::from(factor) + carry;
            (*digit, carry) = (product as u32, product >> 32);
        }
        self.digits.push(carry as u32);
        self.trimmed()
    }

    /// Takes away a number that is not greater.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (index, digit) in self.digits.iter_mut().enumerate() {
            let (less, first) =
                digit.overflowing_sub(other.digits.get(index).copied().unwrap_or(0));
            let (less, second) = less.overflowing_sub(u32::from(borrow));
            (*digit, borrow) = (less, first || second);
        }
        *self = std::mem::replace(self, Self { digits: Vec::new() }).trimmed();
    }

    fn order(&self, other: &Self) -> Ordering {
        let lengths = self.digits.len().cmp(&other.digits.len());
        lengths.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }

    fn trimmed(mut self) -> Self {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }
}

impl From<u64> for Natural {
    fn from(value: u64) -> Self {
        Self {
            digits: vec![value as u32, (value >> 32) as u32],
        }
        .trimmed()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{density, density_distinct_cells, density_one_per_row};
    use super::*;

    fn fraction(numerator: u64, denominator: u64) -> Fraction {
        Fraction {
            numerator: numerator.into(),
            denominator: denominator.into(),
        }
    }

    #[test]
    fn decimals_are_those_of_the_fraction() {
        let cases = [
            ((1, 3), "3.333e-1"),
            ((2, 3), "6.667e-1"),
            ((19_999, 2), "1.000e4"),
            ((125, 1000), "1.250e-1"),
            ((0, 7), "0"),
        ];
        for ((numerator, denominator), expected) in cases {
            assert_eq!(fraction(numerator, denominator).scientific(4), expected);
        }
        assert_eq!(
            fraction(u64::MAX, 1).scientific(20),
            "1.8446744073709551615e19"
        );
        assert_eq!(
            (fraction(17, 2).scientific(1), fraction(0, 1).inverse()),
            ("9e0".to_owned(), None)
        );
    }

    /// Python: `Fraction(S(27) * factorial(27), 27**54)` and so on, 17 digits with the `decimal`
    /// module.
    #[test]
    fn the_largest_known_board() {
        let told = Definition::ALL
            .map(|definition| definition.at(27).expect("within the table").scientific(17));
        assert_eq!(
            told,
            [
                "1.3008801083157324e-32",
                "2.1179847150379167e-32",
                "5.2975628065180387e-22"
            ]
        );
    }

    /// The doubles that figures use agree with the fractions to 14 digits: no value of theirs is
    /// more than a few roundings away.
    #[test]
    fn doubles_are_near_the_fractions() {
        for n in 1..=27 {
            let doubles = [
                density(n),
                density_distinct_cells(n),
                density_one_per_row(n),
            ];
            for (definition, double) in Definition::ALL.into_iter().zip(doubles) {
                let exact: f64 = definition
                    .at(n)
                    .expect("within the table")
                    .scientific(20)
                    .parse()
                    .expect("a number");
                let double = double.expect("within the table");
                assert!(
                    (double - exact).abs() <= 1e-14 * exact,
                    "n = {n}, {definition:?}: {double} for {exact}"
                );
            }
        }
        assert_eq!(Definition::Independent.at(28), None);
    }
}
