//! A table inside of a page.

use crate::html::escaped;
use crate::report::Table;

/// What a table of the page is called and belongs to.
pub struct Names<'a> {
    /// What the ids of its rows begin with; a number from 1 follows.
    pub rows: &'a str,
    /// What a screen reader calls it.
    pub label: &'a str,
    /// Folder of the results whose rows it is of; empty where none of them can be played.
    pub results: &'a str,
}

/// The table, which scrolls by itself; its notes follow. Cells end where the next one begins, as
/// HTML allows.
pub fn html(table: &Table, names: &Names) -> String {
    let Names {
        rows: prefix,
        label,
        results,
    } = names;
    let (titles, rows) = table.for_reading();
    let label = escaped(label);
    let results = match *results {
        "" => String::new(),
        results => format!(" data-results=\"{}\"", escaped(results)),
    };
    let mut html = format!(
        "<div class=\"wide\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><table{results}>\n<thead><tr>"
    );
    for title in &titles {
        html += &format!("<th scope=\"col\">{}", escaped(title));
    }
    html += "\n<tbody>\n";
    for (row, number) in rows.iter().zip(1..) {
        let id = match *prefix {
            "" => String::new(),
            prefix => format!(" id={prefix}{number}"),
        };
        html += &format!("<tr{id}>");
        row.iter()
            .for_each(|cell| html += &format!("<td>{}", escaped(cell)));
        html.push('\n');
    }
    html += "</table></div>\n";
    html += &notes(&table.notes);
    html
}

/// Notes as a list; what stands in backticks is code.
fn notes(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let items: String = notes
        .iter()
        .map(|note| format!("<li>{}\n", with_code(note)))
        .collect();
    format!("<ul class=\"notes\">\n{items}</ul>\n")
}

/// Text in which `…` is code.
fn with_code(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return escaped(text);
    }
    let piece = |(index, piece): (usize, &&str)| match index % 2 {
        0 => escaped(piece),
        _ => format!("<code>{}</code>", escaped(piece)),
    };
    pieces.iter().enumerate().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_text_and_rows_have_ids() {
        let table = Table {
            header: ["n", "mean", "mean_low", "mean_high", "eta"]
                .map(str::to_owned)
                .to_vec(),
            rows: vec![["8", "<b>", "1", "\"2\"", ""].map(str::to_owned).to_vec()],
            notes: vec!["`a_b`: x & y".to_owned(), "one ` alone".to_owned()],
        };
        let names = Names {
            rows: "f1-",
            label: "Table \"1\"",
            results: "results/a",
        };
        assert_eq!(
            html(&table, &names),
            "<div class=\"wide\" role=\"region\" aria-label=\"Table &quot;1&quot;\" tabindex=\"0\"><table data-results=\"results/a\">\n\
             <thead><tr><th scope=\"col\">n<th scope=\"col\">mean [95 %]\n<tbody>\n\
             <tr id=f1-1><td>8<td>&lt;b&gt; [1, &quot;2&quot;]\n</table></div>\n\
             <ul class=\"notes\">\n<li><code>a_b</code>: x &amp; y\n<li>one ` alone\n</ul>\n"
        );
    }
}
