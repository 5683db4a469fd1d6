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
    /// Of the plan.
    pub code_version: &'a str,
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
             --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" \"${{options[@]}}\" || failed=$?\n\
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
             reines={program}\nspec={spec}\nresults={results}\n\
             # Since the submission the program may have been built anew; shards of two code versions are not merged.\n\
             options=(--code-version {code_version} {options})\n\n",
            program = quote(self.program),
            spec = quote(self.spec),
            results = quote(self.results),
            code_version = quote(self.code_version),
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
        // In place of the program: writes its arguments on a line.
        let program = "printf '<%s>' \"$@\" >> calls; echo >> calls\n";
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
                code_version: text,
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
                    "<run><{text}><--results><{text}><--shard><{i}/7><--threads><1><--code-version><{text}><--quick><{text}>\n"
                )
            };
            let merge = format!(
                "<merge><{text}><--results><{text}><--shards><7><--code-version><{text}><--quick><{text}>\n"
            );
            assert_eq!(calls, [shard(1), shard(4), merge].concat());
            assert!(!folder.path().join("pwned").exists(), "{text:?}");
        }
    }
}
