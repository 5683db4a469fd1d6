//! Boards as drawings: the one way in which the program draws a position, as SVG and as text.
//!
//! A [`Picture`] is a [`Position`] (queens, and signals where they are given) with the arrows of
//! moves. [`read`] makes positions of grids in text.
//!
//! No file, no clock, no font and no floating-point function: the same picture gives the same
//! bytes.

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
