//! The same trials by plain code: one board as a [`Configuration`], classes from scratch by the
//! rule's own definition, the rule's own update.

use crate::board::{Cell, Direction, Pair};
use crate::local;
use crate::local::configuration::{Configuration, Move};
use crate::local::lanes::draw::{SHARES, Slots, below};
use crate::local::lanes::team::next_checkpoint;
use crate::local::lanes::trial::wait_alone;
use crate::local::lanes::waits::{composition, failures};
use crate::local::observe::Observables;
use crate::local::rules::{OnCells, OnPairs};
use crate::local::samples::class;
use crate::local::sites::{Class, LocalRule};
use crate::rng::{Chance, Generator, RandomSource, TrialStream};
use crate::{Control, Ending, Outcome, Point};

/// What of a rule depends on the kernel.
pub trait InPlainCode: LocalRule {
    /// The sites in the order in which lanes count them.
    fn in_order(&self, x: &Configuration) -> Vec<Self::Site>;

    /// Sites of a cell with a queen, at most.
    const SITES_PER_CELL: u64;

    /// Coins before that of ε.
    const COINS_BEFORE: i32;

    /// The update of an open site, with the lower half of a word as the coin.
    fn update_by(
        &self,
        x: &mut Configuration,
        site: Self::Site,
        word: u64,
        random: &mut Generator,
    ) -> Option<Move>;
}

/// Answers that were decided before.
struct Decided(Vec<bool>);

impl RandomSource for Decided {
    fn below(&mut self, _: u64) -> u64 {
        unreachable!("a pair has no choice")
    }

    fn flip(&mut self, _: Chance) -> bool {
        self.0.remove(0)
    }
}

impl InPlainCode for OnPairs {
    const SITES_PER_CELL: u64 = 8;
    const COINS_BEFORE: i32 = 0;

    fn in_order(&self, x: &Configuration) -> Vec<Self::Site> {
        let board = x.board();
        let pair = |a, ahead| Pair {
            a,
            b: board.neighbour(a, ahead),
            from_a: ahead.opposite(),
            from_b: ahead,
        };
        let all = [Direction::E, Direction::SW, Direction::S, Direction::SE].into_iter();
        all.flat_map(|ahead| {
            let has_one = move |&a: &Cell| board.directions(a).contains(ahead);
            board.cells().filter(has_one).map(move |a| pair(a, ahead))
        })
        .collect()
    }

    fn update_by(
        &self,
        x: &mut Configuration,
        pair: Self::Site,
        word: u64,
        random: &mut Generator,
    ) -> Option<Move> {
        let one = self.epsilon().threshold();
        let first = (one * ((1 << 64) - one)) >> 64;
        let thresholds = [one, first, 2 * first];
        let leaves = [x[pair.a].threatened(), x[pair.b].threatened()];
        let low = u128::from(word & u64::from(u32::MAX));
        let mut coin = low << 32;
        if leaves != [false; 2] && thresholds.iter().any(|threshold| threshold >> 32 == low) {
            coin |= u128::from(random.word() >> 32);
        }
        let certainty = &self.certainty;
        let is_certain = certainty.is_certain(x[pair.a], x[pair.b], pair.from_a)
            || certainty.is_certain(x[pair.b], x[pair.a], pair.from_b);
        let shown = if leaves == [true; 2] && !is_certain {
            vec![coin < first, (first..2 * first).contains(&coin)]
        } else {
            vec![coin < one]
        };
        self.update(x, pair, &mut Decided(shown))
    }
}

/// A generator whose coin of ε shows heads after so many other coins, and then costs no word.
struct Forced<'a>(&'a mut Generator, i32);

impl RandomSource for Forced<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn flip(&mut self, chance: Chance) -> bool {
        self.1 -= 1;
        assert!(self.1 >= -1, "one coin of ε");
        self.1 == -1 || self.0.flip(chance)
    }
}

impl InPlainCode for OnCells {
    const SITES_PER_CELL: u64 = 1;
    const COINS_BEFORE: i32 = 1;

    fn in_order(&self, _: &Configuration) -> Vec<Self::Site> {
        (0..self.n_sites())
            .map(|number| self.site(number))
            .collect()
    }

    fn update_by(
        &self,
        x: &mut Configuration,
        site: Self::Site,
        _: u64,
        random: &mut Generator,
    ) -> Option<Move> {
        self.update(x, site, random)
    }
}

