//! Generic checkers, after Choco's: every propagator on random domains, against enumeration, undo
//! and itself from scratch.
//!
//! Each case draws 2000 small instances (seeded) and walks 12 random steps on each; every check is
//! exact, so none can fail by chance.

use std::collections::BTreeSet;

use reines::solver::cp::domain::{DomainValue, Domains, Inconsistency, Var};
use reines::solver::cp::engine::Engine;
use reines::solver::cp::propagator::all_different::{self, Consistency};
use reines::solver::cp::propagator::diagonal::Diagonal;
use reines::solver::cp::propagator::inverse::Inverse;
use reines::solver::cp::propagator::less::Less;
use reines::solver::cp::propagator::not_equal::NotEqual;
use reines::solver::cp::propagator::views::View;
use reines::solver::rng::{RandomSource, TrialStream};

use super::coins;

const INSTANCES: u32 = 2000;
const STEPS: u32 = 12;

/// What a fixed point promises.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Promise {
    /// No value of a solution is lost; a full assignment is a solution.
    Sound,
    /// Every bound, too, has a support between the bounds.
    Bounds,
    /// Every value, too, has a support.
    Domain,
}

/// A constraint on some variables.
#[derive(Debug, Clone)]
enum Constraint {
    /// x ≠ y + c for each triple.
    NotEqual(Vec<(usize, usize, DomainValue)>),
    Diagonal,
    Less,
    /// The first half is the inverse of the second.
    Inverse,
    AllDifferent(Consistency, Vec<DomainValue>),
}

/// The domains at the start and the constraint on them.
#[derive(Debug, Clone)]
struct Instance {
    capacity: usize,
    domains: Vec<Vec<DomainValue>>,
    constraint: Constraint,
}

type Values = Vec<Vec<DomainValue>>;

impl Instance {
    /// Random domains of so many variables.
    fn random(size: (usize, usize), constraint: Constraint, coins: &mut TrialStream) -> Self {
        Self {
            capacity: size.1,
            domains: random_domains(size, coins),
            constraint,
        }
    }
}

impl Constraint {
    fn holds(&self, values: &[DomainValue]) -> bool {
        match self {
            Self::NotEqual(differences) => {
                let differs = |&(x, y, c): &_| values[x] != values[y] + c;
                differences.iter().all(differs)
            }
            Self::Diagonal => values[0] + values[1] != values[2] + values[3],
            Self::Less => values[0] < values[1],
            Self::Inverse => {
                let (x, y) = values.split_at(values.len() / 2);
                let leads_back = |there: &[DomainValue], back: &[DomainValue]| {
                    (0..).zip(there).all(|(i, &j)| back[j as usize] == i)
                };
                leads_back(x, y) && leads_back(y, x)
            }
            Self::AllDifferent(_, offsets) => {
                let shifted = values.iter().zip(offsets).map(|(it, offset)| it + offset);
                shifted.collect::<BTreeSet<_>>().len() == values.len()
            }
        }
    }

    fn post(&self, vars: &[Var], engine: &mut Engine) {
        match self {
            Self::NotEqual(differences) => {
                let mut network = NotEqual::new(vars.to_vec());
                for &(x, y, c) in differences {
                    network.differ(x, y, c);
                }
                engine.post(network);
            }
            Self::Diagonal => engine.post(Diagonal::new([vars[0], vars[1]], [vars[2], vars[3]])),
            Self::Less => engine.post(Less::new(vars[0], vars[1])),
            Self::Inverse => {
                let (x, y) = vars.split_at(vars.len() / 2);
                let propagator = Inverse::new(x, y, &mut engine.domains);
                engine.post(propagator);
            }
            Self::AllDifferent(consistency, offsets) => {
                let views = vars.iter().zip(offsets);
                let views = views.map(|(&var, &offset)| View { var, offset });
                all_different::post(&views.collect::<Vec<_>>(), *consistency, engine);
            }
        }
    }
}

/// A constraint posted on its variables.
struct Posted {
    engine: Engine,
    vars: Vec<Var>,
}

