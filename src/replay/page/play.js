// The page: what is drawn, and what the buttons, the keys and the pointer do.

const get = (id) => document.getElementById(id);
const facts = JSON.parse(get("facts").textContent);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const NAMES = ["NW", "N", "NE", "W", "E", "SW", "S", "SE"];
const SVG = "http://www.w3.org/2000/svg";
const element = (name, attributes, parent) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent ? parent.appendChild(made) : made;
};

// The run that is shown: its tape, its point, and its own words for its start if it has any; the
// place on the tape.
let run, head;
// Where a run begins that is no random start: { queens, signals }.
let start = null;
const tape = () => run.tape;
const hitOf = () => (tape().trial ? tape().trial.hit : facts.hit);
const absorbedOf = () => (tape().trial ? tape().trial.absorbed : facts.absorbed);
const endOf = () => (tape().trial ? tape().trial.update : facts.until);

// The board: the glyphs are those of reines' own drawings, copied to the cells that differ.
const board = get("board");
let groups = [], drawn = [];
const layBoard = (n) => {
  const { view_box, ground } = facts.boards[n];
  board.setAttribute("viewBox", view_box);
  get("ground").innerHTML = ground;
  get("figures").replaceChildren();
  const group = (_, cell) => element("g", { id: "cell-" + nameOf(n, cell) }, get("figures"));
  groups = Array.from({ length: n * n }, group);
  drawn = groups.map(() => -1);
};
const MODES = ["carried", "missing", "none"];
const drawCell = (cell, mode, truth) => {
  const carried = head.signals[cell], on = head.queens[cell];
  const key = ((on * 256 + carried) * 256 + truth[cell]) * 4 + mode;
  if (drawn[cell] === key) return;
  drawn[cell] = key;
  const { n } = tape(), group = groups[cell];
  const x = (cell % n) * 100, y = Math.floor(cell / n) * 100;
  const glyph = (id) => element("use", { href: "#" + id, x, y }, group);
  group.replaceChildren();
  for (let d = 0; d < 8 && mode < 2; d++) {
    const has = carried >> d & 1, should = truth[cell] >> d & 1;
    if (has) glyph((should ? "true-" : "false-") + NAMES[d]);
    else if (should && mode === 1) glyph("missing-" + NAMES[d]);
  }
  if (on > 1 || (on === 1 && carried)) glyph("ring");
  if (on) glyph(on > 1 ? "queens" : "queen");
  if (on > 1) {
    const [left, top, size] = facts.count;
    element("text", {
      class: "count", "font-family": "sans-serif", "font-size": size, "font-weight": "bold",
      "text-anchor": "middle", x: x + left, y: y + top,
    }, group).textContent = on;
  }
  element("title", {}, group).textContent = cellInWords(n, cell, on, carried);
};
const middle = (cell) => [(cell % tape().n) * 100 + 50, Math.floor(cell / tape().n) * 100 + 50];
const mark = (cell, kind) => {
  const [x, y] = middle(cell);
  element("rect", { class: kind, x: x - 46, y: y - 46, width: 92, height: 92 }, get("marks"));
};
// The cells of the last change, and the last moves as a trail.
const TRAIL = 6;
const drawMarks = () => {
  const { k } = head, last = k - 1;
  get("marks").replaceChildren();
  get("trail").replaceChildren();
  if (k === 0) return;
  const moves = below(tape().moves, k);
  tape().moves.slice(Math.max(0, moves - TRAIL), moves).reverse().forEach((change, age) => {
    const [[x1, y1], [x2, y2]] = [tape().lefts[change], tape().reached[change]].map(middle);
    element("line", { x1, y1, x2, y2, opacity: 0.8 - age * 0.13 }, get("trail"));
  });
  const cells = new Set(tape().signalsOf(last).map((signal) => signal >> 3));
  const isMove = tape().heads[last] & 1;
  if (isMove) [tape().lefts[last], tape().reached[last]].forEach((cell) => mark(cell, "moved"));
  else cells.forEach((cell) => mark(cell, playing() ? "changed" : "changed flash"));
};

