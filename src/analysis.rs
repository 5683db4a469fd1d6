//! Rows in, numbers with their uncertainty out. Never simulates, never draws.
