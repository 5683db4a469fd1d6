//! What the system answers, in place of the system: a library that is loaded before the system's
//! own. Skipped where there is no C compiler.
#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Output};

    use crate::damage::{begin, workplace};
    use crate::program::{Workplace, stderr, stdout};

    /// The call number `FAIL_AT` that reads from a file whose path ends with `FAIL_ON` fails once,
    /// as on a disk or a network that is well again a moment later.
    const READS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int calls;
static int fails(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    const char *end = getenv("FAIL_ON");
    if (length < (ssize_t)strlen(end)) return 0;
    path[length] = 0;
    if (strcmp(path + length - strlen(end), end)) return 0;
    if (__sync_add_and_fetch(&calls, 1) != atoi(getenv("FAIL_AT"))) return 0;
    errno = EIO;
    return 1;
}
ssize_t read(int file, void *into, size_t count) {
    return fails(file) ? -1 : syscall(SYS_read, file, into, count);
}
ssize_t pread64(int file, void *into, size_t count, off_t at) {
    return fails(file) ? -1 : syscall(SYS_pread64, file, into, count, at);
}
"#;

    /// The clock on the wall says 1969.
    const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec = -1000000;
    return result;
}
"#;

    /// The library of a source, `None` where there is no compiler.
    fn library(workplace: &Workplace, source: &str) -> Option<PathBuf> {
        workplace.write("preload.c", source);
        let mut compiler = Command::new("cc");
        compiler
            .args(["-shared", "-fPIC", "-O1", "-o", "preload.so", "preload.c"])
            .current_dir(workplace.path());
        if compiler.status().is_ok_and(|status| status.success()) {
            return Some(workplace.path().join("preload.so"));
        }
        println!("skipped: no C compiler");
        None
    }

    /// Runs a command with its 1st, 2nd, 3rd, 5th, 8th … read of such files failing, each alone,
    /// until there is no such read; returns the last that failed. (`make faults` fails every one.)
    fn with_failing_reads(
        workplace: &Workplace,
        library: &Path,
        on: &str,
        arguments: &[&str],
        check: &mut dyn FnMut(Output),
    ) -> u32 {
        let (mut last, mut at) = (0, 1);
        while at < 1000 {
            let mut command = workplace.command(arguments);
            command.env("LD_PRELOAD", library);
            command.env("FAIL_ON", on).env("FAIL_AT", at.to_string());
            let output = command.output().expect("the program starts");
            if output.status.success() {
                return last;
            }
            check(output);
            (last, at) = (at, (last + at).max(2));
        }
        panic!("{arguments:?} never succeeds");
    }

    fn assert_named(output: &Output, on: &str) {
        let said = stderr(output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains(on) && said.contains("nput/output error"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }

    /// A read that fails says nothing of the file: it is named, and nothing is changed.
    #[test]
    fn a_read_of_a_part_that_fails_is_no_damage() {
        let workplace = workplace();
        let Some(library) = library(&workplace, READS) else {
            return;
        };
        let run = begin(&workplace);
        let parts = || {
            let entries = fs::read_dir(run.join("parts")).expect("there are parts");
            let names = entries.map(|it| it.expect("an entry").file_name());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        let before = parts();
        let mut check = |output| {
            assert_named(&output, ".parquet");
            // Parts of trials that ran now may have come, and none is gone.
            let now = parts();
            assert!(before.iter().all(|name| now.contains(name)), "{now:?}");
            assert!(
                now.iter()
                    .all(|name| !name.to_string_lossy().ends_with("damaged"))
            );
        };
        let failed = with_failing_reads(
            &workplace,
            &library,
            ".parquet",
            &["run", "a.toml"],
            &mut check,
        );
        assert!(failed >= 8, "{failed} reads of two parts");
        assert_eq!(
            workplace.bytes("results", "a", "trials.parquet"),
            workplace.bytes("whole", "a", "trials.parquet")
        );
    }

    #[test]
    fn a_read_of_a_shard_that_fails_does_not_move_it_aside() {
        let workplace = workplace();
        let Some(library) = library(&workplace, READS) else {
            return;
        };
        for shard in ["0/2", "1/2"] {
            workplace.succeed(&["run", "a.toml", "--shard", shard]);
        }
        let shards = workplace.runs("results", "a")[0].join("shards");
        let mut check = |output| {
            assert_named(&output, ".parquet");
            for shard in ["0-of-2", "1-of-2"] {
                assert!(shards.join(shard).join("manifest.toml").exists());
            }
            let names = fs::read_dir(&shards).expect("they stay");
            let mut names = names.map(|entry| entry.expect("an entry").file_name());
            assert!(names.all(|name| !name.to_string_lossy().contains("damaged")));
        };
        let failed = with_failing_reads(
            &workplace,
            &library,
            "shard.parquet",
            &["merge", "a.toml"],
            &mut check,
        );
        assert!(failed >= 5, "{failed} reads of two shards");
        assert_eq!(
            workplace.bytes("results", "a", "trials.parquet"),
            workplace.bytes("whole", "a", "trials.parquet")
        );
    }

    /// The tables of a complete run: nothing is drawn, nothing runs again.
    #[test]
    fn a_read_of_a_table_that_fails_is_named() {
        let workplace = workplace();
        let Some(library) = library(&workplace, READS) else {
            return;
        };
        for (arguments, least) in [
            (&["report", "a.toml", "--results", "whole"][..], 3),
            // Which looks at it twice.
            (&["run", "a.toml", "--results", "whole"], 0),
            (&["export", "a", "--results", "whole", "-o", "a.csv"], 3),
        ] {
            let whole = workplace.files("whole", "a");
            let _ = fs::remove_dir_all(workplace.path().join("figures"));
            let mut check = |output| {
                assert_named(&output, "trials.parquet");
                assert!(!workplace.path().join("figures").exists());
                assert!(!workplace.path().join("a.csv").exists());
                assert_eq!(workplace.files("whole", "a"), whole);
            };
            let failed = with_failing_reads(
                &workplace,
                &library,
                "trials.parquet",
                arguments,
                &mut check,
            );
            assert!(failed >= least, "{arguments:?}: {failed} reads");
        }
        let mut verify = workplace.command(&["verify-files", "whole"]);
        verify
            .env("LD_PRELOAD", &library)
            .env("FAIL_ON", "trials.parquet")
            .env("FAIL_AT", "1");
        let output = verify.output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stdout(&output).contains("nput/output error"),
            "{}",
            stdout(&output)
        );
    }

    #[test]
    fn a_clock_before_1970_harms_no_run() {
        let workplace = workplace();
        let Some(library) = library(&workplace, CLOCK) else {
            return;
        };
        for arguments in [&["run", "a.toml"][..], &["report", "a.toml"], &["list"]] {
            let mut command = workplace.command(arguments);
            let output = command.env("LD_PRELOAD", &library).output();
            let output = output.expect("the program starts");
            assert!(output.status.success(), "{}", stderr(&output));
        }
        let manifest = workplace.bytes("results", "a", "manifest.toml");
        assert!(String::from_utf8_lossy(&manifest).contains("started = \"1969-12-20T10:13:20Z\""));
        workplace.succeed(&["verify-files"]);
    }
}