const startInWords = () => (
  tape().from > 0 ? `The state after ${plural(tape().from, "update")}, where this part of the run begins.`
    : start ? "The start that was given."
    : "The start: queens on random cells, no signal."
);
const inWords = () => {
  const { k } = head, update = tape().updateAt(k), isEnd = k === tape().length && tape().isWhole;
  const what = k === 0 ? run.words ?? startInWords() : whyOf(tape(), head, k - 1, run.point.rule.startsWith("cell"));
  const note = isEnd && absorbedOf() === update ? " The end: a solution, and every signal is true."
    : hitOf() === update ? " The hit: the queens form a solution."
    : isEnd && tape().trial === null && facts.ending ? ` Here is ${facts.ending}.` : "";
  return what + note;
};

// While the eyes follow, the words of a move stay until the next one.
let ofMove = "";
const captionOf = (words) => {
  const isMove = head.k > 0 && tape().heads[head.k - 1] & 1;
  if (isMove || head.k === 0) ofMove = isMove ? words : "";
  if (!playing() || get("speed").value !== "eyes" || head.k === tape().length && tape().isWhole) return words;
  return ofMove || "Each update lets two neighbouring cells exchange signals. An arrowhead at the edge of a cell "
    + "says: a queen stands on that side.";
};

// The course of the run: four counts against updates.
const COLUMNS = 720, HEIGHT = 100;
const charts = [...document.querySelectorAll("#course figure")].map((figure) => {
  const svg = figure.querySelector("svg");
  return {
    output: figure.querySelector("output"), most: figure.querySelector(".most"), path: element("path", {}, svg),
    hit: element("line", { class: "hit", y1: 0, y2: HEIGHT }, svg),
    cursor: element("line", { class: "cursor", y1: 0, y2: HEIGHT }, svg), svg,
  };
});
const along = (update) => COLUMNS * (update - tape().from) / Math.max(1, endOf() - tape().from);
const place = (line, update) => ["x1", "x2"].forEach((name) => line.setAttribute(name, along(update)));
let charted = { tape: null };
const drawCurves = () => {
  const { length, isWhole } = tape(), end = endOf();
  const isKnown = charted.tape === tape() && (isWhole ? charted.end === end : length < 1.1 * charted.length + 20);
  if (isKnown) return;
  charted = { tape: tape(), length, end: isWhole ? end : null };
  const columns = Array.from({ length: length + 1 }, (_, k) => Math.floor(along(tape().updateAt(k))));
  charts.forEach(({ path, most, hit }, index) => {
    const values = tape().counts[index], greatest = values.reduce((most, value) => Math.max(most, value), 1);
    const y = (value) => Math.round(10 * (HEIGHT - HEIGHT * value / greatest)) / 10;
    let d = `M0 ${y(values[0])}`;
    for (let k = 0; k < values.length;) {
      const column = columns[k];
      let least = values[k], highest = least;
      for (; k < values.length && columns[k] === column; k++) {
        least = Math.min(least, values[k]);
        highest = Math.max(highest, values[k]);
      }
      d += `H${column}V${y(least)}V${y(highest)}V${y(values[k - 1])}`;
    }
    path.setAttribute("d", d + `H${COLUMNS}`);
    most.textContent = `axis from 0 to ${grouped(greatest)}`;
    const at = hitOf();
    hit.setAttribute("visibility", at === null ? "hidden" : "visible");
    place(hit, at ?? 0);
  });
  get("axis-from").textContent = grouped(tape().from);
  get("axis-to").textContent = grouped(endOf());
  get("axis-hit").textContent = hitOf() === null ? "" : ` (dashed line: the hit, at ${grouped(hitOf())})`;
};

