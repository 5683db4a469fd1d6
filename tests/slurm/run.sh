#!/usr/bin/env bash
# Shards on a real Slurm: one node on the loopback address, made for this test and gone with it. Run by `make test-slurm`.
# Needs root and Debian's packages slurmctld, slurmd, slurm-client and munge; without them it says so and skips.
set -euo pipefail

packages=(slurmctld slurmd slurm-client munge)
reines=$(realpath "${1:-target/release/reines}")
node=$(hostname -s)

skip() {
    echo "SKIPPED: the Slurm tests: $1"
    exit 0
}

have_slurm() {
    local program
    for program in slurmctld slurmd munged sbatch squeue scancel scontrol; do
        command -v "$program" >/dev/null || return 1
    done
    [ -r /etc/munge/munge.key ]
}

[ "$(id -u)" = 0 ] || skip "they start daemons and need root; run them as root where ${packages[*]} are installed"
if ! have_slurm; then
    command -v apt-get >/dev/null || skip "install ${packages[*]}"
    echo "installing ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -qq -y --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 || true
    have_slurm || skip "${packages[*]} could not be installed by apt-get; install them"
fi

work=$(mktemp -d)
chmod 755 "$work"

# Ends what this script has started, and nothing else.
finish() {
    local code=$? pid
    trap - EXIT
    if [ -n "${slurm_answers:-}" ]; then
        scancel --user=root >/dev/null 2>&1 || true
        wait_for 20 queue_is_empty || true
    fi
    # The children that still run: a number that somebody else has got meanwhile is not among them.
    for pid in $(jobs -pr); do
        kill "$pid" 2>/dev/null || true
    done
    wait
    if [ "$code" = 0 ]; then
        rm -rf "$work"
    else
        tail -n 20 "$work"/log/* >&2 || true
        echo "FAILED: the Slurm tests; what they left is in $work" >&2
    fi
    exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

# wait_for SECONDS COMMAND…
wait_for() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || return 1
        sleep 0.1
    done
}

fail() {
    echo "error: $*" >&2
    exit 1
}

queue_is_empty() { [ -z "$(squeue --noheader 2>/dev/null)" ]; }

# A port that nobody listens at.
free_port() {
    local port
    for port in $(shuf -i 20000-29999 -n 50); do
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port" && return; }
    done
    fail "no free port"
}

# --- One munged, one slurmctld, one slurmd ---------------------------------------------------------------------------

start() {
    "$@" >>"$work/log/$(basename "$1")" 2>&1 &
}

mkdir "$work"/{log,state,spool,munge}
chown munge "$work/munge"
start setpriv --reuid=munge --regid=munge --clear-groups munged --foreground --num-threads=2 --key-file=/etc/munge/munge.key \
    --socket="$work/munge/socket" --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed"
wait_for 10 test -S "$work/munge/socket" || fail "munged did not start"

export SLURM_CONF=$work/slurm.conf
# An array may have 6 tasks here, so that 8 shards come in chunks.
cat >"$SLURM_CONF" <<EOF
ClusterName=reines
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
KillWait=10
MaxArraySize=6
NodeName=$node NodeAddr=127.0.0.1 CPUs=3 State=UNKNOWN
PartitionName=test Nodes=$node Default=YES MaxTime=INFINITE State=UP
EOF

start_slurmd() {
    start slurmd -D -N "$node"
    slurmd=$!
}

start slurmctld -D -i
start_slurmd
node_is_up() { sinfo --noheader --format=%t 2>/dev/null | grep -qE '^(idle|mix|alloc)$'; }
wait_for 30 node_is_up || fail "Slurm did not start"
slurm_answers=yes

# --- The cases -------------------------------------------------------------------------------------------------------

# A folder whose name a careless script would trip over.
place="$work/it's a \$(touch pwned) place"
mkdir "$place"
cd "$place"

# spec NAME TRIALS, and what one plain run makes of it
spec() {
    cat >"$1.toml" <<EOF
seeds = [1, 2]

[[sweep]]
algorithm = "pair"
n       = [7, 8]
epsilon = 0.01
trials  = $2
cutoff  = 1e8
EOF
    "$reines" run --quiet --threads 2 --results plain "$1.toml"
    [ -f "$(run_of plain "$1")/trials.parquet" ] || fail "the plain run of $1.toml left no trials"
}

# Each case has a results folder; what is stopped in the middle needs a shard of seconds.
declare -A spec_of=([whole]=short [killed]=long [restarted]=long)

run_of() { echo "$1/${2:-${spec_of[$1]}}"/*-*; }
status() { "$reines" list --results "$1" "${spec_of[$1]}.toml" || true; }
says() { status "$1" | grep -qE "^ +$2"; }
submit() { "$reines" submit --results "$1" "${@:2}" "${spec_of[$1]}.toml"; }

# Whether the merged run in a results folder is there and has the plain run's bytes.
same_bytes() {
    "$reines" list --results "$1" "${spec_of[$1]}.toml" >/dev/null || fail "$1: not complete: $(status "$1"; cat "$(run_of "$1")"/slurm/*.out)"
    cmp "$(run_of plain "${spec_of[$1]}")/trials.parquet" "$(run_of "$1")/trials.parquet" || fail "$1: other bytes than the plain run's"
    echo "ok: $2"
}

# The process that runs a shard of a results folder, once it runs.
shard_process() { pgrep -f -- "^$reines run .*/$1 --shard $2 " | head -n 1; }
shard_runs() { [ -n "$(shard_process "$1" "$2")" ] && [ -e "$(run_of "$1")/shards/${2/\//-of-}/lock" ]; }

whole_array() {
    submit whole --shards 8 | grep -q "shards 0-7 as tasks 0-5 of job" || fail "8 shards do not come in 6 tasks"
    wait_for 300 queue_is_empty || fail "whole: the queue does not empty"
    same_bytes whole "8 shards in 6 tasks, and the run after them, have the plain run's bytes"
    submit whole | grep -q "complete already" || fail "a complete run is submitted again"
}

killed_tasks() {
    local said array last
    said=$(submit killed --shards 5)
    array=$(sed -n 's/.* of job \([0-9]*\)$/\1/p' <<<"$said")
    last=$(sed -n 's/.*run, .* as job \([0-9]*\)$/\1/p' <<<"$said")
    wait_for 30 shard_runs killed 0/5 || fail "shard 0/5 does not run"
    sleep 0.3
    scancel "${array}_0"
    wait_for 30 shard_runs killed 1/5 || fail "shard 1/5 does not run"
    kill -9 "$(shard_process killed 1/5)"
    wait_for 300 queue_is_empty || fail "killed: the queue does not empty"
    grep -q "trials taken over from .*/shards" "$(run_of killed)/slurm/run-$last.out" ||
        fail "the last job does not take what the shards have"
    same_bytes killed "one task cancelled, one process killed, finished by the last job: the plain run's bytes"
}

slurmd_restarted() {
    submit restarted --shards 6
    wait_for 30 shard_runs restarted 1/6 || fail "shard 1/6 does not run"
    kill "$slurmd"
    wait "$slurmd" || true
    sleep 1
    start_slurmd
    wait_for 30 node_is_up || fail "slurmd did not start again"
    says restarted '(running|queued|done)' || fail "no state while the array runs"
    wait_for 300 queue_is_empty || fail "restarted: the queue does not empty"
    same_bytes restarted "slurmd stopped and started in the middle: the plain run's bytes"
}

spec short 2000
spec long 40000

whole_array
killed_tasks
slurmd_restarted
[ -z "$(find "$work" -name pwned)" ] || fail "a name was run as a command"
echo "ok: the Slurm tests, in $SECONDS s"
