//! The panels of a figure.

use super::super::{CENSORED, COLUMNS_TABLE, Fitting, Law, PanelChoice, Statistic};
use super::{Keys, words_once};
use crate::experiment::spec::Refused;
use crate::experiment::spec::tree::{Entry, SpecTable, each_once};

impl Keys<'_> {
    /// The panels of the spec, which take what they do not say from the kind's panel of the same
    /// measure, else from its first one.
    pub fn panels(&self, table: &str, statistic: Statistic) -> Result<Vec<PanelChoice>, Refused> {
        let of_kind = self.preset.map(|preset| self.panels_of_kind(preset));
        let of_kind = of_kind.transpose()?.unwrap_or_default().into_iter();
        let of_kind = of_kind.map(|it| overlaid(it, self.own, "y_scale"));
        let of_kind: Vec<PanelChoice> = of_kind.collect::<Result<_, _>>()?;
        let mut panels = match self.own.get("y") {
            None => of_kind,
            Some(list) => {
                let mut known = self.kinds.measures(table);
                if statistic == Statistic::Share {
                    known.push(CENSORED);
                }
                let like = |measure: &str| {
                    let same = of_kind.iter().find(|it| it.measures[0] == measure);
                    let other = of_kind.first().map(|it| PanelChoice {
                        measures: vec![measure.to_owned()],
                        has_names: false,
                        title: None,
                        label: None,
                        level: None,
                        ..it.clone()
                    });
                    same.cloned().or(other).unwrap_or_default()
                };
                let items = list.items(&format!("a list of {}", known.join(", ")))?;
                let panels = items.iter().map(|it| panel(it, &known, like));
                let panels = panels.collect::<Result<_, _>>()?;
                each_once(
                    &items,
                    "measure",
                    |it| Ok(panel(it, &known, like)?.measures),
                )?;
                panels
            }
        };
        let (law, from) = (self.own.get("fit"), self.number("fit_from")?);
        for panel in &mut panels {
            let fit = panel.fit.iter_mut();
            for fit in fit.filter(|fit| law.is_some() || fit.law == Law::Power) {
                fit.from = fit.from.or(from);
            }
        }
        Ok(panels)
    }

    fn panels_of_kind(&self, preset: &SpecTable) -> Result<Vec<PanelChoice>, Refused> {
        let Some(list) = preset.get("y") else {
            return Ok(Vec::new());
        };
        let table = preset.get("table").and_then(|it| it.text("").ok());
        let known = self.kinds.measures(table.unwrap_or(COLUMNS_TABLE));
        let base = overlaid(PanelChoice::default(), preset, "y_scale")?;
        let panel = |it: &Entry| panel(it, &known, |_| base.clone());
        list.items("a list of panels")?.iter().map(panel).collect()
    }
}

/// A panel: the name of its measure, or a table. What it does not say is as in `like` of its
/// measure.
fn panel(
    entry: &Entry,
    known: &[&str],
    like: impl Fn(&str) -> PanelChoice,
) -> Result<PanelChoice, Refused> {
    let Some(table) = entry.table() else {
        let measure = entry.word("measure", known)?;
        let like = like(measure);
        return Ok(match like.measures.is_empty() {
            true => PanelChoice {
                measures: vec![measure.to_owned()],
                ..like
            },
            false => like,
        });
    };
    table.only(&[
        "measure", "measures", "title", "label", "height", "scale", "level", "ranges", "room",
        "fit", "guide",
    ])?;
    let (measures, has_names) = match table.get("measures") {
        Some(list) => (words_once(&list, "measure", known)?, true),
        None => {
            let measure = table.require("measure", "the name of a measure")?;
            (vec![measure.word("measure", known)?.to_owned()], false)
        }
    };
    let text = |key: &str| table.optional(key, |it| Ok(it.text("a text")?.to_owned()));
    let ranges = table.optional("ranges", |it| {
        let items = it.items("a list of ranges [low, high]")?;
        let range = |it| pair(it, "a range [low, high]", |_| true);
        items.iter().map(range).collect()
    })?;
    let level = table.optional("level", |it| it.real(|_| true, "a number"))?;
    let like = like(&measures[0]);
    let panel = PanelChoice {
        has_names,
        title: text("title")?.or(like.title),
        label: text("label")?.or(like.label),
        level: level.or(like.level),
        ranges: ranges.unwrap_or(like.ranges),
        measures,
        ..like
    };
    overlaid(panel, &table, "scale")
}

