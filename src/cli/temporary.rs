//! Temporary folders that are removed however the program ends, but for a kill.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Those that are there now.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary folder; gone when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::tempdir()?.keep();
        folders(|all| all.push(folder.clone()));
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What fails now may be well a moment later.
        const TRIES: usize = 3;
        let _ = (0..TRIES).find(|_| fs::remove_dir_all(&self.0).is_ok());
        folders(|all| all.retain(|path| *path != self.0));
    }
}

/// Removes them all, before the program ends without dropping them. Other threads may still write
/// there, and make anew what is gone: it is looked after once more.
pub fn remove_all() {
    const TRIES: u32 = 100;
    const PAUSE: Duration = Duration::from_millis(10);
    folders(|all| {
        for path in all.iter() {
            for _ in 0..TRIES {
                let _ = fs::remove_dir_all(path);
                thread::sleep(PAUSE);
                if !path.exists() {
                    break;
                }
            }
        }
    });
}

fn folders(change: impl FnOnce(&mut Vec<PathBuf>)) {
    change(&mut FOLDERS.lock().unwrap_or_else(PoisonError::into_inner));
}
