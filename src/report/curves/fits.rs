//! What is fitted to the means of a group: a law, a straight line through their logarithms. Here
//! are which points a fit takes (means above 0 without trials cut off), the sentences of the legend
//! and the caption on fits and on why there is none, the names of their rows in tables, and from
//! how many fits on the legend has one line for all (more than 4). When a law is rejected is in
//! `analysis/regression.rs`.

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::analysis::regression::{FACTOR_POINTS, Growth, WIDEST_FACTOR};
use crate::html::counted;
use crate::report::axes::scale::extent;
use crate::report::curves::{Curves, Group, studies};
use crate::report::figure::Panel;
use crate::report::keys::{Fitting, Law, MarkShape};
use crate::report::marks::{FitOrReason, Fitted, law_in_words, signed};
use crate::report::table::{Table, between_ends};
use crate::report::words::number::short;

/// Fits with a line each in the legend.
const MOST_FITS: usize = 4;

/// The law that is fitted to a group in a panel, if it is drawn.
pub fn drawn_fit(group: &Group, index: usize) -> Option<&Fitted> {
    group.fits[index]
        .as_ref()
        .ok()
        .filter(|fitted| fitted.is_drawn())
}

/// The factor, or the power: of the law, or where that does not fit between the ends alone.
fn estimate(line: &Growth, law: Law) -> Estimate {
    match law {
        Law::Power => line.valid_slope(),
        Law::Exponential => line.valid_slope().map(libm::exp),
    }
}

