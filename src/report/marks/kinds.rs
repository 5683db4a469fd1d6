//! The marks that a figure may have, each in one place: how heavy it is, what is joined, and its
//! layers in Vega-Lite.
//!
//! Adding one: a variant of [`MarkShape`] with its line in docs/spec.md, and an entry in [`ALL`]. A
//! mark with a layer of its own (as bars and tiles have) needs that in this folder, too, and its
//! line in `curves/layers.rs`. A test draws all of them.

use crate::report::keys::MarkShape;
use crate::report::marks::curve::{BANDED, DOTS, FULL, Weight};

/// What a mark is.
pub struct MarkKind {
    pub shape: MarkShape,
    /// True if a line joins the marks of a curve, so that no two may stand at one x.
    pub is_joined: bool,
    /// True if the line goes past points that are left out.
    pub goes_past_gaps: bool,
    /// The canvas units by which marks of one x stand apart, if they stand side by side.
    pub aside: Option<i32>,
    pub weight: Weight,
    /// Its layers in Vega-Lite, from the lowest on.
    pub vega: &'static [VegaLayer],
}

/// A layer of a Vega-Lite file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VegaLayer {
    Intervals,
    AreaOfIntervals,
    Lines,
    Points,
    Bins,
    Tiles,
    Numbers,
}

/// A line through the marks, with points.
const LINE: MarkKind = MarkKind {
    shape: MarkShape::Line,
    is_joined: true,
    goes_past_gaps: false,
    aside: None,
    weight: FULL,
    vega: &[VegaLayer::Intervals, VegaLayer::Lines, VegaLayer::Points],
};

/// All marks.
pub const ALL: [MarkKind; 6] = [
    LINE,
    MarkKind {
        shape: MarkShape::Points,
        is_joined: false,
        aside: Some(10),
        vega: &[VegaLayer::Intervals, VegaLayer::Points],
        ..LINE
    },
    MarkKind {
        shape: MarkShape::Dots,
        is_joined: false,
        aside: Some(3),
        weight: DOTS,
        vega: &[VegaLayer::Intervals, VegaLayer::Points],
        ..LINE
    },
    MarkKind {
        shape: MarkShape::Band,
        goes_past_gaps: true,
        weight: BANDED,
        vega: &[VegaLayer::AreaOfIntervals, VegaLayer::Lines],
        ..LINE
    },
    MarkKind {
        shape: MarkShape::Bars,
        is_joined: false,
        vega: &[VegaLayer::Bins, VegaLayer::Intervals],
        ..LINE
    },
    MarkKind {
        shape: MarkShape::Tile,
        is_joined: false,
        vega: &[VegaLayer::Tiles, VegaLayer::Numbers],
        ..LINE
    },
];

impl MarkShape {
    /// What it is.
    pub(crate) fn kind(self) -> &'static MarkKind {
        let kind = ALL.iter().find(|kind| kind.shape == self);
        kind.expect("each shape has an entry, which a test holds")
    }
}