const draw = () => {
  const truth = truthOf(tape().n, head.queens), mode = MODES.indexOf(get("signals").value);
  groups.forEach((_, cell) => drawCell(cell, mode, truth));
  drawMarks();
  drawCurves();
  const { k } = head, { length } = tape(), update = tape().updateAt(k);
  const isEnd = k === length && absorbedOf() === update;
  board.classList.toggle("absorbed", isEnd);
  Object.assign(get("replay").dataset, { change: k, update, whole: tape().isWhole });
  get("update").textContent = grouped(update);
  get("until").textContent = tape().isWhole ? "of " + grouped(endOf()) : "so far";
  get("what").textContent = captionOf(inWords());
  get("place").max = length;
  get("place").value = k;
  get("place").setAttribute("aria-valuetext", `update ${update}, change ${k} of ${length}`);
  get("to-hit").disabled = hitOf() === null;
  charts.forEach(({ cursor, output }, index) => {
    place(cursor, update);
    output.textContent = grouped(tape().counts[index][k]);
  });
  get("position").textContent = asText(tape().n, head.queens);
  point(pointed);
  if (isEnd && !run.isCounted) {
    run.isCounted = true;
    times.push(update);
    drawRuns();
  }
};

// Playing. Where the whole run is played in a minute, the moves take three quarters of it.
const SECONDS = 60;
const costOfMove = () => Math.max(1, 3 * (tape().length / Math.max(1, tape().moves.length) - 1));
let timer = null, before = 0, due = 0;
// So that eyes can follow, a move takes as long as twelve changes of signals: a second.
const EYES = 12;
// With a goal, the run goes on unseen to the first change that the goal gives, or to its end.
let goal = null;
const playing = () => timer !== null;
let address = null;
const settle = () => {
  const update = tape().updateAt(head.k);
  get("said").textContent = `Update ${update}. ${get("what").textContent}`;
  // Browsers do not like many addresses a second.
  clearTimeout(address);
  address = setTimeout(() => {
    if (run.isFilm && location.hash !== "#t=" + update) {
      try { history.replaceState(null, "", "#t=" + update); } catch { /* The address stays as it was. */ }
    }
  }, 150);
};
const say = (isPlaying) => {
  get("play").textContent = isPlaying ? "Pause" : "Play";
  get("play").setAttribute("aria-pressed", isPlaying);
};
const pause = () => {
  if (!playing()) return;
  cancelAnimationFrame(timer);
  clearTimeout(timer);
  timer = null;
  say(false);
};
const stopped = () => { pause(); draw(); settle(); };
const seek = (target) => { pause(); closeQuiz(); head.goTo(target); draw(); settle(); };
// Two still pictures a second where motion is not wanted.
const next = (tick) => {
  const later = () => tick(performance.now());
  timer = calm.matches ? setTimeout(later, 500) : requestAnimationFrame(tick);
};
// Where the tape is full it goes on anew from its end.
const turnOver = () => {
  if (head.k < tape().length || tape().isWhole || tape().length < Tape.MOST) return;
  Object.assign(run, { tape: Tape.of(tape().trial), words: null });
  head = new Head(run.tape);
};
const tick = (now) => {
  tape().grow(Infinity, goal ? 14 : 6);
  const target = goal ? goal() : null;
  if (target !== null) return seek(target);
  const isMinute = get("speed").value === "minute";
  const isEyes = get("speed").value === "eyes";
  const costOfOne = isMinute ? costOfMove() : isEyes ? EYES : 1;
  const whole = tape().length + (costOfOne - 1) * tape().moves.length;
  const rate = isMinute ? whole / SECONDS : isEyes ? EYES : Number(get("speed").value);
  due += goal ? Infinity : Math.min(now - before, 1000) / 1000 * rate;
  before = now;
  let { k } = head;
  for (; k < tape().length; k++) {
    const isMove = tape().heads[k] & 1, cost = isMove ? costOfOne : 1;
    if (due < cost) break;
    if (isMove && !goal && get("quiz-on").checked) {
      head.goTo(k);
      stopped();
      return openQuiz(true);
    }
    due -= cost;
  }
  if (k === tape().length) due = 0;
  if (k !== head.k) { head.goTo(k); draw(); }
  turnOver();
  if (k < tape().length || !tape().isWhole) return next(tick);
  stopped();
  if (!goal) get("replay").dispatchEvent(new Event("ended"));
};
const begin = (towards) => {
  closeQuiz();
  say(true);
  [goal, before, due] = [towards, performance.now(), 0];
};
const play = () => {
  if (head.k >= tape().length && tape().isWhole) head.goTo(0);
  begin(null);
  next(tick);
  draw();
};
const togglePlay = () => { if (playing()) stopped(); else play(); };
const race = (towards) => {
  pause();
  begin(towards);
  timer = 0;
  tick(before);
};
const after = (list) => () => {
  const index = below(list(), head.k);
  return index < list().length ? list()[index] + 1 : null;
};
const forwardMove = () => {
  if (!get("quiz-on").checked) return race(after(() => tape().moves));
  tape().grow(head.k + 5000, 1000);
  const target = after(() => tape().moves)();
  seek(target === null ? tape().length : target - 1);
  if (target !== null) openQuiz(false);
};
const backMove = () => {
  const index = below(tape().moves, head.k - 1) - 1;
  seek(index >= 0 ? tape().moves[index] + 1 : 0);
};
const at = (update) => below(tape().updates, update + 1);

