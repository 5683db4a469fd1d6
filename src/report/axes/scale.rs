//! From values to pixels: spans of axes, and scales. Logarithms are `libm`'s, so that a figure has
//! the same bytes on every platform. Here are the ends of an axis, the margin beyond the least and
//! the greatest value, and from where on whole numbers stand on a logarithmic axis by default (the
//! greatest more than 20 times the least).

mod ticks;

pub use self::ticks::Tick;

/// What an axis reaches from and to, and how it is divided; on so many pixels it is a [`Scale`].
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    kind: Kind,
    /// The lower end in the mapped unit: the value, or its decimal logarithm.
    low: f64,
    high: f64,
    /// The least and the greatest value that it was made for; never their logarithms.
    values: (f64, f64),
}

/// A straight map from a value, or from its decimal logarithm, to a pixel.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    pub span: Span,
    /// Pixel of the low and pixel of the high end, in either order.
    pixels: (i32, i32),
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Integers,
    Linear,
    Logarithmic,
    /// Logarithmic, its labels without powers of ten.
    Plain,
    /// Values in equal steps.
    Categories(Vec<f64>),
}

impl Kind {
    /// A value in the unit in which the axis is straight; −∞ where a logarithmic axis has no place
    /// for it.
    fn mapped(&self, value: f64) -> f64 {
        match self {
            Self::Integers | Self::Linear => value,
            Self::Logarithmic | Self::Plain => libm::log10(value.max(0.0)),
            Self::Categories(values) => {
                let step = values.iter().position(|other| *other == value);
                step.map_or(f64::NEG_INFINITY, |step| step as f64 + 0.5)
            }
        }
    }
}

impl Span {
    /// The span from the one value to the other. Every span begins as one of these, so that its
    /// ends are always mapped from its values.
    fn exactly(kind: Kind, values: (f64, f64)) -> Self {
        Self {
            low: kind.mapped(values.0),
            high: kind.mapped(values.1),
            kind,
            values,
        }
    }

    /// The same with more room: lengths in the mapped unit added beyond its low and its high end.
    fn with_air(self, below: f64, above: f64) -> Self {
        Self {
            low: self.low - below,
            high: self.high + above,
            ..self
        }
    }

    /// A span from the least to the greatest of whole numbers, with half a step of margin on both
    /// sides, or more where there are many: half a small step is narrower than a marker.
    pub fn integers(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values);
        let span = Self::exactly(Kind::Integers, (low, high)).with_air(0.5, 0.5);
        if high - low > 20.0 {
            span.with_room(0.015, 0.015)
        } else {
            span
        }
    }

    /// A step for each of these values, in this order.
    pub fn categories(values: Vec<f64>) -> Self {
        let ends = extent(values.iter().copied());
        Self::exactly(Kind::Categories(values), ends).with_air(0.5, 0.5)
    }

    /// The same as [`Span::logarithmic`] with plain numbers on the axis, as many of them as fit:
    /// for scales of few decades.
    pub fn plain_logarithmic(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        Self::logarithmic(values).map(|span| Self {
            kind: Kind::Plain,
            ..span
        })
    }

    /// A span of 0 and the finite `values`, with some margin beyond the least and the greatest of
    /// them where that is not 0; from 0 to 1 without any but 0.
    pub fn with_zero(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values.into_iter().chain([0.0]));
        let air = |end: f64| if end == 0.0 { 0.0 } else { 0.08 * (high - low) };
        let span = Self::exactly(Kind::Linear, (low, high));
        if high > low {
            span.with_air(air(low), air(high))
        } else {
            span.with_air(0.0, 1.0)
        }
    }

    /// The same with no room beyond this value.
    pub fn up_to(self, most: f64) -> Self {
        let high = self.high.min(self.kind.mapped(most));
        Self { high, ..self }
    }

    /// A span from the least to the greatest of the finite `values`, with some margin on both
    /// sides.
    pub fn linear(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values);
        let air = if high > low { 0.04 * (high - low) } else { 0.5 };
        let values = if high < low { (0.0, 1.0) } else { (low, high) };
        Self::exactly(Kind::Linear, values).with_air(air, air)
    }

    /// The span from the one value to the other; `None` where a logarithmic axis has no place for
    /// the lower one, and where the axis is shorter or longer than steps can divide.
    pub fn between(low: f64, high: f64, is_logarithmic: bool) -> Option<Self> {
        let kind = if is_logarithmic {
            Kind::Logarithmic
        } else {
            Kind::Linear
        };
        let span = Self::exactly(kind, (low, high));
        let length = span.high - span.low;
        (1e-300..1e300).contains(&length).then_some(span)
    }

    /// Logarithmic, holding all positive finite `values` with some air; `None` without any.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values = extent(values.into_iter().filter(|value| *value > 0.0));
        if values.0 > values.1 {
            return None;
        }
        let span = Self::exactly(Kind::Logarithmic, values);
        let length = span.high - span.low;
        // Values close to each other fill the axis too.
        let is_close = 0.0 < length && length < 0.05;
        let air = 0.05 * length;
        let air = if is_close { air } else { air.max(0.05) };
        Some(span.with_air(air, air))
    }

    /// The same with more room: fractions of its length added beyond its low and its high end.
    pub fn with_room(&self, below: f64, above: f64) -> Self {
        let length = self.high - self.low;
        self.clone().with_air(below * length, above * length)
    }

    /// True if a value lies on the span.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&self.kind.mapped(value))
    }

    /// False for categories, which have no lines between them.
    pub fn has_lines(&self) -> bool {
        !matches!(self.kind, Kind::Categories(_))
    }

    /// The scale from the pixel of the low end to that of the high end.
    pub fn on(&self, pixels: (i32, i32)) -> Scale {
        let span = self.clone();
        Scale { span, pixels }
    }
}

