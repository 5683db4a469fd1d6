//! Processor seconds of the commands that read results, as multiples of what Polars takes to read
//! the same table and to sum up five columns of each point; and of the run that made it.

use std::fs;
use std::path::Path;
use std::process::Command;

use polars::prelude::{
    ChunkAgg, ChunkQuantile, ChunkVar, DataFrame, ParquetReader, PolarsResult, SerReader,
};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = [0.02, 0.04, 0.06, 0.08, 0.1]\n\
    trials = 200_000\ncutoff = 1e9\n[[figure]]\nkind = \"convergence-vs-epsilon\"\n";
const COLUMNS: [&str; 5] = [
    "absorption_time",
    "hitting_time",
    "moves",
    "moves_at_hit",
    "updates",
];

fn main() {
    // `cargo test --benches` only wants to see that this compiles.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let place = folder.path();
    fs::write(place.join("a.toml"), SPEC).expect("it can be written");
    println!("10⁶ trials: processor seconds, and as multiples of reading and summing up by Polars");
    let (seconds, peak) = spent(place, "run a.toml -q");
    println!("{:<24} {seconds:7.2}  {peak:5.0} MB", "run");
    let table = place.join("results/a/trials.parquet");
    let before = processor_seconds(libc::RUSAGE_SELF);
    summed_up(&table).expect("a table");
    let base = processor_seconds(libc::RUSAGE_SELF) - before;
    println!("{:<24} {base:7.2}", "Polars");
    for command in [
        "report a.toml",
        "verify",
        "diff results results",
        "export a -o a.csv",
        "export a -o a.parquet",
    ] {
        let (seconds, peak) = spent(place, command);
        let times = seconds / base;
        println!("{command:<24} {seconds:7.2} {times:5.1} ×  {peak:5.0} MB");
    }
}

/// Mean, deviation and median of the columns at each ε.
fn summed_up(table: &Path) -> PolarsResult<()> {
    let file = fs::File::open(table).expect("the run made it");
    let table: DataFrame = ParquetReader::new(file).finish()?;
    let of_point = table.height() / 5;
    for point in 0..5 {
        let rows = table.slice((point * of_point) as i64, of_point);
        for name in COLUMNS {
            let values = rows.column(name)?.u64()?;
            let all = (values.mean(), ChunkVar::std(values, 1), values.median());
            assert!(std::hint::black_box(all).0.is_some());
        }
    }
    Ok(())
}

/// Processor seconds of a command, and the most memory that any command had so far, in MB.
fn spent(place: &Path, command: &str) -> (f64, f64) {
    let before = processor_seconds(libc::RUSAGE_CHILDREN);
    let status = Command::new(env!("CARGO_BIN_EXE_reines"))
        .args(command.split(' '))
        .current_dir(place)
        .output();
    assert!(status.expect("the program starts").status.success());
    let kilobytes = usage(libc::RUSAGE_CHILDREN).ru_maxrss;
    let seconds = processor_seconds(libc::RUSAGE_CHILDREN) - before;
    (seconds, kilobytes as f64 / 1024.0)
}

fn processor_seconds(who: libc::c_int) -> f64 {
    let usage = usage(who);
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

fn usage(who: libc::c_int) -> libc::rusage {
    let mut usage = std::mem::MaybeUninit::zeroed();
    // SAFETY: the pointer is to memory of this type, which the call fills; zeros are a value of it.
    unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    }
}
