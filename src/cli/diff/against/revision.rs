//! A git revision and its program, built once below `target/against`. Here are the folders of
//! sources and programs there, the command of cargo and its settings, and when a program that was
//! built before is taken again.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::Context;

use super::NotComparable;
use super::child;
use super::git::Checkout;
use crate::cli::exit_code;
use crate::cli::terminal::message;
use crate::experiment::store::atomic::{checksum, make_folder, real_path};
use crate::experiment::store::folder::entries;
use crate::solver::Interrupted;

/// Hexadecimal digits of a program's BLAKE3 in the name of its file.
const DIGITS: usize = 32;

/// The name of a program's file before these digits.
const PROGRAM: &str = "program-";

/// A revision that is compared with the present program.
pub struct Revision<'a> {
    pub checkout: &'a Checkout,
    /// As its user names it.
    pub rev: &'a str,
    pub commit: String,
    /// The folder of what is made of it.
    pub home: PathBuf,
}

/// A program that runs one side.
pub struct Program {
    pub path: PathBuf,
    /// What its results are kept under: another program starts anew.
    pub key: String,
}

impl Revision<'_> {
    /// The folder of the revision's files, which are unpacked if they are not there yet.
    pub fn sources(&self) -> anyhow::Result<PathBuf> {
        let sources = self.home.join("sources");
        if sources.is_dir() {
            return Ok(sources);
        }
        let begun = self.home.join("sources.part");
        if begun.exists() {
            fs::remove_dir_all(&begun).with_context(|| begun.display().to_string())?;
        }
        make_folder(&self.home).with_context(|| self.home.display().to_string())?;
        self.checkout.unpack(&self.commit, &begun)?;
        fs::rename(&begun, &sources).with_context(|| sources.display().to_string())?;
        Ok(sources)
    }

    /// The program of the revision: what is there and whole, or else what cargo builds of the
    /// sources.
    ///
    /// # Errors
    /// [`NotComparable`] if cargo cannot build it, or says so and has built other sources.
    pub fn program(&self) -> anyhow::Result<Program> {
        if let Some(program) = self.built()? {
            return Ok(program);
        }
        let sources = self.sources()?;
        // Cargo remembers a file below its own folder by its path there, and looks whether that one
        // is younger than what was built of it. So that this one is, or is gone, every revision is
        // built at one place.
        let place = self.home.with_file_name("build");
        if place.exists() {
            fs::remove_dir_all(&place).with_context(|| place.display().to_string())?;
        }
        fs::rename(&sources, &place).with_context(|| place.display().to_string())?;
        let program = self.program_of(&place);
        fs::rename(&place, &sources).with_context(|| sources.display().to_string())?;
        program
    }

    /// Builds the program of the sources in a folder.
    fn program_of(&self, sources: &Path) -> anyhow::Result<Program> {
        let build_folder = build_folder();
        make_folder(&build_folder).with_context(|| build_folder.display().to_string())?;
        // Two checkouts may share the folder: a build between giving the sources their time and the
        // build of them would be taken for theirs.
        let lock = build_folder.join("against.lock");
        let lock = File::create(&lock).with_context(|| lock.display().to_string())?;
        // Where a file system has no locks, only one is at work.
        let _ = lock.lock();
        for _ in 0..2 {
            let begin = self.touch(sources)?;
            let binary = self.build(sources, &build_folder)?;
            if is_built_from(&binary, sources, begin)? {
                return self.keep(&binary);
            }
        }
        let rev = self.rev;
        let sources = sources.display();
        let target = self.target();
        let reason = format!(
            "{rev}: cargo has built other sources than those in {sources} into {}",
            target.display()
        );
        Err(NotComparable(reason).into())
    }

    /// Where cargo puts the program.
    fn target(&self) -> PathBuf {
        self.home.join("target")
    }

    /// The program that was built before, if its bytes are those that its name says: a disk may
    /// have been full.
    fn built(&self) -> anyhow::Result<Option<Program>> {
        for path in entries(&self.home)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(key) = name.strip_prefix(PROGRAM) else {
                continue;
            };
            let key = key.to_owned();
            if key_of(&path)? == key {
                return Ok(Some(Program { path, key }));
            }
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
        Ok(None)
    }

    /// Gives all files of the sources the time of now, which is returned: cargo takes a package
    /// whose files are older than its last build of one of this name as built. By the clock of the
    /// file system, as what cargo writes.
    fn touch(&self, sources: &Path) -> anyhow::Result<SystemTime> {
        let clock = self.home.join("clock");
        fs::write(&clock, "").with_context(|| clock.display().to_string())?;
        let now = clock.metadata().and_then(|metadata| metadata.modified());
        let now = now.with_context(|| clock.display().to_string())?;
        let mut folders = vec![sources.to_owned()];
        while let Some(folder) = folders.pop() {
            for path in entries(&folder)? {
                if path.is_symlink() {
                    continue;
                }
                let touched = File::open(&path).and_then(|file| file.set_modified(now));
                touched.with_context(|| path.display().to_string())?;
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        Ok(now)
    }

    /// Builds the program; the path at which cargo puts it.
    fn build(&self, sources: &Path, build_folder: &Path) -> anyhow::Result<PathBuf> {
        let present = fs::read_to_string(self.checkout.top.join("Cargo.toml")).unwrap_or_default();
        let theirs = fs::read_to_string(sources.join("Cargo.toml")).unwrap_or_default();
        // The present profile, so that dependencies of the same version are those of the present
        // build.
        let profile = self.home.join("profile.toml");
        let begin = present
            .find("\n[profile")
            .map_or(present.len(), |at| at + 1);
        fs::write(&profile, &present[begin..]).with_context(|| profile.display().to_string())?;
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&cargo);
        command.args(["build", "--release", "--locked", "--bin", "reines"]);
        command
            .arg("--manifest-path")
            .arg(sources.join("Cargo.toml"));
        command.arg("--target-dir").arg(self.target());
        command.arg("--config").arg(&profile);
        for setting in settings(&theirs, &present, sources) {
            command.arg("--config").arg(setting);
        }
        // In a variable: as a value of TOML the path would need its quotes escaped.
        command.env("CARGO_BUILD_BUILD_DIR", build_folder);
        message!("A: building {}, commit {}", self.rev, self.commit);
        match child::exit_code(&mut command)? {
            0 => Ok(self.target().join("release/reines")),
            code if code == i32::from(exit_code::INTERRUPTED) => Err(Interrupted.into()),
            _ => Err(NotComparable(format!("{} cannot be built", self.rev)).into()),
        }
    }

    /// Keeps a copy of a program that cargo has built whole, under a name that says its bytes.
    fn keep(&self, binary: &Path) -> anyhow::Result<Program> {
        let key = key_of(binary)?;
        let path = self.home.join(format!("{PROGRAM}{key}"));
        let begun = self.home.join("program.part");
        let failed = || begun.display().to_string();
        fs::copy(binary, &begun).with_context(failed)?;
        File::open(&begun)
            .and_then(|file| file.sync_all())
            .with_context(failed)?;
        fs::rename(&begun, &path).with_context(|| path.display().to_string())?;
        // What was kept is enough.
        let _ = fs::remove_dir_all(self.target());
        Ok(Program { path, key })
    }
}

