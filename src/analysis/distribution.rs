//! The reference distributions behind the intervals: normal, Student's t, binomial. Logarithms and
//! special functions come from `libm`, so that an interval has the same digits on every platform.
//! The level of all intervals, 95 %, is here.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// Probability below the upper end of every two-sided 95 % interval.
const UPPER_TAIL: f64 = 0.975;

/// P(Z ≤ z) for a standard normal Z.
pub fn normal_distribution(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// The 0.975 quantile of the standard normal distribution: 1.96 standard errors on each side are a
/// 95 % interval.
pub const NORMAL_975: f64 = 1.959963984540054;

/// P(|Z| ≥ |z|) for a standard normal Z: the p-value of a two-sided test.
pub fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() * FRAC_1_SQRT_2)
}

/// P(|T| ≥ |t|) for Student's t distribution with ν degrees of freedom; 1 without any.
///
/// It is the tail itself, I_x(ν/2, 1/2) with x = ν / (ν + t²), so that the least of them keep their
/// digits. Source: Abramowitz and Stegun, 26.5.27.
pub fn student_two_sided(t: f64, degrees_of_freedom: u64) -> f64 {
    if degrees_of_freedom == 0 {
        return 1.0;
    }
    if t.is_infinite() {
        return 0.0;
    }
    let freedom = degrees_of_freedom as f64;
    let ratio = t * t / freedom;
    let a = freedom / 2.0;
    let x = 1.0 / (1.0 + ratio);
    let rest = 1.0 / (1.0 + 1.0 / ratio);
    let log_beta = libm::lgamma(a) + libm::lgamma(0.5) - libm::lgamma(a + 0.5);
    // x^a (1 − x)^½ / B(a, ½).
    let front = libm::exp(-a * libm::log1p(ratio) - log_beta) * rest.sqrt();
    // Where the fraction for x converges slowly, that for 1 − x is fast, and nothing is lost.
    if x < (a + 1.0) / (a + 2.5) {
        front * beta_fraction(a, 0.5, x) / a
    } else {
        1.0 - front * beta_fraction(0.5, a, rest) / 0.5
    }
}

/// The continued fraction 1 / (1 + d₁ / (1 + d₂ / (1 + …))) of the incomplete beta function, by
/// Lentz's method. Source: Abramowitz and Stegun, 26.5.8.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    // No denominator is 0 then.
    const LEAST: f64 = 1e-300;
    let not_zero = |value: f64| if value.abs() < LEAST { LEAST } else { value };
    let mut numerator = 1.0;
    let mut denominator = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = denominator;
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for term in [even, odd] {
            denominator = 1.0 / not_zero(1.0 + term * denominator);
            numerator = not_zero(1.0 + term / numerator);
            fraction *= denominator * numerator;
        }
        if (fraction - before).abs() <= 1e-16 * fraction.abs() {
            break;
        }
    }
    fraction
}

/// Quantile of the standard normal distribution.
///
/// # Panics
/// Unless 0 < `probability` < 1.
pub fn normal_quantile(probability: f64) -> f64 {
    assert!(
        probability > 0.0 && probability < 1.0,
        "a quantile's probability lies between 0 and 1"
    );
    inverse(probability, 40.0, normal_distribution)
}

/// The 0.975 quantile of Student's t distribution: [`student_quantile`].
pub fn student_975(degrees_of_freedom: u64) -> f64 {
    student_quantile(UPPER_TAIL, degrees_of_freedom)
}

/// Quantile of Student's t distribution, of a probability of at least 0.5; infinite without degrees
/// of freedom.
///
/// Up to 1000 degrees of freedom by inverting the exact distribution function, above by Fisher's
/// expansion, whose error is below 10⁻⁸ there. Source: Abramowitz and Stegun, 26.7.3, 26.7.4 and
/// 26.7.5.
pub fn student_quantile(probability: f64, degrees_of_freedom: u64) -> f64 {
    match degrees_of_freedom {
        0 => f64::INFINITY,
        1..=1000 => inverse(probability, 1e9, |t| {
            student_distribution(t, degrees_of_freedom)
        }),
        _ => {
            let z = normal_quantile(probability);
            let freedom = degrees_of_freedom as f64;
            let square = z * z;
            let first = z * (square + 1.0) / 4.0;
            let second = z * ((5.0 * square + 16.0) * square + 3.0) / 96.0;
            z + (first + second / freedom) / freedom
        }
    }
}

