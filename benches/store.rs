//! Processor seconds of a run and of the commands that read it, as multiples of what Polars in
//! Python takes to read the same table and to sum up five columns of each point.

use std::fs;
use std::path::Path;
use std::process::Command;

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = [0.02, 0.04, 0.06, 0.08, 0.1]\n\
    trials = 200_000\ncutoff = 1e9\n[[figure]]\nkind = \"convergence-vs-epsilon\"\n";

fn main() {
    // `cargo test --benches` only wants to see that this compiles.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let place = folder.path();
    fs::write(place.join("a.toml"), SPEC).expect("it can be written");
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