impl Posted {
    /// The constraint on the given domains. `early`: the domains are cut before it is posted, not
    /// between that and the first fixed point.
    fn new(instance: &Instance, domains: &[Vec<DomainValue>], early: bool) -> Self {
        let mut engine = Engine::default();
        let variable = |_| engine.domains.variable(instance.capacity);
        let vars: Vec<Var> = domains.iter().map(variable).collect();
        if early {
            cut(&vars, domains, &mut engine.domains);
        }
        instance.constraint.post(&vars, &mut engine);
        cut(&vars, domains, &mut engine.domains);
        Self { engine, vars }
    }

    fn domains(&self) -> Values {
        let values = |&var: &Var| self.engine.domains.values(var).collect();
        self.vars.iter().map(values).collect()
    }
}

fn cut(vars: &[Var], domains: &[Vec<DomainValue>], store: &mut Domains) {
    for (&var, domain) in vars.iter().zip(domains) {
        for value in store.values(var).collect::<Vec<_>>() {
            if !domain.contains(&value) {
                store.remove(var, value).expect("another value stays");
            }
        }
    }
}

/// Every assignment from `domains` that satisfies the constraint.
fn solutions(constraint: &Constraint, domains: &[Vec<DomainValue>]) -> Values {
    let mut all = vec![Vec::new()];
    for domain in domains {
        let with = |start: Vec<DomainValue>| {
            let longer = move |&value: &_| [&start[..], &[value]].concat();
            domain.iter().map(longer)
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all.retain(|values| constraint.holds(values));
    all
}

/// The intervals from the least to the greatest value, holes filled.
fn intervals(domains: &[Vec<DomainValue>]) -> Values {
    let interval = |it: &Vec<DomainValue>| (it[0]..=it[it.len() - 1]).collect();
    domains.iter().map(interval).collect()
}

/// A fixed point from `before` to `after` (or to a failure) against enumeration.
fn check(
    instance: &Instance,
    promise: Promise,
    before: &[Vec<DomainValue>],
    after: &Result<Values, Inconsistency>,
) {
    let all = solutions(&instance.constraint, before);
    let told = format!("{instance:?} from {before:?} to {after:?}");
    let Ok(after) = after else {
        return assert!(all.is_empty(), "a failure with solutions: {told}");
    };
    for solution in &all {
        let mut kept = solution.iter().zip(after);
        let is_kept = kept.all(|(value, domain)| domain.contains(value));
        assert!(is_kept, "{solution:?} is lost: {told}");
    }
    if after.iter().all(|domain| domain.len() == 1) {
        assert_eq!(all.len(), 1, "no solution: {told}");
    }
    let supports = match promise {
        Promise::Sound => return,
        Promise::Bounds => solutions(&instance.constraint, &intervals(after)),
        Promise::Domain => solutions(&instance.constraint, after),
    };
    for (at, domain) in after.iter().enumerate() {
        for value in domain {
            let is_bound = [domain.first(), domain.last()].contains(&Some(value));
            let needs_support = promise == Promise::Domain || is_bound;
            let supported = supports.iter().any(|solution| solution[at] == *value);
            let is_well = supported || !needs_support;
            assert!(is_well, "{value} at {at} has no support: {told}");
        }
    }
}

/// A random step on a variable that still has a choice: assign or remove one of its values.
fn step(domains: &Values, coins: &mut TrialStream) -> Option<(usize, DomainValue, bool)> {
    let open = (0..domains.len()).filter(|&at| domains[at].len() > 1);
    let open: Vec<usize> = open.collect();
    let at = *open.get(coins.below(open.len().max(1) as u64) as usize)?;
    let value = domains[at][coins.below(domains[at].len() as u64) as usize];
    Some((at, value, coins.below(2) == 0))
}

/// Walks up and down from the root: each step is checked by enumeration and against the constraint
/// posted anew, each undo against what was there.
fn walk(instance: &Instance, promise: Promise, coins: &mut TrialStream) {
    let mut posted = Posted::new(instance, &instance.domains, coins.below(2) == 0);
    let root = posted.engine.fixed_point().map(|()| posted.domains());
    check(instance, promise, &instance.domains, &root);
    if root.is_err() {
        return;
    }
    let mut levels = Vec::new();
    for _ in 0..STEPS {
        let now = posted.domains();
        let Some((at, value, assigns)) = step(&now, coins) else {
            break;
        };
        let mut asked = now.clone();
        asked[at].retain(|&other| (other == value) == assigns);
        posted.engine.push();
        levels.push(now);
        let result = if assigns {
            posted.engine.assign(posted.vars[at], value)
        } else {
            posted.engine.remove(posted.vars[at], value)
        };
        let after = result.map(|()| posted.domains());
        check(instance, promise, &asked, &after);
        let mut anew = Posted::new(instance, &asked, true);
        let from_scratch = anew.engine.fixed_point().map(|()| anew.domains());
        assert_eq!(after, from_scratch, "{instance:?} from {asked:?}");
        let n_undone = match after {
            Err(_) => 1 + coins.below(2),
            Ok(_) => coins.below(8).saturating_sub(6),
        };
        for _ in 0..n_undone {
            let Some(there) = levels.pop() else { break };
            posted.engine.undo();
            assert_eq!(posted.domains(), there, "undone");
        }
    }
    while let Some(there) = levels.pop() {
        posted.engine.undo();
        assert_eq!(posted.domains(), there, "undone");
    }
}

/// `count` random nonempty subsets of `0 .. capacity`; one in eight keeps a single value.
fn random_domains((count, capacity): (usize, usize), coins: &mut TrialStream) -> Values {
    let mut domain = || {
        let single = coins.below(8) == 0;
        let values = (0..capacity as DomainValue).filter(|_| coins.below(3) > 0);
        let mut values: Vec<DomainValue> = values.collect();
        values.truncate(if single { 1 } else { capacity });
        if values.is_empty() {
            values.push(coins.below(capacity as u64) as DomainValue);
        }
        values
    };
    (0..count).map(|_| domain()).collect()
}

fn between(least: usize, greatest: usize, coins: &mut TrialStream) -> usize {
    least + coins.below((greatest - least + 1) as u64) as usize
}

fn walks(name: &'static str, promise: Promise, draw: impl Fn(&mut TrialStream) -> Instance) {
    for trial in 0..INSTANCES {
        let mut coins = coins(name, trial);
        let instance = draw(&mut coins);
        walk(&instance, promise, &mut coins);
    }
}

#[test]
fn all_different() {
    for (name, consistency, promise) in [
        ("forward", Consistency::Forward, Promise::Sound),
        ("bounds", Consistency::Bounds, Promise::Bounds),
        ("domain", Consistency::Domain, Promise::Domain),
    ] {
        walks(name, promise, |coins| {
            let (count, capacity) = (between(2, 5, coins), between(2, 6, coins));
            let slope = between(0, 2, coins) as DomainValue - 1;
            let offsets = (0..count as DomainValue).map(|at| slope * at).collect();
            let constraint = Constraint::AllDifferent(consistency, offsets);
            Instance::random((count, capacity), constraint, coins)
        });
    }
}

/// Domains of several words, where every value has a support or none has by construction: checked
/// against pigeonholes instead of enumeration.
#[test]
fn all_different_across_words() {
    for consistency in [Consistency::Bounds, Consistency::Domain] {
        let n = 150;
        let mut engine = Engine::default();
        let vars: Vec<Var> = (0..n).map(|_| engine.domains.variable(n)).collect();
        let views = vars.iter().zip(0..);
        let views = views.map(|(&var, offset)| View { var, offset });
        all_different::post(&views.collect::<Vec<_>>(), consistency, &mut engine);
        // x_i + i ∈ {100, 101, 102} for i = 20, 40, 60: no other variable may take these.
        for at in [20, 40, 60] {
            let (domains, offset) = (&mut engine.domains, at as DomainValue);
            let below = domains.remove_below(vars[at], 100 - offset);
            let above = domains.remove_above(vars[at], 102 - offset);
            assert!(below.is_ok() && above.is_ok(), "values are left");
        }
        assert_eq!(engine.fixed_point(), Ok(()));
        if consistency == Consistency::Domain {
            for (at, &var) in vars.iter().enumerate() {
                let values = || (100..=102).map(|value| value - at as DomainValue);
                let inside = values().filter(|&it| engine.domains.contains(var, it));
                let capable = values().filter(|it| (0..n as DomainValue).contains(it));
                let expected = match [20, 40, 60].contains(&at) {
                    true => (3, 3),
                    false => (0, n - capable.count()),
                };
                let found = (inside.count(), engine.domains.size(var) as usize);
                assert_eq!(found, expected, "{at}");
            }
        }
        let first = engine.assign(vars[20], 81);
        let second = first.and_then(|()| engine.assign(vars[40], 61));
        assert_eq!(second, Err(Inconsistency));
    }
}

#[test]
fn not_equal() {
    walks("not_equal", Promise::Domain, |coins| {
        let capacity = between(2, 7, coins);
        let c = between(0, 6, coins) as DomainValue - 3;
        Instance::random((2, capacity), Constraint::NotEqual(vec![(0, 1, c)]), coins)
    });
}

/// A network as a whole promises no more than its differences.
#[test]
fn not_equal_network() {
    walks("network", Promise::Sound, |coins| {
        let (count, capacity) = (between(3, 5, coins), between(2, 5, coins));
        let differences = (0..6).map(|_| {
            let x = between(0, count - 1, coins);
            let y = (x + between(1, count - 1, coins)) % count;
            (x, y, between(0, 4, coins) as DomainValue - 2)
        });
        let constraint = Constraint::NotEqual(differences.collect());
        Instance::random((count, capacity), constraint, coins)
    });
}

#[test]
fn diagonal() {
    walks("diagonal", Promise::Domain, |coins| {
        let capacity = between(2, 6, coins);
        Instance::random((4, capacity), Constraint::Diagonal, coins)
    });
}

#[test]
fn less() {
    walks("less", Promise::Domain, |coins| {
        let capacity = between(2, 8, coins);
        Instance::random((2, capacity), Constraint::Less, coins)
    });
}

#[test]
fn inverse() {
    walks("inverse", Promise::Sound, |coins| {
        let n = between(2, 4, coins);
        Instance::random((2 * n, n), Constraint::Inverse, coins)
    });
}

/// Each equivalence `x_i = j ⇔ y_j = i` alone is domain consistent, and nothing goes that was there
/// on both sides but for an instantiation.
#[test]
fn inverse_keeps_each_equivalence_consistent() {
    let mut kept = 0;
    for trial in 0..INSTANCES {
        let mut coins = coins("mirror", trial);
        let n = between(2, 6, &mut coins);
        let instance = Instance::random((2 * n, n), Constraint::Inverse, &mut coins);
        let mut posted = Posted::new(&instance, &instance.domains, true);
        if posted.engine.fixed_point().is_err() {
            continue;
        }
        let domains = posted.domains();
        for (i, j) in pairs(n) {
            let (x, y) = (&domains[i], &domains[n + j as usize]);
            let agree = |v: DomainValue, w: DomainValue| (v == j) == (w == i as DomainValue);
            let x_holds = x.iter().all(|&v| y.iter().any(|&w| agree(v, w)));
            let y_holds = y.iter().all(|&w| x.iter().any(|&v| agree(v, w)));
            let told = format!("x_{i}, y_{j}: {instance:?} to {domains:?}");
            assert!(x_holds && y_holds, "no support in the other: {told}");
            let is_taken_at = |at: usize| {
                (at != i && domains[at] == [j])
                    || (at as DomainValue != j && domains[n + at] == [i as DomainValue])
            };
            let may_go = x.len() == 1 || y.len() == 1 || (0..n).any(is_taken_at);
            let was_there = mirrored(&instance.domains, n, i, j);
            assert!(x.contains(&j) || !was_there || may_go, "{told}");
        }
        kept += 1;
    }
    assert!(kept > INSTANCES / 10, "{kept} instances had a fixed point");
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, DomainValue)> {
    (0..n).flat_map(move |i| (0..n as DomainValue).map(move |j| (i, j)))
}

fn mirrored(domains: &[Vec<DomainValue>], n: usize, i: usize, j: DomainValue) -> bool {
    domains[i].contains(&j) && domains[n + j as usize].contains(&(i as DomainValue))
}
