//! The same trials by plain code: one board as a [`Configuration`], classes from scratch by the
//! rule's own definition, the rule's own update.

use crate::board::{Cell, Direction, Pair};
use crate::local;
use crate::local::configuration::{Configuration, Move};
use crate::local::lanes::draw::{SHARES, Slots, below};
use crate::local::observe::Observables;
use crate::local::rules::{OnCells, OnPairs};
use crate::local::sites::{Class, LocalRule};
use crate::local::tests::samples::class;
use crate::rng::{Chance, Generator, Geometric, RandomSource, TWO_TO_64, TrialStream, Words};
use crate::{Control, Outcome, Point};

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
struct PlainTrial<'a, R: LocalRule> {
    rule: &'a R,
    x: Configuration,
    observables: Observables<'a>,
    generator: Generator,
    /// The generator of waits.
    waits: Generator,
    slots: Slots,
    /// Updates so far.
    time: f64,
    cutoff: f64,
}

/// What a step was.
enum PlainStep {
    /// No draw, or one that changes nothing.
    Nothing,
    /// A site was updated.
    Update,
    /// Nothing changes any more up to the cutoff.
    End,
}

impl<R: InPlainCode> PlainTrial<'_, R> {
    fn step(&mut self) -> PlainStep {
        let sites = self.rule.in_order(&self.x);
        let of = |wanted: Class| -> Vec<R::Site> {
            let all = sites.iter().copied();
            all.filter(|&site| class(self.rule, &self.x, site) == wanted)
                .collect()
        };
        let [open, dangerous, contested] =
            [Class::Open, Class::Dangerous, Class::Contested].map(of);
        let n_open = open.len() as u64;
        let word = self.generator.word();
        let shares = (n_open * SHARES + self.slots.shares).min(self.slots.most);
        let product = (word >> 32) * shares;
        let low = product & u64::from(u32::MAX);
        let is_again = shares > 0 && low < (1 << 32) % shares;
        let wait = self.wait(shares as f64 / self.slots.most as f64);
        if is_again {
            return PlainStep::Nothing;
        }
        if n_open > 0 && !self.passes(wait) {
            return PlainStep::End;
        }
        if let Some(&site) = open.get(((product >> 32) / SHARES) as usize) {
            let random = &mut self.generator;
            let moved = self.rule.update_by(&mut self.x, site, word, random);
            return self.updated(moved);
        }
        let one = self.rule.epsilon().threshold();
        let two = (one * ((1 << 64) - one)) >> 63;
        let weight = dangerous.len() as u128 * one + contested.len() as u128 * two;
        let at = if n_open > 0 {
            let share = (product >> 32) - n_open * SHARES;
            u128::from(share) << 58 | u128::from(self.generator.word() >> 6)
        } else {
            let p = weight as f64 / TWO_TO_64 / sites.len() as f64;
            if weight == 0 || !self.waits_alone(p.min(1.0)) {
                return PlainStep::End;
            }
            below(weight, &mut self.generator)
        };
        if at >= weight {
            return PlainStep::Nothing;
        }
        let n_dangerous = dangerous.len() as u128 * one;
        let moved = if at < n_dangerous {
            let site = dangerous[(at / one) as usize];
            let coins = &mut Forced(&mut self.generator, R::COINS_BEFORE);
            self.rule.update(&mut self.x, site, coins)
        } else {
            let at = at - n_dangerous;
            let second = at % two >= two.div_ceil(2);
            let coins = &mut Decided(vec![!second, second]);
            let site = contested[(at / two) as usize];
            self.rule.update(&mut self.x, site, coins)
        };
        self.updated(moved)
    }

    /// The updates before a draw of this probability, itself included.
    fn wait(&mut self, p: f64) -> f64 {
        let uniform = ((self.waits.word() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
        (libm::log(uniform) / libm::log1p(-p)).trunc() + 1.0
    }

    fn waits_alone(&mut self, p: f64) -> bool {
        let failures = Geometric::new(p).scale() * self.waits.exponential();
        self.passes(failures.trunc() + 1.0)
    }

    /// Lets time pass; false if that is after the cutoff.
    fn passes(&mut self, wait: f64) -> bool {
        self.time += wait;
        self.time <= self.cutoff
    }

    fn updated(&mut self, moved: Option<Move>) -> PlainStep {
        // Whether all signals are true is found afresh.
        let time = self.time as u64;
        self.observables.updated(time, moved, || [], &self.x);
        PlainStep::Update
    }

    /// The facts of the trial, which has ended.
    fn outcome(&self) -> Outcome {
        let truth = self.x.true_signals();
        let is_true = |cell: Cell| self.x[cell].signals == truth[cell.index()];
        let is_absorbed = self.x.solution().is_some() && self.x.board().cells().all(is_true);
        let time = if is_absorbed { self.time } else { self.cutoff } as u64;
        Outcome {
            solution: self.x.solution(),
            ..self.observables.counters().outcome(is_absorbed, time)
        }
    }
}

/// The configuration after each update of a site that is not skipped, and its time.
pub type Changes = Vec<(u64, Configuration)>;

/// The trial of this index and of seed 1. `None` where it takes more steps than allowed.
pub fn trial<R: InPlainCode>(
    point: &Point,
    trial: u32,
    cutoff: u64,
    most: u64,
) -> Option<(Outcome, Changes)> {
    let rule = R::at(point, local::board(point));
    let mut stream = TrialStream::new("reines/local/lanes/2", 1, point, trial);
    let x = Configuration::random_start(local::board(point), &mut stream);
    let mut generator = || Generator(std::array::from_fn(|_| stream.word()));
    let (epsilon, n) = (rule.epsilon(), x.board().n() as u64);
    let mut under_way = PlainTrial {
        observables: Observables::at_start(&x, &Control::unstopped()),
        generator: generator(),
        waits: generator(),
        slots: Slots::new(epsilon, rule.n_sites(), n, R::SITES_PER_CELL),
        time: 0.0,
        cutoff: cutoff as f64,
        x,
        rule: &rule,
    };
    let mut changes = Changes::new();
    for _ in 0..most {
        match under_way.step() {
            PlainStep::Nothing => {}
            PlainStep::Update => changes.push((under_way.time as u64, under_way.x.clone())),
            PlainStep::End => return Some((under_way.outcome(), changes)),
        }
    }
    None
}
