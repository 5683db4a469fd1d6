//! The panels of a figure, laid over those of its kind.

use std::ops::Range;

use itertools::Itertools;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::experiment::spec::Refused;
use crate::experiment::spec::tree::{items, lay, only};
use crate::experiment::store::OwnColumns;
use crate::report::keys::FigureSpec;
use crate::report::keys::parse::Reading;
use crate::report::measures::{Named, measure_named};

/// The keys that the figure and each of its panels may have.
pub const KEYS: [&str; 7] = [
    "y_scale",
    "y_title",
    "y_range",
    "height",
    "fit",
    "band",
    "until_hit",
];

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

/// The measures of a panel's table, as they are written, or as they are called.
fn measures_of(own: &OwnColumns, panel: &DeTable) -> Vec<String> {
    let found = panel.get("measures").or_else(|| panel.get("measure"));
    let found = items(found.cloned()).into_iter();
    let texts = found.filter_map(|text| text.get_ref().as_str().map(str::to_owned));
    let called = |text: String| measure_named(own, &text).map_or(text, |named| named.name);
    texts.map(called).collect()
}

/// What a measure is of, without its statistic.
fn without_statistic(own: &OwnColumns, measure: &str) -> String {
    let named = measure_named(own, measure).ok();
    let summary = named.and_then(|named| named.summary);
    summary.map_or_else(|| measure.to_owned(), |summary| summary.formula.to_string())
}

/// Lays the keys of a figure over those of its kind. What a panel does not say is as the figure's
/// own keys say, then as the kind's panel of this column has it, else its first one, then as the
/// kind's keys say; what a panel says of its upright title and in its caption is of these measures
/// together alone, with their statistics. The places are those of the figure's own
/// panels.
pub fn lay_panels<'a>(
    own: DeTable<'a>,
    kind: &mut DeTable<'a>,
    own_columns: &OwnColumns,
) -> Vec<Range<usize>> {
    let measures_of = |panel: &DeTable| measures_of(own_columns, panel);
    let without_statistic = |measure: &str| without_statistic(own_columns, measure);
    let panels = |table: &DeTable<'a>| {
        let panels = items(table.get("y").cloned()).into_iter();
        panels.map(|panel| within(panel, "measure")).collect_vec()
    };
    let is_key = |key: &str| KEYS.contains(&key);
    let all_of_kind = panels(kind);
    let tables = all_of_kind
        .iter()
        .filter_map(|panel| panel.get_ref().as_table());
    let of_kind: Vec<&DeTable> = tables.collect();
    let has_own = own.contains_key("y");
    let mut laid = panels(if has_own { &own } else { kind });
    let places = laid.iter().filter(|_| has_own).map(Spanned::span);
    let places = places.collect();
    for panel in &mut laid {
        let DeValue::Table(panel) = panel.get_mut() else {
            continue;
        };
        let shown = measures_of(panel);
        let first = shown.first();
        let is_like_first = |table: &&&DeTable| {
            let bare = first.map(|measure| without_statistic(measure));
            let mut others = measures_of(table).into_iter();
            others.any(|other| bare == Some(without_statistic(&other)))
        };
        let same = of_kind.iter().find(is_like_first);
        let is_whole = same.is_some_and(|panel| measures_of(panel) == shown);
        let of_like = |key: &str| match key {
            "y_title" => is_whole,
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
    /// Finishes the panels, at these places or the kind's, and refuses texts that are no measures.
    pub fn check_panels(
        &self,
        figure: &mut FigureSpec,
        places: &[Range<usize>],
    ) -> Result<(), Refused> {
        let source = self.source;
        if figure.y.is_empty() {
            return Err(source.expected(self.at("y"), "a measure, or a list of measures"));
        }
        let own = &figure.own;
        let has_own_fit = self.own.contains_key("fit");
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
            for measure in &mut panel.measures {
                match measure_named(own, measure) {
                    Ok(Named { name, .. }) => *measure = name,
                    Err(message) => return refused(&message),
                }
            }
            for measure in &mut panel.band {
                match measure_named(own, measure) {
                    Ok(Named { name, .. }) => *measure = name,
                    Err(message) if self.own.contains_key("band") => {
                        return Err(source.refuse(self.at("band"), &message));
                    }
                    Err(message) => return refused(&message),
                }
            }
            let fitted = panel.fit.iter_mut().map(|fit| &mut fit.y);
            for measure in fitted.filter(|measure| !measure.is_empty()) {
                match measure_named(own, measure) {
                    Ok(Named { name, .. }) => *measure = name,
                    Err(message) if has_own_fit => {
                        return Err(source.refuse(self.at("fit"), &message));
                    }
                    Err(message) => return refused(&message),
                }
            }
            if !panel.measures.iter().all_unique() || earlier.contains(&panel.measures) {
                let doubled = panel.measures.join(", ");
                let message = format!("{doubled:?} is doubled; expected each measure once");
                return refused(&message);
            }
            earlier.push(panel.measures.clone());
        }
        self.check_tables(figure, places)
    }

    /// Refuses measures that cannot stand in one figure: those with several rows of each point have
    /// one of their own.
    fn check_tables(&self, figure: &FigureSpec, places: &[Range<usize>]) -> Result<(), Refused> {
        let panels = figure.y.iter().enumerate();
        let measures = panels.flat_map(|(index, panel)| {
            let all = panel.measures.iter().chain(&panel.band);
            all.filter_map(move |text| Some((index, text, figure.named(text)?.table)))
        });
        let measures: Vec<_> = measures.collect();
        let of_rows = measures.iter().find(|(.., table)| !table.across.is_empty());
        let Some((_, first, table)) = of_rows else {
            return Ok(());
        };
        let other = measures.iter().find(|(.., other)| other.name != table.name);
        let Some((index, other, _)) = other else {
            return Ok(());
        };
        let across = table.across.iter().map(|(name, _)| *name).join(" or ");
        let place = places.get(*index).unwrap_or(&self.place).clone();
        let message = format!(
            "{first:?} is drawn against {across}, and {other:?} has one number a point; expected a figure for each"
        );
        Err(self.source.refuse(place, &message))
    }
}
