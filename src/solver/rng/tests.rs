//! Tests: frozen vectors, and the laws of the draws.

use super::*;
use crate::tests::chi_square;

const TAG: &str = "reines/local/stepwise/1";

fn point(algorithm: &'static str, values: &[(&'static str, Value)]) -> Point {
    Point::new(algorithm, values.iter().copied())
}

fn stream() -> TrialStream {
    TrialStream::new(
        TAG,
        2012,
        &point(
            "pair",
            &[("n", Value::Integer(8)), ("epsilon", Value::real(0.01))],
        ),
        0,
    )
}

fn words(mut stream: TrialStream) -> [u64; 4] {
    std::array::from_fn(|_| stream.word())
}

/// Expected values come from an implementation of the encoding, BLAKE3 and xoshiro256++ in Python,
/// written from this module's text and the published algorithms.
#[test]
fn streams_are_frozen() {
    assert_eq!(
        words(stream()),
        [
            0x2c06_d44e_aad7_0ab0,
            0xfa6d_8d21_a5b1_1828,
            0xac24_35be_01e8_0410,
            0xebdb_39fd_7dc2_1449
        ]
    );

    let extreme = [
        ("n", Value::Integer(64)),
        ("epsilon", Value::Real(-0.0)),
        ("eta", Value::real(1e-7)),
    ];
    let last = TrialStream::new(TAG, u64::MAX, &point("cell", &extreme), u32::MAX);
    assert_eq!(
        words(last),
        [
            0xfc49_cd75_afaa_0f10,
            0xfbe6_9d22_622f_9d9e,
            0xb067_deb4_7e3c_6141,
            0x1c29_5471_aca9_b113
        ]
    );

    let mut variant = point(
        "pair",
        &[("n", Value::Integer(1)), ("epsilon", Value::real(1.0))],
    );
    variant.variant = "x".to_owned();
    let stream = TrialStream::new(TAG, 0, &variant, 7);
    assert_eq!(
        words(stream),
        [
            0xc62e_71fc_d5d2_b5b7,
            0xb25e_4dd6_2519_97d4,
            0x176a_ed00_9311_b5a9,
            0xa6c2_34ec_f80b_23e1
        ]
    );
}

/// The message of `pair n=8 epsilon=0.01`, seed 2012, trial 0, byte by byte.
#[test]
fn the_seed_is_the_hash_of_the_fields() {
    let axes = [("n", Value::Integer(8)), ("epsilon", Value::real(0.01))];
    let fields = [
        TAG, "2012", "pair", "", "2", "epsilon", "real", "0.01", "n", "integer", "8", "0",
    ];
    let field = |text: &&str| [&[text.len() as u8, 0, 0, 0], text.as_bytes()].concat();
    let message: Vec<u8> = fields.iter().flat_map(field).collect();
    let seed = *blake3::hash(&message).as_bytes();
    let expected = TrialStream(Xoshiro256PlusPlus::from_seed(seed));
    let stream = TrialStream::new(TAG, 2012, &point("pair", &axes), 0);
    assert_eq!(words(stream), words(expected));
}

/// State 1, 2, 3, 4; the reference implementation's first words.
#[test]
fn generator_is_the_published_one() {
    let mut seed = [0; 32];
    (1..=4).for_each(|word| seed[8 * word - 8] = word as u8);
    let stream = TrialStream(Xoshiro256PlusPlus::from_seed(seed));
    let published = [
        41_943_041,
        58_720_359,
        3_588_806_011_781_223,
        3_591_011_842_654_386,
    ];
    assert_eq!(words(stream), published);
    let mut by_state = Generator([1, 2, 3, 4]);
    assert_eq!(published.map(|_| by_state.word()), published);
}

#[test]
fn bounded_integers_are_frozen() {
    let drawn = |bound| {
        let mut stream = stream();
        std::array::from_fn::<u64, 8, _>(|_| stream.below(bound))
    };
    assert_eq!(drawn(1), [0; 8]);
    assert_eq!(drawn(2), [0, 1, 1, 1, 0, 1, 1, 1]);
    assert_eq!(drawn(210), [36, 205, 141, 193, 46, 189, 201, 164]);
    assert_eq!(
        drawn(16002),
        [2752, 15653, 10760, 14742, 3506, 14449, 15391, 12514]
    );
    let half_rejected = [
        9_022_617_228_798_364_692,
        6_202_049_181_938_614_792,
        2_314_852_654_542_074_413,
        1_407_847_131_259_175_936,
        2_196_854_956_466_489_637,
        694_960_563_914_790_582,
        7_295_478_023_852_905_756,
        3_252_512_918_083_663_814,
    ];
    assert_eq!(drawn((1 << 63) + 1), half_rejected);
}

#[test]
fn flips_are_frozen() {
    let heads = |p, count: u64| {
        let mut stream = stream();
        let chance = Chance::new(p);
        (0..count)
            .filter(|_| stream.flip(chance))
            .collect::<Vec<_>>()
    };
    let at_one_percent = [
        242, 256, 335, 379, 380, 416, 569, 574, 582, 944, 1012, 1130, 1262, 1364, 1479, 1488, 1489,
        1792, 1842, 1856,
    ];
    assert_eq!(heads(0.01, 2000), at_one_percent);
    assert!(heads(0.0, 2000).is_empty());
    assert_eq!(heads(1.0, 2000).len(), 2000);
    let at_one_half = heads(0.5, 64)
        .into_iter()
        .fold(0_u64, |bits, at| bits | 1 << at);
    assert_eq!(at_one_half, 0xf487_4203_b67d_f711);
}

