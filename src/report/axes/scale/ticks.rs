//! The ticks on an axis, and their labels. Here is decided where ticks are, which have labels, how
//! many fit, and whether a logarithmic axis has plain numbers (1000) or powers of ten (10³). How
//! other numbers are written is in `words/number.rs`.

use crate::experiment::spec::number::telling_digits;
use crate::html::spaced;
use crate::report::axes::scale::{Kind, Scale, Span};
use crate::report::words::number::{in_powers, power_of_ten, short};
use crate::theme::{MINOR_TICK, TICK_SIZE};

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    pub pixel: i32,
    /// `None`: a minor tick.
    pub label: Option<String>,
}

/// Sides that differ by no more than this have a tick each.
const MOST_WHOLE: f64 = 16.0;

/// [`round_step`] of a round step times this is the round step below it: 0.35, 0.7 and 1.75 become
/// 0.5, 1 and 2.
const NEXT_SMALLER: f64 = 0.35;

/// Sets of multiples of a power of ten, on one side of it.
struct Multiples {
    /// 1 for multiples above the power, −1 for those below it.
    side: f64,
    /// Each set in hundredths of the power, the nearest to the power first; dense sets first.
    sets: &'static [&'static [i32]],
}

const ABOVE: Multiples = Multiples {
    side: 1.0,
    sets: &[
        &[110, 120, 130, 140, 150],
        &[120, 140, 160, 180, 200],
        &[150, 200, 300, 400, 500, 600, 700, 800, 900],
        &[150, 200, 300, 500, 700],
        &[200, 500],
    ],
};

const BELOW: Multiples = Multiples {
    side: -1.0,
    sets: &[
        &[95, 90, 85, 80, 75, 70],
        &[90, 80, 70, 60, 50, 40, 30, 20],
        &[80, 60, 40, 20],
        &[70, 50, 30],
        &[50, 20],
    ],
};

impl Scale {
    /// Ticks in increasing order of value. On a logarithmic scale the powers of ten are labelled,
    /// in steps that leave `spacing` pixels between labels, and 2 and 5 times them where those fit
    /// with ease; on a short axis the labels are plain numbers. A minor tick on the frame would
    /// look like a fault of it.
    pub fn ticks(&self, spacing: i32) -> Vec<Tick> {
        let mut ticks = match &self.span.kind {
            Kind::Integers => self.integer_ticks(spacing),
            Kind::Linear => self.two_multiples(f64::from(spacing) / self.density()),
            Kind::Logarithmic => self.about_power(self.at_least_two(spacing)),
            Kind::Plain => self.at_least_two(spacing),
            Kind::Categories(values) => self.category_ticks(values),
        };
        let ends = [self.pixels.0, self.pixels.1];
        let is_clear = |tick: &Tick| ends.iter().all(|end| (tick.pixel - end).abs() > MINOR_TICK);
        ticks.retain(|tick| tick.label.is_some() || is_clear(tick));
        ticks
    }

    /// The middles of the steps, of which as many have a label as have room for it, the first one
    /// among them. A sign of a label is 0.6 of its size wide.
    fn category_ticks(&self, values: &[f64]) -> Vec<Tick> {
        let digits = telling_digits(values.iter().copied(), 3);
        let label = |value: &f64| short(*value, digits);
        let signs = values
            .iter()
            .map(|value| label(value).chars().count())
            .max();
        let room = match signs {
            Some(signs) if self.pixels.0 < self.pixels.1 => 0.6 * signs as f64,
            _ => 1.0,
        };
        let every = (room * f64::from(TICK_SIZE) / self.density())
            .ceil()
            .max(1.0);
        let labelled = values.iter().step_by(every as usize);
        let tick = |value: &f64| {
            let (from, to) = self.step(*value);
            let pixel = (from + to) / 2;
            let label = Some(label(value));
            Tick { pixel, label }
        };
        labelled.map(tick).collect()
    }

    /// Ticks of a logarithmic scale of which two among its values have labels: first of all those
    /// of its kind, then 1, 2 and 5 or 1 and 3 times the powers of ten, else ticks in equal steps
    /// of the value.
    fn at_least_two(&self, spacing: i32) -> Vec<Tick> {
        // Digits, and the narrowest gap between two of them in decades. 2 and 5 may stand closer.
        const SPARSE: [(&[i32], f64); 2] = [(&[1, 2, 5], 0.301 / 0.8), (&[1, 3], 0.477)];
        let ticks = match self.span.kind {
            Kind::Plain => self.plain_ticks(spacing),
            _ => self.decade_ticks(spacing),
        };
        if self.labels_among_values(&ticks) > 1 {
            return ticks;
        }

        let fits = |set: &&(&[i32], f64)| set.1 * self.density() >= f64::from(spacing);
        let sparse = SPARSE.iter().filter(fits);
        let mut sparse = sparse.map(|set| self.ticks_of_digits(set.0));
        if let Some(found) = sparse.find(|ticks| self.labels_among_values(ticks) > 1) {
            return found;
        }
        self.equal_steps(ticks, spacing)
    }

