//! A law fitted to the means of a curve: a straight line through their logarithms.

use super::best::finding_of_best;
use super::{Curve, Scene};
use crate::analysis::mean::{Estimate, Interval, Mean};
use crate::analysis::regression::{FACTOR_POINTS, Growth, Vagueness, WIDEST_FACTOR};
use crate::analysis::summary::Quantity;
use crate::experiment::spec::Law;
use crate::report::canvas::Spot;
use crate::report::frame::Frame;
use crate::report::number::short;
use crate::report::panel::Panel;
use crate::report::style::{Dash, THIN_WIDTH};
use crate::solver::symbol;

/// Straight parts of a fitted law.
const PARTS: u32 = 48;

/// Which law is fitted.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    pub law: Law,
    /// What follows it; empty: the quantity that is drawn, and the law is drawn too.
    pub of: &'static str,
    /// Of its row in the table, and what the rows of its lack of fit begin with, if there are any.
    pub rows: (&'static str, &'static str),
    /// From the least place on from which it fits.
    pub where_it_fits: bool,
}

impl Fit {
    /// Times the same factor for each unit across.
    pub const EXPONENTIAL: Self = Self {
        law: Law::Exponential,
        of: "",
        rows: ("growth_per_row", "growth"),
        where_it_fits: false,
    };
    /// A power of what is across.
    pub const POWER: Self = Self {
        law: Law::Power,
        of: "",
        rows: ("power", "power"),
        where_it_fits: false,
    };
}

#[derive(Debug, Clone, Copy)]
pub struct Fitted {
    line: Growth,
    fit: Fit,
}

impl Fitted {
    /// The factor, or the power.
    fn estimate(&self) -> Estimate {
        match self.fit.law {
            Law::Power => self.line.slope,
            Law::Exponential => Estimate {
                value: self.line.factor(),
                interval: self.line.factor_interval(),
            },
        }
    }
}

/// A number without an interval.
pub fn exactly(value: f64) -> Estimate {
    Estimate {
        value,
        interval: Interval::exactly(value),
    }
}

/// What is left over: by the sampling errors, and beyond them.
pub fn scatter_in_words(points: u64, reduced_chi_square: f64, scatter: f64) -> String {
    format!(
        "{points} points without censored trials, reduced χ² = {}, scatter of the logarithm about it beyond the sampling errors {}",
        short(reduced_chi_square, 2),
        short(scatter, 2)
    )
}