/// P(T ≤ t) for t ≥ 0 as the finite series in cos²θ, tan θ = t/√ν.
fn student_distribution(t: f64, degrees_of_freedom: u64) -> f64 {
    let angle = libm::atan(t / (degrees_of_freedom as f64).sqrt());
    let sine = libm::sin(angle);
    let cosine = libm::cos(angle);
    let odd = degrees_of_freedom % 2;
    let mut term = if odd == 1 { sine * cosine } else { sine };
    let mut sum = if degrees_of_freedom == 1 { 0.0 } else { term };
    for power in (2 + odd..degrees_of_freedom).step_by(2) {
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
        sum += term;
    }
    let between = if odd == 1 {
        FRAC_2_PI * (angle + sum)
    } else {
        sum
    };
    0.5 + 0.5 * between
}

/// P(χ² > `value`) with so many degrees of freedom, by the finite series.
/// Source: Abramowitz and Stegun, 26.4.4 and 26.4.5.
///
/// # Panics
/// On a negative value or without degrees of freedom.
pub fn chi_square_tail(value: f64, degrees_of_freedom: u64) -> f64 {
    assert!(
        value >= 0.0 && degrees_of_freedom > 0,
        "χ² is a sum of at least one square"
    );
    let odd = degrees_of_freedom % 2;
    let density = libm::exp(-value / 2.0);
    // Odd: √(2/π) e^(−x/2) x^(r − 1/2) / (1 · 3 ⋯ (2r − 1)); even: e^(−x/2) (x/2)^(r − 1) / (r −
    // 1)!; each from the one before by x over the next factor.
    let mut term = if odd == 1 {
        density * (value * FRAC_2_PI).sqrt()
    } else {
        density
    };
    let mut sum = if odd == 1 {
        libm::erfc((value / 2.0).sqrt())
    } else {
        0.0
    };
    for factor in (2 + odd..=degrees_of_freedom).step_by(2) {
        sum += term;
        term *= value / factor as f64;
    }
    sum
}

/// The quantile of an increasing distribution function, within ±`limit`.
fn inverse(probability: f64, limit: f64, distribution: impl Fn(f64) -> f64) -> f64 {
    let least = if probability < 0.5 { -limit } else { 0.0 };
    crossing((least, limit), 0.0, |x| distribution(x) < probability)
}

/// The point between the ends where `is_below` changes from true to false, by halving until the
/// width is reached or the ends cannot be halved.
pub fn crossing(
    (mut low, mut high): (f64, f64),
    width: f64,
    is_below: impl Fn(f64) -> bool,
) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || high - low <= width {
            return middle;
        }
        if is_below(middle) {
            low = middle
        } else {
            high = middle
        }
    }
}

/// The greatest number l of successes, 0 ≤ l ≤ `trials`, with P(B < l) ≤ 0.025, where B counts the
/// successes of `trials` independent trials that succeed with `probability` each.
///
/// # Panics
/// Unless 0 < `probability` < 1.
pub fn binomial_lower_rank(trials: u64, probability: f64) -> u64 {
    assert!(
        probability > 0.0 && probability < 1.0,
        "a quantile's probability lies between 0 and 1"
    );
    let expected = trials as f64 * probability;
    let spread = (expected * (1.0 - probability)).sqrt();
    // Below this, the mass is under 10⁻¹⁵.
    let start = (expected - 9.0 * spread - 40.0).max(0.0) as u64;
    let mut mass = libm::exp(binomial_log_mass(trials, probability, start));
    let mut below = mass;
    let mut rank = start;
    while below <= 0.025 && rank < trials {
        mass *= (trials - rank) as f64 / (rank + 1) as f64 * (probability / (1.0 - probability));
        rank += 1;
        below += mass;
    }
    rank
}

