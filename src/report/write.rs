//! The one place that writes the report's files.

use std::fs;
use std::io;
use std::path::{Component, Path};

use super::Drawing;
use crate::experiment::store::atomic;

/// Writes `<name>.svg`, `<name>.csv` and `<name>.md` into `directory`, which is made if need be.
/// Each file appears whole or not at all.
///
/// # Errors
/// When `name` is not a plain file name, or the file system refuses.
pub fn write(directory: &Path, name: &str, drawing: &Drawing) -> io::Result<()> {
    let mut components = Path::new(name).components();
    if !matches!(
        (components.next(), components.next()),
        (Some(Component::Normal(_)), None)
    ) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{name:?} is not a plain file name"),
        ));
    }
    fs::create_dir_all(directory)?;
    let files = [
        ("svg", drawing.svg.clone()),
        ("csv", drawing.table.to_csv()),
        ("md", page(name, drawing)),
    ];
    files.iter().try_for_each(|(extension, text)| {
        atomic::write(
            &directory.join(format!("{name}.{extension}")),
            text.as_bytes(),
        )
    })
}

/// The figure, its caption and its table as one Markdown page.
fn page(name: &str, drawing: &Drawing) -> String {
    format!(
        "# {name}\n\n![{name}]({name}.svg)\n\n{}\n\n{}",
        drawing.caption,
        drawing.table.to_markdown()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Table;

    fn drawing(caption: &str) -> Drawing {
        let table = Table {
            header: vec!["n".to_owned()],
            rows: vec![vec!["8".to_owned()]],
            notes: vec![],
        };
        Drawing {
            svg: "<svg/>\n".to_owned(),
            table,
            caption: caption.to_owned(),
            finding: String::new(),
        }
    }

    #[test]
    fn three_files_and_nothing_else() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let directory = home.path().join("figures");
        for caption in ["first", "second"] {
            write(&directory, "times", &drawing(caption)).expect("a writable directory");
        }
        let mut files: Vec<_> = fs::read_dir(&directory)
            .expect("just made")
            .map(|entry| entry.expect("readable").file_name())
            .collect();
        files.sort();
        assert_eq!(files, ["times.csv", "times.md", "times.svg"]);
        let text = |file| fs::read_to_string(directory.join(file)).expect("just written");
        assert_eq!(
            text("times.md"),
            "# times\n\n![times](times.svg)\n\nsecond\n\n| n |\n|---|\n| 8 |\n"
        );
        assert_eq!(text("times.csv"), "n\n8\n");
    }

    #[test]
    fn a_name_cannot_leave_the_directory() {
        let home = tempfile::tempdir().expect("a temporary directory");
        for name in ["../times", "a/b", "", ".."] {
            let error = write(home.path(), name, &drawing("")).expect_err(name);
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }
}
