//! The text of a manifest. Of 10⁵ points it has 10 MB, so the tables of the points are read some at
//! a time, and a text that was read is not read again. Here are the checksum in its first line, the
//! messages of a damaged manifest and of one of another schema, and the greatest numbers of trials
//! and points that one may have.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;

use super::{Manifest, OLDEST_SCHEMA, PointTotals, SCHEMA};
use crate::experiment::plan::{MAX_COURSE_ROWS, MAX_TRIALS};
use crate::experiment::spec::MAX_POINTS;
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::checksum;

/// Begins the first line of a manifest, up to its checksum.
const SEAL: &str = "checksum = \"";

/// The line before what there is of a point.
const POINT: &str = "\n[[points]]\n";
/// The line before the first time that is held up; these tables follow those of the points.
const HELD_UP: &str = "\n[[held_up]]\n";
/// Points whose tables are read at once: the tree of 10⁵ tables takes more memory than all else.
const POINTS_AT_ONCE: usize = 1000;

/// The manifests that were read in this process, by their seals: commands ask for that of one run
/// several times.
static KNOWN: Mutex<BTreeMap<String, Manifest>> = Mutex::new(BTreeMap::new());

impl Manifest {
    /// The file's text: the BLAKE3 of all other lines, then these.
    pub fn to_text(&self) -> Result<String, toml::ser::Error> {
        let lines = toml::to_string(self)?;
        Ok(format!("{SEAL}{}\"\n{lines}", checksum(lines.as_bytes())))
    }

    /// The manifest of the text of the file at `path`, which is as it was written.
    ///
    /// # Errors
    /// A text that is damaged, no manifest, or of another schema.
    pub(crate) fn from_text(path: &Path, text: &str) -> Result<Self, StoreError> {
        let sealed = text
            .strip_prefix(SEAL)
            .and_then(|rest| rest.split_once("\"\n"));
        let Some((seal, lines)) = sealed else {
            let reason = "its own checksum, the first line, is missing: the manifest is damaged";
            return Err(StoreError::format(path, reason));
        };
        if seal != checksum(lines.as_bytes()) {
            let reason = "its own checksum, in the first line, is another: the manifest is damaged";
            return Err(StoreError::format(path, reason));
        }

        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(manifest) = known.get(seal) {
            return Ok(manifest.clone());
        }
        drop(known);
        let manifest = match of_pieces(lines) {
            Some(manifest) => manifest,
            None => of_lines(path, lines)?,
        };
        refuse_huge(path, &manifest)?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(seal.to_owned(), manifest.clone());
        Ok(manifest)
    }

    /// What stands in a text that is not as it was written, without its first line; `None` where
    /// that is no manifest.
    pub(crate) fn unsealed(text: &str) -> Option<Self> {
        let lines = match text.split_once('\n') {
            Some((first, rest)) if first.starts_with(SEAL) => rest,
            _ => text,
        };
        let manifest: Self = toml::from_str(lines).ok()?;
        (manifest.schema == SCHEMA).then_some(manifest)
    }
}

/// The manifest of these lines.
///
/// # Errors
/// Lines that are no manifest, or of another schema.
fn of_lines(path: &Path, lines: &str) -> Result<Manifest, StoreError> {
    let no_manifest = |error: toml::de::Error| {
        StoreError::format(path, format!("not a manifest: {}", error.message()))
    };
    let tree: toml::Table = lines.parse().map_err(no_manifest)?;
    let schema = tree.get("schema").and_then(toml::Value::as_integer);
    if let Some(found) = schema.filter(|schema| !is_read(*schema)) {
        return Err(StoreError::Unread {
            path: path.into(),
            reason: format!("schema {found}; expected schema {OLDEST_SCHEMA} or {SCHEMA}"),
        });
    }
    tree.try_into().map_err(no_manifest)
}

/// True for the number of a layout that this program reads.
fn is_read(schema: i64) -> bool {
    (OLDEST_SCHEMA.into()..=SCHEMA.into()).contains(&schema)
}

/// Refuses a manifest that has more than a plan may have.
fn refuse_huge(path: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    let points = manifest.points.len() as u64;
    for (found, most, what) in [
        (points, MAX_POINTS, "points"),
        (manifest.rows, MAX_TRIALS, "trials"),
        (manifest.series_rows, MAX_COURSE_ROWS, "rows of a series"),
    ] {
        if found > most {
            let reason = format!("{found} {what}; expected at most {most}, as a plan has");
            return Err(StoreError::format(path, reason));
        }
    }
    Ok(())
}

