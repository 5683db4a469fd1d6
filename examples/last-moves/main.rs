//! Writes `target/last-moves/*.svg`, a picture of each of the last moves of a trial, of which the
//! README's moving picture is made:
//!
//! ```text
//! cargo run --release --example last-moves
//! convert -delay 70 target/last-moves/*.svg docs/last-moves.gif
//! ```

use std::{fs, io};

use reines::drawing::coordinates::{Arrow, Coordinates};
use reines::drawing::picture::Picture;
use reines::drawing::position::Position;
use reines::replay::film::{SingleTrial, record};
use reines::replay::log::apply;
use reines::solver::{Control, DynamicsChoice, Key, Point, Value, algorithm};

fn main() -> io::Result<()> {
    let values = [("n", Value::Integer(8)), ("epsilon", Value::real(0.01))];
    let pair = algorithm("pair").expect("it is registered");
    let point = Point::new("pair", values);
    let trial = SingleTrial {
        dynamics: DynamicsChoice::OneByOne.at(pair, &point, false),
        point,
        key: Key { seed: 1, trial: 17 },
        cutoff: u64::MAX,
        start: None,
    };
    let film = record(trial, 380_000..=u64::MAX, &Control::unstopped());
    let log = film.expect("nothing stops it").log;
    let mut state = log.start;
    let (mut pictures, side) = (vec![Picture::new(Position::of(&state))], state.board().n());
    let coordinates = |cell: u32| {
        let (x, y) = (cell as usize % side, cell as usize / side);
        Coordinates { x, y }
    };
    for change in &log.changes {
        apply(&mut state, change);
        if let Some(moved) = change.moved {
            let [from, to] = [moved.from, moved.to].map(coordinates);
            let mut picture = Picture::new(Position::of(&state));
            picture.arrows.push(Arrow { from, to });
            pictures.push(picture);
        }
    }
    pictures.push(Picture::new(Position::of(&state)));
    fs::create_dir_all("target/last-moves")?;
    for (picture, number) in pictures.iter().zip(1..) {
        fs::write(
            format!("target/last-moves/{number:03}.svg"),
            picture.to_svg(),
        )?;
    }
    Ok(())
}