/// A trial under way.
#[derive(Clone)]
struct PlainTrial<'a, R: LocalRule> {
    rule: &'a R,
    x: Configuration,
    observables: Observables<'a>,
    generator: Generator,
    slots: Slots,
}

/// What a step was.
enum PlainStep {
    /// No draw.
    Nothing,
    /// A draw with so many open sites, and whether it updates a site.
    Draw(usize, bool),
    /// A draw without an open site, after so many updates.
    Alone(u64),
    /// Nothing can change.
    Still,
}

impl<R: InPlainCode> PlainTrial<'_, R> {
    fn step(&mut self, waits: &mut TrialStream, time: u64) -> PlainStep {
        let sites = self.rule.in_order(&self.x);
        let of = |wanted: Class| -> Vec<R::Site> {
            let all = sites.iter().copied();
            all.filter(|&site| class(self.rule, &self.x, site) == wanted)
                .collect()
        };
        let [open, dangerous, contested] =
            [Class::Open, Class::Dangerous, Class::Contested].map(of);
        let n_open = open.len();
        let word = self.generator.word();
        let shares = (n_open as u64 * SHARES + self.slots.shares).min(self.slots.most);
        let product = (word >> 32) * shares;
        let low = product & u64::from(u32::MAX);
        if shares > 0 && low < (1 << 32) % shares {
            return PlainStep::Nothing;
        }
        let rank = (product >> 32) / SHARES;
        if let Some(&site) = open.get(rank as usize) {
            let moved = self
                .rule
                .update_by(&mut self.x, site, word, &mut self.generator);
            self.note(moved, time);
            return PlainStep::Draw(n_open, true);
        }
        let one = self.rule.epsilon().threshold();
        let two = (one * ((1 << 64) - one)) >> 63;
        let weight = dangerous.len() as u128 * one + contested.len() as u128 * two;
        let (at, step) = if n_open > 0 {
            let share = (product >> 32) - n_open as u64 * SHARES;
            let within = u128::from(self.generator.word() >> 6);
            let at = u128::from(share) << 58 | within;
            (at, PlainStep::Draw(n_open, at < weight))
        } else if weight == 0 {
            return PlainStep::Still;
        } else {
            let wait = wait_alone(weight, &self.slots, waits);
            (below(weight, &mut self.generator), PlainStep::Alone(wait))
        };
        let moved = if at < dangerous.len() as u128 * one {
            let site = dangerous[(at / one) as usize];
            self.rule.update(
                &mut self.x,
                site,
                &mut Forced(&mut self.generator, R::COINS_BEFORE),
            )
        } else if at < weight {
            let at = at - dangerous.len() as u128 * one;
            let second = at % two >= two.div_ceil(2);
            let site = contested[(at / two) as usize];
            let coins = &mut Decided(vec![!second, second]);
            self.rule.update(&mut self.x, site, coins)
        } else {
            None
        };
        self.note(moved, time);
        step
    }

    /// Simulates up to the next checkpoint: each draw, and whether nothing can change after the
    /// last.
    fn stretch(
        &mut self,
        waits: &mut TrialStream,
        steps: &mut u64,
        was_hit: bool,
    ) -> (Stretch, bool) {
        let (end, mut draws) = (next_checkpoint(*steps), Vec::new());
        while *steps < end {
            *steps += 1;
            match self.step(waits, *steps) {
                PlainStep::Nothing => continue,
                PlainStep::Still => return (draws, true),
                PlainStep::Draw(open, _) => draws.push((open, 0)),
                PlainStep::Alone(wait) => draws.push((0, wait)),
            }
            if !was_hit && self.observables.in_solution() {
                break;
            }
        }
        (draws, false)
    }

    fn note(&mut self, moved: Option<Move>, time: u64) {
        // Whether all signals are true is found afresh.
        self.observables.updated(time, moved, || [], &self.x);
    }

    fn outcome_now(&self, time: u64) -> Outcome {
        self.observables.outcome(&self.x, time)
    }
}

/// The configuration after each update of a site that is not skipped, and its time.
pub type Changes = Vec<(u64, Configuration)>;

/// The draws of a stretch between two checkpoints, each with its number of open sites or, where
/// there is none, its wait.
type Stretch = Vec<(usize, u64)>;

