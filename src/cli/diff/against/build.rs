//! The program of an earlier revision: checked out, and built with the libraries that are there.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::cli::BadInput;

/// A folder kept between calls: `worktree` with the revision checked out, `target` with its
/// program, and the results of each commit.
const HOME: &str = "target/against";

/// [`HOME`] in the hands of this process alone.
pub struct Home {
    pub path: PathBuf,
    _lock: File,
}

impl Home {
    /// # Errors
    /// No git checkout; another process that has it.
    pub fn lock() -> anyhow::Result<Self> {
        let path = repository()?.join(HOME);
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        let file = path.join("lock");
        let lock = File::options().create(true).append(true).open(&file);
        let lock = lock.with_context(|| file.display().to_string())?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => bail!(
                "another `reines diff --against` is under way in {}; wait for it to end",
                path.display()
            ),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| file.display().to_string())
            }
        }
    }

    /// Checks the commit out, and returns its folder.
    ///
    /// # Errors
    /// A commit that cannot be checked out.
    pub fn check_out(&self, commit: &str) -> anyhow::Result<PathBuf> {
        let worktree = self.worktree();
        check_out(&worktree, commit)?;
        Ok(worktree)
    }

    fn worktree(&self) -> PathBuf {
        self.path.join("worktree")
    }

    /// Builds what is checked out; the output of cargo goes to standard error. With `quick` the
    /// program is optimised less: it is built sooner, and gives the same rows.
    ///
    /// # Errors
    /// A program that cannot be built.
    pub fn build(&self, quick: bool) -> anyhow::Result<PathBuf> {
        let target = self.path.join("target");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = Command::new(cargo);
        cargo
            .args([
                "build",
                "--release",
                "--locked",
                "--bin",
                "reines",
                "--target-dir",
            ])
            .arg(&target)
            .current_dir(self.worktree());
        if let Some(folder) = own_build() {
            let folder = toml::Value::from(folder.display().to_string());
            cargo.args(["--config", &format!("build.build-dir={folder}")]);
        }
        if quick {
            cargo.args(["--config", "profile.release.package.reines.opt-level=1"]);
        }
        succeed(&mut cargo)?;
        Ok(target.join("release/reines"))
    }
}

/// Brings the commit into the worktree. One in which git was killed, so that it refuses to go on,
/// is made anew: it holds nothing of a user's.
fn check_out(worktree: &Path, commit: &str) -> anyhow::Result<()> {
    let mut git = Command::new("git");
    git.arg("-C")
        .arg(worktree)
        .args(["checkout", "--quiet", "--detach", "--force", commit]);
    // Without a .git of its own, git would take the repository around it.
    let is_worktree = worktree.join(".git").is_file();
    if is_worktree
        && git
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|it| it.success())
    {
        return Ok(());
    }
    if worktree.exists() {
        fs::remove_dir_all(worktree).with_context(|| worktree.display().to_string())?;
    }
    succeed(Command::new("git").args(["worktree", "prune"]))?;
    succeed(
        Command::new("git")
            .args(["worktree", "add", "--quiet", "--detach", "--force"])
            .arg(worktree)
            .arg(commit),
    )
}

/// The folder in which this program was built, with all libraries, if it is still there: what the
/// revision has in common with it is not built again.
fn own_build() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let release = program.parent()?;
    let is_build = release.ends_with("release") && release.join(".fingerprint").is_dir();
    is_build.then(|| release.parent().map(Path::to_path_buf))?
}

fn repository() -> anyhow::Result<PathBuf> {
    let output = Command::new("git")
        .args(["rev-parse", "--show-toplevel"])
        .output()
        .context("git")?;
    if !output.status.success() {
        return Err(BadInput("--against needs a git checkout of this program".to_owned()).into());
    }
    Ok(PathBuf::from(
        String::from_utf8_lossy(&output.stdout).trim(),
    ))
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    // Standard output belongs to the comparison.
    let status = command
        .stdout(std::io::stderr())
        .status()
        .with_context(|| format!("{command:?}"))?;
    if status.success() {
        Ok(())
    } else {
        bail!("{command:?} failed: {status}")
    }
}
