//! A figure's SVG inside of a page: smaller, without ids that another one has. Its points are links
//! to the rows of its table. They stand beside the picture, hidden from screen readers and left out
//! by the Tab key: a picture has no controls in it, and the table is its accessible form.
//!
//! What looks the same is drawn by one class of the page's style sheet, and successive lines of one
//! class are one path. A figure that is drawn by other means comes out as it went in.

/// Looks of shapes, each once for all figures of a page.
#[derive(Debug, Default)]
pub struct Looks {
    rules: Vec<String>,
}

impl Looks {
    /// The style sheet.
    pub fn css(&self) -> String {
        let rule = |(index, rule): (usize, &String)| format!(".{}{{{rule}}}\n", name(index));
        self.rules.iter().enumerate().map(rule).collect()
    }

    fn class(&mut self, rule: String) -> String {
        let known = self.rules.iter().position(|it| *it == rule);
        let index = known.unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        name(index)
    }
}

/// `a`, `b`, …, `z`, `ba`, …: after a mark that no other class begins with.
fn name(index: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = index;
    loop {
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
        if rest == 0 {
            break;
        }
    }
    let letters: String = letters.iter().rev().collect();
    format!("_{letters}")
}

/// What an element is called here and there, and what it is described by.
pub struct Names<'a> {
    /// Of the SVG in the page; other ids in it begin so.
    pub id: &'a str,
    /// What a screen reader calls it.
    pub label: &'a str,
    /// Id of its caption.
    pub caption: &'a str,
    /// What the ids of the table's rows begin with; a number from 1 follows.
    pub rows: &'a str,
}

/// The figure as an element of the page.
pub fn inline(svg: &str, names: &Names, looks: &mut Looks) -> String {
    let mut writer = Writer {
        names,
        looks,
        out: String::new(),
        line: None,
        unseen: None,
        point: None,
        is_picture: false,
    };
    for piece in Pieces(svg) {
        writer.put(piece);
    }
    writer.end_line();
    writer.out
}

/// A tag or the text between two.
enum Piece<'a> {
    Tag(&'a str),
    Text(&'a str),
}

/// The pieces of an SVG, one after the other.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.0.is_empty() {
            return None;
        }
        let end = match self.0.strip_prefix('<') {
            Some(rest) => rest.find('>').map_or(self.0.len(), |end| end + 2),
            None => self.0.find('<').unwrap_or(self.0.len()),
        };
        let (piece, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(if piece.starts_with('<') {
            Piece::Tag(piece)
        } else {
            Piece::Text(piece)
        })
    }
}

/// An element's name, its attributes, and whether it has no content.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    is_empty: bool,
}

impl<'a> Tag<'a> {
    fn of(tag: &'a str) -> Self {
        let inside = tag.trim_start_matches('<').trim_end_matches('>');
        let is_empty = inside.ends_with('/');
        let inside = inside.trim_end_matches('/');
        let (name, mut rest) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = rest.split_once("=\"") {
            let (value, after) = after.split_once('"').unwrap_or((after, ""));
            attributes.push((key.trim(), value));
            rest = after;
        }
        Self {
            name,
            attributes,
            is_empty,
        }
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        let found = self.attributes.iter().find(|it| it.0 == key);
        found.map(|it| it.1)
    }
}

/// Attributes that a style sheet can say as well.
const LOOKS: [&str; 14] = [
    "fill",
    "fill-opacity",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "opacity",
    "pointer-events",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-width",
    "text-anchor",
];

struct Writer<'a> {
    names: &'a Names<'a>,
    looks: &'a mut Looks,
    out: String,
    /// The class of the lines that are being joined, and where the last of them ends.
    line: Option<(String, (i32, i32))>,
    /// The root's title or description, which the page has elsewhere, while it goes by.
    unseen: Option<&'a str>,
    /// The shape of a point whose link is open.
    point: Option<String>,
    /// Whether what comes is in the picture; else it is beside it.
    is_picture: bool,
}

