//! What curves are called and what they look like: their names, without what all share, and their
//! colours, markers and dashes, which are the same in all facets. Here is decided which curve gets
//! which colour and marker, the remark that colours do not suffice, and how `names` of a figure and
//! of conditions are put in.

use itertools::Itertools;

use super::{Curves, Group, in_order};
use crate::report::words::points::{Digits, word};
use crate::solver::{Point, algorithm, symbol};
use crate::theme::{COLOURS_TOLD_APART, SeriesStyle};

impl Curves<'_> {
    /// Each curve has its style, and those that mean the same in other facets have the same one.
    pub(super) fn colour(&self, groups: &mut [Group]) {
        let own = self.names_across_facets(groups);
        let names = own.iter().unique().collect_vec();
        // The words of the key that says a curve's colour, in the order of its values.
        let key = self.figure.spec.colour.as_deref();
        let colours: Vec<String> = key.map_or_else(Vec::new, |key| {
            let keys = groups.iter().map(|group| &self.table.keys[group.rows[0]]);
            let keys = keys.sorted_by(|a, b| in_order(a, b, key));
            keys.map(|point| word(point, key)).unique().collect()
        });
        for (group, name) in groups.iter_mut().zip(&own) {
            let point = &self.table.keys[group.rows[0]];
            let index = names.iter().position(|other| *other == name).unwrap_or(0);
            let coloured = |key| {
                colours
                    .iter()
                    .position(|colour| *colour == word(point, key))
            };
            let colour = key.and_then(coloured).unwrap_or(index);
            group.style = SeriesStyle::coloured(colour, index);
        }
    }

    /// Says so where the key of colours has more values than there are colours.
    pub(super) fn warn_of_colours(&mut self) {
        let Some(key) = self.figure.spec.colour.as_deref() else {
            return;
        };
        let points = self.groups.iter().map(|group| self.key(group));
        let values = points.map(|point| word(point, key)).unique().count();
        if values > COLOURS_TOLD_APART {
            self.table.warn(&format!(
                "of the {values} values of {key} several have one colour: {COLOURS_TOLD_APART} colours are told apart, then they begin again",
                key = symbol(key)
            ));
        }
    }

    /// The name of each curve, without what curves of other facets cannot have: the facet's value,
    /// and axes that one of them lacks, as η, where the curves of a facet differ without these.
    fn names_across_facets(&self, groups: &[Group]) -> Vec<String> {
        let facet = self.figure.spec.facet.as_ref();
        let keys = groups.iter().map(|group| self.key(group));
        let lacks = |axis: &str| keys.clone().any(|point| point.axes.get(axis).is_none());
        let axes = keys.clone().flat_map(|point| point.axes.by_name());
        let lacking = axes.map(|axis| axis.0).unique().filter(|axis| lacks(axis));
        let lacking = lacking.map(str::to_owned).collect_vec();
        let names = groups.iter().map(|group| {
            let apart = group.varying.iter().chain(facet).chain(&lacking);
            let rows = group.rows.iter().map(|&row| &self.table.keys[row]);
            label(
                &rows.collect_vec(),
                &apart.cloned().collect_vec(),
                &self.table.digits,
            )
        });
        let names = names.collect_vec();
        let mut each = names.iter().zip(groups.iter().map(|group| &group.facet));
        if facet.is_some() && each.all_unique() {
            return names;
        }
        groups.iter().map(|group| group.name.clone()).collect()
    }

    /// What tells a group from the others.
    pub fn short_name(&self, group: &Group) -> String {
        self.words_of(group, false)
    }

    /// `, ε = 0.01`: what tells a group from the others, if there are any.
    pub fn of_group(&self, group: &Group) -> String {
        self.of_groups(&[group])
    }

    /// The same of several groups that share it.
    pub fn of_groups(&self, groups: &[&Group]) -> String {
        let has = |group: &Group, word: &str| group.words().any(|part| part == word);
        let words = groups[0].words();
        let shared = words.filter(|word| groups.iter().all(|group| has(group, word)));
        let shared: Vec<&str> = shared.collect();
        let is_apart = |word: &&&str| !self.groups.iter().all(|group| has(group, word));
        match &*shared.iter().filter(is_apart).join(", ") {
            _ if self.groups.len() == groups.len() => String::new(),
            // What they have, all others have, too.
            "" => format!(", {}", shared.join(", ")),
            short => format!(", {short}"),
        }
    }

    /// The words of a group's name that all groups have, or the others.
    pub fn words_of(&self, group: &Group, are_shared: bool) -> String {
        let has = |group: &Group, word: &str| group.name.split(", ").any(|part| part == word);
        let is_shared = |word: &str| self.groups.iter().all(|group| has(group, word));
        let words = group.name.split(", ");
        words
            .filter(|word| is_shared(word) == are_shared)
            .join(", ")
    }

    /// The names that the spec gives conditions, in the place of `certain: …` in the legend.
    pub(super) fn name_conditions(&self, groups: &mut [Group]) {
        for group in groups {
            let point = &self.table.keys[group.rows[0]];
            let has_condition =
                algorithm(&point.algorithm).is_some_and(|algorithm| algorithm.condition.is_some());
            let mut names = self.figure.spec.conditions.iter();
            let own = names.find(|(_, condition)| has_condition && *condition == point.variant);
            let Some((name, _)) = own else {
                continue;
            };
            let axes: Vec<&str> = point.axes.by_column().map(|(axis, _)| axis).collect();
            let from = self.table.digits.in_words(point, &axes);
            let to = format!("{} rule, {name}", point.algorithm);
            group.label = group.label.replace(&from, &to);
            group.name = group.name.replace(&from, &to);
        }
    }

    /// The names that the figure gives its curves.
    pub(super) fn rename(&self, groups: &mut [Group]) -> Result<(), String> {
        for (from, to) in &self.figure.spec.names {
            if !groups.iter().any(|group| group.name == *from) {
                let known = groups
                    .iter()
                    .map(|group| format!("{:?}", group.name))
                    .unique();
                let known = known.collect::<Vec<_>>().join(", ");
                return Err(format!(
                    "names: no curve is called {from:?}; expected one of {known}"
                ));
            }
            for group in groups.iter_mut().filter(|group| group.name == *from) {
                group.label = group.label.replace(from, to);
                group.name.clone_from(to);
            }
        }
        Ok(())
    }
}

/// What the points share.
pub(super) fn label(keys: &[&Point], varying: &[String], digits: &Digits) -> String {
    let apart: Vec<&str> = varying.iter().map(String::as_str).collect();
    // Points that differ in nothing else have one name, and are compared faster than named.
    if keys.iter().all(|key| key.is_same_apart(keys[0], &apart)) {
        return digits.in_words(keys[0], &apart);
    }
    let words: Vec<String> = keys
        .iter()
        .map(|key| digits.in_words(key, &apart))
        .collect();
    if words.iter().all_equal() {
        return words[0].clone();
    }
    let names = keys.iter().map(|key| &key.algorithm).dedup().join(", ");
    format!("points of {names}")
}
