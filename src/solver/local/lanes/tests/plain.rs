//! The same trials by plain code: one board as a [`Configuration`], classes from scratch by the
//! rule's own definition, the rule's own update.

use crate::bits;
use crate::board::{Board, Cell};
use crate::local;
use crate::local::configuration::Configuration;
use crate::local::lanes::Kernel;
use crate::local::lanes::draw::{SHARES, Slots, below};
use crate::local::lanes::layout::Layout;
use crate::local::observe::Observables;
use crate::local::sites::{Class, LocalRule};
use crate::local::tests::samples::class;
use crate::rng::{Generator, Geometric, TWO_TO_64, TrialStream, Words as _};
use crate::{Control, Outcome, Point};

/// The sites in the order in which lanes count them: mask by mask, row by row.
fn in_order<R: Kernel<G>, const G: usize>(rule: &R, board: Board) -> Vec<R::Site> {
    let layout = &Layout::on(board);
    let masks = R::sites_of(layout.has_neighbour).into_iter().enumerate();
    let sites = masks.flat_map(|(mask, sites)| {
        bits::ones(sites).map(move |index| rule.place(layout, mask, index as u32))
    });
    let sites: Vec<R::Site> = sites.collect();
    assert!(sites.len() as u64 == rule.n_sites() || board.n() == 1);
    sites
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

impl<R: LocalRule> PlainTrial<'_, R> {
    fn step<const G: usize>(&mut self) -> PlainStep
    where
        R: Kernel<G>,
    {
        let sites = in_order(self.rule, self.x.board());
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
            let coins = self.rule.coins(&self.x, site, word, &mut self.generator);
            return self.update(site, coins);
        }
        let one = self.rule.epsilon().threshold();
        let two = (one * ((1 << 64) - one)) >> 63;
        let weight = dangerous.len() as u128 * one + contested.len() as u128 * two;
        let at = if n_open > 0 {
            let share = (product >> 32) - n_open * SHARES;
            u128::from(share) << 58 | u128::from(self.generator.word() >> 6)
        } else {
            let p = weight as f64 / TWO_TO_64 / sites.len() as f64;
            let scale = Geometric::new(p.min(1.0)).scale();
            let wait = (self.waits.exponential() * scale).trunc() + 1.0;
            if weight == 0 || !self.passes(wait) {
                return PlainStep::End;
            }
            below(weight, &mut self.generator)
        };
        if at >= weight {
            return PlainStep::Nothing;
        }
        let n_dangerous = dangerous.len() as u128 * one;
        if at < n_dangerous {
            return self.update(dangerous[(at / one) as usize], Some([true; 2]));
        }
        let at = at - n_dangerous;
        let second = at % two >= two.div_ceil(2);
        self.update(contested[(at / two) as usize], Some([!second, second]))
    }

    fn update<const G: usize>(&mut self, site: R::Site, coins: Option<[bool; 2]>) -> PlainStep
    where
        R: Kernel<G>,
    {
        let random = &mut self.generator;
        let moved = self.rule.update_by(&mut self.x, site, coins, random);
        // Whether all signals are true is found afresh.
        let time = self.time as u64;
        self.observables.updated(time, moved, || [], &self.x);
        PlainStep::Update
    }

    /// The updates before a draw of this probability, itself included.
    fn wait(&mut self, p: f64) -> f64 {
        let uniform = ((self.waits.word() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
        (libm::log(uniform) / libm::log1p(-p)).trunc() + 1.0
    }

    /// Lets time pass; false if that is after the cutoff.
    fn passes(&mut self, wait: f64) -> bool {
        self.time += wait;
        self.time <= self.cutoff
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
pub fn trial<R: Kernel<G>, const G: usize>(
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
