//! What of the spec's plan the rows of a run are, and whose code has made them. Here are the words
//! that mark figures of a quick run, of a part of the plan, of another plan, or of other code.

use crate::cli::terminal::optional_message;
use crate::cli::text::{counted, spaced};
use crate::experiment::code_version::Code;
use crate::experiment::plan::{Plan, PlannedPoint, QUICK_TRIALS};
use crate::experiment::spec::Spec;
use crate::experiment::store::complete::CompleteRun;
use crate::pages::PlanShare;

/// Says whose rows they are, where these are not of this program.
pub fn say_whose_rows(spec: &Spec, run: &CompleteRun) {
    let manifest = &run.manifest;
    let code = manifest.code();
    if code == Code::Present {
        return;
    }
    let name = &spec.name;
    let version = &manifest.code_version;
    let ended = &manifest.ended;
    let digits = manifest.commit.get(..10).unwrap_or("not known");
    let code = code.in_brackets();
    optional_message!(
        "{name}: no complete run of this program; drawn from the rows of code version {version}{code} (commit {digits}, ended {ended})"
    );
}

/// What figures, tables and page say of a run that does not have all trials of the spec's plan, or
/// has others: whether it is quick, and how many of the plan's trials it has. The words rest on the
/// trials alone: they are the same whether a quick run was asked for or there is no other, and
/// whichever command has made a run that several could have made. The hash of the spec's plan is
/// not reckoned again where it is given.
pub fn share_of_plan(spec: &Spec, hash_of_spec: Option<&str>, run: &CompleteRun) -> PlanShare {
    let hash = &run.manifest.plan_hash;
    let is_whole = !spec.quick && spec.only.is_none();
    if is_whole && hash_of_spec == Some(hash) {
        return PlanShare::default();
    }
    let whole = Plan::new(&Spec {
        quick: false,
        only: None,
        ..spec.clone()
    });
    let whole = whole.ok();
    let whole_hash = whole.as_ref().map(Plan::hash);
    if whole_hash.as_ref() == Some(hash) {
        return PlanShare::default();
    }
    let of_spec = whole_hash.map_or_else(String::new, |whole| format!("; the spec's is {whole}"));
    let other = format!("drawn from a run of another plan ({hash}{of_spec})");

    let ran = match run.plan() {
        Ok((_, plan)) => plan,
        Err(error) => {
            optional_message!("{error}; the run has its rows and no plan");
            return PlanShare {
                words: Some(other),
                is_quick: false,
            };
        }
    };
    let Some(whole) = whole else {
        return PlanShare {
            words: Some(other),
            is_quick: false,
        };
    };
    let is_quick = is_quick(&ran, &whole);
    let n_shared = whole.trials_in(&ran);
    let run_in_words = match (n_shared < ran.trials(), is_quick) {
        (true, _) => other,
        (false, true) => "drawn from a quick run".to_owned(),
        (false, false) => "drawn from a part of the plan".to_owned(),
    };
    let all = counted(whole.trials(), "trial");
    PlanShare {
        words: Some(format!("{run_in_words}: {} of {all}", spaced(n_shared))),
        is_quick,
    }
}

/// True if a run has of each of its points the trials of a quick run of the whole plan, and the
/// whole plan has more of some.
fn is_quick(ran: &Plan, whole: &Plan) -> bool {
    let quick = whole.capped(QUICK_TRIALS);
    let is_capped = |planned: &PlannedPoint| {
        let capped = quick.at(&planned.point);
        capped
            .is_some_and(|capped| (capped.first, capped.trials) == (planned.first, planned.trials))
    };
    let has_fewer = |planned: &PlannedPoint| {
        let all = whole.at(&planned.point);
        all.is_some_and(|all| planned.trials < all.trials)
    };
    ran.points.iter().all(is_capped) && ran.points.iter().any(has_fewer)
}