/// The least and the greatest of the finite values; without one ∞ and −∞.
pub fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// True for whole numbers above 0, such as sides of boards, which stand on a logarithmic axis where
/// none is asked for: the greatest is more than 20 times the least.
pub fn are_far_apart(least: f64, greatest: f64) -> bool {
    least >= 1.0 && greatest > 20.0 * least
}

/// The lengths of a scale by which a number may lie beyond it.
const MOST_BEYOND: f64 = 100.0;

impl Scale {
    /// Nearest pixel of `value`; beyond the ends where the value is beyond the scale, by no more
    /// than so many of its lengths that a line to there has its slope.
    pub fn pixel(&self, value: f64) -> i32 {
        self.pixel_of_mapped(self.span.kind.mapped(value))
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

    /// The ends of the step of a category.
    pub fn step(&self, value: f64) -> (i32, i32) {
        let (first, last) = self.pixels;
        let steps = (self.span.high - self.span.low) as i32;
        let step = self.span.kind.mapped(value) as i32;
        let edge = |step: i32| first + (last - first) * step / steps;
        (edge(step), edge(step + 1))
    }

    fn pixel_of_mapped(&self, mapped: f64) -> i32 {
        let first = f64::from(self.pixels.0);
        let last = f64::from(self.pixels.1);
        let part = (mapped - self.span.low) / (self.span.high - self.span.low);
        (first + part.clamp(-MOST_BEYOND, 1.0 + MOST_BEYOND) * (last - first)).round() as i32
    }

    /// Pixels per unit of the mapped value.
    pub fn density(&self) -> f64 {
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
        // Below 0 there is no logarithm, and 100 lengths are the most that a number may lie beyond
        // the scale, of which a decade has 1000 pixels.
        let scale = Span::logarithmic([1.0, 100.0]).map(|it| it.on((3000, 800)));
        let pixels = scale.map(|it| [-5.0, 1e99, 1e300].map(|value| it.pixel(value)));
        assert_eq!(pixels, Some([223_000, -96_100, -219_200]));
    }

    /// By hand: beyond −100 and 25 there are 10 more, 8 % of 125; 0 lies 110 above the low end.
    #[test]
    fn numbers_below_0_are_on_the_axis_with_0() {
        let scale = Span::with_zero([-100.0, 25.0, f64::INFINITY]).on((1450, 0));
        assert_eq!(
            [-100.0, 0.0, 25.0].map(|it| scale.pixel(it)),
            [1350, 350, 100]
        );
        let pixels = |values: [f64; 2]| {
            let scale = Span::with_zero(values).on((1080, 0));
            values.map(|it| scale.pixel(it))
        };
        assert_eq!(pixels([-100.0, -50.0]), [1000, 500]);
        assert_eq!(pixels([100.0, 0.0]), [80, 1080]);
        assert_eq!(Span::with_zero([0.0]).on((1080, 0)).pixel(0.5), 540);
    }
}
