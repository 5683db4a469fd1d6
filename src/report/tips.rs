//! What a reader sees at a point of a figure when the pointer rests on it: the curve, the value,
//! its interval and the number of trials. An SVG's own `<title>`, so that it works without a
//! program; the page of all experiments makes links of the same points.

use super::Table;
use super::canvas::Spot;
use super::number::short;
use super::panel::Mark;
use crate::html::escaped_inside;

/// Significant digits in a tip.
const DIGITS: usize = 3;

/// A place on the canvas with a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub place: Place,
    pub mark: Mark,
    /// What it belongs to.
    pub curve: String,
    /// What stands above the plot, if anything does.
    pub plot: String,
    /// Titles of the axes, across and upwards.
    pub titles: (String, String),
}

/// What the pointer has to be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Around a marker.
    Disc(Spot, i32),
    /// Between two corners.
    Tile(Spot, Spot),
}

/// What tips are written from.
pub struct Tips<'a> {
    pub table: Option<&'a Table>,
}

impl Tips<'_> {
    /// Shapes that are not seen, over the points, each with its words and, as `data-row`, with the
    /// row of the table that holds it, counted from 1. Empty without points.
    pub fn svg(&self, points: &[Point]) -> String {
        if points.is_empty() {
            return String::new();
        }
        let shapes: String = points.iter().map(|point| self.shape(point)).collect();
        format!("<g class=\"points\" fill=\"none\" pointer-events=\"all\">\n{shapes}</g>\n")
    }

    fn shape(&self, point: &Point) -> String {
        let words = escaped_inside(&self.words(point)).replace('\n', "&#10;");
        let row = point
            .mark
            .row
            .map(|row| format!(" data-row=\"{}\"", row + 1));
        let row = row.unwrap_or_default();
        let title = format!("{row}><title>{words}</title>");
        match point.place {
            Place::Disc((x, y), radius) => {
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{title}</circle>\n")
            }
            Place::Tile((left, top), (right, bottom)) => {
                let (width, height) = (right - left, bottom - top);
                format!(
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"{title}</rect>\n"
                )
            }
        }
    }

    fn words(&self, point: &Point) -> String {
        let Point { mark, titles, .. } = point;
        let bound = if mark.is_lower_bound { "≥ " } else { "" };
        let mut value = format!("{}: {bound}{}", titles.1, short(mark.y, DIGITS));
        if mark.low != mark.high {
            let [low, high] = [mark.low, mark.high].map(|end| short(end, DIGITS));
            value += &format!("; bar from {low} to {high}");
        }
        // `ε` of `ε, probability of a dangerous move`.
        let symbol = titles.0.split(',').next().unwrap_or(&titles.0);
        let across = format!("{symbol} = {}", short(mark.x, 6));
        let mut lines = vec![point.curve.clone(), point.plot.clone(), across, value];
        lines.extend(mark.row.and_then(|row| self.trials(row)));
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    /// `1000 trials, 3 of them cut off`, where the table says so.
    fn trials(&self, row: usize) -> Option<String> {
        let trials = self.at(row, "trials")?;
        let plural = if trials == "1" { "" } else { "s" };
        let cut_off = self.at(row, "censored").or_else(|| self.at(row, "cut_off"));
        let cut_off = cut_off
            .filter(|count| *count != "0")
            .map_or_else(String::new, |count| format!(", {count} of them cut off"));
        Some(format!("{trials} trial{plural}{cut_off}"))
    }

    fn at(&self, row: usize, name: &str) -> Option<&str> {
        let table = self.table?;
        let column = table.header.iter().position(|column| column == name)?;
        let cell = table.rows.get(row)?.get(column)?;
        Some(cell.as_str()).filter(|cell| !cell.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Table {
        let header = [
            "algorithm",
            "variant",
            "n",
            "epsilon",
            "quantity",
            "trials",
            "censored",
            "mean",
            "mean_low",
            "mean_high",
        ];
        let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        Table {
            header: owned(&header),
            rows: rows.iter().map(|row| owned(row)).collect(),
            notes: vec![],
        }
    }

    fn point(index: usize, x: f64, [low, y, high]: [f64; 3]) -> Point {
        Point {
            place: Place::Disc((5, 6), 20),
            mark: Mark {
                low,
                high,
                ..Mark::exact(x, y)
            },
            curve: ["pair rule, ε = 0.01", "pair-fewer rule empty, ε = 0.01"][index].to_owned(),
            plot: String::new(),
            titles: (
                "n, side of the board".to_owned(),
                "mean absorption time (updates)".to_owned(),
            ),
        }
    }

    fn svg(table: &Table, points: &[Point]) -> String {
        let tips = Tips { table: Some(table) };
        tips.svg(points)
    }

    #[test]
    fn a_tip_has_curve_place_value_interval_and_trials_and_leads_to_its_row() {
        let table = table(&[
            &[
                "pair",
                "",
                "7",
                "0.01",
                "absorption_time",
                "50",
                "0",
                "4000.00",
                "3500.00",
                "4600.00",
            ],
            &[
                "pair",
                "",
                "8",
                "0.01",
                "absorption_time",
                "60",
                "2",
                "447123",
                "440000",
                "460000",
            ],
            &[
                "pair", "", "8", "0.01", "moves", "60", "2", "1176.07", "1111.18", "1247.36",
            ],
        ]);
        let mut point = point(0, 8.0, [440_000.0, 447_123.4, 460_000.0]);
        point.mark.row = Some(1);
        assert_eq!(
            svg(&table, &[point]),
            "<g class=\"points\" fill=\"none\" pointer-events=\"all\">\n\
             <circle cx=\"5\" cy=\"6\" r=\"20\" data-row=\"2\"><title>pair rule, ε = 0.01&#10;n = 8&#10;\
             mean absorption time (updates): 4.47·10⁵; bar from 4.4·10⁵ to 4.6·10⁵&#10;60 trials, 2 of them cut off</title></circle>\n</g>\n"
        );
        assert_eq!(svg(&table, &[]), "");
    }
}
