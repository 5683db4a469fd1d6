//! The whole program: what one invocation does with its trial in one launch.

use super::arithmetic::arithmetic;
use super::rows::Rows;

/// Words of a trial's orders: steps to make at most, and flags; the launch's number is in them.
pub const ORDERS: usize = 2;

/// Of a trial's orders: its draws are to be forgotten first.
pub const FORGET: u32 = 1;

/// Of a trial's orders: it has come to its first solution before.
pub const WAS_HIT: u32 = 2;

/// The flags below the launch's number.
pub const FLAGS_BITS: u32 = 2;

/// Words of a trial's report before its waits: in the order of [`Report`](super::report::Report).
pub const REPORT: usize = 9;

/// Draws without an open site that a report holds; with the last of them the launch ends.
pub const MOST_WAITS: usize = 32;

/// How a launch has ended for a trial: after all its steps,
pub const GOES_ON: u32 = 0;
/// at its first solution,
pub const HIT: u32 = 1;
/// where nothing can change any more,
pub const STILL: u32 = 2;
/// or with a report that is full.
pub const FULL: u32 = 3;
/// A loop did not end as it must.
pub const BROKEN: u32 = 4;

/// A program, and how much memory it works on.
#[derive(Debug, Clone)]
pub struct Program {
    /// In WGSL.
    pub text: String,
    /// Side of the board.
    pub n: usize,
    /// Bits of the number of queens on a cell.
    pub planes: usize,
    pub n_sites: usize,
}

impl Program {
    /// Of a step, written in `rows`, and the constants that it names.
    pub fn new(rows: Rows, constants: &str, n_sites: u64) -> Self {
        let (n, planes) = (rows.n, rows.planes);
        let state = (0..8)
            .map(|d| format!("s{d}"))
            .chain((0..planes).map(|plane| format!("q{plane}")));
        let state: Vec<String> = state
            .flat_map(|mask| (0..n).map(move |y| format!("{mask}_{y}")))
            .collect();
        let mut text = HEAD.to_owned();
        for (name, value) in [
            ("REPORT", REPORT as u32),
            ("WAITS", REPORT as u32),
            ("MOST_WAITS", MOST_WAITS as u32),
            ("HIT", HIT),
            ("STILL", STILL),
            ("FULL", FULL),
            ("BROKEN", BROKEN),
            ("FORGET", FORGET),
            ("WAS_HIT", WAS_HIT),
            ("SITES", n_sites as u32),
            ("TRIES", 96),
        ] {
            text += &format!("const {name} = {value}u;\n");
        }
        text += constants;
        state
            .iter()
            .for_each(|name| text += &format!("var<private> {name}: u32;\n"));
        text += &arithmetic();
        text += AROUND;
        text += &format!("fn step() {{\n{}}}\n", rows.text);
        let words = state
            .iter()
            .cloned()
            .chain((0..4).flat_map(|word| ["x", "y"].map(|part| format!("g{word}.{part}"))));
        let (mut load, mut store) = (String::new(), String::new());
        for (at, name) in words.enumerate() {
            load += &format!("  {name} = boards[{at}u * n_trials + trial];\n");
            store += &format!("  boards[{at}u * n_trials + trial] = {name};\n");
        }
        text += &MAIN.replace("LOAD\n", &load).replace("STORE\n", &store);
        Self {
            text,
            n,
            planes,
            n_sites: n_sites as usize,
        }
    }

    /// Words of a trial's board: the signals by direction, the bits of the number of queens, a word
    /// for each row; the generator.
    pub fn board_words(&self) -> usize {
        (8 + self.planes) * self.n + 8
    }

    /// Words of a trial's draws, by the number of open sites.
    pub fn draw_words(&self) -> usize {
        self.n_sites + 1
    }

    /// Words of a trial's report.
    pub fn report_words(&self) -> usize {
        REPORT + MOST_WAITS
    }

    /// Bytes of a trial on the device.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        4 * (self.board_words() + self.draw_words() + self.report_words() + ORDERS)
    }
}

const HEAD: &str = "
@group(0) @binding(0) var<storage, read_write> boards: array<u32>;
@group(0) @binding(1) var<storage, read_write> draws: array<u32>;
@group(0) @binding(2) var<storage, read_write> reports: array<u32>;
@group(0) @binding(3) var<storage, read> orders: array<u32>;
var<private> trial: u32;
var<private> n_trials: u32;
var<private> was_hit: bool;
var<private> is_broken: bool;
var<private> status: u32;
var<private> skipped: u32;
var<private> moves: u32;
var<private> dangerous: u32;
var<private> needless: u32;
var<private> deceived: u32;
var<private> entries: u32;
var<private> n_waits: u32;
";

/// A window of three rows as eight bits, those around its middle, by their directions.
const AROUND: &str = "
fn around(rows: vec3<u32>, column: u32) -> u32 {
  let window = vec3<u32>((rows.x << 1u) >> column, (rows.y << 1u) >> column,
    (rows.z << 1u) >> column) & vec3<u32>(7u, 7u, 7u);
  return window.x | ((window.y & 1u) << 3u) | ((window.y >> 2u) << 4u) | (window.z << 5u);
}
";

const MAIN: &str = "
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) invocation: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>) {
  trial = invocation.x + invocation.y * groups.x * 64u;
  n_trials = arrayLength(&orders) / 2u;
  if (trial >= n_trials) { return; }
  let most = orders[trial];
  let flags = orders[n_trials + trial];
  if (most == 0u) { return; }
  was_hit = (flags & WAS_HIT) != 0u;
LOAD
  if ((flags & FORGET) != 0u) {
    for (var open = 0u; open <= SITES; open++) { draws[open * n_trials + trial] = 0u; }
  }
  var made = 0u;
  while (made < most && status == 0u && !is_broken) {
    made += 1u;
    step();
  }
  if (is_broken) { status = BROKEN; }
STORE
  reports[trial] = flags;
  reports[n_trials + trial] = made;
  reports[2u * n_trials + trial] = status | (n_waits << 8u);
  reports[3u * n_trials + trial] = skipped;
  reports[4u * n_trials + trial] = moves;
  reports[5u * n_trials + trial] = dangerous;
  reports[6u * n_trials + trial] = needless;
  reports[7u * n_trials + trial] = deceived;
  reports[8u * n_trials + trial] = entries;
}
";

#[cfg(test)]
mod tests {
    use crate::solver::local::lanes::{gpu, step::Slots};
    use crate::solver::local::rules::{cell::CellRule, pair::PairRule};
    use crate::solver::local::samples::rule_at;
    use crate::solver::rng::Chance;

    /// As docs/methods.md says: 12 or 13 masks of n rows, 8 words of the generator, a word for each
    /// number of open sites from 0 on, and 43 words more.
    #[test]
    fn a_trial_takes_so_many_bytes() {
        for (n, pair, cell) in [(8, 1432, 848), (16, 4760, 2064)] {
            let [pairs, cells] = [4 * n * n - 6 * n + 2, n * n]
                .map(|sites| Slots::new(Chance::new(0.01), sites as u64, n as u64, 1));
            let program = gpu::on_pairs(&rule_at::<PairRule>("", n, 0.01, 0.1), n, &pairs);
            assert_eq!(program.bytes(), pair);
            let program = gpu::on_cells(&rule_at::<CellRule>("", n, 0.01, 0.1), n, &cells);
            assert_eq!(program.bytes(), cell);
        }
    }
}
