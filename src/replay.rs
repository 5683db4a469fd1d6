//! A trial run again and shown: its changes as a log, and the page that plays them.
//!
//! A [`film`] is made by running the trial once more, under its own seed and dynamics; its [`log`]
//! holds every update that changes something, and is its own inverse, so that the page steps back
//! as cheaply as forward without any rule. [`page`] makes one HTML file of it that needs nothing
//! else; its script is in `page/`, a file for each concern: speeds are in `page/page.html` and
//! `page/player.js`.
//!
//! The numbers of a log (`log.rs`) and `page/tape.js`, which reads them, change together.

pub mod film;

pub mod log;

pub mod page;
