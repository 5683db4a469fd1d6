//! The one place that writes the report's files. Here are their endings (md, svg, csv, vl.json),
//! the form of the page NAME.md, the line in it that says whose figure it is, and the order of
//! writing.

use std::fs;
use std::io;
use std::path::Path;

use crate::experiment::store::atomic;
use crate::html::markdown;
use crate::report::Drawing;

/// The endings of a figure's files, in the order in which they are written: the page, which says
/// whose they are, comes first.
pub const ENDINGS: [&str; 4] = ["md", "svg", "csv", VEGA];

/// The ending of the figure as Vega-Lite.
const VEGA: &str = "vl.json";

/// True if a figure of this name stands in `directory` as Vega-Lite: of other rows, once the figure
/// is drawn anew, unless that is written, too.
pub fn has_vega(directory: &Path, name: &str) -> bool {
    directory.join(format!("{name}.{VEGA}")).exists()
}

/// Writes `<name>.svg`, `<name>.csv` and `<name>.md` into `directory`, which is made if need be,
/// and `<name>.vl.json` where the drawing has it.
/// Each file appears whole or not at all. `owner` is the experiment that the figure is of. Whoever
/// calls it has seen to it that none of the paths leads to a file that must not be lost.
///
/// # Errors
/// When `name` is not a plain file name, or the file system refuses.
pub fn write(directory: &Path, (name, owner): (&str, &str), drawing: &Drawing) -> io::Result<()> {
    if Path::new(name).file_name() != Some(name.as_ref()) {
        let reason = format!("{name:?} is not a plain file name");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    fs::create_dir_all(directory)?;
    let csv = drawing.table.to_csv();
    let page = page(name, owner, drawing);
    let files = [
        page.as_bytes(),
        drawing.svg.as_bytes(),
        &csv,
        drawing.vega.as_bytes(),
    ];
    for (ending, bytes) in ENDINGS.iter().zip(files) {
        let path = directory.join(format!("{name}.{ending}"));
        if *ending != VEGA || !bytes.is_empty() {
            atomic::write(&path, bytes)?;
        }
    }
    Ok(())
}

/// Removes the files of a figure, the page, which says whose they are, last; true if there were
/// any.
///
/// # Errors
/// When the file system refuses.
pub fn remove(directory: &Path, name: &str) -> io::Result<bool> {
    let mut were_any = false;
    for ending in ENDINGS.iter().rev() {
        match fs::remove_file(directory.join(format!("{name}.{ending}"))) {
            Ok(()) => were_any = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(were_any)
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
    match fs::read(directory.join(format!("{name}.md"))) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).lines().find_map(field)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Around the name of the experiment in a page.
const OWNER: (&str, &str) = ("<!-- experiment: ", " -->");

/// The figure, its caption and its table as one Markdown page.
fn page(name: &str, owner: &str, drawing: &Drawing) -> String {
    let (begin, end) = OWNER;
    format!(
        "# {name}\n\n{begin}{owner}{end}\n\n![{name}]({name}.svg)\n\n{}\n\n{}",
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
            let error = write(home.path(), (name, "a"), &drawing).expect_err(name);
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
        assert_eq!(owner(home.path(), "times").expect("readable"), None);
        write(home.path(), ("times", "size-2"), &drawing).expect("a writable directory");
        let found = owner(home.path(), "times").expect("readable");
        assert_eq!(found.as_deref(), Some("size-2"));
    }
}
