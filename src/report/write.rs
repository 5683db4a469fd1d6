//! The one place that writes the report's files.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::Drawing;
#[cfg(feature = "print")]
use super::formats;
use crate::experiment::store::atomic;
use crate::html::markdown;

/// How to build a program that draws every format.
pub const WITH_PRINT: &str = "`cargo build --release --locked --features print`";

/// A format of a drawn figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Vectors that scale, with the reader's own font.
    Svg,
    /// 300 dots per inch, with an embedded font.
    Png,
    /// Vectors and text, with an embedded font.
    Pdf,
}

impl Format {
    /// The formats in the order in which files are written.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Png, Self::Pdf];

    /// Ending of its files, and its word on the command line.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }

    /// True if this program was built with the format.
    pub fn is_built(self) -> bool {
        self == Self::Svg || cfg!(feature = "print")
    }

    /// The file, and the characters that its font lacks.
    fn bytes(self, svg: &str) -> io::Result<(Vec<u8>, BTreeSet<char>)> {
        #[cfg(feature = "print")]
        let of = match self {
            Self::Svg => None,
            Self::Png => Some(formats::png as fn(&str) -> io::Result<Vec<u8>>),
            Self::Pdf => Some(formats::pdf as _),
        };
        #[cfg(feature = "print")]
        if let Some(of) = of {
            let (known, lacking) = formats::with_known_characters(svg)?;
            return Ok((of(&known)?, lacking));
        }
        Ok((svg.as_bytes().to_vec(), BTreeSet::new()))
    }
}

