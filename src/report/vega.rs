//! The figure as Vega-Lite: the points that are drawn as rows, and marks over the rows. For those
//! who want another look, or another program.
//!
//! Vega-Lite draws what a logarithmic axis has no place for at its upper end, or every mark at one
//! height, and says nothing (6.5). So no number of 0 or below stands in the rows of such an axis.

use itertools::Itertools;
use plotters::style::RGBColor;
use serde_json::{Map, Value, json};

use super::chart::{ShownPanel, axis_title};
use super::curves::Curves;
use super::figure::MarkShape;
use super::layers::Curve;
use super::mark::{Mark, bar};
use super::number::plain_powers;
use super::scale::extent;
use super::words::Words;
use crate::html::counted;

const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v6.json";

/// The sizes of a panel, alone and beside another one.
const WHOLE: (u32, u32) = (640, 320);
const HALF: (u32, u32) = (320, 180);

/// The part of a logarithmic axis that is free beyond its numbers, as a factor.
const AIR: f64 = 1.15;

/// An axis of a panel.
struct Axis {
    title: String,
    is_logarithmic: bool,
    /// The least and the greatest number on it, where it is logarithmic or they are given.
    domain: Option<(f64, f64)>,
}

/// A panel on its way to Vega-Lite.
struct VegaPanel<'p> {
    shape: MarkShape,
    x: Axis,
    y: Axis,
    curves: &'p [Curve],
}

