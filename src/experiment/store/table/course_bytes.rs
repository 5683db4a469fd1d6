//! The course of a trial ↔ a value of the column `course` of a part: the number of observations,
//! then the observations, then the moves up to the end, every number little-endian. Documented for
//! users in docs/inside.md.

use polars::prelude::*;

use super::Record;
use crate::solver::course::{Course, Observation, QueenMove};

/// Name of the column; null where a course is empty.
pub(super) const NAME: &str = "course";

/// Bytes of an observation and of a move.
const OBSERVATION: usize = 8 + 8 * 4 + 8;
const MOVE: usize = 8 + 3 * 4 + 1;

/// The courses of the records.
pub(super) fn column(records: &[Record]) -> Column {
    let mut column = BinaryChunkedBuilder::new(NAME.into(), records.len());
    for record in records {
        match record.course.entries() {
            0 => column.append_null(),
            _ => column.append_value(encode(&record.course)),
        }
    }
    column.finish().into_column()
}

fn encode(course: &Course) -> Vec<u8> {
    let Course { series, moves } = course;
    let mut bytes = Vec::with_capacity(8 + OBSERVATION * series.len() + MOVE * moves.len());
    bytes.extend((series.len() as u64).to_le_bytes());
    for observation in series {
        bytes.extend(observation.update.to_le_bytes());
        for count in counts(observation) {
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(observation.moves.to_le_bytes());
    }
    for queen_move in moves {
        bytes.extend(queen_move.update.to_le_bytes());
        for number in [queen_move.from, queen_move.to, queen_move.threatened] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.push(flags(queen_move));
    }
    bytes
}

/// The course that the bytes spell; `None` where they spell none.
pub(super) fn decode(bytes: &[u8]) -> Option<Course> {
    let (count, rest) = bytes.split_first_chunk()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let (series, moves) = rest.split_at_checked(count.checked_mul(OBSERVATION)?)?;
    if !moves.len().is_multiple_of(MOVE) {
        return None;
    }
    Some(Course {
        series: series
            .chunks_exact(OBSERVATION)
            .map(observation)
            .collect::<Option<_>>()?,
        moves: moves
            .chunks_exact(MOVE)
            .map(queen_move)
            .collect::<Option<_>>()?,
    })
}

fn counts(observation: &Observation) -> [u32; 8] {
    [
        observation.signals,
        observation.true_signals,
        observation.threatened,
        observation.attacked,
        observation.safe_cells,
        observation.truly_safe_cells,
        observation.safe_moves,
        observation.conflicts,
    ]
}

fn observation(mut bytes: &[u8]) -> Option<Observation> {
    Some(Observation {
        update: long(&mut bytes)?,
        signals: short(&mut bytes)?,
        true_signals: short(&mut bytes)?,
        threatened: short(&mut bytes)?,
        attacked: short(&mut bytes)?,
        safe_cells: short(&mut bytes)?,
        truly_safe_cells: short(&mut bytes)?,
        safe_moves: short(&mut bytes)?,
        conflicts: short(&mut bytes)?,
        moves: long(&mut bytes)?,
    })
}

/// Dangerous 1, needless 2, deceived 4, added up.
fn flags(queen_move: &QueenMove) -> u8 {
    u8::from(queen_move.dangerous)
        | u8::from(queen_move.needless) << 1
        | u8::from(queen_move.deceived) << 2
}

fn queen_move(mut bytes: &[u8]) -> Option<QueenMove> {
    let update = long(&mut bytes)?;
    let [from, to, threatened] = [(); 3].map(|()| short(&mut bytes));
    let flags = *bytes.first().filter(|&&flags| flags < 8)?;
    Some(QueenMove {
        update,
        from: from?,
        to: to?,
        dangerous: flags & 1 != 0,
        needless: flags & 2 != 0,
        deceived: flags & 4 != 0,
        threatened: threatened?,
    })
}

fn short(bytes: &mut &[u8]) -> Option<u32> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*number))
}

fn long(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course() -> Course {
        let observation = |update| Observation {
            update,
            signals: 1,
            true_signals: 2,
            threatened: 3,
            attacked: 4,
            safe_cells: 5,
            truly_safe_cells: 6,
            safe_moves: 7,
            conflicts: u32::MAX,
            moves: 1 << 40,
        };
        let queen_move = |update, [dangerous, needless, deceived]: [bool; 3]| QueenMove {
            update,
            from: 8,
            to: 9,
            dangerous,
            needless,
            deceived,
            threatened: 10,
        };
        Course {
            series: vec![observation(0), observation(u64::MAX)],
            moves: (0..8)
                .map(|flags: u8| queen_move(flags.into(), [1, 2, 4].map(|bit| flags & bit != 0)))
                .collect(),
        }
    }

    #[test]
    fn a_course_comes_back() {
        let course = course();
        let alone = |series, moves| Course { series, moves };
        for course in [
            alone(course.series.clone(), Vec::new()),
            alone(Vec::new(), course.moves.clone()),
            course,
        ] {
            assert_eq!(decode(&encode(&course)), Some(course));
        }
    }

    #[test]
    fn the_encoding_is_the_documented_one() {
        let mut course = course();
        course.series.truncate(1);
        course.moves.drain(..6);
        course.moves.truncate(1);
        let hexadecimal: String = encode(&course)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let expected = [
            "0100000000000000",
            "0000000000000000",
            "0100000002000000030000000400000005000000060000000700000\
             0ffffffff",
            "0000000000010000",
            "0600000000000000",
            "08000000090000000a000000",
            "06",
        ];
        assert_eq!(hexadecimal, expected.concat());
    }

    #[test]
    fn what_is_cut_off_or_has_unknown_flags_is_no_course() {
        let bytes = encode(&course());
        for end in 0..bytes.len() {
            // Whole moves may be missing, and are looked for by their number.
            let is_whole =
                end >= 8 + 2 * OBSERVATION && (end - 8 - 2 * OBSERVATION).is_multiple_of(MOVE);
            assert_eq!(decode(&bytes[..end]).is_some(), is_whole, "{end}");
        }
        let mut unknown = bytes.clone();
        *unknown.last_mut().expect("a move") = 8;
        assert_eq!(decode(&unknown), None);
        let mut endless = bytes;
        endless[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(decode(&endless), None);
    }
}