/// The folder in which cargo keeps what it has compiled, that of the present build: A's
/// dependencies are there.
fn build_folder() -> PathBuf {
    let named = ["CARGO_BUILD_BUILD_DIR", "CARGO_TARGET_DIR"].map(env::var_os);
    let named = named.into_iter().flatten().find(|path| !path.is_empty());
    real_path(Path::new(&named.unwrap_or_else(|| "target".into())))
}

/// The first digits of the BLAKE3 of a file.
fn key_of(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(checksum(&bytes)[..DIGITS].to_owned())
}

/// True if a program is of these sources, all of which had this time when its build began. It says
/// so itself; of a revision without a stamp it must be younger than its sources.
fn is_built_from(binary: &Path, sources: &Path, begin: SystemTime) -> anyhow::Result<bool> {
    if !sources.join("src/cli/built_from.rs").exists() {
        let built = binary.metadata().and_then(|metadata| metadata.modified());
        return Ok(built.with_context(|| binary.display().to_string())? >= begin);
    }
    let mut command = Command::new(binary);
    command.args(["built-from", "--quiet"]).arg(sources);
    Ok(child::exit_code(&mut command)? == 0)
}

/// Settings of a profile for the build of a revision, by its own Cargo.toml and the present one.
///
/// Cargo keeps what it builds of packages by their names and settings: with those of the present
/// build, each of two revisions would make the other be built anew. Around the solver nothing is
/// optimised, which is built sooner; but what has no package for its solver has its level. What can
/// reach a row is the revision's own: checks for overflow, and the level of the solver.
fn settings(theirs: &str, present: &str, sources: &Path) -> Vec<String> {
    let has_solver = sources.join("src/solver/Cargo.toml").exists();
    let packages = "profile.release.package";
    let around = if has_solver { 0 } else { 3 };
    let mut settings = vec![
        format!("{packages}.reines.opt-level={around}"),
        format!("{packages}.reines-solver.split-debuginfo=\"off\""),
    ];
    let theirs: toml::Table = theirs.parse().unwrap_or_default();
    let present: toml::Table = present.parse().unwrap_or_default();
    let has_checks = |manifest: &toml::Table| {
        let checks = in_profile(manifest, &["overflow-checks"]);
        checks.and_then(toml::Value::as_bool).unwrap_or(false)
    };
    if has_checks(&theirs) != has_checks(&present) {
        settings.push(format!(
            "profile.release.overflow-checks={}",
            has_checks(&theirs)
        ));
    }
    if has_solver {
        let level = in_profile(&theirs, &["package", "reines-solver", "opt-level"]);
        let level = level.or_else(|| in_profile(&theirs, &["opt-level"]));
        let level = level.map_or_else(|| "3".to_owned(), ToString::to_string);
        settings.push(format!("{packages}.reines-solver.opt-level={level}"));
    }
    settings
}

