"use strict";
// The changes of a run as its log has them, forward and back, and their words. Cells are
// row * n + column.

// NW N NE W E SW S SE; the opposite of d is 7 - d.
const STEPS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

// The cell beside a cell; -1 off the board.
const beside = (n, cell, d) => {
  const x = cell % n + STEPS[d][0], y = Math.floor(cell / n) + STEPS[d][1];
  return x >= 0 && y >= 0 && x < n && y < n ? y * n + x : -1;
};

// The signals that are true for these queens, bit d for direction d.
const truthOf = (n, queens) => {
  const truth = new Uint8Array(n * n);
  queens.forEach((on, cell) => {
    for (let d = 0; d < 8 && on; d++) {
      for (let to = beside(n, cell, d); to >= 0; to = beside(n, to, d)) truth[to] |= 1 << (7 - d);
    }
  });
  return truth;
};

// No two queens on a cell, and none sees another.
const isSolution = (queens, truth) => queens.every((on, cell) => on === 0 || (on === 1 && truth[cell] === 0));

const isThreatened = (on, signals) => on > 1 || (on === 1 && signals !== 0);

// True if a threatened queen has a safe cell beside it: one that is empty and has no signal but
// perhaps the one from the queen's side (SAFEGO).
const hasSafeStep = (n, queens, signals) => queens.some((on, cell) =>
  isThreatened(on, signals[cell]) && STEPS.some((_, d) => {
    const to = beside(n, cell, d);
    return to >= 0 && queens[to] === 0 && (signals[to] & ~(1 << (7 - d))) === 0;
  }));

// The number of entries of a sorted list that are below a bound.
const below = (list, bound, key = (entry) => entry) => {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) < bound) low = middle + 1; else high = middle;
  }
  return low;
};

// The changes, and the state after the first k of them.
class Tape {
  k = 0;
  changes = [];
  // The places of the queens' moves, and of those that took a risk.
  moves = [];
  risks = [];
  // Threatened queens, false signals, safe cells and moves at the start and after each change.
  counts = [[], [], [], []];
  // Up to there: updates without a safe step, and how often the queens have become a solution.
  blocked = [];
  solutions = [];
  isBlocked = false;
  #isSolved = false;
  #truth = null;

  // The numbers of a log as src/replay/log.rs describes it.
  constructor(numbers) {
    let at = 0, update;
    const next = () => numbers[at++];
    [this.n, this.from, this.movesBefore] = [next(), next(), next()];
    const cells = () => Uint8Array.from(numbers.slice(at, at += this.n ** 2));
    [this.queens, this.signals, update] = [cells(), cells(), this.from];
    this.#count();
    while (at < numbers.length) {
      update += next();
      const bits = next(), [from, to] = bits & 1 ? [next(), next()] : [-1, -1];
      const change = { update, bits, from, to, signals: numbers.slice(at, at += bits >> 4) };
      if (bits & 1) this.moves.push(this.length);
      if (bits & 2) this.risks.push(this.length);
      this.changes.push(change);
      this.goTo(this.length);
      this.#count();
    }
    this.goTo(0);
  }

  get length() {
    return this.changes.length;
  }

  // The last change; none at the start.
  get last() {
    return this.changes[this.k - 1];
  }

  // The update after so many changes, and the number of changes up to an update.
  updateAt(k) {
    return k === 0 ? this.from : this.changes[k - 1].update;
  }

  at(update) {
    return below(this.changes, update + 1, (change) => change.update);
  }

  goTo(target) {
    const goal = Math.max(0, Math.min(this.length, target));
    while (this.k < goal) {
      const change = this.changes[this.k++];
      this.#apply(change, change.from, change.to);
    }
    while (this.k > goal) {
      const change = this.changes[--this.k];
      this.#apply(change, change.to, change.from);
    }
  }

