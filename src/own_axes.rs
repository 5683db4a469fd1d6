//! Tests only: algorithms with axes of their own, from a spec to a figure. No other file names the
//! axis `temperature`, and `product` is an axis of `factor` alone; the registry has one line for
//! the algorithms.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use polars::prelude::{ParquetReader, SerReader};

use crate::analysis::sequential::is_precise;
use crate::experiment::plan::{MAX_COURSE_ROWS, Plan};
use crate::experiment::runner::{self, Finish, Observer, PlannedRun, Progress, Remark, Request};
use crate::experiment::spec;
use crate::experiment::spec::Choices;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::{PointKey, PointTrials};
use crate::report::{self, Drawing, Input};
use crate::solver::rng::{RandomSource, TrialStream};
use crate::solver::{
    Algorithm, Axis, Column, Control, Domain, Ending, Interrupted, Job, Outcome, Point, Value,
};

/// Absorbed after a uniform number of updates up to 1000 times the sum of its axes' values.
struct Uniform {
    name: &'static str,
    axes: &'static [Axis],
}

const N: Axis = Axis {
    name: "n",
    symbol: "n",
    domain: Domain::Integer { min: 1, max: 64 },
    doc: "board side",
};
const EPSILON: Axis = Axis {
    name: "epsilon",
    symbol: "ε",
    domain: Domain::Real { min: 0.0, max: 1.0 },
    doc: "probability",
};
const PRODUCT: Axis = Axis {
    name: "product",
    symbol: "N",
    domain: Domain::Integer {
        min: 4,
        max: u64::MAX,
    },
    doc: "product of two numbers",
};
const TEMPERATURE: Axis = Axis {
    name: "temperature",
    symbol: "T",
    domain: Domain::Real { min: 0.0, max: 9.0 },
    doc: "temperature T",
};

/// Both kinds of values, with n and without.
pub const ALGORITHMS: [&dyn Algorithm; 2] = [
    &Uniform {
        name: "heated",
        axes: &[N, EPSILON, TEMPERATURE],
    },
    &Uniform {
        name: "factored",
        axes: &[PRODUCT, EPSILON],
    },
];

impl Algorithm for Uniform {
    fn name(&self) -> &'static str {
        self.name
    }

    fn doc(&self) -> &'static str {
        "uniform times"
    }

    fn axes(&self) -> &[Axis] {
        self.axes
    }

    fn columns(&self) -> &[Column] {
        const { &[Column::named("absorption_time"), Column::named("updates")] }
    }

    /// No source that counts.
    fn parts(&self, _variant: &str) -> Vec<String> {
        Vec::new()
    }

    fn definition(&self) -> u32 {
        1
    }

    fn trial(&self, job: &Job, trial: u32, _: &Control) -> Result<Outcome, Interrupted> {
        let mut stream = TrialStream::new("reines/test/uniform/1", job.seed, job.point, trial);
        let sum: f64 = job
            .point
            .values
            .by_name()
            .map(|(_, value)| value.number())
            .sum();
        let time = 1 + stream.below((1000.0 * sum) as u64);
        let is_absorbed = time <= job.cutoff;
        Ok(Outcome {
            absorption_time: is_absorbed.then_some(time),
            updates: Some(time.min(job.cutoff)),
            ..Outcome::ended(if is_absorbed {
                Ending::Absorbed
            } else {
                Ending::Censored
            })
        })
    }
}

const SPEC: &str = "seed = 1
[[sweep]]
algorithm = \"heated\"
n = [4, 6, 8]
epsilon = 0.5
temperature = [0.5, 2]
trials = 20
cutoff = 1e6
[[sweep]]
algorithm = \"factored\"
product = [15, 9_007_199_254_740_993]
epsilon = [0.25, 0.5]
trials = 10
cutoff = 1e6
[[sweep]]
algorithm = \"pair\"
n = [4, 5]
epsilon = 0.5
trials = 20
cutoff = 1e4
";

struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _: Progress) {}

    fn remark(&mut self, remark: &Remark) {
        panic!("{remark}");
    }
}

/// The folder of a complete run of the spec.
fn run(text: &str, results: &Path, threads: usize) -> RunFolder {
    let spec = spec::parse("own", "own.toml", text, &report::kinds())
        .unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::new(&spec).expect("sweeps that agree");
    let request = Request {
        run: PlannedRun {
            spec: &spec,
            plan: &plan,
            results,
            rule: is_precise,
            command: &[],
        },
        shard: None,
        threads,
        most_moves: MAX_COURSE_ROWS,
        force: false,
    };
    match runner::run(&request, &AtomicBool::new(false), &mut Silent) {
        Ok(Finish::Complete { folder, .. }) => folder,
        other => panic!("{other:?}"),
    }
}