impl Curves<'_> {
    /// The specification, with its rows inside.
    pub fn vega(&self, title: &str, description: &str, words: &Words) -> String {
        let panels = self.chart.panels.iter();
        let panels = panels.map(|panel| self.panel_in_vega(panel, words));
        let (panels, left_out): (Vec<Value>, Vec<usize>) = panels.unzip();
        let left_out: usize = left_out.into_iter().sum();
        let mut heading = vec![plain_powers(title)];
        if left_out > 0 {
            let points = counted(left_out, "point");
            let reason = "on a logarithmic axis there is no place for 0";
            heading.push(words.said(&format!("left out: {points}, {reason}")));
        }
        let whole = json!({
            "$schema": SCHEMA,
            "title": heading,
            "description": plain_powers(description),
            "vconcat": panels,
            "resolve": { "legend": { "color": "shared" }, "scale": { "color": "shared" } },
        });
        serde_json::to_string_pretty(&whole).expect("numbers and texts") + "\n"
    }

    /// A panel, and how many of its points have no place on it.
    fn panel_in_vega(&self, panel: &ShownPanel, words: &Words) -> (Value, usize) {
        let choices = self.chart.choices;
        let curves = self.of_panel(panel);
        let y_is_logarithmic = self.is_logarithmic(panel, &curves);
        let x_is_logarithmic = choices.x_is_logarithmic == Some(true);
        let has_place = |mark: &Mark| !x_is_logarithmic || mark.x > 0.0;
        let holds = |mark: &Mark| panel.holds(y_is_logarithmic, mark.y.value) && has_place(mark);
        let marks = curves.iter().flat_map(|curve| &curve.marks);
        let (held, others): (Vec<&Mark>, Vec<&Mark>) = marks.partition(|mark| holds(mark));
        let is_below = |mark: &&&Mark| y_is_logarithmic && mark.y.value <= 0.0;
        let left_out = others.iter().filter(is_below).count();

        let heights = held.iter().flat_map(|mark| mark.heights());
        let given = panel.choice.y_range;
        let across = held.iter().map(|mark| mark.x);
        let y = Axis {
            title: plain_powers(&words.said(&panel.title)),
            is_logarithmic: y_is_logarithmic,
            domain: given.or_else(|| y_is_logarithmic.then(|| logarithmic_domain(heights))),
        };
        let x = Axis {
            title: plain_powers(&words.said(self.chart.x_title())),
            is_logarithmic: x_is_logarithmic,
            domain: x_is_logarithmic.then(|| logarithmic_domain(across)),
        };
        let rows = curves.iter().flat_map(|curve| {
            let marks = curve.marks.iter().filter(|mark| holds(mark));
            marks.map(|mark| self.row_in_vega(curve, mark, y.domain, words))
        });
        let rows = rows.collect_vec();
        let shown = VegaPanel {
            shape: choices.mark,
            x,
            y,
            curves: &curves,
        };

        let is_map = choices.mark == MarkShape::Tile;
        let layers = if is_map {
            self.tiles_in_vega(&shown, words)
        } else {
            shown.layers(words)
        };
        let facet = match (&choices.facet, is_map) {
            (_, true) => Some("curve").filter(|_| self.groups.len() > 1),
            (facet, false) => facet.as_ref().map(|_| "facet"),
        };
        let (width, height) = if facet.is_some() && !is_map {
            HALF
        } else {
            WHOLE
        };
        let Some(facet) = facet else {
            let panel = json!({ "data": { "values": rows }, "layer": layers, "width": width, "height": height });
            return (panel, left_out);
        };
        let panel = json!({
            "data": { "values": rows },
            "facet": { "field": facet, "type": "nominal", "title": null, "sort": null },
            "columns": if is_map { 1 } else { 2 },
            "spec": { "layer": layers, "width": width, "height": height },
        });
        (panel, left_out)
    }

    /// A point: what it belongs to, its place, its number with the interval and how much is known of
    /// that. The end of an interval that has no place on a logarithmic axis is the end of the axis.
    fn row_in_vega(
        &self,
        curve: &Curve,
        mark: &Mark,
        domain: Option<(f64, f64)>,
        words: &Words,
    ) -> Value {
        let group = &self.groups[curve.group];
        let [low, high] = bar(mark.y).unwrap_or([mark.y.value; 2]);
        let (least, most) = domain.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let number = |name: &str| self.frame.number(mark.row, name);
        let cells = [
            ("curve", json!(words.said(&curve.label))),
            (
                "facet",
                json!(group.facet.as_ref().map(|facet| words.said(facet))),
            ),
            ("point", json!(self.frame.keys[mark.row].to_string())),
            ("row", json!(mark.row + 1)),
            ("x", json!(mark.x)),
            (
                "up",
                json!(self.chart.upwards_of(&self.frame.keys[mark.row])),
            ),
            ("y", json!(mark.y.value)),
            ("low", json!(low.max(least))),
            ("high", json!(high.min(most))),
            ("low_is_open", json!((low < least).then_some(true))),
            (
                "high_is_open",
                json!((high > most || mark.y.is_bound).then_some(true)),
            ),
            ("bound", json!(mark.is_bound())),
            ("trials", json!(mark.trials.map(|counts| counts[0]))),
            ("censored", json!(mark.trials.map(|counts| counts[1]))),
            (
                "from",
                json!(number("from").filter(|_| self.chart.choices.mark == MarkShape::Bars)),
            ),
            (
                "to",
                json!(number("to").filter(|_| self.chart.choices.mark == MarkShape::Bars)),
            ),
        ];
        let cells = cells.into_iter().filter(|cell| !cell.1.is_null());
        let cells = cells.map(|(name, value)| (name.to_owned(), value));
        Value::Object(cells.collect::<Map<String, Value>>())
    }

    /// The tiles of a map, and their numbers.
    fn tiles_in_vega(&self, panel: &VegaPanel, words: &Words) -> Vec<Value> {
        let upwards = self.chart.choices.upwards.as_deref().unwrap_or_default();
        let upwards = words.said(axis_title(upwards));
        let x = json!({ "field": "x", "type": "ordinal", "title": panel.x.title });
        let up =
            json!({ "field": "up", "type": "ordinal", "sort": "descending", "title": upwards });
        let kind = if panel.y.is_logarithmic {
            "log"
        } else {
            "linear"
        };
        let fill = json!({
            "field": "y", "type": "quantitative", "title": panel.y.title,
            "scale": { "type": kind, "scheme": "cividis", "reverse": true },
        });
        let text = json!({ "field": "y", "type": "quantitative", "format": ".3~g" });
        vec![
            json!({ "mark": { "type": "rect", "tooltip": { "content": "data" } },
                "encoding": { "x": x, "y": up, "color": fill } }),
            json!({ "mark": "text", "encoding": { "x": x, "y": up, "text": text } }),
        ]
    }
}

