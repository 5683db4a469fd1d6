#!/bin/bash
shards={shards}
tasks={tasks}
# Written by `reines submit`, which makes it anew each time and reads the two numbers again.
set -u
reines={reines}
# Since the submission the program may have been built anew; shards of two code versions do not mix.
plan=({spec} --code-version {code_version} --results {results})

# The last job takes the shards, runs what is missing of them, and makes the run's tables.
if [ "${{1-}}" = finish ]; then
    exec "$reines" run "${{plan[@]}}" --threads "${{SLURM_CPUS_PER_TASK:-1}}"
fi
# Each task runs every `tasks`-th shard from its own index on; one that is done costs nothing. Asked
# to end, the program saves what is finished, and no further shard is begun.
stopped=0 failed=0
trap 'stopped=1' TERM INT
for ((shard = SLURM_ARRAY_TASK_ID; shard < shards; shard += tasks)); do
    "$reines" run "${{plan[@]}}" --shard "$shard/$shards" --threads "${{SLURM_CPUS_PER_TASK:-1}}" ||
        failed=$?
    [ "$stopped" = 0 ] || exit 1
done
exit "$failed"