    /// The pixels of its values, from the lower to the higher pixel.
    fn pixels_of_values(&self) -> (i32, i32) {
        let (least, greatest) = self.span.values;
        let ends = [least, greatest].map(|value| self.pixel_within(value));
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    }

    /// The number of labels that lie among its values.
    fn labels_among_values(&self, ticks: &[Tick]) -> usize {
        let (first, last) = self.pixels_of_values();
        let labelled = ticks.iter().filter(|tick| tick.label.is_some());
        let among = labelled.filter(|tick| (first..=last).contains(&tick.pixel));
        among.count()
    }

    /// Ticks in equal steps of the value, unless these would be too many and `ticks` have two
    /// labels.
    fn equal_steps(&self, ticks: Vec<Tick>, spacing: i32) -> Vec<Tick> {
        let (_, greatest) = self.span.values;
        let labels = ticks.iter().filter(|tick| tick.label.is_some()).count();
        // Multiples are closest to each other at the upper end.
        let narrowest = f64::from(spacing) / self.density() * std::f64::consts::LN_10;
        let step = round_step(narrowest * greatest);
        let [first, last] = self.multiples_within(step);
        let length = f64::from((self.pixels.1 - self.pixels.0).abs());
        // Room above the values may be decades, with countless steps of the values' size.
        let is_crowded = (last - first) * f64::from(spacing) > 2.0 * length;
        match (last > first, labels) {
            (true, _) if !is_crowded => self.labelled_multiples(step),
            (_, 2..) => ticks,
            _ if is_crowded => self.two_multiples(narrowest * libm::pow(10.0, self.span.high)),
            _ => self.two_multiples(narrowest * greatest),
        }
    }

    /// The same ticks, with two labels on each side of the only power of ten among the values, or
    /// with one where there is no room for two: on an axis of about a decade the numbers beyond the
    /// power are far apart, as 1 and 2 are, and would leave the values there without any.
    fn about_power(&self, mut ticks: Vec<Tick>) -> Vec<Tick> {
        let Some(power) = self.only_power() else {
            return ticks;
        };
        let at_power = self.pixel_of_mapped(f64::from(power));
        let mut labelled = ticks.iter().filter(|tick| tick.label.is_some());
        if !labelled.any(|tick| tick.pixel == at_power) {
            return ticks;
        }

        let (first, last) = self.pixels_of_values();
        for steps in [ABOVE, BELOW] {
            let is_after = self.pixel_of_mapped(f64::from(power) + steps.side) > at_power;
            let is_on_side = |pixel: i32| (pixel > at_power) == is_after && pixel != at_power;
            let is_of_values = |pixel: i32| is_on_side(pixel) && (first..=last).contains(&pixel);
            let count = |ticks: &[Tick]| {
                let labelled = ticks.iter().filter(|tick| tick.label.is_some());
                labelled.filter(|tick| is_of_values(tick.pixel)).count()
            };
            if count(&ticks) > 1 {
                continue;
            }

            let mut fitting: Vec<Vec<Tick>> = Vec::new();
            for multiples in steps.sets {
                let mut set = self.multiples_of_power(power, multiples);
                set.retain(|tick| is_on_side(tick.pixel));
                if self.has_room(at_power, &set) {
                    fitting.push(set);
                }
            }
            let Some(set) = fitting.into_iter().max_by_key(|set| count(set).min(2)) else {
                continue;
            };
            if count(&set) > count(&ticks) {
                for tick in ticks.iter_mut().filter(|tick| is_on_side(tick.pixel)) {
                    tick.label = None;
                }
                ticks.retain(|tick| set.iter().all(|other| other.pixel != tick.pixel));
                ticks.extend(set);
            }
        }
        ticks.sort_by_key(|tick| (tick.pixel - self.pixels.0).abs());
        ticks
    }

    /// The exponent of the power of ten among the values, if there is only one.
    fn only_power(&self) -> Option<i32> {
        let (least, greatest) = self.span.values;
        let low = self.span.low.max(self.span.kind.mapped(least));
        let high = self.span.high.min(self.span.kind.mapped(greatest));
        let power = low.ceil();
        (power == high.floor()).then_some(power as i32)
    }

