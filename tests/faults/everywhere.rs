//! `kill -9` at random moments in every command: what is there is whole, and the next call of the
//! command ends with the same bytes.

use std::thread::sleep;
use std::time::Instant;

use super::scenarios::{ALL, Met};
use super::{Tally, stride};
use crate::program::Draws;

/// The kills of all commands together.
const KILLS: usize = 1000;

#[test]
#[ignore = "slow: `make faults`"]
fn kills_in_every_command_leave_the_bytes_alone() {
    let (mut killed, mut tally) = (0, Tally::default());
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
            killed += usize::from(status.code().is_none());
            let met = if status.success() {
                Met::Unaffected
            } else {
                Met::Error
            };
            let files = scenario.judge_files(&place, met, &expected);
            tally.add(scenario.name, files.map(|()| met));
        }
    }
    tally.end(&format!("kills, {killed} of them in time"));
    assert!(killed * 4 > tally.tried, "most came too late");
}
