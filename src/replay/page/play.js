// The page: the film, and what the buttons and the keys do.

// The numbers of a log.
const unpack = async (text) => {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};

const open = async () => {
  const tape = new Tape(await unpack(get("log").textContent)), board = new Board(tape);
  const course = new Course(tape, (share) => seek(tape.at(facts.from + share * (facts.until - facts.from))));
  const player = new Player(tape, () => draw());

  const inWords = () => {
    const { k } = tape, isEnd = k === tape.length, update = tape.updateAt(k);
    const what = k > 0 ? whyOf(tape, facts)
      : facts.from > 0 ? `The state after ${grouped(facts.from)} updates, where this part of the run begins.`
      : facts.is_given ? "The start that was given." : "The start: queens on random cells, no signal.";
    const note = isEnd && facts.absorbed === update ? " The end: a solution, and every signal is true."
      : facts.hit === update ? " The hit: the queens form a solution."
      : isEnd && facts.ending ? ` Here is ${facts.ending}.` : "";
    return what + note;
  };

  // The share of the time so far in which no queen could make a safe step, and the solutions that
  // the queens have left. After its last change a film stands still until its end.
  const drawCounts = () => {
    const { k, n, queens } = tape, isNow = isSolution(queens, truthOf(n, queens)), update = tape.updateAt(k);
    const rest = k === tape.length ? facts.until - update : 0, time = update + rest - facts.from;
    const blocked = tape.blocked[k] + (tape.isBlocked ? rest : 0), solutions = tape.solutions[k];
    get("blocked").textContent = time === 0 ? "–" : `${Math.round(100 * blocked / time)} %`;
    get("left").textContent = `${solutions - (isNow ? 1 : 0)} of ${solutions}`;
  };

  const draw = () => {
    const { k, length } = tape, update = tape.updateAt(k);
    board.draw(tape, !player.isPlaying);
    course.draw(tape);
    drawCounts();
    get("board").classList.toggle("absorbed", k === length && facts.absorbed === update);
    get("update").textContent = grouped(update);
    get("what").textContent = inWords();
    get("place").value = k;
    get("place").setAttribute("aria-valuetext", `update ${update}, change ${k} of ${length}`);
    // While it plays, a reader of the screen could not follow.
    if (!player.isPlaying) get("said").textContent = `Update ${update}. ${get("what").textContent}`;
  };

  const seek = (target) => {
    tape.goTo(target);
    player.pause();
  };
  // To the state after the next change of a list, or after the last change of all; and back.
  const seekNext = (list) => seek((list[below(list, tape.k)] ?? tape.length) + 1);
  const seekMoveBefore = () => seek((tape.moves[below(tape.moves, tape.k - 1) - 1] ?? -1) + 1);
  const seekAddress = () => seek(tape.at(Number(/^#t=(\d+)$/.exec(location.hash)?.[1] ?? facts.from)));

  const select = (id, choice) => {
    get(id).selectedIndex = choice;
    draw();
  };
  const faster = (by) => {
    const { selectedIndex, length } = get("speed");
    select("speed", Math.max(0, Math.min(length - 1, selectedIndex + by)));
  };
  const act = {
    "play": () => { if (player.isPlaying) player.pause(); else player.play(); },
    "to-start": () => seek(0),
    "to-hit": () => { if (facts.hit !== null) seek(tape.at(facts.hit)); },
    "to-end": () => seek(tape.length),
    "back": () => seek(tape.k - 1),
    "forward": () => seek(tape.k + 1),
    "back-move": seekMoveBefore,
    "forward-move": () => seekNext(tape.moves),
    "next-dangerous": () => seekNext(tape.risks),
    "full": () => document.fullscreenElement ? document.exitFullscreen() : get("stage").requestFullscreen?.(),
  };
  const keys = {
    " ": act.play, "ArrowLeft": act.back, "ArrowRight": act.forward, "Home": act["to-start"],
    "End": act["to-end"], "Shift ArrowLeft": act["back-move"], "Shift ArrowRight": act["forward-move"],
    "d": act["next-dangerous"], "h": act["to-hit"], "f": act.full, "+": () => faster(1), "-": () => faster(-1),
    "s": () => select("signals", (get("signals").selectedIndex + 1) % Board.MODES.length),
  };
  for (const [id, does] of Object.entries(act)) get(id).addEventListener("click", does);
  get("place").addEventListener("input", () => seek(Number(get("place").value)));
  get("signals").addEventListener("change", draw);
  addEventListener("hashchange", seekAddress);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const kind = event.target.closest("button, select, input, summary")?.tagName;
    if (kind === "SELECT" || (event.key === " " && (kind === "BUTTON" || kind === "SUMMARY"))) return;
    const does = keys[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift " : "") + event.key];
    if (!does) return;
    does();
    event.preventDefault();
  });

  get("until").textContent = "of " + grouped(facts.until);
  get("place").max = tape.length;
  get("to-hit").disabled = facts.hit === null;
  seekAddress();
  get("replay").dataset.ready = "true";
};

open().catch((error) => {
  get("failure").textContent = "The run cannot be played: " + error.message;
  get("failure").hidden = false;
});
