//! The rule that runs in the page: it is the rule of the program, and a class can play with it.

use reines_browser::made::{Replay, root};
use reines_browser::visit::{Look, Visit};
use serde_json::Value;

use crate::{assert_fits, assert_quiet};

/// Runs the trial of a replay once more in its page, and compares all that the logs hold: the
/// start, each update that changes something, moves with their kinds, signals, and the end.
const RUN_AGAIN: &str = "\
    const log = Tape.read(await unpack(get('log').textContent)); \
    const trial = new Trial(facts.point, page.start); \
    const made = Tape.of(trial); \
    while (trial.next(facts.until)) { \
      made.add(trial.update, trial.from < 0 ? 0 : 1 | trial.kinds, trial.from, trial.to, trial.toggled); \
    } \
    const all = (tape) => JSON.stringify([tape.n, tape.updates, tape.heads, tape.lefts, tape.reached, tape.firsts, \
      tape.signals, [...tape.start.queens], [...tape.start.signals], [...tape.queens]]); \
    return [all(log) === all(made), trial.hit, trial.absorbed, log.length];";

/// Both rules on several boards, at risks from none to certain, with seeds and trials up to the
/// greatest.
#[test]
fn a_trial_in_the_page_is_that_of_the_program_bit_for_bit() {
    let mut visit: Option<Visit> = None;
    let mut number = 0;
    for rule in ["pair", "cell"] {
        for n in ["4", "5", "8", "12"] {
            for epsilon in ["0", "0.0000003", "0.01", "0.1", "1"] {
                let eta = ["0", "0.1", "1"][number % 3];
                let seed = ["1", "2012", "18446744073709551615"][number % 3];
                let trial = ["0", "17", "4294967295"][number / 3 % 3];
                number += 1;
                let eta = match rule {
                    "cell" => format!("--eta {eta}"),
                    _ => String::new(),
                };
                let point = format!("--algorithm {rule} --n {n} --epsilon {epsilon} {eta}");
                let trial = format!("--seed {seed} --trial {trial} --cutoff 60000");
                is_the_same(&mut visit, &format!("{point} {trial} --dynamics stepwise"));
            }
        }
    }
    // From a position of the user's the random numbers go on.
    let trap = "--algorithm cell --epsilon 0.01 --eta 0.1 --start docs/boards/figure-7.txt";
    let signals = "--signals true --dynamics stepwise";
    is_the_same(&mut visit, &format!("{trap} {signals}"));
    assert_quiet(&visit.expect("opened"));
}

fn is_the_same(visit: &mut Option<Visit>, arguments: &str) {
    let replay = Replay::of(arguments);
    match visit {
        Some(visit) => visit.go(&replay.file(), ""),
        None => *visit = Some(Visit::of(&replay.file(), "", Look::WIDE)),
    }
    let visit = visit.as_ref().expect("opened");
    wait_until_ready(visit);
    let found = visit.ask(RUN_AGAIN);
    let facts = visit.ask("return [facts.hit, facts.absorbed];");
    assert_eq!(found[0], Value::Bool(true), "{arguments}");
    let [ours, theirs] = [[&found[1], &found[2]], [&facts[0], &facts[1]]];
    assert_eq!(ours, theirs, "{arguments}");
    assert!(found[3].as_u64() > Some(10), "{arguments}: {found}");
}

fn wait_until_ready(visit: &Visit) {
    visit.wait("document.getElementById('replay').dataset.ready");
}

fn open(look: Look) -> Visit {
    let visit = Visit::of(&root().join("docs/live.html"), "", look);
    wait_until_ready(&visit);
    visit.ask("get('more').open = true;");
    visit.press("Home", &[]);
    visit
}

const CHANGE: &str = "Number(get('replay').dataset.change)";

