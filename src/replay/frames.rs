//! A film as single pictures, of which other programs make a GIF or an MP4.

use super::film::Film;
use super::log::apply;
use crate::drawing::coordinates::{Arrow, Coordinates};
use crate::drawing::picture::Picture;
use crate::drawing::position::Position;

/// Moves that are shown, at most.
const MOST: usize = 200;

/// The board at the film's start, after every k-th move, which is an arrow, and at the film's end;
/// and k, the least with which no more moves are shown than allowed.
pub fn frames(film: &Film) -> (Vec<Picture>, usize) {
    let (mut state, side) = (film.log.start.clone(), film.log.start.board().n());
    let changes = &film.log.changes;
    let moves = changes.iter().filter(|it| it.moved.is_some()).count();
    let step = moves / (MOST + 1) + 1;
    let coordinates = |cell: u32| {
        let (x, y) = (cell as usize % side, cell as usize / side);
        Coordinates { x, y }
    };
    let (mut pictures, mut moves) = (vec![Picture::new(Position::of(&state))], 0);
    for change in changes {
        apply(&mut state, change);
        let Some(moved) = change.moved else { continue };
        moves += 1;
        if moves % step == 0 {
            let [from, to] = [moved.from, moved.to].map(coordinates);
            let mut picture = Picture::new(Position::of(&state));
            picture.arrows.push(Arrow { from, to });
            pictures.push(picture);
        }
    }
    pictures.push(Picture::new(Position::of(&state)));
    (pictures, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::film::{ReplayedTrial, record};
    use crate::solver::{Control, Dynamics, Point, Value};

    /// As many pictures as the outcome has moves, two more, and the last shows its solution.
    #[test]
    fn every_kth_move_is_shown() {
        for (n, epsilon) in [(4, 0.02), (4, 0.3)] {
            let values = [("n", Value::Integer(n)), ("epsilon", Value::real(epsilon))];
            let scene = ReplayedTrial {
                point: Point::new("pair", values),
                seed: 3,
                trial: 10,
                cutoff: 1_000_000,
                dynamics: Some(Dynamics::Stepwise),
                start: None,
            };
            let film = record(scene, 0..=u64::MAX, &Control::unstopped()).expect("a film");
            let (pictures, step) = frames(&film);
            let moves = film.outcome.moves.expect("counted") as usize;
            assert_eq!(
                Some(step),
                (1..).find(|step| moves / step <= MOST),
                "{moves}"
            );
            assert_eq!(pictures.len(), moves / step + 2);
            let solution = film.outcome.solution.expect("absorbed");
            let end = &pictures[pictures.len() - 1].position;
            let has_queen = |(x, &y): (usize, &u32)| end.queens(Coordinates { x, y: y as usize });
            assert!(solution.iter().enumerate().map(has_queen).all(|it| it == 1));
            for picture in &pictures[1..pictures.len() - 1] {
                let [Arrow { from, to }] = picture.arrows[..] else {
                    panic!("one arrow");
                };
                assert!(picture.position.queens(to) > 0);
                assert!(from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) == 1);
            }
        }
    }
}
