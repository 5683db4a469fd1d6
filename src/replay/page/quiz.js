// The quiz of a page: which queen can move?
class Quiz {
  #page;
  // True if the run was playing when the question came; null while there is none.
  #wasPlaying = null;

  constructor(page) {
    this.#page = page;
  }

  get isOpen() {
    return this.#wasPlaying !== null;
  }

  close() {
    this.#wasPlaying = null;
    get("quiz").hidden = true;
  }

  open(wasPlaying) {
    this.#wasPlaying = wasPlaying;
    const { head, tape } = this.#page;
    const queens = [...head.queens.keys()].filter((cell) => head.queens[cell]);
    const answers = queens.map((cell) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = nameOf(tape.n, cell);
      button.addEventListener("click", () => this.answer(cell));
      return button;
    });
    get("question").textContent = "Which queen can move? Choose one.";
    get("answers").replaceChildren(...answers);
    get("quiz").hidden = false;
    answers[0].focus();
  }

  answer(cell) {
    const page = this.#page, { head, tape } = page;
    if (!this.isOpen || !head.queens[cell]) return;
    const wasPlaying = this.#wasPlaying, on = head.queens[cell];
    const can = on > 1 || head.signals[cell] !== 0;
    const why = `the queen on ${nameOf(tape.n, cell)} ${threat(on, head.signals[cell])}`;
    const verdict = can ? `Right: ${why}, so it can move.` : `No: ${why}, so it stays.`;
    page.seek(head.k + 1);
    get("question").textContent = `${verdict} What happened: ${get("what").textContent}`;
    get("answers").replaceChildren();
    get("quiz").hidden = false;
    get("play").focus();
    if (!wasPlaying) return;
    setTimeout(() => {
      if (!page.player.isPlaying && !this.isOpen && !get("quiz").hidden) page.player.play();
    }, 4000);
  }
}