/// Writes `<name>.csv`, `<name>.md`, `<name>.curves.csv` where there is such a table, and the
/// figure in each of `formats` into `directory`, which is made if need be. Each file appears whole
/// or not at all. `owner` is the experiment that the figure is of. Where the figure stands there
/// in other formats already, it is drawn anew in these too: an older drawing beside a newer table
/// would be taken for that of the table.
/// Returns what is to be said: that the font of a format lacks characters.
///
/// # Errors
/// When `name` is not a plain file name, the file system refuses, or a format cannot be made.
pub fn write(
    directory: &Path,
    (name, owner): (&str, &str),
    drawing: &Drawing,
    formats: &[Format],
) -> io::Result<Option<String>> {
    if Path::new(name).file_name() != Some(name.as_ref()) {
        let reason = format!("{name:?} is not a plain file name");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    let older = page_of(directory, name)?.unwrap_or_default();
    let is_there = |format: &Format| {
        let file = format!("{name}.{}", format.extension());
        older.contains(&format!("]({file})")) && directory.join(file).exists()
    };
    let is_drawn = |format: &Format| formats.contains(format) || is_there(format);
    let drawn: Vec<Format> = Format::ALL.into_iter().filter(is_drawn).collect();
    if let Some(other) = drawn.iter().find(|format| !format.is_built()) {
        let word = other.extension();
        let reason = format!(
            "{name}.{word} is of an older drawing, and this program draws no {word}; expected no such file, or a program built with it ({WITH_PRINT})"
        );
        return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
    }
    let mut files = Vec::new();
    let mut lacking = BTreeSet::new();
    for &format in &drawn {
        let (bytes, mut unknown) = format.bytes(&drawing.svg)?;
        files.push((format.extension(), bytes));
        lacking.append(&mut unknown);
    }
    files.push(("csv", drawing.table.to_csv()));
    files.push(("md", page(name, owner, &drawn, drawing).into_bytes()));
    fs::create_dir_all(directory)?;
    let path = |extension: &str| directory.join(format!("{name}.{extension}"));
    if let Some(curves) = &drawing.curves {
        atomic::write_with(&atomic::real_path(&path("curves.csv")), |file| {
            curves.write_csv(file)
        })?;
    }
    for (extension, bytes) in &files {
        atomic::write_through(&path(extension), bytes)?;
    }
    let characters: String = lacking.iter().collect();
    let said = format!(
        "the font of PNG and PDF lacks {characters}: these show {} in their place",
        char::REPLACEMENT_CHARACTER
    );
    Ok((!characters.is_empty()).then_some(said))
}

/// The experiment whose figure of this name stands in `directory`, as its page says; `None` where
/// there is no such page.
///
/// # Errors
/// A page that cannot be read.
pub fn owner(directory: &Path, name: &str) -> io::Result<Option<String>> {
    let field = |line: &str| {
        let (begin, end) = OWNER;
        Some(line.strip_prefix(begin)?.strip_suffix(end)?.to_owned())
    };
    let page = page_of(directory, name)?;
    Ok(page.and_then(|text| text.lines().find_map(field)))
}

/// The text of the page of this name, if there is one.
fn page_of(directory: &Path, name: &str) -> io::Result<Option<String>> {
    match fs::read(directory.join(format!("{name}.md"))) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Around the name of the experiment in a page.
const OWNER: (&str, &str) = ("<!-- experiment: ", " -->");

/// The figure, its caption and its table as one Markdown page, with links to the formats that it
/// does not show. A browser shows an SVG or a PNG there, and no PDF.
fn page(name: &str, owner: &str, formats: &[Format], drawing: &Drawing) -> String {
    let (begin, end) = OWNER;
    let mut extensions = formats.iter().map(|it| it.extension());
    let shown = extensions.next().unwrap_or("svg");
    let others: String = extensions
        .map(|it| format!("\n[{name}.{it}]({name}.{it})"))
        .collect();
    format!(
        "# {name}\n\n{begin}{owner}{end}\n\n![{name}]({name}.{shown}){others}\n\n{}\n\n{}",
        markdown(&drawing.caption),
        markdown(&drawing.table.to_markdown())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_the_directory_and_a_page_says_whose_it_is() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let drawing = Drawing {
            caption: "<!-- experiment: x -->, at n = 4".to_owned(),
            ..Drawing::default()
        };
        for name in ["../times", "a/b", "", "..", "a/"] {
            let error = write(home.path(), (name, "a"), &drawing, &[]).expect_err(name);
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
        assert_eq!(owner(home.path(), "times").expect("readable"), None);
        write(home.path(), ("times", "size-2"), &drawing, &[]).expect("a writable directory");
        let found = owner(home.path(), "times").expect("readable");
        assert_eq!(found.as_deref(), Some("size-2"));
    }

    /// A PNG that this program cannot draw anew would stand beside a newer table: nothing is
    /// written, and the error says how such a program is built.
    #[test]
    #[cfg(not(feature = "print"))]
    fn a_format_that_is_not_built_is_refused_before_anything_is_written() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let page = "[times.png](times.png)";
        for (ending, text) in [("png", "old"), ("md", page)] {
            fs::write(home.path().join(format!("times.{ending}")), text).expect("writable");
        }
        let written = write(
            home.path(),
            ("times", "size"),
            &Drawing::default(),
            &[Format::Svg],
        );
        let error = written.expect_err("an older PNG is there").to_string();
        assert!(
            error.starts_with("times.png") && error.contains("--features print"),
            "{error}"
        );
        assert_eq!(fs::read_dir(home.path()).expect("readable").count(), 2);
    }

    /// The page shows what a browser shows; no file of an older drawing stands beside a newer
    /// table, and a file that is not known to be the figure's stays as it is.
    #[test]
    #[cfg(feature = "print")]
    fn every_format_that_stands_there_is_that_of_the_table() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let drawing = |words: &str| Drawing {
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"30\"><text y=\"20\">{words}</text></svg>"
            ),
            ..Drawing::default()
        };
        let path = |ending: &str| home.path().join(format!("times.{ending}"));
        let text = |ending: &str| fs::read_to_string(path(ending)).expect("a text file");
        let write = |words: &str, formats: &[Format]| {
            write(home.path(), ("times", "size"), &drawing(words), formats).expect("writable")
        };
        fs::write(path("svg"), "of the user").expect("a writable directory");
        for _ in 0..2 {
            assert_eq!(write("old", &[Format::Pdf]), None);
            assert_eq!(text("svg"), "of the user");
        }
        write("old", &[Format::Pdf, Format::Svg]);
        assert!(text("md").contains("![times](times.svg)"));
        let said = write("new 八", &[Format::Png]).expect("a character is unknown");
        assert!(text("svg").contains(">new 八<") && said.contains("lacks 八:"));
        let page = text("md");
        let links = [
            "![times](times.svg)",
            "[times.png](times.png)",
            "[times.pdf]",
        ];
        assert!(links.iter().all(|link| page.contains(link)), "{page}");
    }
}
