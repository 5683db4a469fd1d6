//! Boards as drawings: the one way in which the program draws a position, as SVG and as text.
//!
//! Read `position` (queens, and signals where they are given) and `picture` (a position with the
//! arrows of moves) first; then `layout` and `coordinates` (where a cell lies), `svg` and `text`
//! (what is written); `read` makes positions of grids in text.
//!
//! Shapes may change; docs/boards is then drawn anew. The grid in text is a format, which `--start`
//! reads. No file, no clock, no font and no floating-point function: the same picture gives the
//! same bytes.

pub mod glyphs;

mod layout;

pub mod picture;

pub mod coordinates;

pub mod position;

pub mod read;

mod svg;

mod text;

pub use self::coordinates::{Arrow, Coordinates};
pub use self::picture::Picture;
pub use self::position::Position;
