"use strict";
// The changes of a run, forward and back, as its log has them, and their words. Cells are
// row * n + column.

// NW N NE W E SW S SE; the opposite of d is 7 - d.
const STEPS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

// The number of ones in a byte.
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

// The signals that are true for these queens, bit d for direction d.
const truthOf = (n, queens) => {
  const truth = new Uint8Array(n * n);
  for (let cell = 0; cell < n * n; cell++) {
    if (queens[cell] === 0) continue;
    for (let d = 0; d < 8; d++) {
      const [dx, dy] = STEPS[d];
      let x = cell % n + dx, y = Math.floor(cell / n) + dy;
      for (; x >= 0 && y >= 0 && x < n && y < n; x += dx, y += dy) truth[y * n + x] |= 1 << (7 - d);
    }
  }
  return truth;
};

// No two queens on a cell, and none sees another.
const isSolution = (queens, truth) => queens.every((on, cell) => on === 0 || (on === 1 && truth[cell] === 0));

const isThreatened = (on, signals) => on > 1 || (on === 1 && signals !== 0);

// True if a threatened queen has a safe cell beside it: one that is empty and has no signal but
// perhaps the one from the queen's side (SAFEGO).
const hasSafeStep = (n, queens, signals) => queens.some((on, cell) => {
  const x = cell % n, y = Math.floor(cell / n);
  return isThreatened(on, signals[cell]) && STEPS.some(([dx, dy], d) => {
    const isOnBoard = x + dx >= 0 && y + dy >= 0 && x + dx < n && y + dy < n, to = cell + dy * n + dx;
    return isOnBoard && queens[to] === 0 && (signals[to] & ~(1 << (7 - d))) === 0;
  });
});

class Tape {
  constructor(n, { queens, signals }, from, movesBefore) {
    Object.assign(this, { n, from, movesBefore, moves: [], risks: [] });
    this.start = { queens: Uint8Array.from(queens), signals: Uint8Array.from(signals) };
    // Of each change: the update, the head as in a log, the cells left and reached, where its
    // signals begin.
    this.updates = [];
    this.heads = [];
    this.lefts = [];
    this.reached = [];
    this.firsts = [0];
    this.signals = [];
    // Threatened queens, false signals, safe cells and moves before the first change and after each.
    this.counts = [[], [], [], []];
    // So far: updates without a safe step, and how often the queens have become a solution.
    this.blocked = [];
    this.solutions = [];
    this.isBlocked = this.isSolved = false;
    this.queens = Uint8Array.from(queens);
    this.carried = Uint8Array.from(signals);
    this.truth = truthOf(n, this.queens);
    this.count();
  }

  get length() {
    return this.updates.length;
  }

  // The numbers of a log as src/replay/log.rs describes it.
  static read(numbers) {
    let at = 0;
    const next = () => numbers[at++];
    const n = next(), from = next(), movesBefore = next();
    const cells = () => numbers.slice(at, at += n * n);
    const tape = new Tape(n, { queens: cells(), signals: cells() }, from, movesBefore);
    for (let update = from; at < numbers.length;) {
      update += next();
      const head = next(), [left, reached] = head & 1 ? [next(), next()] : [-1, -1];
      tape.add(update, head & 15, left, reached, Array.from({ length: head >> 4 }, next));
    }
    return tape;
  }

  add(update, head, left, reached, toggled) {
    const k = this.length;
    this.updates.push(update);
    this.heads.push(head);
    this.lefts.push(left);
    this.reached.push(reached);
    for (const signal of toggled) {
      this.signals.push(signal);
      this.carried[signal >> 3] ^= 1 << (signal & 7);
    }
    this.firsts.push(this.signals.length);
    if (head & 1) {
      this.moves.push(k);
      if (head & 2) this.risks.push(k);
      this.queens[left]--;
      this.queens[reached]++;
      this.truth = truthOf(this.n, this.queens);
    }
    this.count();
  }

  count() {
    const { queens, carried, truth } = this;
    let threatened = 0, wrong = 0, safe = 0;
    for (let cell = 0; cell < queens.length; cell++) {
      const on = queens[cell];
      if (isThreatened(on, carried[cell])) threatened += on;
      if (on === 0 && carried[cell] === 0) safe++;
      wrong += ONES[carried[cell] ^ truth[cell]];
    }
    const moves = this.movesBefore + this.moves.length;
    this.counts.forEach((list, index) => list.push([threatened, wrong, safe, moves][index]));
    this.countTime();
  }

  countTime() {
    const k = this.length, gap = k && this.updateAt(k) - this.updateAt(k - 1), wasSolved = this.isSolved;
    this.blocked.push((this.blocked[k - 1] ?? 0) + (this.isBlocked ? gap : 0));
    this.isBlocked = !hasSafeStep(this.n, this.queens, this.carried);
    this.isSolved = isSolution(this.queens, this.truth);
    this.solutions.push((this.solutions[k - 1] ?? 0) + (this.isSolved && !wasSolved ? 1 : 0));
  }