#[test]
fn runs_are_raced_to_their_end_and_counted() {
    let visit = open(Look::WIDE);
    visit.press("ArrowRight", &[]);
    assert_eq!(visit.number(CHANGE), 1.0);
    visit.press("End", &[]);
    visit.wait("!page.player.isPlaying && get('replay').dataset.whole === 'true'");
    let said = visit.text("get('what').textContent");
    assert!(
        said.ends_with("a solution, and every signal is true."),
        "{said}"
    );
    visit.press("n", &[]);
    assert_eq!(visit.text("get('set-trial').value"), "148");
    visit.click("get('many')");
    visit.wait("!page.trials.isMeasuring('many')");
    let said = visit.text("get('runs-said').textContent");
    assert!(
        said.starts_with("21 runs ended in this page; mean "),
        "{said}"
    );
    assert!(
        said.contains("Mean of the 1\u{202F}000 trials in the results: "),
        "{said}"
    );
    visit.click("get('trap')");
    let point = visit.text("get('point').textContent");
    assert!(point.starts_with("n = 6, ε = 0.01, η = 0, "), "{point}");
    assert!(point.ends_with("from a start of one's own"), "{point}");
    visit.ask("get('set-n').value = '40'; get('run').click();");
    let failure = visit.text("get('failure').textContent");
    assert_eq!(failure, "n is 40; expected a whole number from 4 to 12");
    assert_quiet(&visit);
}

/// A stranger sees a run at once, unless motion is not wanted.
#[test]
fn a_run_plays_on_load() {
    let file = root().join("docs/live.html");
    let visit = Visit::of(&file, "", Look::WIDE);
    wait_until_ready(&visit);
    visit.wait("page.player.isPlaying && page.head.k > 5");
    visit.click("get('play')");
    assert_eq!(visit.text("page.player.isPlaying"), "false");
    let calm = Look {
        is_calm: true,
        ..Look::WIDE
    };
    visit.set(calm);
    visit.go(&file, "");
    wait_until_ready(&visit);
    assert_eq!(
        visit.text("[page.player.isPlaying, page.head.k].join()"),
        "false,0"
    );
    assert_quiet(&visit);
}

#[test]
fn the_risk_changes_the_run_and_a_guess_is_answered() {
    let visit = open(Look::WIDE);
    visit.ask(
        "get('risk').value = 0; \
         for (const name of ['input', 'change']) get('risk').dispatchEvent(new Event(name));",
    );
    assert_eq!(visit.text("page.run.point.epsilon"), "0");
    visit.wait("get('risk-trials').textContent.startsWith('12 runs')");
    // Without a risk nearly every board is blocked, and no solution is left.
    let blocked = visit.number("parseInt(get('blocked').textContent)");
    assert!(blocked >= 90.0, "{blocked}");
    assert_eq!(
        visit.text("get('left').textContent"),
        "none was reached",
        "no start leads to a solution without a risk"
    );
    visit.ask("RISKS.splice(2); get('measure-risks').click();");
    visit.wait("!get('measure-risks').disabled");
    let said = visit.text("get('risks-said').textContent");
    assert!(said.contains("Your guess: 0.0032"), "{said}");
    assert_eq!(
        visit.number("document.querySelectorAll('#risks .dots line').length"),
        2.0
    );
    assert_quiet(&visit);
}

/// The trials that the page measures against the means of 1000 trials of the results: 400 trials
/// each, |z| < 4, so that three right means fail in 2 of 10 000 seeds (the seed is fixed).
#[test]
fn measured_trials_have_the_means_of_the_results() {
    let visit = open(Look::WIDE);
    for (n, epsilon) in [(4, 0.01), (6, 0.01), (8, 0.003)] {
        let z = visit.ask(&format!(
            "const times = Array.from({{ length: 400 }}, (_, trial) => {{ \
               const point = {{ rule: 'pair', n: {n}, epsilon: {epsilon}, seed: '52', trial }}; \
               return measured({{ point, start: null, cutoff: Infinity }}).absorbed; }}); \
             const mean = times.reduce((sum, it) => sum + it, 0) / 400; \
             const variance = times.reduce((sum, it) => sum + (it - mean) ** 2, 0) / 399; \
             const [stored] = inResults((row) => row.n === {n} && row.epsilon === {epsilon}); \
             return (mean - stored.mean) / Math.sqrt(variance * (1 / 400 + 1 / stored.trials));"
        ));
        let z = z.as_f64().expect("a number");
        assert!(z.abs() < 4.0, "n = {n}, ε = {epsilon}: z = {z}");
    }
    assert_quiet(&visit);
}

