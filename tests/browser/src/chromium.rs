//! A Chromium that is gone when its owner is.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use anyhow::Context;
use headless_chrome::{Browser, LaunchOptions};
use tempfile::TempDir;

/// No answer takes longer, on a slow machine with other work too.
pub const LIMIT: Duration = Duration::from_secs(120);

/// No test takes longer with its browser.
const LIFE: Duration = Duration::from_secs(400);

/// Two that start at once could take one port.
static STARTING: Mutex<()> = Mutex::new(());

/// A browser with a profile and a home of its own, which go with it.
pub struct Chromium {
    browser: Option<Browser>,
    home: Option<TempDir>,
    process: u32,
    is_over: Arc<AtomicBool>,
}

impl Chromium {
    /// Starts the program that the variable `CHROMIUM` names.
    ///
    /// # Errors
    /// Where there is none, and where it does not start.
    pub fn start() -> anyhow::Result<Self> {
        let program = env::var("CHROMIUM").context("CHROMIUM names no program")?;
        let home = tempfile::tempdir()?;
        let folder = home.path().to_string_lossy().into_owned();
        let places = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"];
        let places = places.map(|name| (name.to_owned(), folder.clone()));
        let options = LaunchOptions {
            path: Some(PathBuf::from(program)),
            sandbox: !is_root(),
            user_data_dir: Some(home.path().join("profile")),
            process_envs: Some(HashMap::from(places)),
            idle_browser_timeout: LIMIT,
            args: vec![
                OsStr::new("--disable-component-update"),
                OsStr::new("--hide-scrollbars"),
            ],
            ..LaunchOptions::default()
        };
        let _one_at_a_time = STARTING.lock().unwrap_or_else(|it| it.into_inner());
        let browser = Browser::new(options)?;
        let process = browser.get_process_id().context("a process of our own")?;
        let is_over = Arc::new(AtomicBool::new(false));
        watch(process, Arc::clone(&is_over));
        Ok(Self {
            browser: Some(browser),
            home: Some(home),
            process,
            is_over,
        })
    }

    /// The browser.
    pub fn browser(&self) -> &Browser {
        self.browser.as_ref().expect("until it is dropped")
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// The folder that goes with it.
    pub fn home(&self) -> &Path {
        self.home.as_ref().expect("until it is dropped").path()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        drop(self.browser.take());
        let Some(home) = self.home.take() else { return };
        let folder = home.keep();
        // Its other processes may write for a moment still.
        for _ in 0..50 {
            if fs::remove_dir_all(&folder).is_ok() || !folder.exists() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        eprintln!("{} is left", folder.display());
    }
}

/// Ends the browser and the tests where a test does not end.
fn watch(browser: u32, is_over: Arc<AtomicBool>) {
    thread::spawn(move || {
        let begin = Instant::now();
        while begin.elapsed() < LIFE {
            thread::sleep(Duration::from_millis(200));
            if is_over.load(Ordering::SeqCst) {
                return;
            }
        }
        eprintln!("a test with a browser takes more than {LIFE:?}");
        let kill = process::Command::new("kill")
            .args(["-9", &browser.to_string()])
            .status();
        eprintln!("kill: {kill:?}");
        process::exit(1);
    });
}

/// Chromium refuses its sandbox to root.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}
