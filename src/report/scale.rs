//! From values to pixels: spans of axes, and scales. Logarithms are `libm`'s, so that a figure has
//! the same bytes on every platform.

mod ticks;

pub use self::ticks::Tick;

/// What an axis reaches from and to, and how it is divided; on so many pixels it is a [`Scale`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    kind: Kind,
    /// The lower end in the mapped unit: the value, or its decimal logarithm.
    low: f64,
    high: f64,
    /// The least and the greatest value that it was made for.
    values: (f64, f64),
}

/// A straight map from a value, or from its decimal logarithm, to a pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    span: Span,
    /// Pixel of the low and pixel of the high end, in either order.
    pixels: (i32, i32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integers,
    Linear,
    Logarithmic,
    /// Logarithmic, its labels without powers of ten.
    Plain,
}

impl Span {
    /// A span from the least to the greatest of whole numbers, with half a step of margin on both
    /// sides, or more where there are many: half a small step is narrower than a marker.
    pub fn integers(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values);
        let span = Self {
            kind: Kind::Integers,
            low: low - 0.5,
            high: high + 0.5,
            values: (low, high),
        };
        match high - low > 20.0 {
            true => span.with_room(0.015, 0.015),
            false => span,
        }
    }

    /// Sides of boards: whole numbers in equal steps or, where the greatest is more than 20 times
    /// the least, on a logarithmic scale.
    pub fn sides(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values);
        let is_wide = high > 20.0 * low.max(1.0);
        let logarithmic = || Self::plain_logarithmic([low.max(1.0), high]);
        let span = is_wide.then(logarithmic).flatten();
        span.unwrap_or_else(|| Self::integers([low, high]))
    }

    /// The same as [`Span::logarithmic`] with plain numbers on the axis, as many of them as fit:
    /// for scales of few decades.
    pub fn plain_logarithmic(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        Self::logarithmic(values).map(|span| Self {
            kind: Kind::Plain,
            ..span
        })
    }

    /// A span from 0 to the greatest of the finite `values`, with some margin above.
    pub fn from_zero(values: impl IntoIterator<Item = f64>) -> Self {
        let (_, greatest) = extent(values);
        Self {
            kind: Kind::Linear,
            low: 0.0,
            high: if greatest > 0.0 { 1.08 * greatest } else { 1.0 },
            values: (0.0, greatest.max(0.0)),
        }
    }

    /// A span from 0 to 1, with some margin for marks at its ends.
    pub fn shares() -> Self {
        Self {
            kind: Kind::Linear,
            low: -0.02,
            high: 1.03,
            values: (0.0, 1.0),
        }
    }

    /// A span from the least to the greatest of the finite `values`, with some margin on both
    /// sides.
    pub fn linear(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values);
        let air = if high > low { 0.04 * (high - low) } else { 0.5 };
        let (low, high) = if high < low { (0.0, 1.0) } else { (low, high) };
        Self {
            kind: Kind::Linear,
            low: low - air,
            high: high + air,
            values: (low, high),
        }
    }

    /// The span from the one value to the other; `None` where a logarithmic axis has no place for
    /// the lower one.
    pub fn between(low: f64, high: f64, is_logarithmic: bool) -> Option<Self> {
        let (kind, [low, high]) = match is_logarithmic {
            true => (Kind::Logarithmic, [low, high].map(libm::log10)),
            false => (Kind::Linear, [low, high]),
        };
        low.is_finite().then_some(Self {
            kind,
            low,
            high,
            values: (low, high),
        })
    }

    /// Logarithmic, holding all positive finite `values` with some air; `None` without any.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values = extent(values.into_iter().filter(|value| *value > 0.0));
        let (low, high) = (libm::log10(values.0), libm::log10(values.1));
        if values.0 > values.1 {
            return None;
        }
        // Values close to each other fill the axis too.
        let is_close = low < high && high - low < 0.05;
        let air = 0.05 * (high - low);
        let air = if is_close { air } else { air.max(0.05) };
        Some(Self {
            kind: Kind::Logarithmic,
            low: low - air,
            high: high + air,
            values,
        })
    }

    /// The same with more room: fractions of its length added beyond its low and its high end.
    pub fn with_room(self, below: f64, above: f64) -> Self {
        let length = self.high - self.low;
        Self {
            low: self.low - below * length,
            high: self.high + above * length,
            ..self
        }
    }

    /// True if a value lies on the span.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&self.mapped(value))
    }

    fn mapped(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Integers | Kind::Linear => value,
            Kind::Logarithmic | Kind::Plain => libm::log10(value),
        }
    }

    /// The scale from the pixel of the low end to that of the high end.
    pub fn on(self, pixels: (i32, i32)) -> Scale {
        Scale { span: self, pixels }
    }
}

/// The least and the greatest of the finite values; without one ∞ and −∞.
pub fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

impl Scale {
    /// Nearest pixel of `value`; beyond the ends where the value is beyond the scale.
    pub fn pixel(&self, value: f64) -> i32 {
        self.pixel_of_mapped(self.span.mapped(value))
    }

    /// True if a value lies on the scale.
    pub fn holds(&self, value: f64) -> bool {
        self.span.holds(value)
    }

    /// Pixel of `value`, held at the nearer end where the value is beyond the scale (0 and ∞
    /// included).
    pub fn pixel_within(&self, value: f64) -> i32 {
        let (first, last) = self.pixels;
        self.pixel(value).clamp(first.min(last), first.max(last))
    }

    fn pixel_of_mapped(&self, mapped: f64) -> i32 {
        let (first, last) = (f64::from(self.pixels.0), f64::from(self.pixels.1));
        (first + (mapped - self.span.low) / (self.span.high - self.span.low) * (last - first))
            .round() as i32
    }

    /// Pixels per unit of the mapped value.
    fn density(&self) -> f64 {
        f64::from((self.pixels.1 - self.pixels.0).abs()) / (self.span.high - self.span.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_is_held_at_the_end() {
        let span = Span::logarithmic([1.0, 100.0]).expect("positive values");
        let scale = span.on((3000, 800));
        assert_eq!(scale.pixel_within(f64::INFINITY), 800);
        assert_eq!(scale.pixel_within(0.0), 3000);
        assert_eq!(Span::logarithmic([0.0]), None);
        // By hand: 0.55 decades more on each side, 2200 pixels for 3.3 decades; 1 lies 0.65 decades
        // above the lower end.
        assert_eq!(
            span.with_room(0.25, 0.25).on((3000, 800)).pixel(1.0),
            3000 - 433
        );
    }
}
