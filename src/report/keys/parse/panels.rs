//! The panels of a figure, laid over those of its kind. Here are the forms of `y` (a measure, a
//! list, tables), which panel of the kind a panel takes its other keys from, and the messages of
//! measures that do not go together.

use std::ops::Range;

use itertools::Itertools;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::experiment::spec::Refused;
use crate::experiment::spec::tree::{items, lay, only};
use crate::experiment::store::OwnColumns;
use crate::report::keys::FigureSpec;
use crate::report::keys::parse::Reading;
use crate::report::measures::measure_named;

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

/// The panels of a table, each as a table of its own.
fn panels<'a>(table: &DeTable<'a>) -> Vec<Spanned<DeValue<'a>>> {
    let panels = items(table.get("y").cloned()).into_iter();
    panels.map(|panel| within(panel, "measure")).collect()
}

/// True if the figure's own keys, or those of one of its panels, have a fit.
pub fn ask_for_fit(own: &DeTable) -> bool {
    let has_fit = |panel: &Spanned<DeValue>| panel.get_ref().get("fit").is_some();
    own.contains_key("fit") || panels(own).iter().any(has_fit)
}

/// What the keys of a panel are laid over.
struct Below<'b, 'a> {
    /// The figure's own keys.
    own: &'b DeTable<'a>,
    /// The keys of the kind, and its panels.
    kind: &'b DeTable<'a>,
    panels_of_kind: Vec<&'b DeTable<'a>>,
    columns: &'b OwnColumns,
}

impl<'a> Below<'_, 'a> {
    /// The panel of the kind that shows what this one shows first, with any statistic.
    fn like(&self, measures: &[String]) -> Option<&DeTable<'a>> {
        let first = without_statistic(self.columns, measures.first()?);
        let is_like = |panel: &&&DeTable| {
            let mut others = measures_of(self.columns, panel).into_iter();
            others.any(|other| without_statistic(self.columns, &other) == first)
        };
        self.panels_of_kind.iter().find(is_like).copied()
    }

    /// The keys of a panel, over those that it does not say.
    fn laid(&self, panel: &DeTable<'a>) -> DeTable<'a> {
        let measures = measures_of(self.columns, panel);
        let like = self.like(&measures);
        let is_whole = like.is_some_and(|panel| measures_of(self.columns, panel) == measures);
        let is_key = |key: &str| KEYS.contains(&key);
        let is_of_like = |key: &str| match key {
            "y_title" => is_whole,
            // A caption of the figure's own takes the place of all that the kind says.
            "caption" => is_whole && !self.own.contains_key("caption"),
            key => is_key(key),
        };
        let has_own_panels = self.own.contains_key("y");
        let is_of_panel = |key: &str| has_own_panels || key.starts_with("measure");

        let mut keys = only(self.kind, is_key);
        if let Some(like) = like.or(self.panels_of_kind.first().copied()) {
            lay(only(like, is_of_like), &mut keys);
        }
        lay(only(self.own, is_key), &mut keys);
        lay(only(panel, is_of_panel), &mut keys);
        let keys = keys.into_iter().filter_map(|(key, value)| {
            let value = match &**key.get_ref() {
                "fit" if value.get_ref().as_str() == Some("none") => return None,
                "fit" => within(value, "law"),
                _ => value,
            };
            Some((key, value))
        });
        keys.collect()
    }
}

/// Lays the keys of a figure over those of its kind. What a panel does not say is as the figure's
/// own keys say, then as the kind's panel of this column has it, else its first one, then as the
/// kind's keys say; what a panel says of its vertical title and in its caption is of these measures
/// together alone, with their statistics. The places are those of the figure's own
/// panels.
pub fn lay_panels<'a>(
    own: DeTable<'a>,
    kind: &mut DeTable<'a>,
    columns: &OwnColumns,
) -> Vec<Range<usize>> {
    let all_of_kind = panels(kind);
    let of_kind = all_of_kind.iter();
    let of_kind = of_kind.filter_map(|panel| panel.get_ref().as_table());
    let has_own_panels = own.contains_key("y");
    let mut laid = panels(if has_own_panels { &own } else { kind });
    let places = laid.iter().filter(|_| has_own_panels);
    let places = places.map(Spanned::span).collect();
    let below = Below {
        own: &own,
        kind,
        panels_of_kind: of_kind.collect(),
        columns,
    };
    for panel in &mut laid {
        if let DeValue::Table(panel) = panel.get_mut() {
            *panel = below.laid(panel);
        }
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
        let columns = &figure.own;
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
                self.name_measure(columns, measure, place)?;
            }
            for measure in &mut panel.band {
                let band = self.own.get("band").unwrap_or(place);
                self.name_measure(columns, measure, band)?;
            }
            let fitted = panel.fit.iter_mut().map(|fit| &mut fit.y);
            for measure in fitted.filter(|measure| !measure.is_empty()) {
                let fit = self.own.get("fit").unwrap_or(place);
                self.name_measure(columns, measure, fit)?;
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

    /// Writes a measure as tables and figures name it.
    fn name_measure(
        &self,
        columns: &OwnColumns,
        measure: &mut String,
        place: &Range<usize>,
    ) -> Result<(), Refused> {
        let named = measure_named(columns, measure);
        let named = named.map_err(|message| self.source.refuse(place.clone(), &message))?;
        *measure = named.name;
        Ok(())
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
