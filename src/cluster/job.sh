#!/bin/bash
shards={shards}
tasks={tasks}
# Written by `reines submit`, which makes it anew each time and reads the two numbers again.
set -u
reines={reines}
# Since the submission the program may have been built anew; shards of two code versions are not
# merged.
plan=({spec} --code-version {code_version} {options} --results {results})

# The last job puts the shards together, or names those that are missing.
if [ "${{1-}}" = merge ]; then
    exec "$reines" merge "${{plan[@]}}" --shards "$shards"
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
