//! The figure as Vega-Lite: the points that are drawn as rows, and marks over the rows. For those
//! who want another look, or another program.
//!
//! Vega-Lite draws what a logarithmic axis has no place for at its upper end, or every mark at one
//! height, and says nothing (6.5). So no number of 0 or below stands in the rows of such an axis.

use std::collections::BTreeMap;

use itertools::Itertools;
use plotters::style::RGBColor;
use serde_json::{Value, json};

use crate::html::counted;
use crate::report::axes::scale::extent;
use crate::report::curves::Curves;
use crate::report::figure::Panel;
use crate::report::keys::MarkShape;
use crate::report::marks::Curve;
use crate::report::marks::kinds::VegaLayer;
use crate::report::marks::mark::{Mark, bar};
use crate::report::words::Words;
use crate::report::words::number::plain_powers;

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
    /// True if an area lies between two measures.
    has_band: bool,
    /// The title of the axis upwards of a map.
    upwards: String,
}

/// The ends of the area between two measures, by the curve's name and the row of its mark.
type Bands = BTreeMap<(String, usize), [f64; 2]>;

impl Curves<'_> {
    /// The specification, with its rows inside.
    pub fn vega(&self, title: &str, description: &str, words: &Words) -> String {
        let panels = self.figure.panels.iter();
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
    fn panel_in_vega(&self, panel: &Panel, words: &Words) -> (Value, usize) {
        let shape = self.figure.spec.mark;
        let curves = self.of_panel(panel);
        let y_is_logarithmic = self.is_logarithmic(panel, &curves);
        let marks = curves.iter().flat_map(|curve| &curve.marks);
        let x_is_logarithmic = self.x_is_logarithmic(marks.clone().map(|mark| mark.x));
        let left_out = marks.filter(|mark| y_is_logarithmic && mark.y.value <= 0.0);
        let left_out = left_out.count();

        let held = held_marks(panel, &curves, x_is_logarithmic, y_is_logarithmic);
        let bands = self.bands(panel, &curves);
        let heights = held.iter().flat_map(|(_, mark)| mark.heights());
        let ends = bands.values().flatten().copied();
        let heights = heights.chain(ends).filter(|height| height.is_finite());
        let across = held.iter().map(|(_, mark)| mark.x);
        let y = Axis::of(
            &words.said(&panel.title),
            panel.spec.y_range,
            y_is_logarithmic,
            heights.clone(),
        );
        let (least, greatest) = y.domain.unwrap_or(extent(heights));
        let x_title = words.said(self.figure.x_title());
        let x_range = self.figure.spec.x_range;
        let x = Axis::of(&x_title, x_range, x_is_logarithmic, across);
        let rows = held.iter().map(|(curve, mark)| {
            let mut row = self.row_in_vega(curve, mark, y.domain, words);
            if let Some([low, high]) = bands.get(&(curve.label.clone(), mark.row)) {
                row["band_low"] = json!(low.max(least));
                row["band_high"] = json!(high.min(greatest));
            }
            row
        });
        let rows: Vec<Value> = rows.collect();
        let upwards = self.figure.spec.upwards.as_deref().unwrap_or_default();
        let shown = VegaPanel {
            shape,
            x,
            y,
            curves: &curves,
            has_band: !bands.is_empty(),
            upwards: words.said(self.figure.axis_title(upwards)),
        };

        (self.in_facets(&rows, &shown.layers(words)), left_out)
    }

    /// The areas between the two measures of a panel's band.
    fn bands(&self, panel: &Panel, curves: &[Curve]) -> Bands {
        let mut bands = Bands::new();
        for curve in curves {
            let band = self.band_between(curve, panel);
            for mark in band.iter().flat_map(|band| &band.marks) {
                bands.insert((curve.label.clone(), mark.row), [mark.y.low, mark.y.high]);
            }
        }
        bands
    }

    /// The rows and the marks over them, apart for each value of the facet or for each map.
    fn in_facets(&self, rows: &[Value], layers: &[Value]) -> Value {
        let is_map = self.figure.spec.mark == MarkShape::Tile;
        let field = match is_map {
            true => Some("curve").filter(|_| self.groups.len() > 1),
            false => self.figure.spec.facet.as_ref().map(|_| "facet"),
        };
        let (width, height) = if field.is_some() && !is_map {
            HALF
        } else {
            WHOLE
        };
        let inside = json!({ "layer": layers, "width": width, "height": height });
        let mut panel = json!({ "data": { "values": rows } });
        match field {
            Some(field) => {
                panel["facet"] =
                    json!({ "field": field, "type": "nominal", "title": null, "sort": null });
                panel["columns"] = json!(if is_map { 1 } else { 2 });
                panel["spec"] = inside;
            }
            None => {
                for key in ["layer", "width", "height"] {
                    panel[key] = inside[key].clone();
                }
            }
        }
        panel
    }

    /// A point: what it belongs to, its place, its number with the interval and how much is known
    /// of that. The end of an interval that has no place on a logarithmic axis is the end of the
    /// axis.
    fn row_in_vega(
        &self,
        curve: &Curve,
        mark: &Mark,
        domain: Option<(f64, f64)>,
        words: &Words,
    ) -> Value {
        let facet = self.groups[curve.group].facet.as_ref();
        let point = &self.table.keys[mark.row];
        let [low, high] = bar(mark.y).unwrap_or([mark.y.value; 2]);
        let (least, most) = domain.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let finite = |end: f64| if end.is_finite() { end } else { mark.y.value };
        let is_bin = self.figure.spec.mark == MarkShape::Bars;
        let edge = |name: &str| self.table.number(mark.row, name).filter(|_| is_bin);
        let mut row = json!({
            "curve": words.said(&curve.label),
            "facet": facet.map(|facet| words.said(facet)),
            "point": point.to_string(),
            "row": mark.row + 1,
            "x": mark.x,
            "up": self.figure.upwards_of(point),
            "y": mark.y.value,
            "low": finite(low.max(least)),
            "high": finite(high.min(most)),
            "low_is_open": (low < least).then_some(true),
            "high_is_open": (high > most || high.is_infinite() || mark.y.is_bound).then_some(true),
            "bound": mark.is_bound(),
            "trials": mark.trials.map(|counts| counts[0]),
            "censored": mark.trials.map(|counts| counts[1]),
            "from": edge("from"),
            "to": edge("to"),
        });
        if let Some(cells) = row.as_object_mut() {
            cells.retain(|_, value| !value.is_null());
        }
        row
    }
}