  signalsOf(change) {
    return this.signals.slice(this.firsts[change], this.firsts[change + 1]);
  }

  // The update after so many changes.
  updateAt(k) {
    return k === 0 ? this.from : this.updates[k - 1];
  }
}

// The number of entries of a sorted list that are below a bound.
const below = (list, bound) => {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < bound) low = middle + 1; else high = middle;
  }
  return low;
};

// A place on a tape: the state after k changes.
class Head {
  constructor(tape) {
    this.tape = tape;
    this.queens = tape.start.queens.slice();
    this.signals = tape.start.signals.slice();
    this.k = 0;
  }

  goTo(target) {
    const { tape } = this;
    const goal = Math.max(0, Math.min(tape.length, target));
    while (this.k < goal) this.step(this.k++, tape.lefts, tape.reached);
    while (this.k > goal) this.step(--this.k, tape.reached, tape.lefts);
  }

  step(change, from, to) {
    const { tape } = this;
    for (let i = tape.firsts[change]; i < tape.firsts[change + 1]; i++) {
      this.signals[tape.signals[i] >> 3] ^= 1 << (tape.signals[i] & 7);
    }
    if (tape.heads[change] & 1) {
      this.queens[from[change]]--;
      this.queens[to[change]]++;
    }
  }
}

// Words.

const letters = (x) => (x < 26 ? "" : letters(Math.floor(x / 26) - 1)) + String.fromCharCode(97 + x % 26);
const nameOf = (n, cell) => letters(cell % n) + (n - Math.floor(cell / n));
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const plural = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
const bitsOf = (toggled, cell) => {
  const own = toggled.filter((signal) => signal >> 3 === cell);
  return own.reduce((set, signal) => set | 1 << (signal & 7), 0);
};
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

// Why a change took place, from the state after it. The cell rule decides with the new signals of
// the queen's cell, the pair rule with the old ones. Under a condition of the user's a cell that
// needs no risk need not look safe.
const whyOf = (tape, head, change, { is_cell_rule: isCellRule, has_condition: hasCondition }) => {
  const name = (cell) => nameOf(tape.n, cell);
  const bits = tape.heads[change], left = tape.lefts[change], reached = tape.reached[change];
  const toggled = tape.signalsOf(change);
  if (!(bits & 1)) {
    const cells = [...new Set(toggled.map((signal) => signal >> 3))];
    return cells.map((cell) => {
      const changed = bitsOf(toggled, cell);
      const learns = changed & head.signals[cell], forgets = changed & ~head.signals[cell];
      const parts = [
        learns && "gets the signal from " + sides(learns),
        forgets && "loses the signal from " + sides(forgets),
      ];
      return `The cell ${name(cell)} ${parts.filter(Boolean).join(" and ")}.`;
    }).join(" ");
  }
  const later = isCellRule ? 0 : bitsOf(toggled, left);
  const why = threat(head.queens[left] + 1, head.signals[left] ^ later);
  const needless = bits & 4 ? " by a signal that is out of date" : "";
  const isRisk = bits & 2, isDeceived = bits & 8;
  const looks = isRisk ? `which looks dangerous${isDeceived ? " but is safe" : ""}`
    : `which looks safe${isDeceived ? " but is not, because signals are out of date" : ""}`;
  const to = hasCondition ? `, which the condition ${isRisk ? "forbids" : "allows"}` : `, ${looks}`;
  return `The queen on ${name(left)} ${why}${needless}. ${isRisk ? "It takes a risk (ε): it" : "It"} moves to ${name(reached)}${to}.`;
};

// A cell in words, for who points at it.
const cellInWords = (n, cell, on, signals) => {
  const name = nameOf(n, cell);
  if (on > 1) return `${name}: ${on} queens on one cell. Queens may share a cell; each threatens the others.`;
  if (on === 1) return `${name}: a queen that ${threat(on, signals)}${signals ? "" : ": no signal"}.`;
  return `${name}: ${signals ? "signals from " + sides(signals) : "no signal: a safe cell"}.`;
};

const asText = (n, queens) => {
  const width = String(n).length, lines = [];
  for (let y = 0; y < n; y++) {
    const row = Array.from({ length: n }, (_, x) => queens[y * n + x]).map((on) => (on > 1 ? on : on ? "Q" : "."));
    lines.push(String(n - y).padStart(width) + "  " + row.join(" "));
  }
  lines.push(" ".repeat(width + 2) + Array.from({ length: n }, (_, x) => letters(x)).join(" "));
  return lines.join("\n") + "\n";
};
