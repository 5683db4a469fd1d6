//! `kill -9` at random moments in every command: what is there is whole, and the next call of the
//! command ends with the same bytes.

use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::scenarios::{ALL, Met, copy};

/// Of all commands together.
const KILLS: usize = 1000;

/// Xorshift64*: the moments of killing, a part of a whole.
fn draw(state: &mut u64) -> f64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn kills_in_every_command_leave_the_bytes_alone() {
    let (mut killed, mut tried, mut short) = (0, 0, Vec::new());
    let mut state = 0x5eed_0003;
    for scenario in ALL {
        let ready = scenario.ready();
        let started = Instant::now();
        let expected = scenario.expected(&ready);
        let whole = started.elapsed();
        for _ in 0..KILLS.div_ceil(ALL.len() * crate::stride()) {
            let place = copy(&ready);
            let mut child = place
                .command(scenario.command)
                .env("TMPDIR", std::env::temp_dir())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            sleep(Duration::from_secs_f64(
                whole.as_secs_f64() * draw(&mut state),
            ));
            child.kill().expect("a child can be killed");
            let status = child.wait().expect("the child can be waited for");
            tried += 1;
            killed += usize::from(status.code().is_none());
            let met = if status.success() {
                Met::Unaffected
            } else {
                Met::Error
            };
            if let Err(reason) = scenario.judge_files(&place, met, &expected) {
                short.push(format!("{}: {reason}", scenario.name));
            }
        }
    }
    println!(
        "{tried} kills, {killed} of them in time; {} fall short",
        short.len()
    );
    assert!(short.is_empty(), "{}", short.join("\n"));
    assert!(killed * 4 > tried, "most came too late");
}
