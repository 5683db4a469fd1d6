//! One line for each spec named: its file, a tab, and its figures as the reader gives them
//! (`tests/held/panels.sh`).

use std::path::Path;

use reines::experiment::spec;
use reines::report;

fn main() {
    for file in std::env::args().skip(1) {
        match spec::read(Path::new(&file), &report::kinds()) {
            Ok(spec) => println!("{file}\t{:?}", spec.figures),
            Err(error) => eprintln!("{error}"),
        }
    }
}
