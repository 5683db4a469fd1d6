#!/usr/bin/env bash
# The lines of docs/clusters.md on a real Slurm: one node on the loopback address, made for this test and gone with it. Run by `make test-slurm`.
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

[ "$(id -u)" = 0 ] || { sudo -n true 2>/dev/null && exec sudo -n "$0" "$reines"; } || skip "they start daemons and need root; run them as root where ${packages[*]} are installed"
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
cat >"$SLURM_CONF" <<EOF
ClusterName=reines
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket,cred_expire=5
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
mkdir -p "$place/experiments" "$work/bin"
cp "$reines" "$work/bin/reines"
export PATH=$work/bin:$PATH
page=$(realpath "$(dirname "$0")/../../docs/clusters.md")
cd "$place"

# block N: the page's N-th block of bash, as it stands.
block() {
    awk -v wanted="$1" '/^```bash$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside && n == wanted' "$page"
}

# spec SEEDS N TRIALS: an experiment, and what one plain run makes of it.
spec() {
    printf 'seeds = %s\n[[sweep]]\nalgorithm = "pair"\nn = %s\nepsilon = 0.01\ntrials = %s\ncutoff = 1e8\n' \
        "$1" "$2" "$3" >experiments/mine.toml
    rm -rf results plain
    reines run --quiet --threads 2 --results plain experiments/mine.toml
}

# The process that runs a piece, once it has a folder.
piece_process() { pgrep -f -- "reines run --quiet --threads 1 --only $1 " | head -n 1; }
piece_runs() { [ -n "$(piece_process "$1")" ] && ls results/mine/*/lock >/dev/null 2>&1; }

# Runs a block of the page; a task is killed and another requeued; then the plain run's bytes are there.
try() { # BLOCK NAME KILLED REQUEUED
    bash -c "$(block "$1")" >"$work/log/submitted"
    local array
    array=$(squeue --noheader --array --format=%F --states=all | sort -n | head -n 1)
    wait_for 60 piece_runs "$3" || fail "$2: piece $3 does not run"
    kill -9 "$(piece_process "$3")"
    wait_for 60 piece_runs "$4" || fail "$2: piece $4 does not run"
    scontrol requeue "${array}_$5"
    wait_for 300 queue_is_empty || fail "$2: the queue does not empty"
    local run same=''
    for run in results/mine/*/; do
        if cmp -s plain/mine/*/trials.parquet "$run/trials.parquet"; then same=$run; fi
    done
    [ -n "$same" ] || fail "$2: no run has the plain run's bytes: $(ls results/mine; cat slurm-*.out)"
    reines run experiments/mine.toml 2>&1 | grep -q "complete already" || fail "$2: the run is not complete"
    echo "ok: 8 pieces $2, one killed, one requeued: the plain run's bytes"
}

spec '[1, 2, 3, 4, 5, 6, 7, 8]' '[7, 8]' 2000
try 1 "by seed" seed=1 seed=2 2
spec '[1]' 10 200
try 2 "by trial" "trial>=0,trial<25" "trial>=25,trial<50" 1
[ -z "$(find "$work" -name pwned)" ] || fail "a name was run as a command"
echo "ok: the Slurm tests, in $SECONDS s"