impl Scene<'_> {
    /// What a law may be fitted to: the means above 0 without trials cut off.
    pub(super) fn complete(&self, curve: &Curve, quantity: Option<Quantity>) -> Vec<(f64, Mean)> {
        let mean = |row: usize| {
            let (mean, is_bound) = self.frame.means[row]?;
            (!is_bound && mean.value > 0.0).then(|| (self.at(row), mean))
        };
        self.rows(curve, quantity).filter_map(mean).collect()
    }

    pub(super) fn fit(&self, curve: &mut Curve) {
        let Some(fit) = self.chart.fit else { return };
        let mut means = self.complete(curve, self.panels[0].quantity);
        if fit.law == Law::Power {
            means.retain(|it| it.0 > 0.0);
            means.iter_mut().for_each(|it| it.0 = libm::log(it.0));
        }
        let line = if fit.where_it_fits {
            Growth::where_it_fits(&means)
        } else {
            Growth::fit(&means)
        };
        curve.vague = vague(line, fit, means.len());
        let line = line.filter(|_| curve.vague.is_none());
        curve.fit = line.map(|line| Fitted { line, fit });
    }

    pub(super) fn has_drawn_fit(&self) -> bool {
        let mut fits = self.curves.iter().filter_map(|curve| curve.fit);
        fits.any(|fitted| fitted.fit.of.is_empty())
    }

    /// Over the points that are fitted.
    pub(super) fn paint_fit(&self, panel: &Panel, curve: &Curve) {
        let Some(Fitted { line, fit }) = curve.fit else {
            return;
        };
        if !fit.of.is_empty() {
            return;
        }
        let (first, last) = line.range;
        let spot = |part: u32| -> Spot {
            let t = first + (last - first) * f64::from(part) / f64::from(PARTS);
            let x = match fit.law {
                Law::Exponential => t,
                Law::Power => libm::exp(t),
            };
            (panel.x.pixel(x), panel.y.pixel_within(line.at(t)))
        };
        let spots: Vec<Spot> = (0..=PARTS).map(spot).collect();
        let canvas = panel.canvas;
        canvas.broken_line(&spots, curve.style.colour, THIN_WIDTH, Dash::Fine);
    }

    /// The fitted number of a curve, and how well the law fits.
    pub(super) fn push_fit(&self, frame: &mut Frame, curve: &Curve) {
        let shared = (&self.frame.keys[curve.rows.start], &curve.varying[..]);
        if let Some(fitted) = curve.fit {
            let (name, lack) = fitted.fit.rows;
            frame.push_fit(shared, name, fitted.estimate());
            let line = fitted.line;
            let lacks = [
                ("reduced_chi_square", line.reduced_chi_square),
                ("scatter", line.scatter),
            ];
            for (end, value) in lacks.into_iter().filter(|_| !lack.is_empty()) {
                frame.push_fit(shared, &format!("{lack}_{end}"), exactly(value));
            }
        }
        if self.chart.fit.is_some() {
            self.push_laws(frame, curve);
        }
    }

    /// Of all that is fitted to a curve, every number.
    pub(super) fn in_full(&self, curve: &Curve) -> Vec<String> {
        let label = &curve.label;
        let fit = curve.fit.and_then(|Fitted { line, .. }| {
            let verdict = if line.fits() {
                "no lack of fit"
            } else {
                "it does not fit, the number only describes these points, and its interval includes the scatter about the line"
            };
            Some(format!(
                "{}, {}, p = {}: {verdict}",
                self.slope(curve)?,
                scatter_in_words(line.points, line.reduced_chi_square, line.scatter),
                short(line.p_value, 2)
            ))
        });
        let vague = curve
            .vague
            .as_ref()
            .map(|reason| format!("{label}: {reason}"));
        let best = finding_of_best(self, curve);
        let own = fit.into_iter().chain(vague).chain(best);
        let laws = self.chart.fit.map(|_| self.laws_in_words(curve));
        own.chain(laws.unwrap_or_default()).collect()
    }

    /// `pair rule: times grow 3.54-fold per row (3.16 to 3.96)`.
    fn slope(&self, curve: &Curve) -> Option<String> {
        let fitted = curve.fit?;
        let Estimate { value, interval } = fitted.estimate();
        let number = |number: f64| {
            let sign = if number < 0.0 { "−" } else { "" };
            format!("{sign}{}", short(number.abs(), 3))
        };
        let [value, low, high] = [value, interval.low, interval.high].map(number);
        let of = match (fitted.fit.of, self.panels[0].quantity) {
            ("", Some(Quantity::AbsorptionTime | Quantity::HittingTime)) => "times",
            ("", Some(_)) => "moves",
            ("", None) => self.panels[0].title,
            (of, _) => of,
        };
        let (label, x) = (&curve.label, self.chart.x());
        let unit = if x == "n" { "row" } else { symbol(x) };
        let law = match fitted.fit.law {
            Law::Exponential => format!("{of} grow {value}-fold per {unit} ({low} to {high})"),
            Law::Power => format!("{of} ∝ {}^({value}) ({low} to {high})", symbol(x)),
        };
        let from = libm::round(libm::exp(fitted.line.range.0));
        let from = match fitted.fit.where_it_fits {
            true => format!(" from {} = {from} on", symbol(x)),
            false => String::new(),
        };
        Some(format!("{label}: {law}{from}"))
    }
}

/// What the law or the least mean of a curve says, in a plain sentence.
pub fn finding_of_fit(scene: &Scene, curve: &Curve) -> Option<String> {
    let Some(fitted) = curve.fit else {
        return finding_of_best(scene, curve);
    };
    let verdict = match fitted.fit.law {
        _ if fitted.line.fits() => "",
        Law::Exponential => "; no pure exponential",
        Law::Power => "; no pure power",
    };
    Some(scene.slope(curve)? + verdict)
}

/// Why nothing is said of a fit.
fn vague(line: Option<Growth>, fit: Fit, points: usize) -> Option<String> {
    let Some(line) = line else {
        return Some(format!("no fit: {points} points whose trials all ended"));
    };
    match (fit.law, line.vagueness()?) {
        (Law::Power, _) if fit.where_it_fits => None,
        (_, Vagueness::FewPoints(points)) => Some(format!(
            "no fit: {points} points, {FACTOR_POINTS} are needed"
        )),
        (Law::Power, Vagueness::Wide) => None,
        (Law::Exponential, Vagueness::Wide) => Some(format!(
            "no growth factor: its interval is wider than a factor of {}",
            short(WIDEST_FACTOR, 2)
        )),
    }
}