  // A change is its own inverse but for the direction of the move.
  #apply({ signals }, from, to) {
    for (const signal of signals) this.signals[signal >> 3] ^= 1 << (signal & 7);
    if (from < 0) return;
    this.queens[from]--;
    this.queens[to]++;
  }

  #count() {
    const { n, queens, signals, length: k } = this, wasSolved = this.#isSolved;
    if (k === 0 || this.last.bits & 1) this.#truth = truthOf(n, queens);
    const truth = this.#truth;
    let threatened = 0, wrong = 0, safe = 0;
    queens.forEach((on, cell) => {
      if (isThreatened(on, signals[cell])) threatened += on;
      if (on === 0 && signals[cell] === 0) safe++;
      for (let rest = signals[cell] ^ truth[cell]; rest; rest &= rest - 1) wrong++;
    });
    const moves = this.movesBefore + this.moves.length;
    [threatened, wrong, safe, moves].forEach((count, index) => this.counts[index].push(count));
    const gap = this.isBlocked ? this.updateAt(k) - this.updateAt(k - 1) : 0;
    this.isBlocked = !hasSafeStep(n, queens, signals);
    this.#isSolved = isSolution(queens, truth);
    this.blocked.push((this.blocked[k - 1] ?? 0) + gap);
    this.solutions.push((this.solutions[k - 1] ?? 0) + (this.#isSolved && !wasSolved ? 1 : 0));
  }
}

// Words.

const letters = (x) => (x < 26 ? "" : letters(Math.floor(x / 26) - 1)) + String.fromCharCode(97 + x % 26);
const nameOf = (n, cell) => letters(cell % n) + (n - Math.floor(cell / n));
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const SIDES = [
  "the upper left", "above", "the upper right", "the left", "the right", "the lower left", "below",
  "the lower right",
];
const sides = (signals) => {
  const words = SIDES.filter((_, d) => signals >> d & 1);
  return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words.at(-1);
};

// Why a queen on a cell is threatened.
const threat = (on, signals) => {
  const shares = on > 1 ? "shares its cell" : "";
  const seen = signals ? "is threatened from " + sides(signals) : "";
  return [shares, seen].filter(Boolean).join(" and ") || "is not threatened";
};

// The signals of a cell that a change has set or removed.
const toggledOn = (change, cell) => change.signals.filter((signal) => signal >> 3 === cell)
  .reduce((set, signal) => set | 1 << (signal & 7), 0);

// Which signals the cells have got and lost.
const newsOf = (tape, change) => {
  const news = (cell) => {
    const toggled = toggledOn(change, cell), got = toggled & tape.signals[cell], lost = toggled & ~got;
    const parts = [got && "gets the signal from " + sides(got), lost && "loses the signal from " + sides(lost)];
    return `The cell ${nameOf(tape.n, cell)} ${parts.filter(Boolean).join(" and ")}.`;
  };
  return [...new Set(change.signals.map((signal) => signal >> 3))].map(news).join(" ");
};

// Why the last change took place. The cell rule decides with the new signals of the queen's cell,
// the pair rule with the old ones. Under a condition of the user's a cell that needs no risk need
// not look safe.
const whyOf = (tape, { is_cell_rule: isCellRule, has_condition: hasCondition }) => {
  const change = tape.last, { bits, from, to } = change;
  if (!(bits & 1)) return newsOf(tape, change);
  const isRisk = bits & 2, needless = bits & 4 ? " by a signal that is out of date" : "", isDeceived = bits & 8;
  const later = isCellRule ? 0 : toggledOn(change, from);
  const why = threat(tape.queens[from] + 1, tape.signals[from] ^ later);
  const looks = isRisk ? `which looks dangerous${isDeceived ? " but is safe" : ""}`
    : `which looks safe${isDeceived ? " but is not, because signals are out of date" : ""}`;
  const where = hasCondition ? `which the condition ${isRisk ? "forbids" : "allows"}` : looks;
  const name = (cell) => nameOf(tape.n, cell), takes = isRisk ? "It takes a risk (ε): it" : "It";
  return `The queen on ${name(from)} ${why}${needless}. ${takes} moves to ${name(to)}, ${where}.`;
};

// A cell in words, for who points at it.
const cellInWords = (n, cell, on, signals) => {
  const name = nameOf(n, cell);
  if (on > 1) return `${name}: ${on} queens on one cell. Queens may share a cell; each threatens the others.`;
  if (on === 1) return `${name}: a queen that ${threat(on, signals)}${signals ? "" : ": no signal"}.`;
  return `${name}: ${signals ? "signals from " + sides(signals) : "no signal: a safe cell"}.`;
};