impl VegaPanel<'_> {
    /// Intervals under lines under points, or bars under their intervals.
    fn layers(&self, words: &Words) -> Vec<Value> {
        let (x, colour) = (self.x.encoding("x"), self.colours(words));
        let y = self.y.encoding("y");
        let ends = json!({ "x": x, "y": self.y.encoding("low"), "y2": { "field": "high" }, "color": colour });
        let whole = json!({ "x": x, "y": y, "color": colour });
        let tips = json!({ "content": "data" });
        let by_curve = json!({ "field": "curve", "type": "nominal", "title": null, "sort": null });
        let mut dashed = whole.clone();
        dashed["strokeDash"] = by_curve.clone();
        let mut marked = whole.clone();
        marked["shape"] = by_curve;
        marked["fillOpacity"] =
            json!({ "condition": { "test": "datum.bound", "value": 0 }, "value": 1 });
        let rule = json!({ "mark": "rule", "encoding": ends });
        let line = json!({ "mark": "line", "encoding": dashed });
        let point =
            json!({ "type": "point", "filled": true, "size": 45, "stroke": null, "tooltip": tips });
        let points = json!({ "mark": point, "encoding": marked });
        match self.shape {
            MarkShape::Band => {
                let band = json!({ "mark": { "type": "area", "opacity": 0.2 }, "encoding": ends });
                vec![band, line]
            }
            MarkShape::Bars => {
                let base = self.y.domain.map_or(0.0, |domain| domain.0);
                let mut bins = whole;
                bins["x"] = self.x.encoding("from");
                bins["x2"] = json!({ "field": "to" });
                bins["y2"] = json!({ "datum": base });
                let bar = json!({ "type": "rect", "opacity": 0.5, "tooltip": tips });
                vec![json!({ "mark": bar, "encoding": bins }), rule]
            }
            MarkShape::Points | MarkShape::Dots => vec![rule, points],
            MarkShape::Line | MarkShape::Tile => vec![rule, line, points],
        }
    }

    /// The colours of the curves, by their names.
    fn colours(&self, words: &Words) -> Value {
        let hex = |RGBColor(red, green, blue): RGBColor| format!("#{red:02x}{green:02x}{blue:02x}");
        let curves = self.curves.iter().unique_by(|curve| &curve.label);
        let (names, colours): (Vec<String>, Vec<String>) = curves
            .map(|curve| (words.said(&curve.label), hex(curve.style.colour)))
            .unzip();
        json!({
            "field": "curve", "type": "nominal", "title": null,
            "scale": { "domain": names, "range": colours },
        })
    }
}

impl Axis {
    /// The channel of a field on this axis.
    fn encoding(&self, field: &str) -> Value {
        let kind = if self.is_logarithmic { "log" } else { "linear" };
        let scale = match self.domain {
            Some((low, high)) => {
                json!({ "type": kind, "domain": [low, high], "clamp": true, "nice": false })
            }
            None => json!({ "type": "linear", "zero": false }),
        };
        json!({ "field": field, "type": "quantitative", "title": self.title, "scale": scale })
    }
}

/// The ends of a logarithmic axis that holds all positive numbers.
fn logarithmic_domain(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    match extent(numbers.filter(|number| *number > 0.0)) {
        (least, most) if least <= most => (least / AIR, most * AIR),
        _ => (1.0, 10.0),
    }
}