// The quiz: which queen can move?
let quiz = null;
const closeQuiz = () => {
  quiz = null;
  get("quiz").hidden = true;
};
const openQuiz = (wasPlaying) => {
  quiz = { wasPlaying };
  const queens = [...head.queens.keys()].filter((cell) => head.queens[cell]);
  const answers = queens.map((cell) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = nameOf(tape().n, cell);
    button.addEventListener("click", () => answer(cell));
    return button;
  });
  get("question").textContent = "Which queen can move? Choose one.";
  get("answers").replaceChildren(...answers);
  get("quiz").hidden = false;
  answers[0].focus();
};
const answer = (cell) => {
  if (!quiz || !head.queens[cell]) return;
  const { wasPlaying } = quiz, on = head.queens[cell];
  const can = on > 1 || head.signals[cell] !== 0;
  const why = `the queen on ${nameOf(tape().n, cell)} ${threat(on, head.signals[cell])}`;
  const verdict = can ? `Right: ${why}, so it can move.` : `No: ${why}, so it stays.`;
  seek(head.k + 1);
  get("question").textContent = `${verdict} What happened: ${get("what").textContent}`;
  get("answers").replaceChildren();
  get("quiz").hidden = false;
  get("play").focus();
  if (wasPlaying) setTimeout(() => { if (!playing() && !quiz && !get("quiz").hidden) play(); }, 4000);
};

