//! The one place that writes the report's files.

use std::fs;
use std::io;
use std::path::Path;

use super::Drawing;
use super::formats;
use crate::experiment::store::atomic;
use crate::html::markdown;

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
    /// In the order in which files are written.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Png, Self::Pdf];

    /// Ending of its files, and its word on the command line.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }

    fn bytes(self, svg: &str) -> io::Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(svg.as_bytes().to_vec()),
            Self::Png => formats::png(svg),
            Self::Pdf => formats::pdf(svg),
        }
    }
}

/// Writes `<name>.csv`, `<name>.md`, `<name>.curves.csv` where there is such a table, and the
/// figure in each of `formats` into `directory`, which is made if need be. Each file appears whole
/// or not at all. `owner` is the experiment that the figure is of.
///
/// # Errors
/// When `name` is not a plain file name, the file system refuses, or a format cannot be made.
pub fn write(
    directory: &Path,
    (name, owner): (&str, &str),
    drawing: &Drawing,
    formats: &[Format],
) -> io::Result<()> {
    if Path::new(name).file_name() != Some(name.as_ref()) {
        let reason = format!("{name:?} is not a plain file name");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    let shown = formats.first().map_or("svg", |format| format.extension());
    let mut files = Vec::new();
    for &format in formats {
        files.push((format.extension(), format.bytes(&drawing.svg)?));
    }
    files.push(("csv", drawing.table.to_csv()));
    files.push(("md", page(name, owner, shown, drawing).into_bytes()));
    fs::create_dir_all(directory)?;
    let path = |extension: &str| directory.join(format!("{name}.{extension}"));
    if let Some(curves) = &drawing.curves {
        atomic::write_with(&path("curves.csv"), |file| curves.write_csv(file))?;
    }
    for (extension, bytes) in &files {
        atomic::write(&path(extension), bytes)?;
    }
    Ok(())
}

/// The experiment whose figure of this name stands in `directory`, as its page says; `None` where
/// there is no such page.
///
/// # Errors
/// A page that cannot be read.
pub fn owner(directory: &Path, name: &str) -> io::Result<Option<String>> {
    match fs::read(directory.join(format!("{name}.md"))) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            let field = |line: &str| {
                let (begin, end) = OWNER;
                Some(line.strip_prefix(begin)?.strip_suffix(end)?.to_owned())
            };
            Ok(text.lines().find_map(field))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Around the name of the experiment in a page.
const OWNER: (&str, &str) = ("<!-- experiment: ", " -->");

/// The figure, its caption and its table as one Markdown page.
fn page(name: &str, owner: &str, extension: &str, drawing: &Drawing) -> String {
    let (begin, end) = OWNER;
    format!(
        "# {name}\n\n{begin}{owner}{end}\n\n![{name}]({name}.{extension})\n\n{}\n\n{}",
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
        let written = write(home.path(), ("times", "size-2"), &drawing, &[]);
        written.expect("a writable directory");
        let found = owner(home.path(), "times").expect("readable");
        assert_eq!(found.as_deref(), Some("size-2"));
    }
}
