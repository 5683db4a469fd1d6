//! The panels of a figure, laid over those of its kind.

use std::ops::Range;

use itertools::Itertools;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Reading, measures};
use crate::analysis::formula::{CENSORED, DIVISORS, DividedBy, Formula, Statistic};
use crate::experiment::spec::tree::{items, lay, only};
use crate::experiment::spec::{Refused, did_you_mean, one_of};
use crate::report::figure::{COLUMNS_TABLE, Figure, Law};
use crate::report::figures::table_named;

/// The keys that the figure and each of its panels may have.
pub const KEYS: [&str; 6] = ["y_scale", "y_title", "y_range", "height", "room", "fit"];

/// A text as a table with it behind a key; other values as they are.
fn within<'a>(value: Spanned<DeValue<'a>>, key: &'static str) -> Spanned<DeValue<'a>> {
    if !value.get_ref().is_str() {
        return value;
    }
    let span = value.span();
    let mut table = DeTable::new();
    table.insert(Spanned::new(span.clone(), key.into()), value);
    Spanned::new(span, DeValue::Table(table))
}

/// The measures of a panel's table.
fn measures_of(panel: &DeTable) -> Vec<String> {
    let found = panel.get("measures").or_else(|| panel.get("measure"));
    let found = items(found.cloned()).into_iter();
    let texts = found.filter_map(|it| it.get_ref().as_str().map(str::to_owned));
    texts.collect()
}

/// Lays the keys of a figure over those of its kind. What a panel does not say is as the figure's
/// own keys say, then as the kind's panel of this measure has it, else its first one, then as the
/// kind's keys say; what a panel of several measures says of its heading and upright title is of
/// these together alone, and the title of their means. The places are those of the figure's own
/// panels.
pub fn lay_panels<'a>(own: DeTable<'a>, kind: &mut DeTable<'a>) -> Vec<Range<usize>> {
    let panels = |table: &DeTable<'a>| {
        let panels = items(table.get("y").cloned()).into_iter();
        panels.map(|it| within(it, "measure")).collect_vec()
    };
    let is_key = |key: &str| KEYS.contains(&key);
    let of_kind = panels(kind);
    let of_kind = of_kind.iter().filter_map(|it| it.get_ref().as_table());
    let of_kind: Vec<&DeTable> = of_kind.collect();
    let has_own = own.contains_key("y");
    let statistic = own
        .get("statistic")
        .and_then(|value| value.get_ref().as_str());
    let has_other_statistic = statistic.is_some_and(|name| name != "mean");
    let mut laid = panels(if has_own { &own } else { kind });
    let places = laid.iter().filter(|_| has_own).map(Spanned::span);
    let places = places.collect();
    for panel in &mut laid {
        let DeValue::Table(panel) = panel.get_mut() else {
            continue;
        };
        let shown = measures_of(panel);
        let first = shown.first();
        let has_first = |it: &DeTable| first.is_some_and(|own| measures_of(it).contains(own));
        let same = of_kind.iter().find(|it| has_first(it));
        let is_whole = same.is_some_and(|it| measures_of(it) == shown);
        // The kind's titles are of its own statistic, the mean.
        let of_like = |key: &str| match key {
            "y_title" => is_whole && !has_other_statistic,
            "heading" => is_whole,
            // A caption of the figure's own takes the place of all that the kind says.
            "caption" => is_whole && !own.contains_key("caption"),
            key => is_key(key),
        };
        let mut said = only(kind, is_key);
        if let Some(like) = same.or(of_kind.first()) {
            lay(only(like, of_like), &mut said);
        }
        lay(only(&own, is_key), &mut said);
        let is_own = |key: &str| has_own || key.starts_with("measure");
        lay(only(panel, is_own), &mut said);
        let said = said.into_iter().filter_map(|(key, value)| {
            let value = match &**key.get_ref() {
                "fit" if value.get_ref().as_str() == Some("none") => return None,
                "fit" => within(value, "law"),
                _ => value,
            };
            Some((key, value))
        });
        *panel = said.collect();
    }
    lay(own, kind);
    KEYS.iter().for_each(|key| drop(kind.remove(*key)));
    if let Some(y) = kind.get_mut("y") {
        *y.get_mut() = DeValue::Array(laid.into_iter().collect());
    }
    places
}

impl Reading<'_> {
    /// Finishes the panels, at these places or the kind's, and refuses measures that the table does
    /// not have.
    pub fn check_panels(
        &self,
        figure: &mut Figure,
        places: &[Range<usize>],
    ) -> Result<(), Refused> {
        let source = self.source;
        let own = figure.own.clone();
        let table = table_named(&figure.table);
        let mut known = table.map_or_else(Vec::new, |table| measures(table, &own));
        if figure.statistic == Statistic::Share {
            known.push(CENSORED);
        }
        if figure.y.is_empty() {
            let expected = format!("a list of {}", known.join(", "));
            return Err(source.expected(self.at("y"), &expected));
        }
        let is_of_columns = figure.table == COLUMNS_TABLE;
        let [has_own, has_own_fit] = [&["y", "fill"][..], &["fit"]]
            .map(|it| it.iter().any(|key| self.own.contains_key(*key)));
        let mut earlier: Vec<Vec<String>> = Vec::new();
        for (index, panel) in figure.y.iter_mut().enumerate() {
            let place = places.get(index).unwrap_or(&self.place);
            let refused = |message: &str| Err(source.refuse(place.clone(), message));
            if panel.measure.is_some() && !panel.measures.is_empty() {
                return refused("measures stands beside measure; expected one of both");
            }
            panel.measures.extend(panel.measure.clone());
            if panel.measures.is_empty() {
                return refused("missing key measure; expected the name of a measure");
            }
            let measures = panel.measures.iter_mut().map(|it| (it, false));
            let fit = panel.fit.as_mut();
            let fit = fit.filter(|it| is_of_columns && !it.y.is_empty());
            for (measure, is_fitted) in measures.chain(fit.map(|it| (&mut it.y, true))) {
                let formula = Formula::of(measure);
                if is_of_columns {
                    *measure = formula.to_string();
                }
                let unknown = if is_of_columns {
                    formula.columns().find(|it| !known.contains(it))
                } else {
                    Some(&**measure).filter(|it| !known.contains(it))
                };
                let Some(unknown) = unknown else { continue };
                if !has_own && !is_fitted {
                    let missing = "it lacks a measure of the kind's y; expected y beside it";
                    return Err(source.refuse(self.at("table"), missing));
                }
                let is_quotient = !matches!(formula.by, DividedBy::One);
                let divisors = DIVISORS.iter().map(|it| it.name).filter(|_| is_quotient);
                let known: Vec<&str> = divisors.chain(known.iter().copied()).collect();
                let (expected, near) = (one_of(&known), did_you_mean(unknown, &known));
                let message = format!("unknown measure {unknown:?}; expected {expected}{near}");
                return if is_fitted && has_own_fit {
                    Err(source.refuse(self.at("fit"), &message))
                } else {
                    refused(&message)
                };
            }
            if !panel.measures.iter().all_unique() || earlier.contains(&panel.measures) {
                let doubled = panel.measures.join(", ");
                let message = format!("{doubled:?} is doubled; expected each measure once");
                return refused(&message);
            }
            earlier.push(panel.measures.clone());
            // In a kind it is the least place of its power law.
            if let Some(fit) = &mut panel.fit
                && (has_own_fit || fit.law == Law::Power)
            {
                fit.from = fit.from.or(figure.fit_from);
            }
        }
        Ok(())
    }
}
