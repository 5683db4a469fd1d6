//! The densities as fractions of whole numbers, whose decimals are computed digit by digit: nothing
//! is rounded on the way.

use dashu_int::UBig;

use super::solution_count;

/// The positions that are drawn; the density is the probability that one of them is a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// n queens, each on a cell drawn uniformly and independently, as the local rules start: S(n) ·
    /// n! / n^(2n), see [`density`](super::density).
    Independent,
    /// n queens on distinct cells: S(n) / C(n², n).
    DistinctCells,
    /// One queen per row, each in a column drawn uniformly and independently: S(n) / nⁿ.
    OnePerRow,
}

impl Definition {
    /// Every definition.
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
        let product = |factors: &[u32]| factors.iter().copied().map(UBig::from).product::<UBig>();
        Some(Fraction {
            numerator: product(&above) * solutions,
            denominator: product(&below),
        })
    }
}

/// A ratio of natural numbers, the lower one not 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction {
    numerator: UBig,
    denominator: UBig,
}

impl Fraction {
    /// 1 divided by it; `None` for 0.
    pub fn inverse(self) -> Option<Self> {
        (self.numerator != UBig::ZERO).then_some(Self {
            numerator: self.denominator,
            denominator: self.numerator,
        })
    }

    /// `d.ddde±x` with this many significant digits, at least one, the last rounded half up; `0`
    /// for 0.
    pub fn scientific(&self, digits: usize) -> String {
        let (mut above, mut below) = (self.numerator.clone(), self.denominator.clone());
        if above == UBig::ZERO {
            return "0".into();
        }
        let mut exponent = 0;
        while above < below {
            above *= 10_u8;
            exponent -= 1;
        }
        while above >= &below * 10_u8 {
            below *= 10_u8;
            exponent += 1;
        }
        // The ratio is now from 1 up to 10; one half is added before the division rounds down.
        let power = |exponent| UBig::from(10_u8).pow(exponent);
        let mut rounded = (above * power(digits - 1) * 2_u8 + &below) / (below * 2_u8);
        if rounded == power(digits) {
            rounded = power(digits - 1);
            exponent += 1;
        }
        let digits = rounded.to_string();
        let point = if digits.len() > 1 { "." } else { "" };
        format!("{}{point}{}e{exponent}", &digits[..1], &digits[1..])
    }
}

#[cfg(test)]
mod tests {
    use super::super::density;
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

    /// Exact rational arithmetic (Python's `fractions`), rounded once: 17 digits determine a
    /// double.
    #[test]
    fn densities_are_the_exact_fractions() {
        let exact = [
            (1, 1.0, 1.0, 1.0),
            (4, 0.000732421875, 0.001098901098901099, 0.0078125),
            (
                6,
                1.323053735033616e-06,
                2.053607366700346e-06,
                8.573388203017832e-05,
            ),
            (
                8,
                1.317857822868973e-08,
                2.078548638628271e-08,
                5.4836273193359375e-06,
            ),
            (
                16,
                9.083108463441807e-19,
                1.4657085106687098e-18,
                8.008194801734092e-13,
            ),
            (
                27,
                1.3008801083157324e-32,
                2.1179847150379168e-32,
                5.297562806518038e-22,
            ),
        ];
        for (n, independent, distinct, per_row) in exact {
            let found = Definition::ALL.map(|definition| double(definition, n));
            assert_eq!(found, [independent, distinct, per_row], "n = {n}");
        }
    }

    fn double(definition: Definition, n: u32) -> f64 {
        let fraction = definition.at(n).expect("within the table");
        fraction.scientific(17).parse().expect("a number")
    }

    /// The doubles of the figures agree with the fractions to 14 digits: they differ by a few
    /// roundings at most.
    #[test]
    fn doubles_are_near_the_fractions() {
        for n in 1..=27 {
            let exact = double(Definition::Independent, n);
            let found = density(n).expect("within the table");
            assert!(
                (found - exact).abs() <= 1e-14 * exact,
                "n = {n}: {found} for {exact}"
            );
        }
        assert_eq!(Definition::Independent.at(28), None);
    }
}
