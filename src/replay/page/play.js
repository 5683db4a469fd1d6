// The page: the film, the place on its tape, and what the buttons, the keys and the pointer do.

// The numbers of a log.
const unpack = async (text) => {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};

class Page {
  tape = null;
  head = null;
  board = new Board();
  course = new Course((share) => this.seek(this.at(facts.from + share * (facts.until - facts.from))));
  player = new Player(this);
  #address = null;
  #pointed = -1;

  // The number of changes up to an update.
  at(update) {
    return below(this.tape.updates, update + 1);
  }

  #startInWords() {
    if (facts.from > 0) return `The state after ${plural(facts.from, "update")}, where this part of the run begins.`;
    return facts.is_given ? "The start that was given." : "The start: queens on random cells, no signal.";
  }

  #inWords() {
    const { tape, head } = this, { k } = head, update = tape.updateAt(k);
    const what = k === 0 ? this.#startInWords() : whyOf(tape, head, k - 1, facts);
    const note = k === tape.length && facts.absorbed === update ? " The end: a solution, and every signal is true."
      : facts.hit === update ? " The hit: the queens form a solution."
      : k === tape.length && facts.ending ? ` Here is ${facts.ending}.` : "";
    return what + note;
  }

  // The share of the time so far in which no queen could make a safe step, and the solutions that
  // the queens have left. After its last change a film stands still until its end.
  #drawCounts() {
    const { tape, head: { k, queens } } = this, update = tape.updateAt(k);
    const last = k === tape.length ? facts.until - update : 0, time = update + last - facts.from;
    const blocked = tape.blocked[k] + (tape.isBlocked ? last : 0), solutions = tape.solutions[k];
    const left = solutions - (isSolution(queens, truthOf(tape.n, queens)) ? 1 : 0);
    get("blocked").textContent = time === 0 ? "–" : `${Math.round(100 * blocked / time)} %`;
    get("left").textContent = `${left} of ${solutions}`;
  }

  draw() {
    const { tape, head } = this, { k } = head, { length } = tape, update = tape.updateAt(k);
    this.board.draw(head, !this.player.isPlaying);
    this.course.draw(head);
    this.#drawCounts();
    this.board.svg.classList.toggle("absorbed", k === length && facts.absorbed === update);
    Object.assign(get("replay").dataset, { change: k, update });
    get("update").textContent = grouped(update);
    get("what").textContent = this.#inWords();
    get("place").value = k;
    get("place").setAttribute("aria-valuetext", `update ${update}, change ${k} of ${length}`);
    get("position").textContent = asText(tape.n, head.queens);
    this.point(this.#pointed);
  }

  // The cell under the pointer, in words.
  point(cell) {
    this.#pointed = cell;
    const { queens, signals } = this.head;
    if (cell >= 0) get("pointed").textContent = cellInWords(this.tape.n, cell, queens[cell], signals[cell]);
  }

  // Says where the run stands, once it does not move.
  settle() {
    const update = this.tape.updateAt(this.head.k);
    get("said").textContent = `Update ${update}. ${get("what").textContent}`;
    // Browsers do not like many addresses a second.
    clearTimeout(this.#address);
    this.#address = setTimeout(() => {
      if (location.hash === "#t=" + update) return;
      try { history.replaceState(null, "", "#t=" + update); } catch { /* The address stays as it was. */ }
    }, 150);
  }

  stop() {
    this.player.pause();
    this.draw();
    this.settle();
  }

  seek(target) {
    this.player.pause();
    this.head.goTo(target);
    this.draw();
    this.settle();
  }

  // To the state after the next change of a list, or after the last change of all.
  seekNext(list) {
    const index = below(list, this.head.k);
    this.seek(index < list.length ? list[index] + 1 : this.tape.length);
  }

  seekMoveBefore() {
    const { moves } = this.tape, index = below(moves, this.head.k - 1) - 1;
    this.seek(index >= 0 ? moves[index] + 1 : 0);
  }

  #fromHash() {
    const found = /^#t=(\d+)$/.exec(location.hash);
    return found ? this.at(Number(found[1])) : null;
  }

  async open() {
    this.tape = Tape.read(await unpack(get("log").textContent));
    this.head = new Head(this.tape);
    this.board.lay(this.tape.n);
    this.board.svg.addEventListener("pointermove", (event) => this.point(this.board.cellAt(event)));
    this.board.svg.addEventListener("pointerdown", (event) => this.point(this.board.cellAt(event)));
    addEventListener("hashchange", () => { if (this.#fromHash() !== null) this.seek(this.#fromHash()); });
    get("until").textContent = "of " + grouped(facts.until);
    get("place").max = this.tape.length;
    get("to-hit").disabled = facts.hit === null;
    this.course.lay(this.tape);
    this.head.goTo(this.#fromHash() ?? 0);
    this.draw();
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
  "to-hit": () => { if (facts.hit !== null) page.seek(page.at(facts.hit)); },
  "to-end": () => page.seek(page.tape.length),
  "back": () => page.seek(page.head.k - 1),
  "forward": () => page.seek(page.head.k + 1),
  "back-move": () => page.seekMoveBefore(),
  "forward-move": () => page.seekNext(page.tape.moves),
  "next-dangerous": () => page.seekNext(page.tape.risks),
  "full": fullBoard,
};
for (const [id, does] of Object.entries(act)) get(id).addEventListener("click", does);
get("place").addEventListener("input", () => {
  page.player.pause();
  page.head.goTo(Number(get("place").value));
  page.draw();
});
get("place").addEventListener("change", () => page.settle());
get("signals").addEventListener("change", () => page.draw());

const KEYS = {
  " ": act.play, "ArrowLeft": act.back, "ArrowRight": act.forward, "Home": act["to-start"], "End": act["to-end"],
  "Shift ArrowLeft": act["back-move"], "Shift ArrowRight": act["forward-move"], "d": act["next-dangerous"],
  "h": act["to-hit"], "+": () => select("speed", 1), "=": () => select("speed", 1), "-": () => select("speed", -1),
  "−": () => select("speed", -1), "f": fullBoard,
  "s": () => {
    get("signals").selectedIndex = (get("signals").selectedIndex + 1) % Board.MODES.length;
    page.draw();
  },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const inside = event.target.closest ? event.target.closest("button, select, input, summary") : null;
  const kind = inside ? inside.tagName : "";
  if (kind === "SELECT" || (event.key === " " && (kind === "BUTTON" || kind === "SUMMARY"))) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const does = KEYS[(event.shiftKey && key.startsWith("Arrow") ? "Shift " : "") + key];
  if (!does) return;
  does();
  event.preventDefault();
});

page.open().catch((error) => {
  get("failure").textContent = "The run cannot be played: " + error.message;
  get("failure").hidden = false;
});
