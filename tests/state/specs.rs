//! Small specs, each as the values that actions change, and the text that they make.

use std::fmt::Write as _;

/// The names of experiments.
pub const NAMES: [&str; 3] = ["a", "b", "c"];

/// One of [`NAMES`].
pub type Name = &'static str;

/// A spec of some milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub title: u32,
    pub seed: u32,
    pub trials: u32,
    pub cutoff: u32,
    /// The values of n, as a list.
    pub sizes: &'static str,
    /// The names of two conditions; without them the rule has its own.
    pub conditions: Option<[&'static str; 2]>,
    pub has_series: bool,
    /// A search beside the rule, whose seconds are in `timings.parquet`.
    pub has_search: bool,
    pub figures: Vec<Figure>,
    /// A key in the place of an option.
    pub key: Option<&'static str>,
    pub fault: Option<Fault>,
}

/// A figure of a spec: its name, if it has one of its own, and what it shows upright.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    pub name: Option<String>,
    pub measure: &'static str,
}

/// What is wrong with a spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing can be planned.
    OfPlan,
    /// A figure has an unknown key.
    OfFigure,
}

impl Spec {
    /// A spec with a figure of this name.
    pub fn new(figure: &str) -> Self {
        Self {
            title: 1,
            seed: 1,
            trials: 3,
            cutoff: 20_000,
            sizes: "[4, 5]",
            conditions: None,
            has_series: false,
            has_search: false,
            figures: vec![Figure {
                name: Some(figure.to_owned()),
                measure: "absorption_time",
            }],
            key: None,
            fault: None,
        }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!(
            "title = \"title {}\"\nseed = {}\ndynamics = \"stepwise\"\n",
            self.title, self.seed
        );
        if self.fault == Some(Fault::OfPlan) {
            text += "sede = 1\n";
        }
        if let Some(key) = self.key {
            text += &format!("{key}\n");
        }
        let (sizes, trials, cutoff) = (self.sizes, self.trials, self.cutoff);
        let rule = self.rule();
        write!(
            text,
            "[[sweep]]\n{rule}n = {sizes}\ntrials = {trials}\ncutoff = {cutoff}\n"
        )
        .expect("writing to a String cannot fail");
        if let Some([safe, empty]) = self.conditions {
            let conditions = format!("{safe} = \"safe\", {empty} = \"b.queens == 0\"");
            text += &format!("certain = {{ {conditions} }}\n");
        }
        if self.has_series {
            text += "series.at = [0, 100]\n";
        }
        if self.has_search {
            text += "[[sweep]]\nalgorithm = \"lines\"\nn = [4, 5]\ncutoff = 100_000\n";
        }
        for figure in &self.figures {
            text += "[[figure]]\n";
            if let Some(name) = &figure.name {
                text += &format!("name = \"{name}\"\n");
            }
            text += &format!("x = \"n\"\ny = \"{}\"\n", figure.measure);
        }
        if self.fault == Some(Fault::OfFigure) {
            text += "[[figure]]\nname = \"wrong\"\nkin = \"curve\"\n";
        }
        text
    }

    /// The lines of the algorithm: a local rule where its conditions or courses are used. To
    /// enumerate its law, which each first run in a folder does, takes ten times as long as all
    /// else that a run of such a plan does.
    fn rule(&self) -> &'static str {
        if self.conditions.is_some() || self.has_series {
            "algorithm = \"cell\"\nepsilon = 0.1\neta = 0.1\n"
        } else {
            "algorithm = \"min-conflicts\"\n"
        }
    }

    /// The names of the figures' files.
    pub fn files(&self, experiment: &str) -> Vec<String> {
        let figures = self.figures.iter();
        let name = |figure: &Figure| match &figure.name {
            Some(name) => name.clone(),
            None => format!("{experiment}-curve"),
        };
        figures.map(name).collect()
    }

    /// Gives each figure a name that no other spec's has.
    pub fn rename_figures(&mut self, tag: &str) {
        for (number, figure) in self.figures.iter_mut().enumerate() {
            if figure.name.is_some() {
                figure.name = Some(format!("{tag}-{number}"));
            }
        }
    }
}
