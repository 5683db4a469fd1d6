//! What a run does that its user might not expect, in words. Not in the runner: no word can reach a
//! row.

use std::fmt;

use super::text::{counted, spaced};
use crate::experiment::runner::Remark;
use crate::experiment::store::parts::SetAside;

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetAside(SetAside { path, reason }) => write!(
                f,
                "{}: {reason}; set aside, its trials run again",
                path.display()
            ),
            Self::TakenOver { from, rows } => {
                write!(
                    f,
                    "{} trials taken over from {}",
                    spaced(*rows),
                    from.display()
                )
            }
            Self::NotTakenOver { from, reason } => {
                write!(f, "not taken over from {}: {reason}", from.display())
            }
            Self::Imprecise { points } => {
                let count = counted(points.len() as u64, "point");
                write!(
                    f,
                    "precision not reached at {count} with all trials that are allowed: {}",
                    listed(points)
                )
            }
        }
    }
}

/// `pair n=8 epsilon=0.01 (0.05), …`, the first of them.
fn listed(points: &[(String, f64)]) -> String {
    const MOST: usize = 10;
    let mut words: Vec<String> = points
        .iter()
        .take(MOST)
        .map(|(point, precision)| format!("{point} ({precision})"))
        .collect();
    if points.len() > MOST {
        words.push(format!("and {} more", points.len() - MOST));
    }
    words.join(", ")
}
