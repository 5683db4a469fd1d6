//! The shortest sequences that once ended elsewhere than a fresh folder.

use super::actions::{Action, Change, Harm, Way, What, Which, WithResults};
use super::compare::Question;
use Action::{
    Copy, Damage, Dereference, Edit, MoveResults, Rename, Report, Restore, Run, Save, Swap, TakeOut,
};
use Change::{Conditions, Fault, Key, Measure, RenameFigure, Seed, Series, Title, Trials};
use Way::{Changed, Only, Quick, Whole};

/// What went wrong, what is asked for, and the actions.
pub type Case = (&'static str, &'static [Question], Vec<Action>);

/// Each case. The experiment `b` is there where it is used.
pub fn cases() -> Vec<Case> {
    let mut cases = all();
    for (_, _, actions) in &mut cases {
        let uses_b = actions
            .iter()
            .any(|action| format!("{action:?}").contains("\"b\""));
        if !uses_b {
            actions.insert(0, Action::Remove("b"));
        }
    }
    cases
}

fn all() -> Vec<Case> {
    const NAMES: Option<[&str; 2]> = Some(["one", "two"]);
    let run = |way| Run("a", way);
    let edit = |change| Edit("a", change);
    vec![
        (
            "the largest run of a changed experiment was taken, not the present one",
            &[Question::Changed],
            vec![run(Changed), edit(Seed(2)), run(Changed)],
        ),
        (
            "the largest run in a folder was taken, not the present one",
            &[Question::Folder, Question::Elsewhere],
            vec![
                edit(Trials(6)),
                run(Whole),
                edit(Trials(2)),
                edit(Seed(2)),
                run(Whole),
            ],
        ),
        (
            "the newest run was not that of the present plan",
            &[Question::Folder, Question::Elsewhere],
            vec![
                run(Whole),
                edit(Seed(2)),
                run(Whole),
                edit(Seed(1)),
                run(Whole),
            ],
        ),
        (
            "after a swap of names of conditions the rows of the other rule were handed out",
            &[Question::Conditions, Question::Folder],
            vec![
                edit(Conditions(NAMES)),
                run(Whole),
                edit(Change::SwapConditions),
            ],
        ),
        (
            "after a rename of a condition its old name was known, not its new one",
            &[Question::Conditions, Question::Elsewhere],
            vec![
                edit(Conditions(NAMES)),
                run(Whole),
                edit(Conditions(Some(["three", "two"]))),
            ],
        ),
        (
            "a damaged run of an old plan stopped the report of the present one: no spec",
            &[Question::Folder],
            vec![
                run(Whole),
                edit(Trials(6)),
                run(Whole),
                Damage("a", Which::Oldest, Harm::NoSpec),
            ],
        ),
        (
            "a damaged run of an old plan stopped the report of the present one: a manifest",
            &[Question::Elsewhere],
            vec![
                run(Whole),
                edit(Trials(6)),
                run(Whole),
                Damage("a", Which::Oldest, Harm::CutManifest),
            ],
        ),
        (
            "the link led to the run of an earlier plan: the key only",
            &[],
            vec![run(Whole), edit(Key(Some("only = \"n=4\"")))],
        ),
        (
            "the link led to the run of an earlier plan: the key quick",
            &[],
            vec![edit(Trials(6)), run(Whole), edit(Key(Some("quick = true")))],
        ),
        (
            "a run that was renamed with its experiment was ignored for ever",
            &[],
            vec![run(Whole), Rename("a", "c", WithResults::Yes)],
        ),
        (
            "a run that was renamed with its experiment, and then another plan",
            &[],
            vec![
                run(Whole),
                Rename("a", "c", WithResults::Yes),
                Edit("c", Trials(6)),
            ],
        ),
        (
            "sound rows ran again without their times",
            &[],
            vec![
                edit(Change::Search),
                run(Whole),
                Damage("a", Which::Newest, Harm::NoTimings),
            ],
        ),
        (
            "sound rows ran again beside an edited spec",
            &[],
            vec![run(Whole), Damage("a", Which::Newest, Harm::OtherTitle)],
        ),
        (
            "a figure that can be drawn no more kept its old files",
            &[],
            vec![
                edit(Series),
                edit(Measure),
                run(Whole),
                Report(Some("a")),
                edit(Series),
            ],
        ),
        (
            "figures of a changed experiment were never renewed",
            &[Question::Changed],
            vec![run(Changed), edit(RenameFigure), run(Changed)],
        ),
        (
            "figures of a run of some points were never renewed",
            &[],
            vec![run(Only), edit(Measure), run(Only), run(Quick)],
        ),
        (
            "of a spec with an error an older run was shown without a word",
            &[],
            vec![run(Whole), edit(Fault(Some(super::specs::Fault::OfPlan)))],
        ),
        (
            "of a spec with an error in a figure an older run was shown without a word",
            &[],
            vec![run(Whole), edit(Fault(Some(super::specs::Fault::OfFigure)))],
        ),
        (
            "a folder of the experiment's name took its place",
            &[Question::Folder],
            vec![run(Whole), TakeOut("a"), edit(Trials(6))],
        ),
        (
            "a stale table of courses had no warning",
            &[],
            vec![
                edit(Series),
                run(Whole),
                Dereference,
                edit(Series),
                run(Whole),
            ],
        ),
        (
            "a stale table of trials had a warning that nobody saw",
            &[],
            vec![run(Whole), Dereference, edit(Trials(6)), run(Whole)],
        ),
        (
            "figure files belonged to the old name of an experiment",
            &[],
            vec![
                run(Whole),
                Report(Some("a")),
                Rename("a", "c", WithResults::No),
            ],
        ),
        (
            "figure files belonged to the other of two experiments",
            &[],
            vec![
                run(Whole),
                Run("b", Whole),
                Report(None),
                Swap("a", "b"),
                run(Whole),
            ],
        ),
        (
            "a part of the plan was called a quick run, since `--quick` had made it first",
            &[],
            vec![edit(Key(Some("only = \"n=4\""))), run(Quick)],
        ),
        (
            "a damaged run of whatever plan was the one meant of a spec with an error",
            &[],
            vec![
                run(Whole),
                edit(Fault(Some(super::specs::Fault::OfFigure))),
                Damage("a", Which::Oldest, Harm::NoSpec),
            ],
        ),
        (
            "a figure file of an experiment with an error was taken over",
            &[],
            vec![
                run(Whole),
                Run("b", Whole),
                Report(None),
                Swap("a", "b"),
                Edit("b", Fault(Some(super::specs::Fault::OfFigure))),
            ],
        ),
        (
            "older copies beside what is there",
            &[],
            vec![
                run(Whole),
                Save,
                edit(Title),
                edit(Trials(6)),
                run(Whole),
                Restore(What::Merged),
                MoveResults("b", "c"),
                Copy("a", "b"),
            ],
        ),
    ]
}
