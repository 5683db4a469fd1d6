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

/// Where a table holds a point: its row, and the column of its value if that is there as it is
/// drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    row: usize,
    column: Option<usize>,
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
        let label = &point.curve;
        let own = point.mark.row.map(|row| Cell { row, column: None });
        let cell = own.or_else(|| self.cell(point, label));
        let words = escaped_inside(&self.words(point, label, cell)).replace('\n', "&#10;");
        let row = cell.map_or_else(String::new, |cell| {
            format!(" data-row=\"{}\"", cell.row + 1)
        });
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

    fn words(&self, point: &Point, label: &str, cell: Option<Cell>) -> String {
        let Point { mark, titles, .. } = point;
        let bound = if mark.is_lower_bound { "≥ " } else { "" };
        let own = cell.and_then(|cell| self.quantity(cell));
        let is_new = |own: &String| !own.split(' ').any(|word| has_word(&titles.1, word));
        let own = own
            .filter(is_new)
            .map_or_else(String::new, |own| format!(", {own}"));
        let mut value = format!("{}{own}: {bound}{}", titles.1, short(mark.y, DIGITS));
        if mark.low != mark.high {
            let [low, high] = [mark.low, mark.high].map(|end| short(end, DIGITS));
            value += &format!("; bar from {low} to {high}");
        }
        let across = format!("{} = {}", symbol(&titles.0), short(mark.x, 6));
        let mut lines = vec![label.to_owned(), point.plot.clone(), across, value];
        lines.extend(cell.and_then(|cell| self.trials(cell.row)));
        lines.retain(|line| !line.is_empty());
        lines.join("\n")
    }

    /// What the value is in the words of the table.
    fn quantity(&self, cell: Cell) -> Option<String> {
        let name = match self.table?.header.get(cell.column?)?.as_str() {
            "mean" => self.at(cell.row, "quantity")?,
            name => name,
        };
        Some(name.replace('_', " "))
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

    /// The one row that holds the point: its place across, its value and the ends of its interval,
    /// as the table rounds them; or the value with its interval, where the table has another unit
    /// across; or the place across, where it has another unit upwards; or the curve's words alone,
    /// where it has no places, so that its rows are those of whole curves. Of several such rows the
    /// one whose words are in the point's label and titles; none where that leaves more than one.
    fn cell(&self, point: &Point, label: &str) -> Option<Cell> {
        let table = self.table?;
        let Mark {
            x, y, low, high, ..
        } = point.mark;
        let ends = [low, high].into_iter().filter(|end| *end != y);
        let up: Vec<f64> = std::iter::once(y).chain(ends).collect();
        let (across, upwards) = &point.titles;
        let said = format!("{label}\n{}\n{upwards}", point.plot);
        let on_axis: Vec<bool> = table.header.iter().map(|it| is_axis(it, across)).collect();
        let wanted = |x: Option<f64>, up| Wanted {
            table,
            x,
            on_axis: &on_axis,
            up,
        };
        let row = best_row(&wanted(Some(x), &up), &said)
            .or_else(|| best_row(&wanted(None, &up), &said).filter(|_| up.len() == 3))
            .or_else(|| best_row(&wanted(Some(x), &[]), &said).filter(|_| !label.is_empty()))
            .or_else(|| {
                let has_places = table.header.iter().zip(&on_axis).any(|(name, on_axis)| {
                    *on_axis && !table.header.contains(&format!("{name}_low"))
                });
                best_row(&wanted(None, &[]), &said).filter(|_| !label.is_empty() && !has_places)
            })?;
        let is_own = |column: &usize| {
            let (name, cell) = (&table.header[*column], &table.rows[row][*column]);
            !on_axis[*column] && !COUNTS.contains(&name.as_str()) && is_written(y, cell)
        };
        let own = || (0..table.header.len()).filter(is_own);
        let said_there = own().find(|&column| has_word(upwards, &table.header[column]));
        let column = said_there.or_else(|| own().next());
        Some(Cell { row, column })
    }
}

/// Columns that say of how much a row is: no value of a point, which may be the same number.
const COUNTS: [&str; 4] = ["trials", "censored", "cut_off", "moments"];

/// What a row has to hold: a place in a column of the axis across, and numbers elsewhere.
struct Wanted<'a> {
    table: &'a Table,
    x: Option<f64>,
    /// Of each column.
    on_axis: &'a [bool],
    up: &'a [f64],
}

impl Wanted<'_> {
    fn is_in(&self, row: &[String]) -> bool {
        let holds = |value: f64, on_axis: bool| {
            let mut cells = self.on_axis.iter().zip(row);
            cells.any(|(own, cell)| *own == on_axis && is_written(value, cell))
        };
        self.x.is_none_or(|x| holds(x, true)) && self.up.iter().all(|&value| holds(value, false))
    }
}

/// Whether a column holds what an axis of this title shows: `epsilon` and `ε, probability …`,
/// `product` and `product N`.
fn is_axis(column: &str, title: &str) -> bool {
    let words = column.replace('_', " ");
    let is_said = has_word(title, &words) || has_word(title, &format!("{words}s"));
    crate::solver::symbol(column) == symbol(title) || is_said
}

/// Of the rows that hold what is wanted the one with most cells that are `said`.
fn best_row(wanted: &Wanted, said: &str) -> Option<usize> {
    let rows = wanted.table.rows.iter().enumerate();
    let candidates = rows.filter(|(_, row)| wanted.is_in(row));
    let scored: Vec<(usize, usize)> = candidates
        .map(|(index, row)| (said_cells(wanted.table, row, said), index))
        .collect();
    let best = scored.iter().map(|(score, _)| *score).max()?;
    let mut own = scored.iter().filter(|(score, _)| *score == best);
    match (own.next(), own.next()) {
        (Some(&(_, row)), None) => Some(row),
        _ => None,
    }
}

