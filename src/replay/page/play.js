// The page: the run that it shows, the place on its tape, and what the buttons, the keys and the
// pointer do.

// What the fields for a run of one's own hold.
const field = (id) => get(id).value.trim();
const setValues = (values) => Object.entries(values).forEach(([id, value]) => { get("set-" + id).value = value; });
const fail = (words) => {
  get("failure").textContent = words;
  get("failure").hidden = words === "";
};
// The point of the fields; an error says which of them has no sound value.
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

class Page {
  // The run that is shown: { tape, point }, its own words for its start if it has any.
  run = null;
  head = null;
  // Where a run begins that is no random start: { queens, signals }.
  start = null;
  board = new Board();
  course = new Course((share) => this.seek(this.at(this.tape.from + share * (this.end - this.tape.from))));
  player = new Player(this);
  quiz = new Quiz(this);
  trials = new Trials();
  ended = new EndedRuns();
  // The words of the last move, which stay until the next one while the eyes follow.
  #ofMove = "";
  #address = null;
  #pointed = -1;

  get tape() {
    return this.run.tape;
  }

  get hit() {
    return this.tape.trial ? this.tape.trial.hit : facts.hit;
  }

  get absorbed() {
    return this.tape.trial ? this.tape.trial.absorbed : facts.absorbed;
  }

  get end() {
    return this.tape.trial ? this.tape.trial.update : facts.until;
  }

  // The number of changes up to an update.
  at(update) {
    return below(this.tape.updates, update + 1);
  }