    /// These multiples of a power of ten, in hundredths of it, as far as they are on the scale.
    fn multiples_of_power(&self, power: i32, hundredths: &[i32]) -> Vec<Tick> {
        let ten = libm::pow(10.0, f64::from(power));
        let tick = |hundredths: &i32| {
            let value = f64::from(*hundredths) * ten / 100.0;
            let is_short = self.is_short();
            let label = if is_short {
                short(value, 3)
            } else {
                in_powers(value, 3)
            };
            self.holds(value).then(|| Tick {
                pixel: self.pixel(value),
                label: Some(label),
            })
        };
        hundredths.iter().filter_map(tick).collect()
    }

    /// True if labels, in the order of their distances from a pixel that has one, do not touch. A
    /// line is a tenth higher than its letters; a sign is 0.6 of its height wide.
    fn has_room(&self, from: i32, ticks: &[Tick]) -> bool {
        let is_across = self.pixels.0 < self.pixels.1;
        let room = |tick: &Tick| {
            let signs = tick.label.as_ref().map_or(0, |label| label.chars().count());
            let width = if is_across {
                0.6 * signs as f64 + 0.5
            } else {
                1.1
            };
            (width * f64::from(TICK_SIZE)) as i32
        };
        let mut last = from;
        ticks.iter().all(|tick| {
            let gap = (tick.pixel - last).abs();
            last = tick.pixel;
            gap >= room(tick)
        })
    }

    /// Multiples of a round step of `least` or more, or of the next smaller one that has two of
    /// them: an axis with crowded numbers can be read, one with a single number cannot.
    fn two_multiples(&self, least: f64) -> Vec<Tick> {
        let mut step = round_step(least);
        loop {
            let multiples = self.labelled_multiples(step);
            if multiples.len() > 1 {
                return multiples;
            }
            step = round_step(NEXT_SMALLER * step);
        }
    }

    /// Digits that tell multiples of a step apart, at least 3.
    fn digits(&self, step: f64) -> usize {
        let greatest = self.span.values.0.abs().max(self.span.values.1.abs());
        let digits = libm::log10(greatest).floor() - libm::log10(step).floor() + 1.0;
        digits.clamp(3.0, 12.0) as usize
    }

    /// Every integer, or every fifth of a label's step where those are far apart.
    fn integer_ticks(&self, spacing: i32) -> Vec<Tick> {
        // Steps up to 4 are read as easily as round ones, and boards of 4, 8, 16 … have their
        // labels.
        let least = (f64::from(spacing) / self.density()).ceil().max(1.0);
        let step = if least > 4.0 {
            round_step(least)
        } else {
            least
        };
        let minor = if step > 10.0 { step / 5.0 } else { 1.0 };
        let labelled = (step / minor) as i64;
        self.multiples(minor, |multiple, value, _| {
            (multiple % labelled == 0).then(|| spaced(value))
        })
    }

    fn labelled_multiples(&self, step: f64) -> Vec<Tick> {
        let digits = self.digits(step);
        let short = self.multiples(step, |_, value, _| Some(short(value, digits)));
        let has_power = |tick: &Tick| tick.label.as_ref().is_some_and(|label| label.contains('·'));
        if short.iter().any(has_power) {
            self.multiples(step, |_, value, _| Some(in_powers(value, digits)))
        } else {
            short
        }
    }

    /// The multiples of a step, each with the label of its number, value and pixel.
    fn multiples(
        &self,
        step: f64,
        mut label: impl FnMut(i64, f64, i32) -> Option<String>,
    ) -> Vec<Tick> {
        let tick = |multiple: i64| {
            let value = multiple as f64 * step;
            let pixel = self.pixel(value);
            let label = label(multiple, value, pixel);
            Tick { pixel, label }
        };
        let [first, last] = self.multiples_within(step);
        (first as i64..=last as i64).map(tick).collect()
    }

    /// The first and the last multiple of a step on the scale.
    fn multiples_within(&self, step: f64) -> [f64; 2] {
        let [low, high] = [self.span.low, self.span.high].map(|end| match &self.span.kind {
            Kind::Integers | Kind::Linear | Kind::Categories(_) => end / step,
            Kind::Logarithmic | Kind::Plain => libm::pow(10.0, end) / step,
        });
        [low.ceil(), high.floor()]
    }

    /// Whole numbers where there are few of them, else tenths of decades.
    fn plain_ticks(&self, spacing: i32) -> Vec<Tick> {
        let (least, greatest) = self.span.values;
        if least >= 1.0 && greatest - least <= MOST_WHOLE {
            return self.whole_ticks(spacing);
        }
        self.digit_ticks(spacing)
    }

