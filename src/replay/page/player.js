// What plays the film. Where the whole run is played in a minute, the moves take three quarters of
// it.
class Player {
  static SECONDS = 60;
  static calm = matchMedia("(prefers-reduced-motion: reduce)");
  #timer = null;
  #before = 0;
  #due = 0;
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
    if (head.k >= head.tape.length) head.goTo(0);
    this.#say(true);
    [this.#before, this.#due] = [performance.now(), 0];
    this.#next();
    this.#page.draw();
  }

  toggle() {
    if (this.isPlaying) this.#page.stop(); else this.play();
  }

  #say(isPlaying) {
    get("play").textContent = isPlaying ? "Pause" : "Play";
    get("play").setAttribute("aria-pressed", isPlaying);
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
    const page = this.#page, { tape } = page, [costOfMove, rate] = this.#pace(tape);
    this.#due += Math.min(now - this.#before, 1000) / 1000 * rate;
    this.#before = now;
    let { k } = page.head;
    for (; k < tape.length; k++) {
      const cost = tape.heads[k] & 1 ? costOfMove : 1;
      if (this.#due < cost) break;
      this.#due -= cost;
    }
    if (k !== page.head.k) { page.head.goTo(k); page.draw(); }
    if (k < tape.length) return this.#next();
    page.stop();
  }
}
