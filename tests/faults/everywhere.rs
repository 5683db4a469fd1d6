//! `kill -9` at random moments in every command: what is there is whole, and the next call of the
//! command ends with the same bytes.

use std::thread::sleep;
use std::time::Instant;

use super::scenarios::{ALL, Met};
use super::stride;
use crate::program::Draws;

/// The kills of all commands together.
const KILLS: usize = 1000;

#[test]
#[ignore = "slow: `make faults`"]
fn kills_in_every_command_leave_the_bytes_alone() {
    let (mut killed, mut tried, mut short) = (0, 0, Vec::new());
    let mut draws = Draws::new(3);
    for scenario in ALL {
        let ready = scenario.ready();
        let started = Instant::now();
        let expected = scenario.expected(&ready);
        let whole = started.elapsed();
        for _ in 0..KILLS.div_ceil(ALL.len() * stride()) {
            let place = ready.copy();
            let mut child = place.start(scenario.command);
            sleep(draws.moment(whole));
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
