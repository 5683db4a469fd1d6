//! Ticks and labels, by hand and by what every axis has to have.

use itertools::Itertools;

use crate::report::axes::scale::are_far_apart;
use crate::report::axes::scale::ticks::*;

/// The labels of a scale.
fn labels(scale: &Scale, spacing: i32) -> Vec<String> {
    let ticks = scale.ticks(spacing).into_iter();
    ticks.filter_map(|tick| tick.label).collect()
}

/// Labels that have just the space that they need are drawn, and one pixel less removes them:
/// for each kind of scale, on ends that are exact.
#[test]
fn ticks_that_just_fit_are_labelled() {
    let texts = |kind, (low, high): (f64, f64), pixels: i32, spacing: i32| -> Vec<String> {
        let values = match kind {
            Kind::Logarithmic | Kind::Plain => (libm::pow(10.0, low), libm::pow(10.0, high)),
            _ => (low, high),
        };
        labels(&Span::exactly(kind, values).on((0, pixels)), spacing)
    };
    // 100 pixels a unit: 400 of them are 4 units, read as easily as a round step; 401 are not.
    let integers = |spacing| texts(Kind::Integers, (0.0, 10.0), 1000, spacing);
    assert_eq!(integers(100).len(), 11);
    assert_eq!(integers(101), ["0", "2", "4", "6", "8", "10"]);
    assert_eq!(integers(400), ["0", "4", "8"]);
    assert_eq!(integers(401), ["0", "5", "10"]);
    // 1000 pixels a unit: 200 of them are 0.2.
    let linear = |spacing| texts(Kind::Linear, (0.0, 1.0), 1000, spacing);
    assert_eq!(linear(200), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    assert_eq!(linear(201), ["0", "0.5", "1"]);
    // 3000 pixels a decade: 903 from 5 to 10, one and a half times 602.
    let decades = |spacing| texts(Kind::Logarithmic, (0.0, 2.0), 6000, spacing);
    assert_eq!(decades(602), ["1", "2", "5", "10", "20", "50", "100"]);
    assert_eq!(decades(603), ["1", "10", "100"]);
    assert_eq!(decades(3000), ["1", "10", "100"]);
    assert_eq!(decades(3001), ["1", "100"]);
    let long = texts(Kind::Logarithmic, (4.0, 5.0), 3000, 602);
    assert_eq!(long, ["10⁴", "2·10⁴", "5·10⁴", "10⁵"]);
    let plain = |spacing| texts(Kind::Plain, (1.0, 2.0), 3000, spacing);
    assert_eq!(plain(903), ["10", "20", "50", "100"]);
    assert_eq!(plain(904), ["10", "100"]);
    // From 1 to 2, 2 to 4 and 4 to 8 these are 903.
    let whole = |spacing| texts(Kind::Plain, (0.0, 1.0), 3000, spacing);
    assert_eq!(whole(903), ["1", "2", "4", "8"]);
    assert_eq!(whole(904), ["1", "3", "7"]);
}

/// Whatever is drawn and however low the panel is, its axis has two numbers. The first case is
/// the cell rule at n = 7, ε = 0.1 and 0.12: 13 593 and 13 873 ± 5 %.
#[test]
fn every_axis_has_two_numbers() {
    let lows = [12_900.0, 0.000_93, 0.9, 3.1, 7.7, 1e6];
    let ratios = [1.124, 1.0, 1.000_01, 1.03, 1.3, 2.0, 4.9, 30.0];
    for ((low, ratio), pixels) in lows
        .into_iter()
        .flat_map(|low| ratios.map(|ratio| (low, ratio)))
        .flat_map(|ends| [320, 420, 640].map(|pixels| (ends, pixels)))
    {
        let values = [low, low * ratio];
        let logarithmic = Span::logarithmic(values).expect("positive values");
        for span in [logarithmic, Span::linear(values), Span::with_zero(values)] {
            let labels = labels(&span.with_room(0.0, 0.05).on((pixels, 0)), 68);
            assert!(labels.len() > 1, "{span:?}: {labels:?}");
        }
    }
}

/// Numbers of one axis have one form, and no minor tick lies on the frame.
#[test]
fn an_axis_has_one_notation_and_no_tick_on_its_frame() {
    let found = labels(&Span::with_zero([150_000.0]).on((1000, 0)), 68);
    let expected = ["0", "2·10⁴", "4·10⁴", "6·10⁴", "8·10⁴", "10⁵", "1.2·10⁵"];
    let found: Vec<&str> = found.iter().map(|it| it.trim_start_matches("1·")).collect();
    assert_eq!(found[..7], expected);
    // 0.00891 to 0.0561: 0.009 is 4 pixels from the frame.
    let scale = Span::logarithmic([0.01, 0.05]).map(|it| it.on((0, 700)));
    let ticks = scale.expect("positive values").ticks(136);
    let labels: Vec<_> = ticks.iter().filter_map(|it| it.label.as_deref()).collect();
    assert!(
        labels.contains(&"0.05") && ticks[0].label.as_deref() == Some("0.01"),
        "{labels:?}"
    );
}

/// A range that a spec gives has the labels of an automatic axis, and no more of them than fit
/// twice: also under decades of room above low values, on lines of steps of 5 alone, and at the
/// ends of what a double holds.
#[test]
fn no_axis_has_countless_labels() {
    let labels = |span: Span, pixels: i32| labels(&span.on((pixels, 0)), 68);
    let ranges = [(1.0, 1e3), (100.0, 1e6), (1e4, 1e8)];
    let given = ranges.map(|(low, high)| {
        let span = Span::between(low, high, true).expect("a positive low end");
        labels(span, 420).join(" ")
    });
    assert_eq!(given[0], "1 10 100 1\u{202F}000");
    assert_eq!(given[1..], ["10² 10³ 10⁴ 10⁵ 10⁶", "10⁴ 10⁵ 10⁶ 10⁷ 10⁸"]);
    for pixels in [45, 100, 320, 1000] {
        for decades in [0.001, 1.0, 6.0, 10.0, 100.0] {
            let span = Span::logarithmic([1.0, libm::pow(10.0, decades)]);
            let span = span.expect("positive values").with_room(1.0, 1.0);
            let count = labels(span.clone(), pixels).len() as i32;
            assert!(
                (2..=3 + 2 * pixels / 68).contains(&count),
                "{span:?}: {count}"
            );
        }
    }
    // One multiple of 50 lies between these, and 0.45 times 50 is rounded up to 50.
    let span = Span::between(0.6, 99.0, false).expect("a linear axis");
    assert_eq!(labels(span, 300), ["20", "40", "60", "80"]);
    assert_eq!(Span::between(0.0, 5e-324, false), None);
    assert_eq!(Span::between(-1e308, 1e308, false), None);
    assert_eq!(Span::between(1e15, 1e15 + 0.125, true), None);
    assert_eq!(Span::between(0.0, 1.0, true), None);
}

/// On a low panel of more than a decade the numbers are not all at its upper end: there are two
/// among the values, and no part of these without a label is longer than a decade.
#[test]
fn a_low_logarithmic_panel_has_numbers_over_its_length() {
    let lows = [1.1e2, 2.3e2, 4.7e2, 8.1e2];
    let decades = (12..=19).map(|tenths| f64::from(tenths) / 10.0);
    for (low, decades) in lows.into_iter().cartesian_product(decades) {
        let values = [low, low * libm::pow(10.0, decades)];
        for pixels in [320, 420, 640] {
            let span = Span::logarithmic(values).expect("positive values");
            let scale = span.with_room(0.0, 0.05).on((pixels, 0));
            let labelled = scale
                .ticks(68)
                .into_iter()
                .filter(|tick| tick.label.is_some());
            let places = labelled.map(|tick| f64::from(pixels - tick.pixel));
            let ends = values.map(|value| f64::from(pixels - scale.pixel(value)));
            let places = places.filter(|place| (ends[0]..=ends[1]).contains(place));
            let places: Vec<f64> = [ends[0]]
                .into_iter()
                .chain(places)
                .chain([ends[1]])
                .collect();
            let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
            let widest = gaps.fold(0.0, f64::max) / scale.density();
            assert!(
                places.len() > 3 && widest < 1.01,
                "{values:?}, {pixels}: {widest}"
            );
        }
    }
}

/// Numbers about a power of ten have two labels on each side of it, where there is room: ratios of
/// 0.6 to 1.3 on a panel of 1000 units, of 4 to 14.2 on one of 820, and times on a low panel.
#[test]
fn an_axis_about_a_power_of_ten_has_labels_on_both_sides() {
    let of = |values: [f64; 2], pixels: i32| {
        let span = Span::logarithmic(values).expect("positive values");
        labels(&span.on((pixels, 0)), 68)
    };
    let ratios = of([0.6, 1.3], 1000);
    assert_eq!(ratios[..5], ["0.6", "0.7", "0.8", "0.9", "1"]);
    assert_eq!(ratios[5..], ["1.1", "1.2", "1.3", "1.4"]);
    let tens = of([4.0, 14.2], 820);
    assert_eq!(tens[..6], ["4", "5", "6", "7", "8", "9"]);
    assert_eq!(tens[6..], ["10", "12", "14"]);
    let times = of([1.2e4, 3.9e5], 420);
    assert_eq!(times, ["2·10⁴", "5·10⁴", "10⁵", "2·10⁵"]);
}

/// A ratio between 0.9 and 4.5.
#[test]
fn within_a_decade_every_digit_has_its_number() {
    let span = Span::logarithmic([0.9, 4.5]).expect("positive values");
    assert_eq!(labels(&span.on((560, 0)), 68), ["1", "2", "3", "4"]);
}

/// The numbers stand where they belong: on the axis between the values, each label at its own
/// value, and no two alike.
#[test]
fn an_axis_of_close_values_has_two_labels_among_them() {
    for (least, greatest) in [(0.0101, 0.0105), (0.011, 0.018), (31_000.0, 48_000.0)] {
        let spans = [
            Span::logarithmic([least, greatest]).expect("positive values"),
            Span::plain_logarithmic([least, greatest]).expect("positive values"),
            Span::linear([least, greatest]),
        ];
        for span in spans {
            let scale = span.on((0, 2000));
            let ends = [least, greatest].map(|value| scale.pixel(value));
            let ticks = scale.ticks(136).into_iter();
            let within: Vec<(String, i32)> = ticks
                .filter_map(|tick| Some((tick.label?, tick.pixel)))
                .filter(|(_, pixel)| (ends[0]..=ends[1]).contains(pixel))
                .collect();
            assert!(within.len() > 1, "{span:?}: {within:?}");
            for (label, pixel) in &within {
                let digits: String = label.split_whitespace().collect();
                let value = digits.replace("·10⁴", "e4").parse().expect("a number");
                assert!((scale.pixel(value) - pixel).abs() <= 1, "{within:?}");
            }
            let gaps = within.windows(2).map(|pair| pair[1].1 - pair[0].1);
            assert!(gaps.min() >= Some(100), "{within:?}");
        }
    }
}

#[test]
fn round_steps_are_the_least_that_suffice() {
    for step in [0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
        assert_eq!(round_step(step), step);
    }
    assert_eq!(
        [1.01, 2.01, 5.01, 10.01].map(round_step),
        [2.0, 5.0, 10.0, 20.0]
    );
}

#[test]
fn sides_far_apart_stand_on_a_logarithmic_scale_with_plain_labels() {
    let words = |high: f64| {
        let span = Span::plain_logarithmic([4.0, high]).expect("above 0");
        labels(&span.on((0, 1900)), 136)
    };
    assert_eq!(words(500.0), ["5", "10", "20", "50", "100", "200", "500"]);
    let upper = ["10", "100", "1\u{202F}000", "10\u{202F}000", "1·10⁵"];
    assert_eq!(words(1e5), upper);
}

#[test]
fn sides_near_each_other_and_whole_numbers_from_0_on_stand_in_equal_steps() {
    for (least, greatest, is_logarithmic) in [
        (4.0, 80.0, false),
        (4.0, 81.0, true),
        (1.0, 21.0, true),
        // A logarithmic axis has no place for 0.
        (0.0, 1000.0, false),
        (-3.0, 100.0, false),
    ] {
        assert_eq!(
            are_far_apart(least, greatest),
            is_logarithmic,
            "{least} to {greatest}"
        );
    }
    let steps = labels(&Span::integers([4.0, 80.0]).on((0, 1900)), 136);
    assert_eq!(steps.len(), 8, "every 10 up to 80");
}
