//! Processor seconds of a run and of the commands that read it, as multiples of what Polars in
//! Python takes to read the same table and to sum up five columns of each point; and the seconds
//! that the threads of a run are idle.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = [0.02, 0.04, 0.06, 0.08, 0.1]\n\
    trials = 200_000\ncutoff = 1e9\n[[figure]]\nkind = \"convergence-vs-epsilon\"\n";

/// As many trials, of many points, which are saved in several parts and joined.
const MANY_POINTS: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\n\
    epsilon = { from = 0.1, to = 0.2, points = 20_000 }\ntrials = 50\ncutoff = 100\n";

fn main() {
    // `cargo test --benches` only wants to see that this compiles.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let place = folder.path();
    fs::write(place.join("a.toml"), SPEC).expect("it can be written");
    fs::write(place.join("points.toml"), MANY_POINTS).expect("it can be written");
    println!(
        "10⁶ trials: processor seconds, the most memory so far, multiples of Polars in Python"
    );
    let commands = [
        "run a.toml -q",
        "report a.toml",
        "verify",
        "diff results results",
        "export a -o a.csv",
        "export a -o a.parquet",
        "run points.toml -q",
    ];
    let spent: Vec<(f64, f64)> = commands.iter().map(|it| spent(place, it)).collect();
    let base = polars(place);
    match base {
        Some(base) => println!("{:<24} {base:7.2} s", "Polars in Python"),
        None => println!("no Polars in Python (PYTHON names another one): no multiples"),
    }
    for (command, (seconds, peak)) in commands.iter().zip(spent) {
        let times = base.map_or_else(String::new, |base| format!("{:.1} ×", seconds / base));
        println!("{command:<24} {seconds:7.2} s {peak:5.0} MB  {times}");
    }
    fs::write(place.join("b.toml"), MIXED).expect("it can be written");
    for threads in [2, 16] {
        print_idle(place, threads);
    }
}

/// Points of trials that take from microseconds to a tenth of a second, none a multiple of the
/// threads.
const MIXED: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = \"4..9\"\nepsilon = [0.003, 0.01]\n\
    trials = 150\ncutoff = 1e9\n";

/// Seconds in which a thread of a run has no trial: threads · wall-clock time, less the time of all
/// trials as the manifest has it. Reading the spec and writing the tables is in it.
fn print_idle(place: &Path, threads: usize) {
    let folder = format!("idle-{threads}");
    let start = Instant::now();
    spent(
        place,
        &format!("run b.toml -q --threads {threads} --dynamics one-by-one --results {folder}"),
    );
    let wall = start.elapsed().as_secs_f64();
    let runs = fs::read_dir(place.join(folder).join("b")).expect("a run");
    let manifests =
        runs.filter_map(|run| fs::read_to_string(run.ok()?.path().join("manifest.toml")).ok());
    let seconds = |line: &str| line.strip_prefix("seconds_sum = ")?.parse::<f64>().ok();
    let busy: f64 = manifests
        .map(|text| text.lines().filter_map(seconds).sum::<f64>())
        .sum();
    let all = wall * threads as f64;
    println!(
        "idle with {threads:2} threads: {:.2} of {all:.2} thread seconds",
        all - busy
    );
}

/// Mean, deviation and median of five columns of each point.
const POLARS: &str = "
import polars, time
columns = ['absorption_time', 'hitting_time', 'moves', 'moves_at_hit', 'updates']
def summed_up():
    start = time.process_time()
    table = polars.read_parquet('results/a/trials.parquet')
    table.group_by('epsilon').agg(
        [getattr(polars.col(it), of)().alias(it + of) for it in columns for of in ['mean', 'std', 'median']])
    return time.process_time() - start
print(min(summed_up() for _ in range(3)))";

/// Processor seconds of Polars in Python; `None` where that is not installed.
fn polars(place: &Path) -> Option<f64> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new(python);
    let output = command.args(["-c", POLARS]).current_dir(place).output();
    String::from_utf8(output.ok()?.stdout)
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// Processor seconds of a command, and the most memory that any command had so far, in MB.
fn spent(place: &Path, command: &str) -> (f64, f64) {
    let before = processor_seconds();
    let status = Command::new(env!("CARGO_BIN_EXE_reines"))
        .args(command.split(' '))
        .current_dir(place)
        .output();
    assert!(status.expect("the program starts").status.success());
    let kilobytes = usage().ru_maxrss;
    let seconds = processor_seconds() - before;
    (seconds, kilobytes as f64 / 1024.0)
}

fn processor_seconds() -> f64 {
    let usage = usage();
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// What all commands so far have used.
fn usage() -> libc::rusage {
    let mut usage = std::mem::MaybeUninit::zeroed();
    // SAFETY: the pointer is to memory of this type, which the call fills; zeros are a value of it.
    unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    }
}