impl<'a> Writer<'a> {
    fn put(&mut self, piece: Piece<'a>) {
        match piece {
            Piece::Text(text) if self.unseen.is_none() => self.text(text),
            Piece::Text(_) => {}
            Piece::Tag(tag) if tag.starts_with("</") => self.close(&tag[2..tag.len() - 1]),
            Piece::Tag(tag) if self.unseen.is_none() => self.open(&Tag::of(tag)),
            Piece::Tag(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        let text = text.trim_matches(['\n', ' ']);
        if !text.is_empty() {
            self.end_line();
            self.out += text;
        }
    }

    fn close(&mut self, name: &'a str) {
        if self.unseen.is_some() {
            if self.unseen == Some(name) {
                self.unseen = None;
            }
            return;
        }
        self.end_line();
        if name == "svg" {
            self.end_picture();
        }
        self.out += &match self.point.take_if(|_| name != "title") {
            Some(shape) => format!("{shape} /></a>"),
            None => format!("</{name}>"),
        };
    }

    fn open(&mut self, tag: &Tag<'a>) {
        match tag.name {
            "svg" => self.root(tag),
            // Those of points have a parent of their own.
            "title" | "desc" if !self.is_in_shape() => {
                if !tag.is_empty {
                    self.unseen = Some(tag.name);
                }
            }
            "polyline" => self.polyline(tag),
            "g" if tag.get("class") == Some("points") => self.points(tag),
            _ if tag.get("data-row").is_some() => self.point(tag),
            _ => self.element(tag),
        }
    }

    /// Whether the tag before was opened and not closed, so that a title is its.
    fn is_in_shape(&self) -> bool {
        let last = self.out.rfind('<').map(|at| &self.out[at..]);
        last.is_some_and(|last| {
            !last.starts_with("</") && !last.starts_with("<g role=") && !last.ends_with("/>")
        })
    }

    fn root(&mut self, tag: &Tag) {
        let Names {
            id,
            label,
            caption,
            rows: _,
        } = self.names;
        let label = crate::html::escaped(label);
        self.out += &format!(
            "<svg id=\"{id}\" viewBox=\"{}\"><g role=\"img\" aria-label=\"{label}\" aria-describedby=\"{caption}\">",
            tag.get("viewBox").unwrap_or("0 0 2400 1200")
        );
        self.is_picture = true;
    }

    fn end_picture(&mut self) {
        if std::mem::take(&mut self.is_picture) {
            self.out += "</g>";
        }
    }

    /// The group of all points, after the picture.
    fn points(&mut self, tag: &Tag) {
        self.end_line();
        self.end_picture();
        let class = self.class(tag);
        self.out += &format!("<g class={class} aria-hidden=true>");
    }

    /// A point with its tip inside: the tip comes first in its link.
    fn point(&mut self, tag: &Tag) {
        let row = tag.get("data-row").unwrap_or_default();
        self.out += &format!("<a href=#{}{row} tabindex=-1>", self.names.rows);
        let mut shape = format!("<{}", tag.name);
        for (key, value) in tag.attributes.iter().filter(|it| it.0 != "data-row") {
            shape += &format!(" {key}={}", quoted(&self.own(key, value)));
        }
        if tag.is_empty {
            self.out += &format!("{shape} /></a>");
        } else {
            self.point = Some(shape);
        }
    }

    /// A line joined to those before it, where they look the same and hide nothing.
    fn polyline(&mut self, tag: &Tag) {
        let Some(points) = tag.get("points").and_then(spots) else {
            return self.element(tag);
        };
        let class = self.class(tag);
        let others = |key: &str| key != "points" && !LOOKS.contains(&key);
        if tag.attributes.iter().any(|it| others(it.0)) {
            return self.element(tag);
        }
        // A curve of one point has no line.
        if points.len() < 2 {
            return;
        }
        let is_plain = tag.get("opacity").is_none_or(|value| value == "1");
        let joins = |line: &&(String, (i32, i32))| line.0 == class && is_plain;
        match self.line.as_ref().filter(joins) {
            Some(&(_, (x, y))) => {
                let (dx, dy) = (points[0].0 - x, points[0].1 - y);
                self.out += &format!("m{dx}{}", signed(dy));
            }
            None => {
                self.end_line();
                let (x, y) = points[0];
                self.out += &format!("<path class={class} d=\"M{x}{}", signed(y));
            }
        }
        self.out += &steps(&points);
        self.line = points.last().map(|&end| (class, end));
    }

    fn end_line(&mut self) {
        if self.line.take().is_some() {
            self.out += "\"/>";
        }
    }

    fn element(&mut self, tag: &Tag) {
        self.end_line();
        let class = self.class(tag);
        self.out += &format!("<{}", tag.name);
        if !class.is_empty() {
            self.out += &format!(" class={class}");
        }
        for (key, value) in &tag.attributes {
            if !LOOKS.contains(key) && *key != "class" {
                self.out += &format!(" {key}={}", quoted(&self.own(key, value)));
            }
        }
        self.out += if tag.is_empty { " />" } else { ">" };
    }

    /// The class of what the element says of its looks; empty where it says nothing.
    fn class(&mut self, tag: &Tag) -> String {
        let looks = |&&(key, _): &&(&str, &str)| LOOKS.contains(&key);
        let rule = tag.attributes.iter().filter(looks).map(|&(key, value)| {
            let is_size = key == "font-size" && value.parse::<f64>().is_ok();
            format!(
                "{key}:{}{}",
                self.own(key, value),
                if is_size { "px" } else { "" }
            )
        });
        let rule = rule.collect::<Vec<_>>().join(";");
        let class = tag.get("class").unwrap_or_default();
        if rule.is_empty() {
            class.to_owned()
        } else {
            self.looks.class(rule)
        }
    }

    /// A value whose ids are those of this figure alone.
    fn own(&self, key: &str, value: &str) -> String {
        let id = self.names.id;
        match value.strip_prefix('#') {
            _ if key == "id" => format!("{id}-{value}"),
            Some(name) if key.ends_with("href") => format!("#{id}-{name}"),
            _ => value.replace("url(#", &format!("url(#{id}-")),
        }
    }
}

/// Without quotes where HTML needs none.
fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._#%".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        value.to_owned()
    } else {
        format!("\"{value}\"")
    }
}