/// The trial of this index and of seed 1. `None` where it takes more steps than allowed.
pub fn trial<R: InPlainCode>(
    point: &Point,
    trial: u32,
    cutoff: u64,
    most: u64,
) -> Option<(Outcome, Changes)> {
    let rule = R::at(point, local::board(point));
    let stream = |tag: &str| TrialStream::new(tag, 1, point, trial);
    let mut start = stream("reines/local/lanes/1");
    let x = Configuration::random_start(local::board(point), &mut start);
    let n_sites = rule.n_sites();
    let mut under_way = PlainTrial {
        observables: Observables::at_start(&x, &Control::unstopped()),
        generator: Generator(std::array::from_fn(|_| start.word())),
        slots: Slots::new(
            rule.epsilon(),
            n_sites,
            x.board().n() as u64,
            R::SITES_PER_CELL,
        ),
        x,
        rule: &rule,
    };
    let mut waits = stream("reines/local/lanes/waits/1");
    let (mut time, mut steps, mut hitting_time) = (0, 0, None);
    let mut changes = Changes::new();
    loop {
        let before = (under_way.clone(), waits.clone());
        let was_hit = under_way.outcome_now(time).moves_at_hit.is_some();
        hitting_time = hitting_time.or(was_hit.then_some(time));
        let (draws, is_still) = under_way.stretch(&mut waits, &mut steps, was_hit);
        let mut sum = draws
            .iter()
            .fold(0, |sum: u64, it| sum.saturating_add(it.1));
        let is_beyond = draws.iter().any(|it| it.1 == u64::MAX);
        let mut parts = Vec::new();
        let mut singles = stream(&format!("reines/local/lanes/single-waits/2/{time}"));
        for open in 0..=n_sites as usize {
            let number = draws.iter().filter(|draw| draw.0 == open).count() as u32;
            if open > 0 && number > 0 {
                let p = under_way.slots.probability(open as u64);
                let failures = failures(number, p, &mut waits);
                sum = sum.saturating_add(failures + u64::from(number));
                parts.push(composition(failures, number, &mut singles).into_iter());
            } else {
                parts.push(Vec::new().into_iter());
            }
        }
        let last = once_more(before, &draws, parts, (time, cutoff), &mut changes);
        let is_cut = is_beyond || sum > cutoff - time;
        assert_eq!(last.is_some(), is_cut);
        if let Some(last) = last {
            return Some((censored(last, hitting_time, cutoff), changes));
        }
        time += sum;
        let now = under_way.outcome_now(time);
        hitting_time = hitting_time.or(now.moves_at_hit.map(|_| time));
        if is_absorbed(&under_way.x) {
            let outcome = Outcome {
                ending: Ending::Absorbed,
                absorption_time: Some(time),
                hitting_time,
                ..now
            };
            return Some((outcome, changes));
        }
        if is_still || time == cutoff {
            return Some((censored(now, hitting_time, cutoff), changes));
        }
        if steps > most {
            return None;
        }
    }
}

/// The queens form a solution and every signal is true, all found afresh on the board.
fn is_absorbed(x: &Configuration) -> bool {
    let truth = x.true_signals();
    let is_true = |cell: Cell| x[cell].signals == truth[cell.index()];
    x.solution().is_some() && x.board().cells().all(is_true)
}

/// A stretch with single waits, as far as there is time; the trial at the cutoff if that comes
/// before the end.
fn once_more<R: InPlainCode>(
    (mut again, mut waits): (PlainTrial<R>, TrialStream),
    draws: &Stretch,
    mut parts: Vec<std::vec::IntoIter<u64>>,
    (mut time, cutoff): (u64, u64),
    changes: &mut Changes,
) -> Option<Outcome> {
    for &(open, alone) in draws {
        let wait = if open > 0 {
            parts[open].next().expect("a wait") + 1
        } else {
            alone
        };
        if wait > cutoff - time || wait == u64::MAX {
            return Some(again.outcome_now(cutoff));
        }
        time += wait;
        let step = std::iter::repeat_with(|| again.step(&mut waits, 0))
            .find(|step| !matches!(step, PlainStep::Nothing));
        if !matches!(step, Some(PlainStep::Draw(_, false))) {
            changes.push((time, again.x.clone()));
        }
    }
    None
}

fn censored(outcome: Outcome, hitting_time: Option<u64>, cutoff: u64) -> Outcome {
    Outcome {
        ending: Ending::Censored,
        absorption_time: None,
        hitting_time,
        moves_at_hit: hitting_time.and(outcome.moves_at_hit),
        updates: Some(cutoff),
        ..outcome
    }
}
