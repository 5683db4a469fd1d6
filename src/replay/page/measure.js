// Many trials of the pair rule, measured and not shown: updates that change nothing are skipped (the
// rejection-free dynamics, as src/solver/local/rejection_free.rs describes them). Times, moves and
// solutions have the distribution that the stepwise dynamics gives them; the random numbers differ.

// What an update of a pair does: it can change nothing; it changes something for certain; with
// probability epsilon; with probability 2 epsilon (1 - epsilon), when one of two queens may move.
const INERT = 0, CERTAIN = 1, RISKY = 2, CONTESTED = 3;

class SkippingTrial extends Trial {
  constructor(point) {
    super(point, null);
    const { epsilon } = point, sites = this.pairs.length / 3;
    this.chances = [0, 1, epsilon, 2 * epsilon * (1 - epsilon)];
    this.sites = sites;
    // Answers to the next flips, given by the choice of the pair.
    this.given = [];
    const draw = this.stream.flip.bind(this.stream);
    this.stream.flip = (chance) => (this.given.length ? this.given.pop() : draw(chance));
    // The pairs of each kind, with the place of each pair among them.
    this.members = this.chances.map(() => new Uint16Array(sites));
    this.counts = [sites, 0, 0, 0];
    this.members[INERT].forEach((_, site, list) => { list[site] = site; });
    this.places = this.members[INERT].slice();
    this.kinds_ = new Uint8Array(sites);
    this.safe = new Uint8Array(sites);
    this.pairsAt = Array.from(this.queens, () => []);
    for (let site = 0; site < sites; site++) {
      [0, 1].forEach((end) => this.pairsAt[this.pairs[3 * site + end]].push(site));
    }
    // Pairs by which a queen can step to a cell that looks safe; updates while there were none; how
    // often the queens came to be a solution.
    this.safeSteps = this.blocked = 0;
    this.solutions = this.isSolved ? 1 : 0;
    for (let site = 0; site < sites; site++) this.sort(site);
  }

  // A uniform number above 0 and at most 1.
  real() {
    this.stream.next();
    return (this.stream.high * 2097152 + (this.stream.low >>> 11) + 1) / 9007199254740992;
  }

  next(end) {
    if (this.update >= end || this.absorbed !== null) return false;
    const { counts, chances } = this;
    const weights = [CERTAIN, RISKY, CONTESTED].map((kind) => counts[kind] * chances[kind]);
    const weight = weights[0] + weights[1] + weights[2];
    const logarithm = Math.log1p(-weight / this.sites);
    const wait = weight > 0 ? 1 + Math.floor(Math.log(this.real()) / logarithm) : Infinity;
    const until = Math.min(end, this.update + wait);
    if (this.safeSteps === 0) this.blocked += until - this.update;
    const isOver = this.update + wait > end;
    this.update = until;
    if (isOver) return false;
    let share = this.real() * weight, kind = CERTAIN;
    while (kind < CONTESTED && share > weights[kind - 1]) share -= weights[kind++ - 1];
    if (counts[kind] === 0) kind = [CERTAIN, RISKY, CONTESTED].find((it) => counts[it] > 0);
    const site = this.members[kind][this.stream.below(counts[kind])];
    if (kind === RISKY) this.given = [true];
    if (kind === CONTESTED) this.given = this.stream.below(2) ? [true, false] : [false, true];
    const wasSolved = this.isSolved;
    this.updatePair(site);
    if (this.from >= 0) this.lookAround();
    else if (this.isSolved) this.lookAtSignals();
    if (this.isSolved && !wasSolved) this.solutions++;
    for (const cell of [this.pairs[3 * site], this.pairs[3 * site + 1]]) {
      for (const near of this.pairsAt[cell]) this.sort(near);
    }
    return true;
  }

  // Puts a pair among those of its kind.
  sort(site) {
    const { pairs, queens, signals, shows, members, places, counts } = this;
    const a = pairs[3 * site], b = pairs[3 * site + 1], fromA = pairs[3 * site + 2], fromB = 7 - fromA;
    const isA = this.isThreatened(a), isB = this.isThreatened(b);
    const safe = isA !== isB && (isA ? this.isSafe(b, fromA) : this.isSafe(a, fromB)) ? 1 : 0;
    const isStale = ((shows[b] ^ signals[a]) >> fromB | (shows[a] ^ signals[b]) >> fromA) & 1;
    const kind = isStale | safe ? CERTAIN : isA && isB ? CONTESTED : isA || isB ? RISKY : INERT;
    this.safeSteps += safe - this.safe[site];
    this.safe[site] = safe;
    const old = this.kinds_[site];
    if (kind === old) return;
    const last = members[old][--counts[old]];
    members[old][places[site]] = last;
    places[last] = places[site];
    members[kind][places[site] = counts[kind]++] = site;
    this.kinds_[site] = kind;
  }
}