/// A value of the profile `release`.
fn in_profile<'a>(manifest: &'a toml::Table, keys: &[&str]) -> Option<&'a toml::Value> {
    let release = manifest.get("profile")?.get("release")?;
    keys.iter().try_fold(release, |table, key| table.get(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each setting that can reach a row, the one that the revision's own Cargo.toml has.
    #[test]
    fn a_revision_is_compiled_as_it_says() {
        let present = "[profile.release]\noverflow-checks = true\nopt-level = 1\n\
                       [profile.release.package]\nreines-solver = { opt-level = 3 }\n";
        let folder = tempfile::tempdir().expect("there is a folder for such");
        let with_solver = folder.path().join("src/solver");
        fs::create_dir_all(&with_solver).expect("a fresh folder");
        fs::write(with_solver.join("Cargo.toml"), "").expect("a fresh folder");
        for (theirs, expected) in [
            (present, "opt-level=3"),
            ("", "overflow-checks=false opt-level=3"),
            (
                "[profile.release]\nopt-level = \"s\"\noverflow-checks = true",
                "opt-level=\"s\"",
            ),
        ] {
            let found = settings(theirs, present, folder.path());
            let found = found[2..].iter().map(|setting| {
                let setting = setting
                    .strip_prefix("profile.release.")
                    .expect("of a profile");
                setting.trim_start_matches("package.reines-solver.")
            });
            let found: Vec<&str> = found.collect();
            assert_eq!(found.join(" "), expected, "{theirs}");
        }
    }
}
