//! What the tests of pages in a real browser need: [`chromium`] starts a browser and ends it,
//! [`visit`] opens a file in it and watches what the page does, [`made`] makes the files with
//! `reines`.

pub mod chromium;

pub mod made;

pub mod visit;