  #startInWords() {
    const { from } = this.tape;
    if (from > 0) return `The state after ${plural(from, "update")}, where this part of the run begins.`;
    return this.start ? "The start that was given." : "The start: queens on random cells, no signal.";
  }

  #inWords() {
    const { tape, head } = this, { k } = head, update = tape.updateAt(k), isEnd = k === tape.length && tape.isWhole;
    const what = k === 0 ? this.run.words ?? this.#startInWords()
      : whyOf(tape, head, k - 1, this.run.point.rule.startsWith("cell"));
    const note = isEnd && this.absorbed === update ? " The end: a solution, and every signal is true."
      : this.hit === update ? " The hit: the queens form a solution."
      : isEnd && tape.trial === null && facts.ending ? ` Here is ${facts.ending}.` : "";
    return what + note;
  }

  #caption() {
    const words = this.#inWords(), { tape, head } = this;
    const isMove = head.k > 0 && tape.heads[head.k - 1] & 1;
    if (isMove || head.k === 0) this.#ofMove = isMove ? words : "";
    const isFollowed = this.player.isPlaying && get("speed").value === "eyes";
    if (!isFollowed || head.k === tape.length && tape.isWhole) return words;
    return this.#ofMove || "Each update lets two neighbouring cells exchange signals. An arrowhead at the edge of a "
      + "cell says: a queen stands on that side.";
  }

  draw() {
    const { tape, head } = this, { k } = head, { length } = tape, update = tape.updateAt(k);
    const isEnd = k === length && this.absorbed === update;
    this.board.draw(head, !this.player.isPlaying);
    this.course.draw(head, this.hit, this.end);
    this.board.svg.classList.toggle("absorbed", isEnd);
    Object.assign(get("replay").dataset, { change: k, update, whole: tape.isWhole });
    get("update").textContent = grouped(update);
    get("until").textContent = tape.isWhole ? "of " + grouped(this.end) : "so far";
    get("what").textContent = this.#caption();
    get("place").max = length;
    get("place").value = k;
    get("place").setAttribute("aria-valuetext", `update ${update}, change ${k} of ${length}`);
    get("to-hit").disabled = this.hit === null;
    get("position").textContent = asText(tape.n, head.queens);
    this.point(this.#pointed);
    if (isEnd && !this.run.isCounted) {
      this.run.isCounted = true;
      this.ended.add(update);
    }
  }

  // The cell under the pointer, in words.
  point(cell) {
    this.#pointed = cell;
    const { queens, signals } = this.head;
    if (cell >= 0 && cell < queens.length) {
      get("pointed").textContent = cellInWords(this.tape.n, cell, queens[cell], signals[cell]);
    }
  }

  // Says where the run stands, once it does not move.
  settle() {
    const update = this.tape.updateAt(this.head.k);
    get("said").textContent = `Update ${update}. ${get("what").textContent}`;
    // Browsers do not like many addresses a second.
    clearTimeout(this.#address);
    this.#address = setTimeout(() => {
      if (this.run.isFilm && location.hash !== "#t=" + update) {
        try { history.replaceState(null, "", "#t=" + update); } catch { /* The address stays as it was. */ }
      }
    }, 150);
  }

  stop() {
    this.player.pause();
    this.draw();
    this.settle();
  }

  seek(target) {
    this.player.pause();
    this.quiz.close();
    this.head.goTo(target);
    this.draw();
    this.settle();
  }

  // To the next change of a list of the tape.
  raceTo(list) {
    this.player.race(() => this.#after(list()));
  }

  #after(list) {
    const index = below(list, this.head.k);
    return index < list.length ? list[index] + 1 : null;
  }

  forwardMove() {
    if (!get("quiz-on").checked) return this.raceTo(() => this.tape.moves);
    this.tape.grow(this.head.k + 5000, 1000);
    const target = this.#after(this.tape.moves);
    this.seek(target === null ? this.tape.length : target - 1);
    if (target !== null) this.quiz.open(false);
  }

  backMove() {
    const { moves } = this.tape, index = below(moves, this.head.k - 1) - 1;
    this.seek(index >= 0 ? moves[index] + 1 : 0);
  }

  // Goes on anew from the end of a tape that is full.
  turnOver() {
    Object.assign(this.run, { tape: Tape.of(this.tape.trial), words: null });
    this.head = new Head(this.tape);
  }

  show(made) {
    this.player.pause();
    this.quiz.close();
    this.run = made;
    this.head = new Head(this.tape);
    this.board.lay(this.tape.n);
    const { rule, n, epsilon, eta, seed, trial } = made.point;
    setValues({ rule: rule.startsWith("cell") ? "cell" : "pair", n, epsilon, eta: eta ?? 0.1, seed, trial });
    if (!made.isFilm) {
      const title = `${n} queens, ${rule} rule: one run`;
      if (!facts.is_live) get("title").textContent = document.title = title;
      const ofEta = rule === "cell" ? `, η = ${eta}` : "";
      const own = this.start ? "; from a start of one's own" : "";
      get("point").textContent = `n = ${n}, ε = ${epsilon}${ofEta}, seed ${seed}, trial ${trial} (stepwise)${own}`;
      document.querySelectorAll(".of-film").forEach((line) => { line.hidden = true; });
    }
    get("set-eta").disabled = get("set-rule").value === "pair";
    if (this.ended.show(made.point, this.start)) this.stopMany();
    this.draw();
    get("replay").dispatchEvent(new Event("shown"));
  }

  // False where a field has no sound value: then the run before goes on as it was.
  newRun(start = this.start) {
    let point;
    try { point = wanted(); } catch (error) { fail(error.message); return false; }
    fail("");
    this.start = start && start.queens.length === point.n ** 2 ? start : null;
    this.show({ tape: Tape.of(new Trial(point, this.start)), point });
    return true;
  }

  anotherRun() {
    setValues({ trial: Number(field("set-trial")) + 1 });
    this.newRun();
  }

  // The position of figure 7 of the source, with true signals.
  trap() {
    const queens = fromText("....Q.\nQ.....\n.Q....\n...Q..\n.....Q\n..Q...");
    setValues({ rule: "cell", n: 6, epsilon: 0.01, eta: 0, trial: 0 });
    if (!this.newRun({ queens, signals: truthOf(6, queens) })) return;
    this.run.words = "The trap of figure 7. At η = 0 it takes about ten million updates to leave it; "
      + "set η to 0.1 and run again.";
    this.draw();
  }

  startFrom(queens) {
    setValues({ n: Math.sqrt(queens.length) });
    this.newRun({ queens, signals: new Uint8Array(queens.length) });
  }

  // Twenty more trials, not drawn; a second click stops.
  runMany() {
    if (this.trials.isMeasuring("many")) return this.stopMany();
    if (!["pair", "cell"].includes(this.run.point.rule)) this.newRun();
    const first = Number(field("set-trial")) + 1, { start } = this;
    const points = Array.from({ length: 20 }, (_, index) => ({ ...this.run.point, trial: first + index }));
    get("many").textContent = "Stop";
    this.trials.measure("many", { points, start, cutoff: Infinity, found: ({ absorbed }) => {
      this.ended.add(absorbed);
      setValues({ trial: Number(field("set-trial")) + 1 });
      if (points.length === 0) this.stopMany();
    } });
  }

  stopMany() {
    get("many").textContent = "Run 20 more";
    this.trials.measure("many", null);
  }

  // A queen that is dragged to another cell is a start of one's own.
  listenToPointer() {
    let dragged = -1;
    const { board } = this, listen = (type, does) => board.svg.addEventListener(type, does);
    const drawMarks = () => board.drawMarks(this.head, !this.player.isPlaying);
    listen("pointerdown", (event) => {
      const cell = board.cellAt(event);
      if (cell < 0) return;
      this.point(cell);
      if (this.quiz.isOpen) return this.quiz.answer(cell);
      if (!this.head.queens[cell]) return;
      this.player.pause();
      dragged = cell;
      board.svg.setPointerCapture(event.pointerId);
    });
    listen("pointermove", (event) => {
      const cell = board.cellAt(event);
      if (dragged < 0) return this.point(cell);
      drawMarks();
      if (cell >= 0 && cell !== dragged) board.mark(cell, "moved");
    });
    listen("pointerup", (event) => {
      const from = dragged, to = board.cellAt(event);
      dragged = -1;
      if (from < 0) return;
      if (to < 0 || to === from) return drawMarks();
      const queens = this.head.queens.slice();
      queens[from]--;
      queens[to]++;
      this.startFrom(queens);
    });
  }

  #fromHash() {
    const found = /^#t=(\d+)$/.exec(location.hash);
    return found ? this.at(Number(found[1])) : null;
  }

  // The run that the page has brought with it, or the first one of the rule.
  async open() {
    const log = get("log").textContent;
    if (log) {
      const packed = Uint8Array.from(atob(log), (c) => c.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
      const film = Tape.read(await new Response(stream).json());
      if (facts.is_given) this.start = new Head(film);
      this.show({ tape: film, point: facts.point, isFilm: true });
      addEventListener("hashchange", () => { if (this.#fromHash() !== null) this.seek(this.#fromHash()); });
      this.head.goTo(this.#fromHash() ?? 0);
      this.draw();
    } else {
      setValues({ ...facts.point, eta: 0.1 });
      this.newRun();
      if (location.hash === "#trap") this.trap();
    }
    get("replay").dataset.ready = "true";
  }
}

const page = new Page();

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
  "play": () => page.player.toggle(),
  "to-start": () => page.seek(0),
  "to-hit": () => { if (page.hit !== null) page.seek(page.at(page.hit)); },
  "to-end": () => page.player.race(() => (page.tape.isWhole ? page.tape.length : null)),
  "back": () => page.seek(page.head.k - 1),
  "forward": () => { page.tape.grow(page.head.k + 1, 1000); page.seek(page.head.k + 1); },
  "back-move": () => page.backMove(),
  "forward-move": () => page.forwardMove(),
  "next-dangerous": () => page.raceTo(() => page.tape.risks),
  "full": fullBoard,
  "another": () => page.anotherRun(),
  "run": () => page.newRun(),
  "trap": () => page.trap(),
  "random": () => page.newRun(null),
  "many": () => page.runMany(),
  "from-text": () => {
    try { page.startFrom(Uint8Array.from(fromText(get("own").value))); } catch (error) { fail(error.message); }
  },
};
for (const [id, does] of Object.entries(act)) get(id).addEventListener("click", does);
get("place").addEventListener("input", () => {
  page.player.pause();
  page.head.goTo(Number(get("place").value));
  page.draw();
});
get("place").addEventListener("change", () => page.settle());
get("signals").addEventListener("change", () => page.draw());
get("quiz-on").addEventListener("change", () => page.quiz.close());
get("set-rule").addEventListener("change", () => { get("set-eta").disabled = get("set-rule").value === "pair"; });
document.querySelectorAll("#values input").forEach((input) => input.addEventListener("keydown", (event) => {
  if (event.key === "Enter") page.newRun();
}));

const KEYS = {
  " ": act.play, "ArrowLeft": act.back, "ArrowRight": act.forward, "Home": act["to-start"], "End": act["to-end"],
  "Shift ArrowLeft": act["back-move"], "Shift ArrowRight": act["forward-move"], "d": act["next-dangerous"],
  "h": act["to-hit"], "+": () => select("speed", 1), "=": () => select("speed", 1), "-": () => select("speed", -1),
  "−": () => select("speed", -1), "f": fullBoard, "n": act.another,
  "s": () => {
    get("signals").selectedIndex = (get("signals").selectedIndex + 1) % Board.MODES.length;
    page.draw();
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

page.listenToPointer();
page.open().catch((error) => fail("The run cannot be played: " + error.message));