/// Whole coordinates; `None` where some are none.
fn spots(points: &str) -> Option<Vec<(i32, i32)>> {
    let spot = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    points.split_whitespace().map(spot).collect()
}

/// From each point to the next.
fn steps(points: &[(i32, i32)]) -> String {
    let mut text = String::new();
    let mut last = 'm';
    for pair in points.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let (command, numbers) = match (dx, dy) {
            (dx, 0) => ('h', dx.to_string()),
            (0, dy) => ('v', dy.to_string()),
            _ => ('l', format!("{dx}{}", signed(dy))),
        };
        match (command == last, numbers.starts_with('-')) {
            (true, true) => {}
            (true, false) => text.push(' '),
            (false, _) => text.push(command),
        }
        text += &numbers;
        last = command;
    }
    text
}

/// A number after another: its sign keeps them apart, or a blank.
fn signed(number: i32) -> String {
    if number < 0 {
        number.to_string()
    } else {
        format!(" {number}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Names = Names {
        id: "fig",
        label: "a < b",
        caption: "cap",
        rows: "f3-",
    };

    fn inlined(body: &str) -> (String, String) {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"1200\" viewBox=\"0 0 2400 600\">\n\
             <title>t</title>\n<desc>d <b></desc>\n{body}\n</svg>\n"
        );
        let mut looks = Looks::default();
        let html = inline(&svg, &NAMES, &mut looks);
        let root = "<svg id=\"fig\" viewBox=\"0 0 2400 600\"><g role=\"img\" aria-label=\"a &lt; b\" aria-describedby=\"cap\">";
        let body = html.strip_prefix(root).expect("a root");
        let body = body.strip_suffix("</svg>").expect("its end");
        // Without points the picture ends with the root.
        let body = body
            .strip_suffix("</g>")
            .filter(|_| !body.contains("aria-hidden"))
            .unwrap_or(body);
        (body.to_owned(), looks.css())
    }

    #[test]
    fn lines_of_one_look_are_one_path() {
        let line = |points: &str, colour: &str| {
            format!(
                "<polyline fill=\"none\" opacity=\"1\" stroke=\"{colour}\" points=\"{points} \"/>\n"
            )
        };
        let (body, css) = inlined(
            &(line("1,2 3,2 3,9 1,7 0,6", "#000")
                + &line("5,5 6,5", "#000")
                + &line("5,5 6,6", "#111")),
        );
        assert_eq!(
            body,
            "<path class=_a d=\"M1 2h2v7l-2-2-1-1m5-1h1\"/><path class=_b d=\"M5 5l1 1\"/>"
        );
        assert_eq!(
            css,
            "._a{fill:none;opacity:1;stroke:#000}\n._b{fill:none;opacity:1;stroke:#111}\n"
        );
    }

    #[test]
    fn a_line_from_nowhere_to_nowhere_is_left_out() {
        let line = "<polyline stroke=\"#000\" points=\"5,5 \"/>";
        assert_eq!(inlined(line).0, "");
    }

    /// Joined, two pale lines would cover each other once instead of twice.
    #[test]
    fn pale_lines_stay_apart() {
        let pale = "<polyline opacity=\"0.5\" points=\"1,2 3,4\"/>";
        assert_eq!(inlined(&pale.repeat(2)).0.matches("<path").count(), 2);
    }

    #[test]
    fn texts_keep_their_places_and_points_lead_to_their_rows() {
        let (body, css) = inlined(
            "<text x=\"5\" dy=\"0.76em\" font-size=\"27.4\" transform=\"rotate(270, 5, 6)\">\n10⁶ &amp;\n</text>\n\
             <g class=\"points\" fill=\"none\">\n<circle cx=\"5\" cy=\"6\" r=\"20\" data-row=\"12\"><title>n = 8</title></circle>\n\
             <circle cx=\"1\" cy=\"1\" r=\"20\"><title>x</title></circle>\n</g>",
        );
        assert_eq!(
            body,
            "<text class=_a x=5 dy=0.76em transform=\"rotate(270, 5, 6)\">10⁶ &amp;</text></g><g class=_b aria-hidden=true>\
             <a href=#f3-12 tabindex=-1><title>n = 8</title><circle cx=5 cy=6 r=20 /></a>\
             <circle cx=1 cy=1 r=20><title>x</title></circle></g>"
        );
        assert_eq!(css, "._a{font-size:27.4px}\n._b{fill:none}\n");
    }

    #[test]
    fn ids_are_those_of_one_figure() {
        let (body, css) = inlined(
            "<clipPath id=\"c\"/><use href=\"#c\"/><rect clip-path=\"url(#c)\" fill=\"url(#g)\"/>",
        );
        assert_eq!(
            body,
            "<clipPath id=fig-c /><use href=#fig-c /><rect class=_a clip-path=\"url(#fig-c)\" />"
        );
        assert_eq!(css, "._a{fill:url(#fig-g)}\n");
    }

    #[test]
    fn names_of_looks_differ() {
        let names: Vec<String> = (0..1000).map(name).collect();
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), 1000);
        assert_eq!((&names[0][..], &names[27][..]), ("_a", "_bb"));
    }
}
