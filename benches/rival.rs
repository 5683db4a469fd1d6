//! A plain C rival: compiled where there is a C compiler, timed from outside, its answer read from
//! its standard output.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

pub struct Rival {
    program: PathBuf,
    /// Goes with the program when the bench ends.
    _folder: tempfile::TempDir,
}

impl Rival {
    /// Compiles `benches/rivals/NAME.c` for this machine, with `$CC` or `cc`; `None`, and says why,
    /// where that fails.
    pub fn compile(name: &str) -> Option<Self> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("benches/rivals")
            .join(name)
            .with_extension("c");
        let folder = tempfile::tempdir().expect("a folder for the rival's program");
        let program = folder.path().join(name);
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let compiled = Command::new(&compiler)
            .args(["-O3", "-march=native", "-o"])
            .args([&program, &source])
            .arg("-lm")
            .status();
        match compiled {
            Ok(status) if status.success() => Some(Self {
                program,
                _folder: folder,
            }),
            Ok(status) => skipped(name, &format!("{compiler} ended with {status}")),
            Err(error) => skipped(name, &format!("{compiler}: {error}")),
        }
    }

    /// Runs the rival: what it printed, and how long it took, its start included (a millisecond or
    /// two).
    pub fn run(&self, arguments: &[&str]) -> (String, Duration) {
        let start = Instant::now();
        let output = Command::new(&self.program)
            .args(arguments)
            .output()
            .expect("the rival starts");
        let elapsed = start.elapsed();
        assert!(
            output.status.success(),
            "the rival ended with {}",
            output.status
        );
        (
            String::from_utf8(output.stdout)
                .expect("the rival prints ASCII")
                .trim()
                .to_owned(),
            elapsed,
        )
    }
}

fn skipped(name: &str, why: &str) -> Option<Rival> {
    println!("SKIPPED: no comparison with {name}.c ({why})");
    None
}
