//! `reines verify --rerun`: repeat a run from what it kept, and compare.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs, thread};

use anyhow::{Context, bail};

use super::pack::zip;
use super::plan;
use super::progress::Display;
use super::signals::INTERRUPTED;
use super::text::{counted, courses_in_words};
use super::verify::Args;
use super::{Common, named, output};
use crate::cli::terminal::{self, say};
use crate::experiment::runner::{self, Finish, Request};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;
use crate::results::runs::{CompleteRun, Repetition};

/// Repeats the run that is meant, or those of a crate, and says whether the bytes agree. The
/// repetition is kept nowhere.
pub fn run(run: &Path, args: &Args, common: &Common) -> anyhow::Result<u8> {
    // From here on a signal leaves no folder.
    super::signals::listen()?;
    let made = tempfile::tempdir()
        .context("no temporary folder can be made")?
        .keep();
    *FOLDER.lock().unwrap_or_else(PoisonError::into_inner) = Some(made.clone());
    let code = rerun_all(run, args, common, &made);
    match remove_folder() {
        true => code,
        // A second signal has removed it: what failed since then failed for want of the folder.
        false => Ok(INTERRUPTED),
    }
}

fn rerun_all(word: &Path, args: &Args, common: &Common, temporary: &Path) -> anyhow::Result<u8> {
    if !word.to_string_lossy().ends_with(".zip") {
        let run = named::run(word, &common.results)?;
        return rerun(&run, run.folder.path(), temporary, args, common);
    }
    let mut code = 0;
    // No experiment has this name.
    for folder in unpack(word, &temporary.join(".crate"))? {
        let name = word.join(folder.file_name().unwrap_or_default());
        let run = CompleteRun::at(RunFolder::at(folder))?;
        match rerun(&run, &name, temporary, args, common)? {
            INTERRUPTED => return Ok(INTERRUPTED),
            differs => code |= differs,
        }
    }
    Ok(code)
}

/// Puts the runs of a crate into a folder; returns theirs.
fn unpack(archive: &Path, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let bytes = fs::read(archive).map_err(|error| output::refused(archive, error))?;
    let files = zip::read(&bytes).map_err(|reason| output::refused(archive, reason))?;
    let mut runs = Vec::new();
    for (name, bytes) in &files {
        let file = folder.join(name);
        let above = file.parent().unwrap_or(folder);
        let made = fs::create_dir_all(above).and_then(|()| fs::write(&file, bytes));
        made.with_context(|| file.display().to_string())?;
        if name.ends_with("/manifest.toml") {
            runs.push(above.to_path_buf());
        }
    }
    if runs.is_empty() {
        let reason = "it holds no run; expected a manifest.toml in a folder";
        return Err(output::refused(archive, reason).into());
    }
    Ok(runs)
}

/// Repeats a run, which is called `name`, and prints whether the bytes agree.
fn rerun(
    original: &CompleteRun,
    name: &Path,
    results: &Path,
    args: &Args,
    common: &Common,
) -> anyhow::Result<u8> {
    let manifest = &original.manifest;
    if let Some(shard) = &manifest.shard {
        let name = name.display();
        bail!("{name}: it holds shard {shard} of a run; expected a whole run");
    }
    let (spec, plan) = original.plan()?;
    if !args.allow_huge {
        plan.refuse_huge(&spec)?;
    }
    if manifest.code() != Code::Present {
        let (own, present) = (&manifest.code_version, plan.code_version());
        let (name, code) = (&spec.name, manifest.code().in_brackets());
        say!("{name}: made by code version {own}, repeated by {present}{code}");
    }
    let request = Request {
        threads: args.threads.map_or(0, usize::from),
        most_moves: plan::most_moves(args.allow_huge),
        force: true,
        ..plan::request(name, &spec, &plan, results)
    };
    let stop = super::signals::listen()?;
    let mut display = Display::new(&spec.name, "", common.quiet);
    let finish = runner::run(&request, stop, &mut display).with_context(|| spec.name.clone())?;
    let repeated = match finish {
        Finish::Complete { folder, rows } => {
            display.finish(&format!("{} repeated", counted(rows, "trial")));
            folder
        }
        Finish::AlreadyComplete(folder) => folder,
        Finish::Interrupted { .. } => {
            display.finish("interrupted; nothing was compared");
            return Ok(INTERRUPTED);
        }
    };
    print(original, name, &original.repetition(repeated)?)
}

/// Prints what was found; the exit code.
fn print(original: &CompleteRun, name: &Path, repetition: &Repetition) -> anyhow::Result<u8> {
    let path = name.display();
    let mut lines: Vec<String> = repetition.damage.iter().map(ToString::to_string).collect();
    let rows = counted(repetition.rows, "row");
    lines.push(match &repetition.difference {
        None => format!("{path}: the repetition gives the same {rows}, byte for byte"),
        Some(difference) => format!("{path}: the repetition differs{difference}"),
    });
    let manifest = &original.manifest;
    let all = [manifest.series_rows, manifest.move_rows];
    match &repetition.courses {
        Some(courses) => lines.push(format!("{path}: the repetition differs {courses}")),
        None if all != [0, 0] => lines.push(format!(
            "{path}: and the same courses, byte for byte{}",
            courses_in_words(all)
        )),
        None => {}
    }
    terminal::print(lines)?;
    let differs = repetition.difference.is_some() || repetition.courses.is_some();
    Ok(u8::from(differs || repetition.damage.is_some()))
}

/// The temporary folder, as long as it is there.
static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes the temporary folder, also where the program ends at once; returns whether it was there.
/// Other threads may still write there, and make anew what is gone: it is removed until it stays
/// away.
pub fn remove_folder() -> bool {
    let mut folder = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(path) = folder.take() else {
        return false;
    };
    // For about a second.
    for _ in 0..100 {
        let _ = fs::remove_dir_all(&path);
        thread::sleep(Duration::from_millis(10));
        if !path.exists() {
            break;
        }
    }
    true
}