/// The panel with what the table says of its scale, height, room and fit.
fn overlaid(
    mut panel: PanelChoice,
    table: &SpecTable,
    scale: &str,
) -> Result<PanelChoice, Refused> {
    if let Some(entry) = table.get(scale) {
        panel.is_logarithmic = Some(entry.word("scale", &["linear", "log"])? == "log");
    }
    if let Some(entry) = table.get("height") {
        panel.height = Some(entry.integer(100, 4000, "an integer from 100 to 4000")? as i32);
    }
    if let Some(entry) = table.get("room") {
        let expected = "two numbers from 0 to 1, below and above";
        panel.room = pair(&entry, expected, |it| (0.0..=1.0).contains(&it))?;
    }
    if let Some(entry) = table.get("fit") {
        panel.fit = fit(&entry)?;
    }
    if let Some(entry) = table.get("guide") {
        let guides = entry.items(GUIDE)?;
        panel.guides = guides.iter().map(guide).collect::<Result<_, _>>()?;
    }
    Ok(panel)
}

/// A list of two numbers.
fn pair(entry: &Entry, expected: &str, holds: fn(f64) -> bool) -> Result<(f64, f64), Refused> {
    let ends = entry.list();
    let Some([first, second]) = ends.as_deref() else {
        return Err(entry.refuse(expected));
    };
    Ok((first.real(holds, expected)?, second.real(holds, expected)?))
}

/// A law by its name, or a table with more.
fn fit(entry: &Entry) -> Result<Option<Fitting>, Refused> {
    const LAWS: [&str; 3] = ["none", "exponential", "power"];
    let law = |entry: &Entry| {
        Ok(match entry.word("law", &LAWS)? {
            "exponential" => Some(Law::Exponential),
            "power" => Some(Law::Power),
            _ => None,
        })
    };
    let Some(table) = entry.table() else {
        return Ok(law(entry)?.map(|law| Fitting {
            law,
            ..Fitting::default()
        }));
    };
    table.only(&["law", "of", "row", "drawn", "from"])?;
    let law = law(&table.require("law", &format!("one of {}", LAWS.join(", ")))?)?;
    let text = |key: &str| {
        let text = table.optional(key, |it| it.text("a text"))?;
        Ok(text.unwrap_or_default().to_owned())
    };
    let drawn = table.optional("drawn", |it| it.boolean("true or false"))?;
    let fitting = Fitting {
        of: text("of")?,
        row: text("row")?,
        is_drawn: drawn,
        from: table.optional("from", |it| it.real(|_| true, "a number"))?,
        ..Fitting::default()
    };
    Ok(law.map(|law| Fitting { law, ..fitting }))
}

const GUIDE: &str = "{ growth = 2.5 } or { power = -1.5 }";

/// A line of known growth.
fn guide(entry: &Entry) -> Result<(Law, f64), Refused> {
    let refused = || entry.refuse(GUIDE);
    let table = entry.table().ok_or_else(refused)?;
    table.only(&["growth", "power"])?;
    match (table.get("growth"), table.get("power")) {
        (Some(growth), None) => {
            let factor = growth.real(|it| it > 0.0, "a factor above 0")?;
            Ok((Law::Exponential, factor))
        }
        (None, Some(power)) => Ok((Law::Power, power.real(|_| true, "a number")?)),
        _ => Err(refused()),
    }
}