#[test]
fn chances_are_exact_where_promised() {
    assert_eq!([0.0, -0.0].map(|p| Chance::new(p).threshold()), [0; 2]);
    assert!(Chance::new(1.0).is_certain() && !Chance::new(1.0 - f64::EPSILON / 2.0).is_certain());
    for p in [0.0, 1.0, 0.5, 0.01, 0.3, 0.999, 1.0 / 4096.0, 0.0003] {
        assert_eq!(Chance::new(p).probability(), p);
    }
    assert_eq!(Chance::new(f64::MIN_POSITIVE).threshold, 1);
}

/// Expected: a ziggurat in 60-digit decimals on the same words, its r found by bisection.
#[test]
fn failures_are_frozen() {
    let drawn = |p| {
        let (mut stream, law) = (stream(), Geometric::new(p));
        std::array::from_fn::<u64, 6, _>(|_| law.failures(stream.exponential()))
    };
    assert_eq!(drawn(0.0), [u64::MAX; 6]);
    assert_eq!(drawn(1e-300), [u64::MAX; 6]);
    assert_eq!(
        drawn(1e-9),
        [
            192_807_531,
            3_246_805_480,
            3_012_617_670,
            2_308_767_223,
            848_791_021,
            671_903_909
        ]
    );
    assert_eq!(drawn(0.001), [192, 3245, 3011, 2307, 848, 671]);
    assert_eq!(drawn(0.01), [19, 323, 299, 229, 84, 66]);
    assert_eq!(drawn(0.5), [0, 4, 4, 3, 1, 0]);
    assert_eq!(drawn(1.0), [0; 6]);
}

/// Beyond 2⁵³ a result is a rounded double: the same decimals within a relative 2⁻⁵⁰.
#[test]
fn long_waits_are_right() {
    let expected = [
        192_807_531_237_528_471,
        3_246_805_482_324_688_725,
        3_012_617_672_412_976_787,
        2_308_767_224_268_089_738,
    ];
    let (mut stream, law) = (stream(), Geometric::new(1e-18));
    for expected in expected {
        let error = law.failures(stream.exponential()).abs_diff(expected);
        assert!(error <= expected >> 50, "{error} of {expected}");
    }
}

/// Σ (observed − expected)² / expected, by Wilson and Hilferty turned into a standard normal Z.
fn chi_square_z(observed: &[u64], expected: &[f64]) -> f64 {
    let classes = observed.iter().zip(expected);
    let statistic = chi_square(classes.map(|(&found, &expected)| (found as f64, expected)));
    let freedom = (observed.len() - 1) as f64;
    (libm::cbrt(statistic / freedom) - (1.0 - 2.0 / (9.0 * freedom)))
        / (2.0 / (9.0 * freedom)).sqrt()
}

/// Chi-square over all values, 10⁴ draws for each on average, |Z| < 4.5: a false failure has
/// probability 7·10⁻⁶ for each bound. 210 and 16 002 are the numbers of pairs at n = 8 and 64.
#[test]
fn bounded_integers_are_uniform() {
    for bound in [2_usize, 3, 64, 210, 16_002] {
        let mut stream = stream();
        let mut observed = vec![0; bound];
        let per_value = if bound > 1000 { 100 } else { 10_000 };
        (0..bound * per_value).for_each(|_| observed[stream.below(bound as u64) as usize] += 1);
        let z = chi_square_z(&observed, &vec![per_value as f64; bound]);
        assert!(z.abs() < 4.5, "bound {bound}: Z = {z}");
    }
}

/// Every third word must be rejected here: a missing rejection would favour each third value: with
/// the bound 3·2⁶², results 0, 1, 2 modulo 3 are equally likely. 3·10⁵ draws, |Z| < 4.5: false
/// failure 7·10⁻⁶.
#[test]
fn rejection_removes_the_bias() {
    let mut stream = stream();
    let mut observed = [0; 3];
    (0..300_000).for_each(|_| observed[(stream.below(3 << 62) % 3) as usize] += 1);
    let z = chi_square_z(&observed, &[1e5; 3]);
    assert!(z.abs() < 4.5, "Z = {z}: {observed:?}");
}

/// 10⁶ flips, |Z| < 4.5 against the binomial law: a false failure has probability 7·10⁻⁶ for
/// each p.
#[test]
fn flips_have_their_probability() {
    for p in [0.001, 0.01, 0.3, 0.5, 0.99] {
        let (mut stream, chance) = (stream(), Chance::new(p));
        let heads = (0..1_000_000).filter(|_| stream.flip(chance)).count() as f64;
        let z = (heads - 1e6 * p) / (1e6 * p * (1.0 - p)).sqrt();
        assert!(z.abs() < 4.5, "p = {p}: Z = {z}");
    }
}

/// Chi-square against p (1 − p)^k in cells of k and one tail, 10⁵ draws, |Z| < 4.5: a false
/// failure has probability 7·10⁻⁶ for each p.
#[test]
fn failures_follow_the_geometric_law() {
    for (p, width, cells) in [
        (0.9, 1_u64, 4_usize),
        (0.5, 1, 10),
        (0.05, 5, 25),
        (1e-3, 250, 20),
        (1e-12, 250_000_000_000, 20),
    ] {
        let (mut stream, law) = (stream(), Geometric::new(p));
        let mut observed = vec![0; cells + 1];
        for _ in 0..100_000 {
            observed[usize::try_from(law.failures(stream.exponential()) / width)
                .map_or(cells, |cell| cell.min(cells))] += 1;
        }
        let survival = |cell: usize| libm::exp((cell as u64 * width) as f64 * libm::log1p(-p));
        let mut expected: Vec<f64> = (0..cells)
            .map(|cell| 1e5 * (survival(cell) - survival(cell + 1)))
            .collect();
        expected.push(1e5 * survival(cells));
        let z = chi_square_z(&observed, &expected);
        assert!(z.abs() < 4.5, "p = {p}: Z = {z}");
    }
}
