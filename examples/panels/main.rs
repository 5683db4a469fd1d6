//! One line for each spec named: its file, a tab, and its figures as the reader gives them
//! (`tests/held/panels.sh`).

use std::path::Path;

use reines::experiment::spec;
use reines::report::figure;

fn main() {
    for file in std::env::args().skip(1) {
        match spec::read(Path::new(&file)).and_then(|spec| figure::read(&spec)) {
            Ok(figures) => println!("{file}\t{figures:?}"),
            Err(error) => eprintln!("{error}"),
        }
    }
}
