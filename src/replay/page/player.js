// What goes along the tape of a page by itself. Where the whole run is played in a minute, the moves
// take three quarters of it; so that eyes can follow, a move takes as long as twelve changes of
// signals: a second.
class Player {
  static SECONDS = 60;
  static EYES = 12;
  static calm = matchMedia("(prefers-reduced-motion: reduce)");
  #timer = null;
  #before = 0;
  #due = 0;
  // With a goal, the run goes on unseen to the first change that the goal gives, or to its end.
  #goal = null;
  #page;

  constructor(page) {
    this.#page = page;
  }

  get isPlaying() {
    return this.#timer !== null;
  }

  pause() {
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.#timer);
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#say(false);
  }

  play() {
    const { head } = this.#page;
    if (head.k >= head.tape.length && head.tape.isWhole) head.goTo(0);
    this.#begin(null);
    this.#next();
    this.#page.draw();
  }

  toggle() {
    if (this.isPlaying) this.#page.stop(); else this.play();
  }

  race(goal) {
    this.pause();
    this.#begin(goal);
    this.#timer = 0;
    this.#tick(this.#before);
  }

  #say(isPlaying) {
    get("play").textContent = isPlaying ? "Pause" : "Play";
    get("play").setAttribute("aria-pressed", isPlaying);
  }

  #begin(goal) {
    this.#page.quiz.close();
    this.#say(true);
    [this.#goal, this.#before, this.#due] = [goal, performance.now(), 0];
  }

  // Two still pictures a second where motion is not wanted.
  #next() {
    const tick = (now) => this.#tick(now), later = () => tick(performance.now());
    this.#timer = Player.calm.matches ? setTimeout(later, 500) : requestAnimationFrame(tick);
  }

  // What a move costs, and the changes of signals a second.
  #pace({ length, moves }) {
    const speed = get("speed").value;
    if (speed === "eyes") return [Player.EYES, Player.EYES];
    if (speed !== "minute") return [1, Number(speed)];
    const cost = Math.max(1, 3 * (length / Math.max(1, moves.length) - 1));
    return [cost, (length + (cost - 1) * moves.length) / Player.SECONDS];
  }

  #tick(now) {
    const page = this.#page, { tape } = page;
    tape.grow(Infinity, this.#goal ? 14 : 6);
    const target = this.#goal ? this.#goal() : null;
    if (target !== null) return page.seek(target);
    const [costOfOne, rate] = this.#pace(tape);
    this.#due += this.#goal ? Infinity : Math.min(now - this.#before, 1000) / 1000 * rate;
    this.#before = now;
    let { k } = page.head;
    for (; k < tape.length; k++) {
      const isMove = tape.heads[k] & 1, cost = isMove ? costOfOne : 1;
      if (this.#due < cost) break;
      if (isMove && !this.#goal && get("quiz-on").checked) {
        page.head.goTo(k);
        page.stop();
        return page.quiz.open(true);
      }
      this.#due -= cost;
    }
    if (k === tape.length) this.#due = 0;
    if (k !== page.head.k) { page.head.goTo(k); page.draw(); }
    if (k === tape.length && !tape.isWhole && tape.length >= Tape.MOST) page.turnOver();
    if (k < page.tape.length || !page.tape.isWhole) return this.#next();
    page.stop();
    if (!this.#goal) get("replay").dispatchEvent(new Event("ended"));
  }
}