fn drawing(kind: &str, trials: &[PointTrials]) -> Drawing {
    let figure = report::figure(kind).expect("a kind of figure");
    let input = Input {
        title: "Own axes",
        trials,
        courses: &[],
        timings: &[],
        machine: "a machine",
        provenance: "a run",
        choices: &Choices::default(),
        remarks: &[],
    };
    figure.draw(&input).expect("rows for the figure")
}

#[test]
fn from_a_spec_to_a_figure() {
    let results = tempfile::tempdir().expect("the system has a temporary folder");
    let folder = run(SPEC, results.path(), 2);
    let manifest = folder.manifest().expect("a complete run");
    let trials = folder
        .trials(&manifest)
        .expect("rows whose checksum is right");
    let points: Vec<String> = trials
        .iter()
        .map(|trials| trials.point.to_string())
        .collect();
    let expected = [
        "factored epsilon=0.25 product=15",
        "factored epsilon=0.25 product=9007199254740993",
        "factored epsilon=0.5 product=15",
        "factored epsilon=0.5 product=9007199254740993",
        "heated n=4 epsilon=0.5 temperature=0.5",
        "heated n=4 epsilon=0.5 temperature=2",
        "heated n=6 epsilon=0.5 temperature=0.5",
        "heated n=6 epsilon=0.5 temperature=2",
        "heated n=8 epsilon=0.5 temperature=0.5",
        "heated n=8 epsilon=0.5 temperature=2",
        "pair n=4 epsilon=0.5",
        "pair n=5 epsilon=0.5",
    ];
    assert_eq!(points, expected);
    let bytes = |folder: &RunFolder, name: &str| {
        std::fs::read(folder.path().join(name)).expect("a file of the run")
    };
    let again = tempfile::tempdir().expect("the system has a temporary folder");
    assert!(
        bytes(&run(SPEC, again.path(), 1), "trials.parquet") == bytes(&folder, "trials.parquet")
    );

    let Drawing { svg, table, .. } = drawing("convergence-vs-n", &trials);
    for label in [
        "heated rule, ε = 0.5, T = 0.5",
        "heated rule, ε = 0.5, T = 2",
    ] {
        assert!(svg.contains(label), "{label}");
    }
    assert_eq!(
        table.header[..8].join(" "),
        "algorithm variant n epsilon eta temperature quantity trials"
    );
    assert!(
        table
            .notes
            .iter()
            .any(|note| note == "Left out: factored rule, ε = 0.25, N = 15: has no n.")
    );
    let heated = |row: &&Vec<String>| row[0] == "heated" && row[2] == "8" && row[5] == "2";
    assert_eq!(table.rows.iter().filter(heated).count(), 1);

    let Drawing { svg, table, .. } = drawing("convergence-vs-epsilon", &trials);
    assert!(svg.contains("factored rule, N = 15") && svg.contains("N = 9007199254740993"));
    assert_eq!(table.header[5], "product");
    let described = drawing("run-length", &trials).table;
    assert_eq!(described.header[5..7], ["product", "temperature"]);
}

/// A run without such algorithms has the bytes that it had before they were there.
#[test]
fn files_without_such_a_point_have_no_column_for_its_axis() {
    let plain = SPEC.rsplit_once("[[sweep]]").expect("three sweeps").1;
    let plain = format!("seed = 1\n[[sweep]]{plain}");
    let names = |text: &str| -> Vec<String> {
        let results = tempfile::tempdir().expect("the system has a temporary folder");
        let folder = run(text, results.path(), 1);
        let file = std::fs::File::open(folder.path().join("trials.parquet")).expect("a run's file");
        let frame = ParquetReader::new(file).finish().expect("a table");
        let columns = frame.get_column_names_owned();
        columns.iter().map(ToString::to_string).collect()
    };
    let key = ["algorithm", "variant", "n", "epsilon", "eta"];
    assert_eq!(names(&plain)[..6], [&key[..], &["seed"]].concat());
    assert_eq!(
        names(SPEC)[..8],
        [&key[..], &["product", "temperature", "seed"]].concat()
    );
}

#[test]
fn a_point_key_prints_as_its_point() {
    let values = [
        ("product", Value::Integer(15)),
        ("epsilon", Value::real(0.5)),
    ];
    let point = Point::new("factored", values);
    assert_eq!(PointKey::of(&point).to_string(), point.to_string());
}
