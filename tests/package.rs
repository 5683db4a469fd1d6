//! What `cargo package` packs: both packages build from their own files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::code_version::tables::TABLES;
use crate::program::{Workplace, has, root, stderr, stdout, text_of};

/// The version of both packages.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// Runs cargo in a folder; what it prints.
pub fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    let output = cargo.current_dir(folder).args(arguments).output();
    let output = output.expect("cargo is there");
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    stdout(&output)
}

/// The files that the build scripts read are packed with the package of each, and so are licences,
/// a README and what it shows.
#[test]
fn what_a_package_needs_is_in_it() {
    let readme = text_of(root().join("README.md"));
    let links = readme.split("](").filter_map(|it| it.split(')').next());
    let images: Vec<&str> = links
        .filter(|it| it.ends_with(".svg") || it.ends_with(".gif"))
        .collect();
    assert!(images.len() >= 2, "{images:?}");
    let solver = "build.rs lib.rs local.rs";
    let program = "build/main.rs build/tables.rs Cargo.lock src/main.rs docs/data.md \
                   experiments/epsilon.toml CITATION.cff";
    for (name, needed) in [
        ("reines-solver", solver.to_owned()),
        (
            "reines",
            [program, &TABLES.join(" "), &images.join(" ")].join(" "),
        ),
    ] {
        let options = format!("package --offline --allow-dirty --list --package {name}");
        let listed = cargo(root(), &options.split(' ').collect::<Vec<_>>());
        let files: BTreeSet<&str> = listed.lines().collect();
        for file in needed
            .split_whitespace()
            .chain(["LICENSE-MIT", "LICENSE-APACHE", "README.md"])
        {
            assert!(files.contains(file), "{name}: {file} is not packed");
        }
        let is_foreign =
            |file: &&&str| file.starts_with("results/") || file.starts_with("src/solver/");
        assert_eq!(files.iter().find(is_foreign), None, "{name}");
    }
}

/// Unpacked into an empty folder, with the libraries of the present build: the program names the
/// code versions of this one.
#[test]
#[ignore = "builds the program again: make test-package"]
fn the_packed_program_is_this_program() {
    let place = Workplace::new();
    let target = place.path().join("packed");
    let target_words = target.to_string_lossy();
    let options = [
        "package",
        "--workspace",
        "--no-verify",
        "--offline",
        "--allow-dirty",
    ];
    cargo(
        root(),
        &[&options[..], &["--target-dir", &target_words]].concat(),
    );
    for name in ["reines", "reines-solver"] {
        let archive = target.join(format!("package/{name}-{RELEASE}.crate"));
        // With the time of now: by the packed one cargo would take what it built of older sources.
        let unpacked = Command::new("tar")
            .arg("-xmf")
            .arg(archive)
            .current_dir(place.path())
            .status();
        assert!(unpacked.expect("tar is there").success());
    }
    let home = place.path().join(format!("reines-{RELEASE}"));
    // The package of the solver comes from its own archive, as from a registry.
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("our own");
    let (_, profile) = manifest
        .split_once("[profile.release]")
        .expect("it has a profile");
    let patch =
        format!("[patch.crates-io]\nreines-solver = {{ path = \"../reines-solver-{RELEASE}\" }}\n");
    place.write(
        "settings.toml",
        &format!("{patch}[profile.release]{profile}"),
    );
    let shared = format!("build.build-dir={:?}", root().join("target"));
    // Cargo.lock names the solver of a registry, which has none yet.
    // Without optimisation it is built sooner, and not in the place of the present program.
    let options = "build --release --offline --target-dir target --config ../settings.toml \
                   --config profile.release.package.reines.opt-level=0 \
                   --config profile.release.package.reines-solver.opt-level=0 --config";
    let options: Vec<&str> = options.split_whitespace().chain([&*shared]).collect();
    cargo(&home, &options);
    let version = |program: &Path| {
        stdout(
            &Command::new(program)
                .arg("--version")
                .output()
                .expect("the program starts"),
        )
    };
    let packed = version(&home.join("target/release/reines"));
    assert_eq!(packed, version(Path::new(env!("CARGO_BIN_EXE_reines"))));
    has(&packed, "runs of one algorithm:");
}
