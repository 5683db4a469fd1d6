//! A law fitted to the means of a curve: a straight line through their logarithms.

use itertools::Itertools;

use super::guides::{law_in_words, signed};
use super::{Curve, NamedColumn, Panel, Scene};
use crate::analysis::estimate::Estimate;
use crate::analysis::regression::{Agreement, FACTOR_POINTS, Growth, WIDEST_FACTOR};
use crate::html::counted;
use crate::report::canvas::Spot;
use crate::report::figure::{Fitting, Law};
use crate::report::frame::Frame;
use crate::report::legend::{LegendEntry, Sample};
use crate::report::number::short;
use crate::report::panel::{PARTS, PaintedPanel};
use crate::report::scale::extent;
use crate::report::style::THEORY;
use crate::solver::Point;
use plotters::style::RGBColor;

/// Fits with a line each in the legend.
const MOST_FITS: usize = 4;

/// A law that is fitted to a curve.
#[derive(Debug, Clone)]
pub struct Fitted {
    pub line: Growth,
    fit: Fitting,
    /// First and last x of what is fitted.
    pub range: (f64, f64),
}

/// What is fitted; or why nothing is said of a fit, empty where none is wanted.
pub type FitOrReason = Result<Fitted, String>;

impl Fitted {
    /// A law that the points reject is drawn where the figure asks for it.
    fn is_drawn(&self) -> bool {
        let fits = self.line.agreement.fits();
        self.fit.is_drawn.unwrap_or(fits)
    }

    /// The factor, or the power: of the law, or where that does not fit between the ends alone.
    fn estimate(&self) -> Estimate {
        let slope = self.line.valid_slope();
        match self.fit.law {
            Law::Power => slope,
            Law::Exponential => slope.map(libm::exp),
        }
    }
}

/// What follows the name of a law's row where the points reject the law: the number is that between
/// the first and the last one.
pub fn between_ends(agreement: &Agreement) -> &'static str {
    if agreement.fits() {
        ""
    } else {
        "_between_ends"
    }
}

