// What plays a film. Where the whole run is played in a minute, the moves take three quarters of
// it.
class Player {
  static SECONDS = 60;
  static calm = matchMedia("(prefers-reduced-motion: reduce)");
  #timer = null;
  #before = 0;
  #due = 0;
  #tape;
  #moved;

  // `moved` is called after each step, and at the end.
  constructor(tape, moved) {
    [this.#tape, this.#moved] = [tape, moved];
  }

  get isPlaying() {
    return this.#timer !== null;
  }

  pause() {
    cancelAnimationFrame(this.#timer);
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#say("Play");
  }

  play() {
    if (this.#tape.k >= this.#tape.length) this.#tape.goTo(0);
    [this.#before, this.#due] = [performance.now(), 0];
    this.#next();
    this.#say("Pause");
  }

  #say(word) {
    get("play").textContent = word;
    get("play").setAttribute("aria-pressed", this.isPlaying);
    this.#moved();
  }

  // Two still pictures a second where motion is not wanted.
  #next() {
    const tick = (now) => this.#tick(now), later = () => tick(performance.now());
    this.#timer = Player.calm.matches ? setTimeout(later, 500) : requestAnimationFrame(tick);
  }

  // What a move costs, and the changes of signals a second.
  #pace({ length, moves }) {
    const speed = get("speed").value;
    if (speed !== "minute") return [1, Number(speed)];
    const cost = Math.max(1, 3 * (length / Math.max(1, moves.length) - 1));
    return [cost, (length + (cost - 1) * moves.length) / Player.SECONDS];
  }

  #tick(now) {
    const tape = this.#tape, [costOfMove, rate] = this.#pace(tape), { k } = tape;
    this.#due += Math.min(now - this.#before, 1000) / 1000 * rate;
    this.#before = now;
    while (tape.k < tape.length) {
      const cost = tape.changes[tape.k].bits & 1 ? costOfMove : 1;
      if (this.#due < cost) break;
      this.#due -= cost;
      tape.goTo(tape.k + 1);
    }
    if (tape.k === tape.length) return this.pause();
    if (tape.k !== k) this.#moved();
    this.#next();
  }
}
