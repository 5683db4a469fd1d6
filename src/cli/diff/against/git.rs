//! The checkout in which `diff --rev` is called, read by git, which changes nothing there. Here are
//! its messages (no such revision, a shallow clone, no checkout), and how the files of a commit are
//! unpacked.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::cli::Refused;
use crate::cli::sources::Files;

/// A checkout of a git repository.
pub struct Checkout {
    /// Its uppermost folder.
    pub top: PathBuf,
}

impl Checkout {
    /// The checkout of the present folder.
    ///
    /// # Errors
    /// No git, or no checkout.
    pub fn here() -> anyhow::Result<Self> {
        let mut command = Command::new("git");
        let output = command
            .args(["rev-parse", "--show-toplevel"])
            .output()
            .map_err(|error| Refused::new(format!("git cannot be started: {error}")))?;
        if !output.status.success() {
            let reason = "--rev: the present folder is in no git checkout; expected one";
            return Err(Refused::new(reason).into());
        }
        let top = String::from_utf8_lossy(&output.stdout);
        let top = PathBuf::from(top.trim_end_matches('\n'));
        Ok(Self { top })
    }

    fn git(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.top).args(arguments);
        command
    }

    /// What git prints, without the end of its last line; `None` where it fails.
    fn line(&self, arguments: &[&str]) -> anyhow::Result<Option<String>> {
        let mut command = self.git(arguments);
        let output = command.stderr(Stdio::null()).output().context("git")?;
        let line = String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned();
        Ok(output.status.success().then_some(line))
    }

    /// The commit that git finds under a name, as 40 or 64 digits.
    ///
    /// # Errors
    /// No such commit.
    pub fn commit(&self, rev: &str) -> anyhow::Result<String> {
        let object = |name: &str| {
            let options = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
            self.line(&options)
        };
        // In two steps: behind `:/words` anything else would be more words.
        if let Some(named) = object(rev)?
            && let Some(commit) = object(&format!("{named}^{{commit}}"))?
        {
            return Ok(commit);
        }
        let is_shallow = self.line(&["rev-parse", "--is-shallow-repository"])?;
        let hint = match is_shallow.as_deref() {
            Some("true") => "; this clone is shallow: git fetch --unshallow",
            _ => "",
        };
        Err(Refused::new(format!("git finds no revision '{rev}'{hint}")).into())
    }

    /// The files that a commit has below these names.
    pub fn files(&self, commit: &str, names: &[&str]) -> anyhow::Result<Files> {
        let options = ["ls-tree", "-r", "-z", "--full-tree", commit, "--"];
        let mut command = self.git(&[&options[..], names].concat());
        let listed = command.output().context("git ls-tree")?;
        if !listed.status.success() {
            let reason = String::from_utf8_lossy(&listed.stderr).trim().to_owned();
            anyhow::bail!("git cannot read the commit {commit}: {reason}");
        }
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        // `mode type object`, a tab, and the path.
        let entry = |line: &str| {
            let (what, path) = line.split_once('\t')?;
            let object = what.rsplit(' ').next()?;
            what.contains(" blob ")
                .then(|| (path.to_owned(), object.to_owned()))
        };
        let entries: Vec<(String, String)> = listed.split('\0').filter_map(entry).collect();
        self.contents(entries)
    }

    /// The bytes of objects.
    fn contents(&self, entries: Vec<(String, String)>) -> anyhow::Result<Files> {
        let mut command = self.git(&["cat-file", "--batch"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("git cat-file")?;
        let mut asked = child.stdin.take().context("git cat-file has no input")?;
        let output = child.stdout.take().context("git cat-file has no output")?;
        let mut printed = BufReader::new(output);
        let mut files = Files::new();
        // So many names fit into a pipe: neither side waits for the other with a full one.
        for some in entries.chunks(1000) {
            let objects = some.iter().map(|(_, object)| format!("{object}\n"));
            let objects: String = objects.collect();
            asked
                .write_all(objects.as_bytes())
                .context("git cat-file")?;
            for (path, object) in some {
                let bytes = read_object(&mut printed, object)?;
                files.insert(path.clone(), bytes);
            }
        }
        drop(asked);
        child.wait().context("git cat-file")?;
        Ok(files)
    }

    /// Writes all files of a commit into a new folder, with the time of now. The index that this
    /// takes lies beside the folder.
    ///
    /// # Errors
    /// A folder that cannot be written, or objects that are missing.
    pub fn unpack(&self, commit: &str, folder: &Path) -> anyhow::Result<()> {
        let index = folder.with_extension("index");
        let prefix = format!("--prefix={}/", folder.display());
        // The user's settings for the checkout itself have no use for one that goes.
        let plain = [
            "-c",
            "core.sparseCheckout=false",
            "-c",
            "core.splitIndex=false",
        ];
        let steps: [&[&str]; 2] = [
            &["read-tree", commit],
            &["checkout-index", "--all", &prefix],
        ];
        for step in steps {
            let mut command = self.git(&[&plain[..], step].concat());
            let output = command.env("GIT_INDEX_FILE", &index).output();
            let output = output.context("git")?;
            if !output.status.success() {
                let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                anyhow::bail!(
                    "git cannot unpack {commit} into {}: {reason}",
                    folder.display()
                );
            }
        }
        fs::remove_file(&index).context(index.display().to_string())
    }
}

/// Reads `object type length`, a line's end, the bytes and another line's end.
fn read_object(printed: &mut impl BufRead, object: &str) -> anyhow::Result<Vec<u8>> {
    let mut line = String::new();
    printed.read_line(&mut line)?;
    let last_word = line.trim_end().rsplit(' ').next();
    let length = last_word.and_then(|length| length.parse().ok());
    let length: u64 = length.with_context(|| format!("git has no object {object}"))?;
    let mut bytes = Vec::new();
    printed.by_ref().take(length).read_to_end(&mut bytes)?;
    printed.read_exact(&mut [0])?;
    Ok(bytes)
}
