//! The files that `report` writes: figures, none over those of another experiment, and the page.
//! Here are the messages of files that are in the way, and when `--force` writes over them.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::Report;
use super::owner::why_abandoned;
use crate::cli::terminal::{self, message, optional_message};
use crate::cli::user_files;
use crate::experiment::spec::{Refused, Spec};
use crate::pages::html;
use crate::report::{self, Drawing, ENDINGS};

impl Report<'_> {
    /// Writes a figure unless its files are another experiment's, and says what it leaves out.
    pub(super) fn write_figure(
        &mut self,
        spec: &Spec,
        name: &str,
        drawing: &Drawing,
    ) -> anyhow::Result<()> {
        let figures = &self.args.figures;
        let folder = || format!("{}: {name}", figures.display());
        let owner = report::owner(figures, name).with_context(folder)?;
        match owner {
            Some(owner) if owner != spec.name => self.take_over(spec, name, &owner)?,
            Some(_) => {}
            None => self.refuse_unknown_files(spec, name)?,
        }
        let owned = (name, &*spec.name);
        report::write(figures, owned, drawing).with_context(folder)?;
        if self.failures.all == 1 {
            let file = figures.join(format!("{name}.svg"));
            terminal::print_remarks([file.display().to_string()])?;
        }
        for sentence in &drawing.left_out {
            optional_message!("{name}: {sentence}");
        }
        Ok(())
    }

    /// Refuses the name of another experiment's figure, but with `--force` one that the other does
    /// not draw any more, and says so.
    fn take_over(&self, spec: &Spec, name: &str, owner: &str) -> Result<(), Refused> {
        let results = &self.args.common.results;
        let shown = self.args.figures.display();
        let abandoned = why_abandoned(owner, name, &self.asked, results);
        let there = format!("{shown}: the figure {name:?} there is of the experiment {owner}");
        match abandoned {
            Some(why) if self.args.force => {
                optional_message!("{there}, {why}; it is now of {}", spec.name);
                Ok(())
            }
            Some(why) => Err(Refused::new(format!(
                "{there}, {why}; --force takes it over for {}",
                spec.name
            ))),
            None => Err(foreign_files(&there, spec)),
        }
    }

    /// Refuses files of the name of a figure that no figure of this program are.
    fn refuse_unknown_files(&self, spec: &Spec, name: &str) -> Result<(), Refused> {
        let paths = ENDINGS.map(|ending| self.args.figures.join(format!("{name}.{ending}")));
        match paths.iter().find(|path| path.exists()) {
            Some(path) => Err(foreign_files(
                &format!("{}: it is of no figure", path.display()),
                spec,
            )),
            None => Ok(()),
        }
    }

    /// Writes the page of what is drawn. None takes the place of a finished one where nothing is
    /// drawn; none is left without `--force` where an experiment or a figure is missing, so that
    /// the same command works once that is mended.
    pub(super) fn write_page(&mut self, file: &Path) -> anyhow::Result<()> {
        let n_figures: usize = self
            .on_page
            .iter()
            .map(|section| section.figures.len())
            .sum();
        let sections = self.on_page.iter();
        let without_figures = sections.filter(|section| !section.not_drawn.is_empty());
        let is_whole = self.missing.is_empty() && without_figures.count() == 0;
        let shown = file.display();
        if n_figures == 0 {
            message!("{shown}: not written: no figure is drawn");
            self.code = 1;
            return Ok(());
        }
        if !is_whole && self.code + self.failures.code > 0 && !self.args.force {
            message!(
                "{shown}: not written: not all is drawn; --force writes it, with what is missing named"
            );
            return Ok(());
        }
        if file.starts_with(&self.args.figures) {
            let figures = &self.args.figures;
            fs::create_dir_all(figures).with_context(|| figures.display().to_string())?;
        }
        let page = html(std::mem::take(&mut self.on_page), &self.missing);
        user_files::write(file, page.as_bytes(), self.args.force)?;
        terminal::print_remarks([shown.to_string()])?;
        Ok(())
    }
}

/// The error of a figure of a spec whose name other files have.
fn foreign_files(there: &str, spec: &Spec) -> Refused {
    let file = &spec.file;
    Refused::new(format!(
        "{there}; expected another name in {file}, another folder (--figures), or to remove what is there first"
    ))
}
