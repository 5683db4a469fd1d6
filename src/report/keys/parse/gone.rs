//! Keys that figures had in earlier specs, and what says the same now; keys of other programs for
//! fonts, colours, sizes and legends. The message for each of them is here.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::experiment::spec::Refused;
use crate::experiment::spec::source::Source;
use crate::experiment::spec::tree::items;

/// The keys of a `[[figure]]`.
const OF_FIGURES: [(&str, &str); 12] = [
    ("table", "y alone: a measure belongs to its table"),
    (
        "statistic",
        "it with the measure, as in y = \"median(moves)\" or y = \"share(censored)\"",
    ),
    ("column", "bin = { column = \"moves\" }"),
    ("bins", "bin = { count = 10 }"),
    (
        "also",
        "y = [{ measure = \"moves\", until_hit = true }] for a thin line until the first solution",
    ),
    ("fit_from", "fit = { law = \"power\", from = 8 }"),
    ("compare", "where, which chooses the points"),
    ("nothing", "no such key: the program says what is lacking"),
    ("doc", "caption"),
    ("least_points", "no such key: a curve of one point is drawn"),
    ("room", "y_range, the ends of the vertical axis"),
    ("heading", "y_title"),
];

/// The keys of a panel's table.
const OF_PANELS: [&str; 2] = ["room", "heading"];

/// Parts of the names of keys that would say how a figure looks.
const LOOKS: [&str; 16] = [
    "font",
    "size",
    "legend",
    "palette",
    "style",
    "theme",
    "dpi",
    "linewidth",
    "line_width",
    "grid",
    "background",
    "opacity",
    "alpha",
    "colors",
    "colours",
    "cmap",
];

/// What is told at such a key.
pub const OF_LOOKS: &str = "unknown key; fonts, colours, sizes and legends are no keys of a figure: docs/data.md says how to change them in the SVG, with Vega-Lite and in matplotlib (\"A figure in a paper\")";

/// True if a key would say how a figure looks.
pub fn is_of_looks(key: &str) -> bool {
    let key = key.to_lowercase();
    LOOKS.iter().any(|part| key.contains(part))
}

/// Refuses the first of them in a figure, and says what to write.
pub fn refuse(source: &Source, own: &DeTable) -> Result<(), Refused> {
    let panels = items(own.get("y").cloned());
    let mut in_panels = Vec::new();
    for panel in panels.iter().map(Spanned::get_ref) {
        if let DeValue::Table(keys) = panel {
            let keys = keys
                .keys()
                .filter(|key| OF_PANELS.contains(&&**key.get_ref()));
            in_panels.extend(keys.cloned());
        }
    }
    let keys = own.keys().chain(&in_panels);
    let found = keys.filter_map(|key| {
        let (name, now) = OF_FIGURES
            .iter()
            .find(|(name, _)| *name == &**key.get_ref())?;
        Some((
            key.span(),
            format!("{name} is no key any more; expected {now}"),
        ))
    });
    match found.min_by_key(|(place, _)| place.start) {
        Some((place, message)) => Err(source.refuse(place, &message)),
        None => Ok(()),
    }
}
