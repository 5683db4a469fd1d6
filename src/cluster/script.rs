//! The batch scripts. Every text from outside is in single quotes, and is expanded in double quotes
//! only.

/// What the scripts are filled in with.
#[derive(Debug, Clone)]
pub struct Script<'a> {
    /// Absolute paths.
    pub program: &'a str,
    pub spec: &'a str,
    pub results: &'a str,
    pub shards: u32,
    /// Tasks of the array.
    pub tasks: u32,
    /// What `reines --version` prints.
    pub version: &'a str,
    /// More options of `run` and `merge`: those that decide the plan.
    pub options: &'a [String],
}

impl Script<'_> {
    /// Each task runs every `tasks`-th shard from its own index on; a shard that is done already
    /// costs nothing.
    pub fn array(&self) -> String {
        format!(
            "{head}shards={shards}\ntasks={tasks}\n\n\
             # Asked to end, the program saves what is finished; no further shard is begun.\n\
             stopped=0 failed=0\n\
             trap 'stopped=1' TERM INT\n\
             for ((shard = SLURM_ARRAY_TASK_ID; shard < shards; shard += tasks)); do\n\
             \x20   \"$reines\" run \"$spec\" --results \"$results\" --shard \"$shard/$shards\" \
             --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" \"${{options[@]}}\" || failed=1\n\
             \x20   [ \"$stopped\" = 0 ] || exit 1\n\
             done\n\
             exit \"$failed\"\n",
            head = self.head(),
            shards = self.shards,
            tasks = self.tasks,
        )
    }

    /// Puts the shards together, or names those that are missing.
    pub fn merge(&self) -> String {
        let (head, shards) = (self.head(), self.shards);
        format!(
            "{head}shards={shards}\n\nexec \"$reines\" merge \"$spec\" --results \"$results\" --shards \"$shards\" \"${{options[@]}}\"\n"
        )
    }

    fn head(&self) -> String {
        let options: Vec<String> = self.options.iter().map(|option| quote(option)).collect();
        format!(
            "#!/bin/bash\n\
             # Written by `reines submit`, which makes it anew each time.\n\
             set -u\n\
             reines={program}\nspec={spec}\nresults={results}\nversion={version}\noptions=({options})\n\n\
             # Since the submission the program may have been built anew; shards of two code versions are not merged.\n\
             if [ \"$(\"$reines\" --version)\" != \"$version\" ]; then\n\
             \x20   echo \"error: $reines is not $version any more: build that version again, or submit anew\" >&2\n\
             \x20   exit 2\n\
             fi\n\n",
            program = quote(self.program),
            spec = quote(self.spec),
            results = quote(self.results),
            version = quote(self.version),
            options = options.join(" "),
        )
    }
}

/// A word that the shell reads back as `text`, for every text.
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const HOSTILE: [&str; 9] = [
        "",
        "a b",
        "it's",
        "$(touch pwned)",
        "`touch pwned`",
        "a\nb; touch pwned",
        "\\",
        "*",
        "'; touch pwned; '",
    ];

    #[test]
    fn a_quoted_word_is_read_back_as_it_was() {
        for text in HOSTILE {
            let folder = tempfile::tempdir().unwrap();
            let script = format!("printf %s {}", quote(text));
            let output = Command::new("bash")
                .args(["-c", &script])
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), text);
            assert_eq!(
                std::fs::read_dir(folder.path()).unwrap().count(),
                0,
                "{text:?}"
            );
        }
    }

    #[test]
    fn each_task_runs_its_shards_and_no_word_of_a_path_is_run() {
        // In place of the program: answers --version, and writes each argument on a line.
        let program = "if [ \"$1\" = --version ]; then echo 'reines 1'; else printf '<%s>' \"$@\" >> calls; echo >> calls; fi\n";
        for text in HOSTILE.into_iter().filter(|text| !text.is_empty()) {
            let folder = tempfile::tempdir().unwrap();
            let reines = folder.path().join(text.replace('/', "_"));
            std::fs::write(&reines, format!("#!/bin/bash\n{program}")).unwrap();
            Command::new("chmod")
                .arg("+x")
                .arg(&reines)
                .status()
                .unwrap();
            let options = ["--quick".to_owned(), text.to_owned()];
            let reines = reines.to_str().unwrap();
            let script = Script {
                program: reines,
                spec: text,
                results: text,
                shards: 7,
                tasks: 3,
                version: "reines 1",
                options: &options,
            };
            let run = |body: String| {
                let mut command = Command::new("bash");
                let output = command
                    .args(["-c", &body])
                    .env("SLURM_ARRAY_TASK_ID", "1")
                    .current_dir(folder.path())
                    .output()
                    .unwrap();
                assert!(
                    output.status.success(),
                    "{}",
                    String::from_utf8_lossy(&output.stderr)
                );
            };
            run(script.array());
            run(script.merge());
            let calls = std::fs::read_to_string(folder.path().join("calls")).unwrap();
            let shard = |i: u32| {
                format!(
                    "<run><{text}><--results><{text}><--shard><{i}/7><--threads><1><--quick><{text}>\n"
                )
            };
            let merge =
                format!("<merge><{text}><--results><{text}><--shards><7><--quick><{text}>\n");
            assert_eq!(calls, [shard(1), shard(4), merge].concat());
            assert!(!folder.path().join("pwned").exists(), "{text:?}");
        }
    }

    #[test]
    fn another_code_version_runs_nothing() {
        let script = Script {
            program: "/bin/echo",
            spec: "s",
            results: "r",
            shards: 1,
            tasks: 1,
            version: "reines 1",
            options: &["-x".into()],
        };
        let output = Command::new("bash")
            .args(["-c", &script.array()])
            .env("SLURM_ARRAY_TASK_ID", "0")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("not reines 1 any more"));
        assert!(output.stdout.is_empty());
    }
}