impl Curves<'_> {
    /// What a law may be fitted to: the means above 0 without trials cut off, of a column.
    pub fn complete(&self, group: &Group, column: &str) -> Vec<(f64, Estimate)> {
        let marks = self.marks(&group.rows, column).into_iter();
        let complete = marks.filter(|mark| !mark.y.is_bound && mark.y.value > 0.0);
        complete.map(|mark| (mark.x, mark.y)).collect()
    }

    pub fn fit(&self, group: &Group, panel: &Panel) -> FitOrReason {
        let fit = panel.spec.fit.clone().ok_or_else(String::new)?;
        let [measure] = &panel.columns[..] else {
            return Err("no fit: its panel shows several measures".to_owned());
        };
        let column = if fit.y.is_empty() {
            &measure.column
        } else {
            &fit.y
        };
        if !self.table.has_errors(column) {
            let name = column.replace('_', " ");
            return Err(format!("no fit: {name} has no standard errors to fit with"));
        }
        let mut means = self.complete(group, column);
        means.retain(|mean| fit.from.is_none_or(|least| mean.0 >= least));
        if fit.law == Law::Power {
            means.retain(|mean| mean.0 > 0.0);
        }
        // Without an error of its logarithm a mean has no weight.
        let fitted = means.iter().filter(|mean| mean.1.log_variance().is_some());
        let range = extent(fitted.map(|fitted| fitted.0));
        if fit.law == Law::Power {
            means.iter_mut().for_each(|mean| mean.0 = libm::log(mean.0));
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

    /// What the legend says of a fit, and in which place; the same of all where there are many.
    pub fn fit_in_words(&self, group: usize, index: usize, fitted: &Fitted) -> (usize, String) {
        let panels = &self.figure.panels;
        let fits = self.groups.iter().cartesian_product(0..panels.len());
        let drawn = fits.filter(|(it, index)| drawn_fit(it, *index).is_some());
        if drawn.count() > MOST_FITS {
            return (0, "thin dashes: fits".to_owned());
        }
        let of = match panels[..] {
            [_] => String::new(),
            _ => format!(" of the {}", panels[index].name),
        };
        let name = self.of_group(&self.groups[group]);
        // The number of the line that is drawn, also where the points reject it.
        let slope = fitted.line.slope;
        let number = match fitted.fit.law {
            Law::Power => slope,
            Law::Exponential => slope.map(libm::exp),
        };
        let rejected = if fitted.line.agreement.fits() {
            ""
        } else {
            "; rejected by the points"
        };
        let law = law_in_words((fitted.fit.law, number.value), 3, self.figure.symbol());
        let ends = [number.low, number.high]
            .map(|end| signed(end, 3))
            .join(" to ");
        let words = format!("fit{of}{name}: {law} ({ends}{rejected})");
        (group * panels.len() + index, words)
    }

    /// The rows, and under them what is fitted to each group, and what studies say.
    pub fn with_fits(&self) -> Table {
        let mut table = self.table.clone();
        for study in studies::ALL {
            study.push_rows(self, &mut table);
        }
        for group in &self.groups {
            self.push_best(&mut table, group);
            self.push_fits(&mut table, group);
            for study in studies::ALL {
                study.push_rows_of(self, group, &mut table);
            }
        }
        if self.figure.spec.mark == MarkShape::Tile {
            self.push_contests(&mut table);
        }
        self.push_rules(&mut table);
        table
    }

    /// The reference marks, and the points of reference lines.
    fn push_rules(&self, table: &mut Table) {
        for rule in &self.figure.spec.rules {
            if let Some(x) = rule.x {
                table.push_given(&rule.text, x);
            }
            let axis = self.figure.x();
            for point in rule.y.iter().flat_map(|formula| self.rule_points(formula)) {
                let value = self.table.keys[point.row].axes.get(axis);
                let mut place = vec![(axis, value.into())];
                if let Some(derived) = self.figure.derived {
                    place.push((derived.name, point.x.into()));
                }
                table.push_number(None, &place, &rule.text, Estimate::exactly(point.y));
            }
        }
    }

    /// The x of the least mean of a group, where it is marked and known.
    fn push_best(&self, table: &mut Table, group: &Group) {
        let own = self.figure.curve_of(self.key(group));
        if let Some((_, x)) = self.table.best.iter().find(|best| best.0 == own) {
            let name = format!("best_{}", self.figure.x());
            table.push_fit((self.key(group), &group.varying), &name, *x);
        }
    }

    /// The fitted numbers of a group, and how well the laws fit.
    fn push_fits(&self, table: &mut Table, group: &Group) {
        let shared = (self.key(group), &group.varying[..]);
        for (index, fitted) in group.fits.iter().enumerate() {
            let Ok(Fitted { line, fit, range }) = fitted else {
                continue;
            };
            let of = self.told_apart(group, index, fit);
            let (name, lack) = match (&*fit.row, fit.law) {
                ("", Law::Power) => ("power", "power"),
                ("", Law::Exponential) if self.figure.is_against_n() => {
                    ("growth_per_row", "growth")
                }
                ("", Law::Exponential) => ("factor_per_unit", "factor_per_unit"),
                (row, _) => (row, ""),
            };
            let agreement = &line.agreement;
            let name = format!("{name}{}{of}", between_ends(agreement));
            table.push_fit(shared, &name, estimate(line, fit.law));
            let x = self.figure.symbol();
            let ends = [
                (format!("power_first_{x}{of}"), range.0),
                (format!("power_last_{x}{of}"), range.1),
            ];
            let ends = ends.into_iter().filter(|_| fit.law == Law::Power);
            let lacks = [
                (
                    format!("{lack}_reduced_chi_square{of}"),
                    agreement.reduced_chi_square,
                ),
                (format!("{lack}_scatter{of}"), agreement.scatter),
            ];
            let lacks = lacks.into_iter().filter(|_| !lack.is_empty());
            for (name, value) in ends.chain(lacks) {
                table.push_fit(shared, &name, Estimate::exactly(value));
            }
        }
    }

    /// ` of mean(moves)`, behind the names of a panel's fit where an earlier panel has the same.
    fn told_apart(&self, group: &Group, index: usize, fit: &Fitting) -> String {
        let mut earlier = group.fits[..index].iter().flatten();
        if earlier.any(|other| other.fit.row == fit.row && other.fit.law == fit.law) {
            format!(" of {}", self.figure.panels[index].columns[0].column)
        } else {
            String::new()
        }
    }

    /// A sentence, without its full stop, for each curve that has no fit where one is wanted.
    pub fn sentences_without_fits(&self) -> Vec<String> {
        let without = self.without_fits().into_iter();
        let sentences = without.map(|(curve, reason)| format!("{curve}: {reason}"));
        sentences.collect()
    }

    /// Why curves have no fit where one is wanted, each reason with its curve.
    fn without_fits(&self) -> Vec<(&str, &str)> {
        let mut without = Vec::new();
        for group in &self.groups {
            for reason in group.fits.iter().filter_map(|fit| fit.as_ref().err()) {
                // The fit of each panel may lack for the same reason.
                let lacks = (&*group.label, &**reason);
                if !reason.is_empty() && !without.contains(&lacks) {
                    without.push(lacks);
                }
            }
        }
        without
    }

    /// What the figure says of fits that its spec asks for and that are not there.
    pub fn without_fits_in_words(&self) -> Option<String> {
        let without = self.without_fits();
        let (_, first) = without.first().filter(|_| self.figure.spec.asks_for_fit)?;
        if without.iter().all(|(_, reason)| reason == first) {
            return Some((*first).to_owned());
        }
        let curves = counted(without.len(), "curve");
        Some(format!("no fit of {curves}, named under the table"))
    }
}