/// The tables of some points.
#[derive(Deserialize)]
struct SomePoints {
    points: Vec<PointTotals>,
}

/// What [`of_lines`] gives, where the tables of the points stand behind all others but those of
/// times that are held up, as [`Manifest::to_text`] writes them; `None` elsewhere, and where the
/// lines are no manifest.
fn of_pieces(lines: &str) -> Option<Manifest> {
    let (head, rest) = lines.split_once(POINT)?;
    let (points, held_up) = match rest.find(HELD_UP) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let tree: toml::Table = format!("{head}\n{held_up}").parse().ok()?;
    if tree.contains_key("points") {
        return None;
    }
    let manifest: Manifest = tree.try_into().ok()?;
    if !is_read(manifest.schema.into()) {
        return None;
    }

    let tables: Vec<&str> = points.split(POINT).collect();
    let mut all = Vec::with_capacity(tables.len());
    for tables in tables.chunks(POINTS_AT_ONCE) {
        let has_other = |table: &&str| table.starts_with('[') || table.contains("\n[");
        if tables.iter().any(has_other) {
            return None;
        }
        let text = format!("{POINT}{}", tables.join(POINT));
        let read: SomePoints = toml::from_str(&text).ok()?;
        if read.points.len() != tables.len() {
            return None;
        }
        all.extend(read.points);
    }
    Some(Manifest {
        points: all,
        ..manifest
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::manifest::HeldUp;
    use crate::experiment::store::complete::CompleteRun;

    /// A manifest of so many points, with so many times that are held up.
    fn manifest(n_points: u64, n_held_up: u64) -> Manifest {
        let mut manifest = CompleteRun::example("a", "ffffffff", "2026-10-01T00:00:00Z").manifest;
        manifest.command = vec!["run \"a\"\n[[points]]\nb".to_owned()];
        for number in 0..n_points {
            manifest.points.push(PointTotals {
                point: format!("pair \"b.queens == {number}\" n=4 \\ [[points]]"),
                censored: number % 2,
                timed: number % 3,
                seconds_sum: 1e-7 * number as f64,
            });
        }
        for trial in 0..n_held_up as u32 {
            manifest.held_up.push(HeldUp {
                point: "lines n=4\n[[points]]\n".to_owned(),
                seed: 1,
                trial,
                repeat: 0,
                seconds: 0.5,
            });
        }
        manifest
    }

    /// None, one, and more than are read at once.
    #[test]
    fn a_manifest_in_pieces_is_the_whole_one() {
        let path = Path::new("manifest.toml");
        for n_points in [0, 1, 2, 999, 1000, 1001, 2500] {
            for n_held_up in [0, 1, 3] {
                let mut manifest = manifest(n_points, n_held_up);
                let lines = toml::to_string(&manifest).expect("a manifest");
                let whole = of_lines(path, &lines).expect("its own text");
                assert_eq!(whole, manifest);
                if let Some(found) = of_pieces(&lines) {
                    assert_eq!(found, whole);
                }

                // Without texts of several lines it is read in pieces.
                manifest.command = vec!["run".to_owned()];
                for held_up in &mut manifest.held_up {
                    held_up.point = "lines n=4".to_owned();
                }
                let lines = toml::to_string(&manifest).expect("a manifest");
                assert_eq!(of_pieces(&lines), (n_points > 0).then_some(manifest));
            }
        }
    }

    /// What no program writes is not read in pieces: tables behind or between those of the points,
    /// a second list of points, another schema.
    #[test]
    fn other_orders_are_read_at_once() {
        let lines = toml::to_string(&manifest(2, 0)).expect("a manifest");
        let lines = lines.replace("run \\\"a\\\"\\n[[points]]\\nb", "run");
        let point = "[[points]]\npoint = \"a\"\n";
        for other in [
            format!("{lines}\n[columns]\n"),
            format!("{lines}\n[laws.a]\nb = \"01\"\n\n{point}"),
            format!("points = [{{ point = \"b\" }}]\n{lines}"),
            lines.replace("schema = 3", "schema = 99"),
            lines.replace("rows = 1", "rows = \"1\""),
            format!("{lines}\n[[points]]\ncensored = 2\n"),
        ] {
            assert!(of_pieces(&other).is_none(), "{other}");
        }
    }
}