// Runs of the rule in this page.
const field = (id) => get(id).value.trim();
const show = (made) => {
  pause();
  closeQuiz();
  run = made;
  head = new Head(run.tape);
  layBoard(run.tape.n);
  const { rule, n, epsilon, eta, seed, trial } = run.point;
  const values = { rule: rule.startsWith("cell") ? "cell" : "pair", n, epsilon, eta: eta ?? 0.1, seed, trial };
  for (const [id, value] of Object.entries(values)) get("set-" + id).value = value;
  if (!run.isFilm) {
    const title = `${n} queens, ${rule} rule: one run`;
    if (!facts.is_live) get("title").textContent = document.title = title;
    const ofEta = rule === "cell" ? `, η = ${eta}` : "";
    const own = start ? "; from a start of one's own" : "";
    get("point").textContent = `n = ${n}, ε = ${epsilon}${ofEta}, seed ${seed}, trial ${trial} (stepwise)${own}`;
    document.querySelectorAll(".of-film").forEach((line) => { line.hidden = true; });
  }
  get("set-eta").disabled = get("set-rule").value === "pair";
  drawRuns();
  draw();
  get("replay").dispatchEvent(new Event("shown"));
};
const setValues = (values) => Object.entries(values).forEach(([id, value]) => { get("set-" + id).value = value; });
const wanted = () => {
  const number = (id, name, low, high, isWhole) => {
    const value = Number(field(id));
    const isAllowed = field(id) !== "" && value >= low && value <= high;
    if (isAllowed && (!isWhole || Number.isInteger(value))) return value;
    const kind = isWhole ? "a whole number" : "a number";
    throw new Error(`${name} is ${field(id) || "empty"}; expected ${kind} from ${low} to ${high}`);
  };
  const rule = field("set-rule"), n = number("set-n", "n", 4, Math.max(12, facts.point.n), true);
  // The page holds boards of 4 to 12 and that of its own run.
  if (n > 12 && n !== facts.point.n) throw new Error(`n is ${n}; expected 4 to 12, or ${facts.point.n}`);
  if (!/^\d{1,20}$/.test(field("set-seed")) || BigInt(field("set-seed")) >= 2n ** 64n) {
    throw new Error(`the seed is ${field("set-seed") || "empty"}; expected a whole number below 2^64`);
  }
  const eta = rule === "cell" ? { eta: number("set-eta", "η", 0, 1) } : {};
  return {
    rule, n, epsilon: number("set-epsilon", "ε", 0, 1), ...eta,
    seed: String(BigInt(field("set-seed"))), trial: number("set-trial", "the trial", 0, 4294967295, true),
  };
};
const fail = (words) => {
  get("failure").textContent = words;
  get("failure").hidden = words === "";
};
// False where a field has no sound value: then the run before goes on as it was.
const newRun = (begin = start) => {
  let point;
  try { point = wanted(); } catch (error) { fail(error.message); return false; }
  fail("");
  start = begin && begin.queens.length === point.n ** 2 ? begin : null;
  show({ tape: Tape.of(new Trial(point, start)), point });
  return true;
};
const anotherRun = () => {
  setValues({ trial: Number(field("set-trial")) + 1 });
  newRun();
};
// The means of the results: rule, n, epsilon, eta, trials, mean.
const MEANS = facts.means.trim().split("\n").slice(1).map((line) => {
  const [rule, ...numbers] = line.split(",");
  const [n, epsilon, eta, trials, mean] = numbers.map(Number);
  return { rule, n, epsilon, eta, trials, mean };
});
const storedMean = ({ rule, n, epsilon, eta }) => MEANS.find((row) => (
  row.rule === rule && row.n === n && row.epsilon === epsilon && (rule === "pair" || row.eta === eta)
));
// The position of figure 7 of the source, with true signals.
const trap = () => {
  const queens = fromText("....Q.\nQ.....\n.Q....\n...Q..\n.....Q\n..Q...");
  setValues({ rule: "cell", n: 6, epsilon: 0.01, eta: 0, trial: 0 });
  if (!newRun({ queens, signals: truthOf(6, queens) })) return;
  run.words = "The trap of figure 7. At η = 0 it takes about ten million updates to leave it; "
    + "set η to 0.1 and run again.";
  draw();
};
const startFrom = (queens) => {
  setValues({ n: Math.sqrt(queens.length) });
  newRun({ queens, signals: new Uint8Array(queens.length) });
};

// Trials in a worker, one at a time, so that nothing runs while the page is hidden. A batch is
// { points, start, cutoff, countsBlocked, found }; another one for its purpose, or none, takes its
// place.
const batches = {};
let worker = null, sent = null;
const startWorker = () => {
  const source = document.querySelector("script:not([type])").textContent;
  const answers = "onmessage = ({ data }) => postMessage(measured(data));";
  const started = new Worker(URL.createObjectURL(new Blob([source, answers])));
  started.addEventListener("message", ({ data }) => {
    if (started !== worker) return;
    const { points, found } = sent;
    sent = null;
    points.shift();
    found(data);
    measureNext();
  });
  return started;
};
const measureNext = () => {
  if (sent && (document.hidden || !Object.values(batches).includes(sent))) {
    worker.terminate();
    worker = sent = null;
  }
  if (sent || document.hidden) return;
  sent = Object.values(batches).find((batch) => batch && batch.points.length) ?? null;
  if (!sent) return;
  worker ??= startWorker();
  const { points, found, ...conditions } = sent;
  worker.postMessage({ point: points[0], ...conditions });
};
const measure = (purpose, batch) => {
  batches[purpose] = batch;
  measureNext();
};
document.addEventListener("visibilitychange", measureNext);