/// `ε` of `ε, probability of a dangerous move`.
fn symbol(title: &str) -> &str {
    title.split(',').next().unwrap_or(title)
}

/// How many cells of a row `said` repeats: words as they are, numbers as `n = 8`.
fn said_cells(table: &Table, row: &[String], said: &str) -> usize {
    let is_said = |(name, cell): &(&String, &String)| match cell.parse::<f64>() {
        Ok(number) => {
            let symbol = crate::solver::symbol(name);
            has_word(said, &format!("{symbol} = {}", short(number, 6)))
        }
        Err(_) => !cell.is_empty() && has_word(said, &cell.replace('_', " ")),
    };
    // Underlined words are spelled so in acronyms and with spaces in titles.
    let is_acronym = |(_, cell): &(&String, &String)| cell.contains('_') && has_word(said, cell);
    let cells = table.header.iter().zip(row);
    cells.filter(|it| is_said(it) || is_acronym(it)).count()
}

/// Whether `word` stands in `text` with nothing on either side that could belong to it.
fn has_word(text: &str, word: &str) -> bool {
    let belongs = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(belongs) && !text[at + word.len()..].starts_with(belongs)
    })
}

/// Whether a table's cell is this number, to the cell's own digits.
fn is_written(value: f64, cell: &str) -> bool {
    let cell = cell.trim_start_matches('≥');
    let Ok(written) = cell.parse::<f64>() else {
        return false;
    };
    if written == value {
        return true;
    }
    // Too far apart for three digits to agree: most cells, and nothing is formatted.
    if (written - value).abs() > 0.02 * written.abs().max(value.abs()) {
        return false;
    }
    let mantissa = cell.split(['e', 'E']).next().unwrap_or(cell);
    let digits = mantissa.chars().filter(char::is_ascii_digit);
    let digits = digits.skip_while(|digit| *digit == '0').count();
    if digits < DIGITS || !value.is_finite() {
        return false;
    }
    let rounded = |number: f64| format!("{number:.*e}", digits - 1);
    rounded(written) == rounded(value)
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
        let point = point(0, 8.0, [440_000.0, 447_123.4, 460_000.0]);
        assert_eq!(
            svg(&table, &[point]),
            "<g class=\"points\" fill=\"none\" pointer-events=\"all\">\n\
             <circle cx=\"5\" cy=\"6\" r=\"20\" data-row=\"2\"><title>pair rule, ε = 0.01&#10;n = 8&#10;\
             mean absorption time (updates): 4.47·10⁵; bar from 4.4·10⁵ to 4.6·10⁵&#10;60 trials, 2 of them cut off</title></circle>\n</g>\n"
        );
        assert_eq!(svg(&table, &[]), "");
    }

    /// Two curves with the same numbers: the label decides; and where it cannot, no row is named.
    #[test]
    fn of_two_rows_with_one_value_the_label_decides() {
        let row = |algorithm, variant| {
            [
                algorithm,
                variant,
                "8",
                "0.01",
                "absorption_time",
                "9",
                "0",
                "1000.00",
                "900.000",
                "1100.00",
            ]
        };
        let (a, b) = (row("pair", ""), row("pair-fewer", "empty"));
        let both = table(&[&a, &b]);
        let at = |index| point(index, 8.0, [900.0, 1000.0, 1100.0]);
        assert!(svg(&both, &[at(0)]).contains("data-row=\"1\""));
        assert!(svg(&both, &[at(1)]).contains("data-row=\"2\""));
        let twice = table(&[&a, &a]);
        assert!(!svg(&twice, &[at(0)]).contains("data-row"));
    }

    /// The table has no column of the axis, so that its rows are those of curves.
    #[test]
    fn a_point_of_a_curve_with_one_row_leads_to_that_row() {
        let row = |variant| {
            [
                "pair-fewer",
                variant,
                "8",
                "0.01",
                "w",
                "9",
                "0",
                "7",
                "",
                "",
            ]
        };
        let mut table = table(&[&row("literal"), &row("empty")]);
        let mut point = point(1, 2.5, [0.1, 0.2, 0.3]);
        point.titles = ("wait / mean wait".to_owned(), "share".to_owned());
        assert!(svg(&table, &[point.clone()]).contains("data-row=\"2\""));
        table.header[2] = "wait".to_owned();
        assert!(!svg(&table, &[point]).contains("data-row"));
    }

    /// A number of another column is no place on the axis: 8 trials are not n = 8.
    #[test]
    fn a_place_is_looked_for_in_the_column_of_its_axis() {
        let row = [
            "pair",
            "",
            "9",
            "0.01",
            "absorption_time",
            "8",
            "0",
            "1000.00",
            "",
            "",
        ];
        let point = point(0, 8.0, [1000.0; 3]);
        assert!(!svg(&table(&[&row]), &[point]).contains("data-row"));
    }

    #[test]
    fn a_cell_is_a_number_to_its_own_digits() {
        for (value, cell, expected) in [
            (447_123.4, "447123", true),
            (447_123.6, "447123", false),
            (0.000_249_3, "0.000249", true),
            (249.0, "≥249", true),
            (24.6, "25", false),
            (f64::INFINITY, "inf", true),
            (1.0, "x", false),
        ] {
            assert_eq!(is_written(value, cell), expected, "{value} {cell}");
        }
    }
}