/// The marks of these curves that the axes of a panel hold.
fn held_marks<'c>(
    panel: &Panel,
    curves: &'c [Curve],
    x_is_logarithmic: bool,
    y_is_logarithmic: bool,
) -> Vec<(&'c Curve, &'c Mark)> {
    let holds = |mark: &&Mark| {
        let has_place = !x_is_logarithmic || mark.x > 0.0;
        has_place && panel.holds(y_is_logarithmic, mark.y.value)
    };
    let held = curves.iter().flat_map(|curve| {
        let marks = curve.marks.iter().filter(holds);
        marks.map(move |mark| (curve, mark))
    });
    held.collect()
}

impl VegaPanel<'_> {
    /// The layers of the mark, over the area between two measures.
    fn layers(&self, words: &Words) -> Vec<Value> {
        let band = self.has_band.then(|| self.band(words));
        let layers = self.shape.kind().vega.iter();
        let layers = layers.map(|layer| self.layer(*layer, words));
        band.into_iter().chain(layers).collect()
    }

    fn layer(&self, layer: VegaLayer, words: &Words) -> Value {
        let tips = json!({ "content": "data" });
        let mark = match layer {
            VegaLayer::Intervals => json!("rule"),
            VegaLayer::AreaOfIntervals => json!({ "type": "area", "opacity": 0.2 }),
            VegaLayer::Lines => json!("line"),
            VegaLayer::Points => {
                json!({ "type": "point", "filled": true, "size": 45, "stroke": null, "tooltip": tips })
            }
            VegaLayer::Bins => json!({ "type": "rect", "opacity": 0.5, "tooltip": tips }),
            VegaLayer::Tiles => json!({ "type": "rect", "tooltip": tips }),
            VegaLayer::Numbers => json!("text"),
        };
        json!({ "mark": mark, "encoding": self.encoding(layer, words) })
    }

    /// The channels of a layer.
    fn encoding(&self, layer: VegaLayer, words: &Words) -> Value {
        let by_curve = json!({ "field": "curve", "type": "nominal", "sort": null, "legend": null });
        let mut encoding = json!({
            "x": self.x.encoding("x"),
            "y": self.y.encoding("y"),
            "color": self.colours(words),
        });
        match layer {
            VegaLayer::Intervals | VegaLayer::AreaOfIntervals => {
                encoding["y"] = self.y.encoding("low");
                encoding["y2"] = json!({ "field": "high" });
            }
            VegaLayer::Lines => encoding["strokeDash"] = by_curve,
            VegaLayer::Points => {
                encoding["shape"] = by_curve;
                encoding["fillOpacity"] =
                    json!({ "condition": { "test": "datum.bound", "value": 0 }, "value": 1 });
            }
            VegaLayer::Bins => {
                let base = self.y.domain.map_or(0.0, |domain| domain.0);
                encoding["x"] = self.x.encoding("from");
                encoding["x2"] = json!({ "field": "to" });
                encoding["y2"] = json!({ "datum": base });
            }
            VegaLayer::Tiles => encoding = self.tiles("color"),
            VegaLayer::Numbers => encoding = self.tiles("text"),
        }
        encoding
    }

    /// The channels of the tiles of a map, their numbers as colours or as texts.
    fn tiles(&self, channel: &str) -> Value {
        let kind = if self.y.is_logarithmic {
            "log"
        } else {
            "linear"
        };
        let number = match channel {
            "text" => json!({ "field": "y", "type": "quantitative", "format": ".3~g" }),
            _ => json!({
                "field": "y", "type": "quantitative", "title": self.y.title,
                "scale": { "type": kind, "scheme": "cividis", "reverse": true },
            }),
        };
        let mut encoding = json!({
            "x": { "field": "x", "type": "ordinal", "title": self.x.title },
            "y": { "field": "up", "type": "ordinal", "sort": "descending", "title": self.upwards },
        });
        encoding[channel] = number;
        encoding
    }

    /// The area between two measures.
    fn band(&self, words: &Words) -> Value {
        json!({
            "transform": [{ "filter": "isValid(datum.band_low)" }],
            "mark": { "type": "area", "opacity": 0.2 },
            "encoding": {
                "x": self.x.encoding("x"),
                "y": self.y.encoding("band_low"),
                "y2": { "field": "band_high" },
                "color": self.colours(words),
            },
        })
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
    /// The axis of these numbers, or between the given ends.
    fn of(
        title: &str,
        given: Option<(f64, f64)>,
        is_logarithmic: bool,
        numbers: impl Iterator<Item = f64>,
    ) -> Self {
        let own = is_logarithmic.then(|| logarithmic_domain(numbers));
        Self {
            title: plain_powers(title),
            is_logarithmic,
            domain: given.or(own),
        }
    }

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