/// A trial by hand: the time without a safe step is counted from the boards of its whole course,
/// and so are the solutions that it comes to.
#[test]
fn blocked_time_and_solutions_are_those_of_the_course() {
    let visit = open(Look::WIDE);
    let found = visit.ask(
        "const point = { rule: 'pair', n: 5, epsilon: 0.05, seed: '3', trial: 2 }; \
         const short = measured({ point, start: null, cutoff: Infinity, countsBlocked: true }); \
         const tape = Tape.of(new Trial(point, null)); \
         tape.grow(Infinity, 1e6); \
         const seen = new Head(tape); \
         let blocked = 0, solutions = 0, wasSolved = false; \
         for (let k = 0; k <= tape.length; k++) { \
           seen.goTo(k); \
           const threatened = (at) => seen.queens[at] > 1 || (seen.queens[at] === 1 && seen.signals[at] > 0); \
           let steps = 0; \
           for (let x = 0; x < 5; x++) for (let y = 0; y < 5; y++) for (let d = 0; d < 8; d++) { \
             const toX = x + [-1, 0, 1, -1, 1, -1, 0, 1][d], toY = y + [-1, -1, -1, 0, 0, 1, 1, 1][d]; \
             const to = 5 * toY + toX; \
             if (toX < 0 || toY < 0 || toX > 4 || toY > 4 || !threatened(5 * y + x)) continue; \
             if (seen.queens[to] === 0 && (seen.signals[to] & ~(1 << 7 - d)) === 0) steps++; \
           } \
           if (steps === 0 && k < tape.length) blocked += tape.updateAt(k + 1) - tape.updateAt(k); \
           const all = [...seen.queens.keys()].filter((at) => seen.queens[at] > 0); \
           const isSolved = all.length === 5 && all.every((a) => all.every((b) => { \
             const [dx, dy] = [a % 5 - b % 5, Math.floor(a / 5) - Math.floor(b / 5)]; \
             return a === b || (dx !== 0 && dy !== 0 && Math.abs(dx) !== Math.abs(dy)); })); \
           if (isSolved && !wasSolved) solutions++; \
           wasSolved = isSolved; \
         } \
         return [short.blocked, short.solutions, short.update, blocked, solutions, tape.updateAt(tape.length)];",
    );
    let found: Vec<u64> = serde_json::from_value(found).expect("numbers");
    assert_eq!(found[..3], found[3..]);
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
    assert_quiet(&visit);
}

/// Nothing is measured in a hidden tab; what was asked for goes on afterwards.
#[test]
fn a_hidden_page_measures_nothing() {
    let visit = open(Look::WIDE);
    let show = |is_hidden: bool| {
        visit.ask(&format!(
            "Object.defineProperty(document, 'hidden', {{ configurable: true, value: {is_hidden} }}); \
             document.dispatchEvent(new Event('visibilitychange'));"
        ));
    };
    visit.ask("RISKS.splice(1); get('measure-risks').click();");
    show(true);
    assert_eq!(visit.text("page.trials.isIdle"), "true");
    show(false);
    visit.wait("!get('measure-risks').disabled");
    let dots = "document.querySelectorAll('#risks .dots line').length";
    assert_eq!(visit.number(dots), 1.0);
    assert_quiet(&visit);
}

#[test]
fn the_quiz_asks_before_a_move() {
    let visit = open(Look::WIDE);
    visit.click("get('quiz-on')");
    visit.click("get('forward-move')");
    assert_eq!(visit.text("get('quiz').hidden"), "false");
    let before = visit.number(CHANGE);
    visit.ask(
        "const { queens, signals } = page.head; \
         page.quiz.answer(queens.findIndex((on, cell) => on && signals[cell]));",
    );
    let said = visit.text("get('question').textContent");
    assert!(said.starts_with("Right: the queen on "), "{said}");
    assert_eq!(visit.number(CHANGE), before + 1.0);
    assert_quiet(&visit);
}

#[test]
fn the_live_page_fits_wide_and_narrow() {
    let visit = open(Look::WIDE);
    visit.press("End", &[]);
    visit.wait("!page.player.isPlaying && get('replay').dataset.whole === 'true'");
    assert_fits(&visit, "live", "#risks");
    assert_quiet(&visit);
}