impl Scene<'_> {
    /// What a law may be fitted to: the means above 0 without trials cut off, of a column.
    pub fn complete(&self, curve: &Curve, column: &str, only: &str) -> Vec<(f64, Estimate)> {
        let mean = |row: usize| {
            let mean = self.frame.estimate(row, column)?;
            (!mean.is_bound && mean.value > 0.0).then(|| (self.at(row), mean))
        };
        self.rows(curve, only).filter_map(mean).collect()
    }

    pub(super) fn fit(&self, curve: &Curve, panel: &Panel) -> FitOrReason {
        let fit = panel.look.fit.clone().ok_or_else(String::new)?;
        let [NamedColumn { y, only, .. }] = &panel.columns[..] else {
            return Err("no fit: its panel shows several measures".to_owned());
        };
        let y = if fit.y.is_empty() { y } else { &fit.y };
        if !self.frame.has_errors(y) {
            let name = y.replace('_', " ");
            return Err(format!("no fit: {name} has no standard errors to fit with"));
        }
        let mut means = self.complete(curve, y, only);
        means.retain(|it| fit.from.is_none_or(|least| it.0 >= least));
        if fit.law == Law::Power {
            means.retain(|it| it.0 > 0.0);
        }
        // Without an error of its logarithm a mean has no weight.
        let fitted = means.iter().filter(|it| it.1.log_variance().is_some());
        let range = extent(fitted.map(|it| it.0));
        if fit.law == Law::Power {
            means.iter_mut().for_each(|it| it.0 = libm::log(it.0));
        }
        let points = counted(means.len(), "point");
        let line = Growth::fit(&means)
            .ok_or_else(|| format!("no fit: {points} whose trials all ended"))?;
        if line.has_few_points() {
            let points = counted(line.agreement.points, "point");
            return Err(format!("no fit: {points}, {FACTOR_POINTS} are needed"));
        }
        if fit.law == Law::Exponential && line.is_wide() {
            let widest = short(WIDEST_FACTOR, 2);
            return Err(format!(
                "no growth factor: its interval is wider than a factor of {widest}"
            ));
        }
        Ok(Fitted { line, fit, range })
    }

    /// A line for each fit that is drawn, with its number; one for all where there are many.
    pub(super) fn fit_entries(&self) -> Vec<LegendEntry> {
        let fits = self.curves.iter().flat_map(|curve| {
            let fits = curve.fits.iter().zip(&self.chart.panels);
            fits.filter_map(move |(fit, panel)| Some((curve, fit.as_ref().ok()?, panel)))
        });
        let drawn: Vec<_> = fits.filter(|(_, fit, _)| fit.is_drawn()).collect();
        let entry = |curve: &Curve, words: String| {
            LegendEntry::new(Sample::Dashes(greyed(curve.style.colour)), words)
        };
        if drawn.len() > MOST_FITS {
            return vec![entry(drawn[0].0, "thin dashes: fits".to_owned())];
        }
        let is_alone = drawn.iter().map(|it| &it.0.label).all_equal();
        let entries = drawn.into_iter().map(|(curve, fit, panel)| {
            let of = match self.chart.panels.len() {
                1 => String::new(),
                _ => format!(" of the {}", panel.name),
            };
            let name = match &*self.short_name(curve) {
                _ if is_alone => String::new(),
                // What it has, all others have, too.
                "" => format!(", {}", curve.name),
                short => format!(", {short}"),
            };
            let it = fit.estimate();
            let law = law_in_words((fit.fit.law, it.value), 3, self.chart.symbol());
            let ends = [it.low, it.high].map(|end| signed(end, 3)).join(" to ");
            entry(curve, format!("fit{of}{name}: {law} ({ends})"))
        });
        entries.collect()
    }

    /// Over the points that are fitted.
    pub(super) fn paint_fit(&self, painted: &PaintedPanel, panel: usize, curve: &Curve) {
        let Ok(fitted) = &curve.fits[panel] else {
            return;
        };
        if !fitted.is_drawn() {
            return;
        }
        let Fitted { line, fit, .. } = fitted;
        let (first, last) = line.range;
        let spot = |part: u32| -> Spot {
            let t = first + (last - first) * f64::from(part) / f64::from(PARTS);
            let x = match fit.law {
                Law::Exponential => t,
                Law::Power => libm::exp(t),
            };
            (painted.x.pixel(x), painted.y.pixel_within(line.at(t)))
        };
        let spots: Vec<Spot> = (0..=PARTS).map(spot).collect();
        painted.canvas.fine_line(&spots, greyed(curve.style.colour));
    }

    /// What the points of a curve share: one of them, and the axes on which they may differ.
    pub(super) fn shared<'s>(&'s self, curve: &'s Curve) -> (&'s Point, &'s [String]) {
        (&self.frame.keys[curve.rows[0]], &curve.varying)
    }

    /// The fitted numbers of a curve, and how well the laws fit.
    pub(super) fn push_fits(&self, frame: &mut Frame, curve: &Curve) {
        let shared = self.shared(curve);
        for fitted in curve.fits.iter().flatten() {
            let (name, lack) = self.rows_of(&fitted.fit);
            let between = between_ends(&fitted.line.agreement);
            frame.push_fit(shared, &format!("{name}{between}"), fitted.estimate());
            let agreement = fitted.line.agreement;
            if fitted.fit.law == Law::Power {
                let (first, last) = fitted.range;
                let x = self.chart.symbol();
                for (end, x_there) in [("first", first), ("last", last)] {
                    frame.push_fit(
                        shared,
                        &format!("power_{end}_{x}"),
                        Estimate::exactly(x_there),
                    );
                }
            }
            let lacks = [
                ("reduced_chi_square", agreement.reduced_chi_square),
                ("scatter", agreement.scatter),
            ];
            for (end, value) in lacks.into_iter().filter(|_| !lack.is_empty()) {
                frame.push_fit(shared, &format!("{lack}_{end}"), Estimate::exactly(value));
            }
        }
        self.push_local_powers(frame, curve);
    }

    /// The name of a law's row in the table, and what those of its lack of fit begin with.
    fn rows_of<'f>(&self, fit: &'f Fitting) -> (&'f str, &'static str) {
        match (&*fit.row, fit.law) {
            ("", Law::Power) => ("power", "power"),
            ("", Law::Exponential) if self.chart.is_against_n() => ("growth_per_row", "growth"),
            ("", Law::Exponential) => ("factor_per_unit", "factor_per_unit"),
            (row, _) => (row, ""),
        }
    }

    /// Why curves have no fit where one is wanted.
    pub(super) fn without_fits(&self) -> impl Iterator<Item = String> {
        let reasons = self.curves.iter().flat_map(|curve| {
            let reasons = curve.fits.iter().filter_map(|it| it.as_ref().err());
            reasons.map(move |reason| (curve, reason))
        });
        let wanted = reasons.filter(|(_, reason)| !reason.is_empty());
        wanted.map(|(curve, reason)| format!("{}: {reason}", curve.label))
    }
}

/// The colour with as much grey: that of a law, not of data.
pub fn greyed(RGBColor(red, green, blue): RGBColor) -> RGBColor {
    let mix = |a: u8, b: u8| ((u16::from(a) + u16::from(b)) / 2) as u8;
    RGBColor(
        mix(red, THEORY.0),
        mix(green, THEORY.1),
        mix(blue, THEORY.2),
    )
}
