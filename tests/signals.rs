//! Signals: a run that is asked twice to end leaves nothing in the temporary folder.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::program::{Workplace, forge_plan, wait_until};

/// A trial that does not end.
const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 3\nepsilon = 0.02\ntrials = 1\ncutoff = 100_000\n";

#[test]
fn a_rerun_that_is_asked_twice_to_end_leaves_no_temporary_folder() {
    let workplace = Workplace::with(&SPEC.replace("100_000", "1_000_000_000_000"));
    // The run that is repeated is cut short and signed by hand: only its plan counts here.
    let temporary = workplace.path().join("temporary");
    fs::create_dir(&temporary).expect("it can be made");
    let run = complete(&workplace);
    for pause in [0, 0, 1, 5] {
        let mut child = workplace
            .command(format!("verify --rerun {run}"))
            .env("TMPDIR", &temporary)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let is_under_way = || {
            let entries = fs::read_dir(&temporary).expect("it can be listed");
            entries
                .flatten()
                .any(|entry| entry.path().join("a").exists())
        };
        wait_until("the rerun is under way", is_under_way);
        for _ in 0..2 {
            let sent = Command::new("kill").arg(child.id().to_string()).status();
            sent.expect("there is a kill command");
            sleep(Duration::from_millis(pause));
        }
        let code = child.wait().expect("the child can be waited for").code();
        assert!(code == Some(130), "{code:?}");
        let left = fs::read_dir(&temporary).expect("it can be listed");
        assert_eq!(left.count(), 0, "{code:?}");
    }
}

/// A run that says to be complete, of a plan that would take for ever.
fn complete(workplace: &Workplace) -> String {
    workplace.write("short.toml", SPEC);
    workplace.succeed("run short.toml");
    let run = workplace.runs("results", "short")[0].clone();
    forge_plan(workplace, &run);
    run.display().to_string()
}