    /// Tenths of decades, of which the densest set is labelled that leaves `spacing` between its
    /// members.
    fn digit_ticks(&self, spacing: i32) -> Vec<Tick> {
        // Digits, and the narrowest gap from one to the next in decades.
        const LABELLED: [(&[i32], f64); 4] = [
            (&[1, 2, 3, 4, 5, 6, 7, 8, 9], 0.0457),
            (&[1, 2, 3, 4, 6, 8], 0.0969),
            (&[1, 2, 5], 0.301),
            (&[1], 1.0),
        ];
        let fits = |set: &&(&[i32], f64)| set.1 * self.density() >= f64::from(spacing);
        let labelled = LABELLED.iter().find(fits).map_or(&[1][..], |set| set.0);
        self.tenths(9, |decade, digit| {
            let is_labelled = labelled.contains(&digit);
            is_labelled.then(|| plain(decade, digit))
        })
    }

    /// Tenths of decades, of which those have a label that are one of these digits times a power of
    /// ten.
    fn ticks_of_digits(&self, digits: &[i32]) -> Vec<Tick> {
        self.tenths(9, |decade, digit| {
            let is_labelled = digits.contains(&digit);
            is_labelled.then(|| self.digit_in_words(decade, digit))
        })
    }

    /// A digit times a power of ten, as the numbers of the axis are written.
    fn digit_in_words(&self, decade: i32, digit: i32) -> String {
        match (digit, self.is_short() || self.span.kind == Kind::Plain) {
            (_, true) => plain(decade, digit),
            (1, false) => power_of_ten(decade),
            (_, false) => format!("{digit}·{}", power_of_ten(decade)),
        }
    }

    /// All whole numbers, of which those are labelled that leave `spacing` to the one before.
    fn whole_ticks(&self, spacing: i32) -> Vec<Tick> {
        let mut free = i32::MIN;
        self.multiples(1.0, |_, value, pixel| {
            let has_label = pixel >= free;
            if has_label {
                free = pixel + spacing;
            }
            has_label.then(|| spaced(value))
        })
    }

    /// True if plain numbers are as short as powers of ten: on at most three decades between a
    /// thousandth and ten thousand.
    fn is_short(&self) -> bool {
        let Span { low, high, .. } = self.span;
        high - low <= 3.4 && low >= -3.2 && high <= 4.0
    }

    fn decade_ticks(&self, spacing: i32) -> Vec<Tick> {
        if self.is_short() && self.span.high - self.span.low < 1.0 {
            // Its few numbers are short.
            return self.digit_ticks(spacing * 3 / 4);
        }
        let step = (f64::from(spacing) / self.density()).ceil().max(1.0) as i32;
        // The narrowest gap, from 5 to 10, is 0.301 of a decade; half a spacing more, so that the
        // powers of ten stand out, unless there is but one of them.
        let powers = self.span.high.floor() - self.span.low.ceil() + 1.0;
        let room = if powers < 2.0 { 0.8 } else { 1.5 };
        let fits_between = self.density() * 0.301 >= room * f64::from(spacing);
        let last = if step == 1 { 9 } else { 1 };
        self.tenths(last, |decade, digit| {
            let is_labelled = match digit {
                1 => decade % step == 0,
                2 | 5 => fits_between,
                _ => false,
            };
            is_labelled.then(|| self.digit_in_words(decade, digit))
        })
    }

    /// The multiples of each power of ten up to this digit, with their labels.
    fn tenths(&self, last: i32, label: impl Fn(i32, i32) -> Option<String>) -> Vec<Tick> {
        let decades = self.span.low.floor() as i32..=self.span.high.floor() as i32;
        let tenths = decades.flat_map(|decade| (1..=last).map(move |digit| (decade, digit)));
        let tick = |(decade, digit): (i32, i32)| {
            let mapped = f64::from(decade) + libm::log10(f64::from(digit));
            let is_within = (self.span.low..=self.span.high).contains(&mapped);
            is_within.then(|| Tick {
                pixel: self.pixel_of_mapped(mapped),
                label: label(decade, digit),
            })
        };
        tenths.filter_map(tick).collect()
    }
}

fn plain(decade: i32, digit: i32) -> String {
    short(f64::from(digit) * libm::pow(10.0, f64::from(decade)), 1)
}

/// The least 1, 2 or 5 times a power of ten that is `least` or more.
fn round_step(least: f64) -> f64 {
    let decade = libm::pow(10.0, libm::log10(least).floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|multiple| multiple * decade)
        .find(|&step| step >= least)
        .unwrap_or(10.0 * decade)
}

#[cfg(test)]
mod tests;