/// 0.025^(1/m): where m trials all succeed, the probability of success is at least this, with
/// 97.5 % confidence, by the binomial law. Source: Clopper and Pearson, Biometrika 26 (1934) 404.
pub fn least_share_of_all(trials: u64) -> f64 {
    libm::pow(1.0 - UPPER_TAIL, 1.0 / trials as f64)
}

/// ln P(B = successes).
fn binomial_log_mass(trials: u64, probability: f64, successes: u64) -> f64 {
    let log_factorial = |count: u64| libm::lgamma(count as f64 + 1.0);
    let arrangements =
        log_factorial(trials) - log_factorial(successes) - log_factorial(trials - successes);
    arrangements
        + successes as f64 * libm::log(probability)
        + (trials - successes) as f64 * libm::log1p(-probability)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::assert_close;

    /// SciPy 1.17, by tests/reference/analysis.py.
    #[test]
    fn quantiles_are_scipys() {
        let quantiles = [1e-6, 0.025, 0.975, 0.9995].map(normal_quantile);
        let scipy = [
            -4.753424308823,
            -1.959963984540,
            1.959963984540,
            3.290526731492,
        ];
        assert_close(&quantiles, &scipy, 1e-12);
        assert_close(&[NORMAL_975], &[normal_quantile(UPPER_TAIL)], 1e-15);
        for (freedom, expected) in [
            (1, 12.706204736174694),
            (2, 4.302652729749462),
            (3, 3.1824463052837078),
            (5, 2.5705818356363146),
            (29, 2.045229642132703),
            (1000, 1.9623390808264083),
            (1001, 1.9623367052808798),
        ] {
            let relative = if freedom > 1000 { 1e-8 } else { 1e-11 };
            assert_close(&[student_975(freedom)], &[expected], relative);
        }
        assert_eq!(student_975(0), f64::INFINITY);
    }

    /// SciPy 1.17.1, `2 * scipy.stats.t.sf(abs(t), ν)`: also where 1 less the distribution has no
    /// digit left.
    #[test]
    fn tails_of_students_t_are_scipys() {
        for (freedom, t, expected) in [
            (1, 3.0, 0.20483276469913345),
            (2, 9.5, 0.010899508038828252),
            (59, 0.3, 0.7652316086778882),
            (19, 12.0, 2.5908946372221965e-10),
            (39, 25.0, 1.2870393574654894e-25),
            (99, -15.2, 1.2403326633521427e-27),
            (1000, 2.0, 0.04577034649325166),
            (1000, 11.0, 1.1992897663111123e-26),
            (2000, 10.0, 5.2353533728509755e-23),
            (100_000, 8.0, 1.2573919876256345e-15),
            (7, 1e6, 2.6410413526518378e-40),
            (4, 0.0, 1.0),
        ] {
            assert_close(&[student_two_sided(t, freedom)], &[expected], 1e-10);
        }
        assert_eq!(student_two_sided(2.0, 0), 1.0);
        assert_eq!(student_two_sided(f64::INFINITY, 3), 0.0);
        assert_eq!(student_two_sided(1e200, 3), 0.0);
    }

    /// SciPy 1.17, by tests/reference/analysis.py.
    #[test]
    fn chi_square_tails_are_scipys() {
        for (value, freedom, expected) in [
            (19.675, 11, 0.05000206180091301),
            (3.0, 1, 0.08326451666355042),
            (7.0, 2, 0.0301973834223185),
            (250.0, 11, 2.793950486491369e-47),
            (4.4, 10, 0.9275036911422003),
            (0.0, 3, 1.0),
        ] {
            assert_close(&[chi_square_tail(value, freedom)], &[expected], 1e-11);
        }
    }

    /// SciPy 1.17, by tests/reference/analysis.py: the greatest l with P(B < l) ≤ 0.025.
    #[test]
    fn ranks_are_scipys() {
        for (trials, probability, expected) in [
            (5, 0.5, 0),
            (6, 0.5, 1),
            (30, 0.5, 10),
            (100, 0.5, 40),
            (100, 0.05, 1),
            (200, 0.95, 184),
            (1000, 0.25, 223),
            (1_000_000, 0.5, 499_020),
        ] {
            assert_eq!(binomial_lower_rank(trials, probability), expected);
        }
    }
}
