//! The panels of a figure.

use super::super::{
    By, CENSORED, COLUMNS_TABLE, Choices, DIVISORS, Fitting, Formula, Guide, Law, PanelChoice,
    Statistic,
};
use super::{Reader, SCALES, text};
use crate::experiment::spec::tree::{Entry, each_once};
use crate::experiment::spec::{Refused, did_you_mean, one_of};

/// A key that the figure and each of its panels may have.
type PanelKey = (
    &'static str,
    fn(&mut PanelChoice, &Entry) -> Result<(), Refused>,
);

const PANEL_KEYS: &[PanelKey] = &[
    ("y_scale", |it, entry| {
        it.is_logarithmic = Some(entry.word("scale", SCALES)? == "log");
        Ok(())
    }),
    ("y_title", |it, entry| {
        it.y_title = Some(text(entry)?);
        Ok(())
    }),
    ("y_range", |it, entry| {
        let expected = "a range [low, high], its low end below its high one";
        let (low, high) = pair(entry, expected, |_| true)?;
        it.y_range = Some((low, high));
        (low < high)
            .then_some(())
            .ok_or_else(|| entry.refuse(expected))
    }),
    ("height", |it, entry| {
        it.height = Some(entry.integer(100, 4000, "an integer from 100 to 4000")? as i32);
        Ok(())
    }),
    ("room", |it, entry| {
        let expected = "two numbers from 0 to 1, below and above";
        it.room = pair(entry, expected, |it| (0.0..=1.0).contains(&it))?;
        Ok(())
    }),
    ("fit", |it, entry| {
        it.fit = fit(entry)?;
        Ok(())
    }),
    ("guide", |it, entry| {
        let guides = entry.items(GUIDE)?;
        it.guides = guides.iter().map(guide).collect::<Result<_, _>>()?;
        Ok(())
    }),
];

/// The keys of one panel alone.
const OWN_KEYS: &[&str] = &["measure", "measures", "heading", "level"];

/// Reads a key of the figure for all of its panels.
pub fn change_panels(choices: &mut Choices, entry: &Entry, _: &Reader) -> Result<(), Refused> {
    let key = PANEL_KEYS.iter().find(|it| it.0 == entry.name());
    let read = key.expect("a key of panels").1;
    let mut panels = choices.y.iter_mut().chain([&mut choices.base]);
    panels.try_for_each(|panel| read(panel, entry))
}

/// The panels, which take what they do not say from the panel before of the same measure, else
/// from the first one.
pub fn read_panels(choices: &mut Choices, list: &Entry, reader: &Reader) -> Result<(), Refused> {
    let mut known = reader.kinds.measures(&choices.table);
    if choices.statistic == Statistic::Share {
        known.push(CENSORED);
    }
    let (base, before) = (&choices.base, &choices.y);
    let like = |measures: &[String]| {
        let same = before.iter().find(|it| it.measures.contains(&measures[0]));
        let whole = same.filter(|it| it.measures == measures);
        let like = same.or(before.first()).unwrap_or(base);
        PanelChoice {
            measures: measures.to_vec(),
            has_names: false,
            // What is said of several measures is not said of one of them.
            y_title: whole.unwrap_or(base).y_title.clone(),
            heading: whole.and_then(|it| it.heading.clone()),
            level: same.and_then(|it| it.level),
            ..like.clone()
        }
    };
    let measure = |entry: &Entry| match choices.table == COLUMNS_TABLE {
        true => formula(entry, &known),
        false => Ok(entry.word("measure", &known)?.to_owned()),
    };
    let items = list.items(&format!("a list of {}", known.join(", ")))?;
    let panels = items.iter().map(|it| panel(it, &measure, like));
    let panels: Vec<PanelChoice> = panels.collect::<Result<_, _>>()?;
    each_once(&items, "measure", |it| {
        Ok(panel(it, &measure, like)?.measures)
    })?;
    choices.y = panels;
    Ok(())
}

/// A column, or what is made of two, as it is written in tables.
fn formula(entry: &Entry, known: &[&str]) -> Result<String, Refused> {
    let formula = Formula::of(entry.text(&one_of(known))?);
    let unknown = formula.columns().find(|it| !known.contains(it));
    match (unknown, &formula.by) {
        (None, _) => Ok(formula.to_string()),
        (Some(_), By::One) => entry.word("measure", known).map(str::to_owned),
        (Some(column), _) => {
            let divisors = [&DIVISORS[..], known].concat();
            let near = did_you_mean(column, &divisors);
            let expected = "expected COLUMN, COLUMN / COLUMN, or COLUMN / ";
            let [divisors, columns] = [&DIVISORS[..], known].map(one_of);
            Err(entry.error(&format!(
                "no column {column:?}; {expected}{divisors}; columns: {columns}{near}"
            )))
        }
    }
}

/// A panel: the name of its measure, or a table. What it does not say is as in `like` of its
/// measure.
fn panel(
    entry: &Entry,
    measure: &impl Fn(&Entry) -> Result<String, Refused>,
    like: impl Fn(&[String]) -> PanelChoice,
) -> Result<PanelChoice, Refused> {
    let Some(table) = entry.table() else {
        return Ok(like(&[measure(entry)?]));
    };
    let keys = PANEL_KEYS.iter().map(|it| it.0);
    table.only(&OWN_KEYS.iter().copied().chain(keys).collect::<Vec<_>>())?;
    let (measures, has_names) = match table.get("measures") {
        Some(list) => {
            let items = list.items("a list of measures")?;
            (each_once(&items, "measure", measure)?, true)
        }
        None => {
            let entry = table.require("measure", "the name of a measure")?;
            (vec![measure(&entry)?], false)
        }
    };
    let mut panel = PanelChoice {
        has_names,
        ..like(&measures)
    };
    if let Some(entry) = table.get("heading") {
        panel.heading = Some(text(&entry)?);
    }
    if let Some(entry) = table.get("level") {
        panel.level = Some(entry.real(|_| true, "a number")?);
    }
    for (key, read) in PANEL_KEYS {
        if let Some(entry) = table.get(key) {
            read(&mut panel, &entry)?;
        }
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
    table.only(&["law", "y", "row", "drawn", "from"])?;
    let law = law(&table.require("law", &one_of(&LAWS))?)?;
    let text = |key: &str| Ok(table.optional(key, |it| text(&it))?.unwrap_or_default());
    let fitting = Fitting {
        y: text("y")?,
        row: text("row")?,
        is_drawn: table.optional("drawn", |it| it.boolean("true or false"))?,
        from: table.optional("from", |it| it.real(|_| true, "a number"))?,
        ..Fitting::default()
    };
    Ok(law.map(|law| Fitting { law, ..fitting }))
}

const GUIDE: &str = "{ growth = 2.5 } or { power = -1.5 }";

/// A line of known growth.
fn guide(entry: &Entry) -> Result<Guide, Refused> {
    let refused = || entry.refuse(GUIDE);
    let table = entry.table().ok_or_else(refused)?;
    table.only(&["growth", "power", "at"])?;
    let (law, number) = match (table.get("growth"), table.get("power")) {
        (Some(growth), None) => {
            let factor = growth.real(|it| it > 0.0, "a factor above 0")?;
            (Law::Exponential, factor)
        }
        (None, Some(power)) => (Law::Power, power.real(|_| true, "a number")?),
        _ => return Err(refused()),
    };
    let at = table.optional("at", |it| pair(&it, "a place [x, y]", |_| true))?;
    Ok(Guide { law, number, at })
}