// The times of the runs of these values that have ended in this page.
let times = [], timesOf = "";
const keyOf = ({ rule, n, epsilon, eta }) => [rule, n, epsilon, eta, start && start.queens].join();
const drawRuns = () => {
  if (keyOf(run.point) !== timesOf) {
    [times, timesOf] = [[], keyOf(run.point)];
    stopMany();
  }
  const stored = start ? undefined : storedMean(run.point), svg = get("runs");
  const mean = times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length);
  const most = Math.max(1, ...times, mean, stored ? stored.mean * 1.2 : 0), x = (time) => 10 + 340 * time / most;
  svg.replaceChildren();
  element("line", { class: "ground", x1: 10, x2: 350, y1: 70, y2: 70 }, svg);
  times.forEach((time, index) => element("circle", { cx: x(time), cy: 62 - 10 * (index % 5), r: 4 }, svg));
  if (times.length) element("line", { class: "mean", x1: x(mean), x2: x(mean), y1: 5, y2: 70 }, svg);
  if (stored) element("line", { class: "stored", x1: x(stored.mean), x2: x(stored.mean), y1: 5, y2: 70 }, svg);
  const round = (value) => grouped(Math.round(value));
  get("runs-said").textContent = [
    times.length
      ? `${plural(times.length, "run")} ended in this page; mean ${round(mean)} updates (full line).`
      : "No run of these values has ended in this page yet.",
    stored
      ? `Mean of the ${grouped(stored.trials)} trials in the results: ${round(stored.mean)} (dashed line).`
      : "The results have no mean of these values.",
  ].join(" ");
};
// Twenty more trials, not drawn; a second click stops.
const runMany = () => {
  if (batches.many) return stopMany();
  if (!["pair", "cell"].includes(run.point.rule)) newRun();
  const first = Number(field("set-trial")) + 1;
  const points = Array.from({ length: 20 }, (_, index) => ({ ...run.point, trial: first + index }));
  get("many").textContent = "Stop";
  measure("many", { points, start, cutoff: Infinity, found: ({ absorbed }) => {
    times.push(absorbed);
    drawRuns();
    setValues({ trial: Number(field("set-trial")) + 1 });
    if (points.length === 0) stopMany();
  } });
};
const stopMany = () => {
  get("many").textContent = "Run 20 more";
  measure("many", null);
};

// Buttons and keys.
const fullBoard = () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else get("stage").requestFullscreen?.().catch(() => {});
};
const select = (id, by) => {
  const choice = get(id), { length } = choice.options;
  choice.selectedIndex = Math.max(0, Math.min(length - 1, choice.selectedIndex + by));
};
const act = {
  "play": togglePlay,
  "to-start": () => seek(0),
  "to-hit": () => { if (hitOf() !== null) seek(at(hitOf())); },
  "to-end": () => race(() => (tape().isWhole ? tape().length : null)),
  "back": () => seek(head.k - 1),
  "forward": () => { tape().grow(head.k + 1, 1000); seek(head.k + 1); },
  "back-move": backMove,
  "forward-move": forwardMove,
  "next-dangerous": () => race(after(() => tape().risks)),
  "full": fullBoard,
  "another": anotherRun,
  "run": () => newRun(),
  "trap": trap,
  "random": () => newRun(null),
  "many": runMany,
  "from-text": () => {
    try { startFrom(Uint8Array.from(fromText(get("own").value))); } catch (error) { fail(error.message); }
  },
};
for (const [id, does] of Object.entries(act)) get(id).addEventListener("click", does);
get("place").addEventListener("input", () => { pause(); head.goTo(Number(get("place").value)); draw(); });
get("place").addEventListener("change", settle);
get("signals").addEventListener("change", draw);
get("quiz-on").addEventListener("change", closeQuiz);
get("set-rule").addEventListener("change", () => { get("set-eta").disabled = get("set-rule").value === "pair"; });
document.querySelectorAll("#values input").forEach((input) => input.addEventListener("keydown", (event) => {
  if (event.key === "Enter") newRun();
}));
charts.forEach(({ svg }) => svg.addEventListener("click", (event) => {
  const box = svg.getBoundingClientRect();
  seek(at(tape().from + (event.clientX - box.left) / box.width * (endOf() - tape().from)));
}));

