//! The files that a program's version is made of: which of them the words of its command name, and
//! which of them are refused. Their greatest size (2²⁸ bytes), and the names that a run's folder
//! has for itself, are here.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use super::Declared;
use crate::experiment::program::{ProgramFile, folder_of};
use crate::experiment::spec::Refused;

/// Files of a run's folder that a program's own would take the place of.
const OF_A_RUN: [&str; 6] = [
    "spec.toml",
    "manifest.toml",
    "trials.parquet",
    "timings.parquet",
    "series.parquet",
    "lock",
];

/// Bytes that a file of a program may have.
const MOST_BYTES: u64 = 1 << 28;

impl Declared<'_> {
    /// The files that its version is made of: those that the words of the command name in the
    /// folder of the spec, and `files`.
    pub(super) fn files(&self) -> Result<Vec<ProgramFile>, Refused> {
        let mut files: Vec<ProgramFile> = Vec::new();
        self.refuse_absolute()?;
        for (name, must_be) in self.names_of_files() {
            let Some(file) = self.file(name, must_be)? else {
                continue;
            };
            if files.iter().all(|known| known.name != file.name) {
                files.push(file);
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// What may be the name of a file, and whether there must be one.
    fn names_of_files(&self) -> Vec<(&Spanned<String>, bool)> {
        let mut names = Vec::new();
        for (position, word) in self.table.command.get_ref().iter().enumerate() {
            names.push((word, position < 2 && self.is_script(position)));
        }
        for name in &self.table.files {
            names.push((name, true));
        }
        names
    }

    /// True if the word at this position names a file: a program with a path, or the script of an
    /// interpreter.
    fn is_script(&self, position: usize) -> bool {
        let words = self.table.command.get_ref();
        let first = words[0].get_ref();
        if position == 0 {
            return first.contains('/');
        }
        let word = words[1].get_ref();
        let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_ending = (1..=4).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.chars().all(|c| c.is_ascii_alphanumeric());
        is_ending && !first.contains('/') && !word.starts_with('-')
    }

    /// Refuses a path that begins with `/` where a change of its file would go unnoticed, so that
    /// old rows were taken for those of the present program. A first word outside of the spec's
    /// folder is an interpreter or a program of the machine.
    fn refuse_absolute(&self) -> Result<(), Refused> {
        if self.is_kept {
            return Ok(());
        }
        let words = self.table.command.get_ref().iter();
        for (position, name) in words.chain(&self.table.files).enumerate() {
            let path = Path::new(name.get_ref());
            if !path.is_absolute() || !path.is_file() {
                continue;
            }
            let reason = match self.inside(path) {
                Some(inside) => format!(
                    "a change of a file with an absolute path would go unnoticed; expected {:?}, its path from the spec's folder",
                    if position == 0 { format!("./{inside}") } else { inside }
                ),
                None if position == 0 => continue,
                None => "a file outside of the spec's folder, whose changes would go unnoticed; expected one in it, which is kept with the run".to_owned(),
            };
            return Err(self.source.refuse(name.span(), &reason));
        }
        Ok(())
    }

    /// The path from the folder of the spec; `None` of one outside of it.
    fn inside(&self, path: &Path) -> Option<String> {
        let folder = folder_of(self.source.file);
        let folder = if folder.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            folder
        };
        let folders = [std::path::absolute(&folder), folder.canonicalize()];
        let inside = folders
            .iter()
            .flatten()
            .find_map(|folder| path.strip_prefix(folder).ok())?;
        Some(inside.display().to_string())
    }

    /// The file of a name in the folder of the spec; `None` where there is none and need not be, or
    /// where it belongs to the machine.
    fn file(&self, name: &Spanned<String>, must_be: bool) -> Result<Option<ProgramFile>, Refused> {
        let path = Path::new(name.get_ref());
        let is_optional = path.is_absolute() && !must_be;
        if is_optional || name.get_ref().is_empty() {
            return Ok(None);
        }
        let place = folder_of(self.source.file).join(path);
        if path.is_absolute() {
            if place.is_file() || self.is_kept {
                return Ok(None);
            }
            return Err(self.source.refuse(name.span(), "there is no such file"));
        }
        if !place.is_file() {
            if !must_be || self.is_kept {
                return Ok(None);
            }
            let reason = format!("there is no file {}", place.display());
            return Err(self.source.refuse(name.span(), &reason));
        }
        let inside = self.path_inside(name)?;
        let unreadable = |error: io::Error| self.source.refuse(name.span(), &error.to_string());
        let about = place.metadata().map_err(unreadable)?;
        let n_bytes = about.len();
        if n_bytes > MOST_BYTES {
            let reason = format!("a file of {n_bytes} bytes; expected at most {MOST_BYTES}");
            return Err(self.source.refuse(name.span(), &reason));
        }
        Ok(Some(ProgramFile {
            name: inside,
            bytes: std::fs::read(&place).map_err(unreadable)?.into(),
            is_executable: about.permissions().mode() & 0o111 != 0,
        }))
    }

    /// The path of a file in the folder of the spec, without `.`; one that leaves the folder, or
    /// that a run's own file has, is refused.
    fn path_inside(&self, name: &Spanned<String>) -> Result<String, Refused> {
        let mut parts = Vec::new();
        for part in Path::new(name.get_ref()).components() {
            match part {
                Component::CurDir => {}
                Component::Normal(part) => parts.push(part.to_string_lossy()),
                _ => {
                    let reason = "a file outside of the spec's folder; expected one in it, which is kept with the run";
                    return Err(self.source.refuse(name.span(), reason));
                }
            }
        }
        let inside = parts.join("/");
        if OF_A_RUN.contains(&&*inside) || inside.starts_with("parts/") {
            let reason = "a run's folder has a file of this name; expected another name";
            return Err(self.source.refuse(name.span(), reason));
        }
        Ok(inside)
    }
}