const KEYS = {
  " ": togglePlay, "ArrowLeft": act.back, "ArrowRight": act.forward, "Home": act["to-start"], "End": act["to-end"],
  "Shift ArrowLeft": backMove, "Shift ArrowRight": forwardMove, "d": act["next-dangerous"], "h": act["to-hit"],
  "+": () => select("speed", 1), "=": () => select("speed", 1), "-": () => select("speed", -1),
  "−": () => select("speed", -1), "f": fullBoard, "n": anotherRun,
  "s": () => {
    get("signals").selectedIndex = (get("signals").selectedIndex + 1) % MODES.length;
    draw();
  },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const inside = event.target.closest ? event.target.closest("button, select, input, textarea, summary") : null;
  const kind = inside ? inside.tagName : "";
  if (kind === "SELECT" || kind === "TEXTAREA" || (kind === "INPUT" && inside.type !== "range")) return;
  if (event.key === " " && (kind === "BUTTON" || kind === "SUMMARY")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const does = KEYS[(event.shiftKey && key.startsWith("Arrow") ? "Shift " : "") + key];
  if (!does) return;
  does();
  event.preventDefault();
});

// The pointer: a cell in words, an answer of the quiz, a queen that is dragged to another cell.
const cellAt = (event) => {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  const { n } = tape(), column = Math.floor(x / 100), row = Math.floor(y / 100);
  return column >= 0 && row >= 0 && column < n && row < n ? row * n + column : -1;
};
let dragged = -1, pointed = -1;
const point = (cell) => {
  pointed = cell;
  if (cell >= 0 && cell < head.queens.length) {
    get("pointed").textContent = cellInWords(tape().n, cell, head.queens[cell], head.signals[cell]);
  }
};
board.addEventListener("pointerdown", (event) => {
  const cell = cellAt(event);
  if (cell < 0) return;
  point(cell);
  if (quiz) return answer(cell);
  if (!head.queens[cell]) return;
  pause();
  dragged = cell;
  board.setPointerCapture(event.pointerId);
});
board.addEventListener("pointermove", (event) => {
  const cell = cellAt(event);
  if (dragged < 0) return point(cell);
  drawMarks();
  if (cell >= 0 && cell !== dragged) mark(cell, "moved");
});
board.addEventListener("pointerup", (event) => {
  const from = dragged, to = cellAt(event);
  dragged = -1;
  if (from < 0) return;
  if (to < 0 || to === from) return drawMarks();
  const queens = head.queens.slice();
  queens[from]--;
  queens[to]++;
  startFrom(queens);
});

// The run that the page has brought with it, or the first one of the rule.
const unpack = async (text) => {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};
const fromHash = () => {
  const found = /^#t=(\d+)$/.exec(location.hash);
  return found ? at(Number(found[1])) : null;
};
const open = async () => {
  const log = get("log").textContent;
  if (log) {
    const film = Tape.read(await unpack(log));
    if (facts.is_given) start = new Head(film);
    show({ tape: film, point: facts.point, isFilm: true });
    addEventListener("hashchange", () => { if (fromHash() !== null) seek(fromHash()); });
    head.goTo(fromHash() ?? 0);
    draw();
  } else {
    setValues({ ...facts.point, eta: 0.1 });
    newRun();
    if (location.hash === "#trap") trap();
  }
  get("replay").dataset.ready = "true";
};
open().catch((error) => fail("The run cannot be played: " + error.message));
