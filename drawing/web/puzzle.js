// A page to play puzzles: numbers are written one after the other, tours and paths are drawn from cell to cell.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = name => document.getElementById(name);
  const COLOURS = ["#3d6fb4", "#c2571a", "#2f8f5b", "#a8326c", "#7a5bc7", "#8a6d1d", "#1f8a9a", "#b3261e", "#5b6b7a", "#5f8f1f"];
  const made = data.puzzles.map(() => null);
  let number = 0, puzzle, state, past, cells, dragged = -1, wrong = new Set(), shown = false;

  const linked = (u, v) => puzzle.near[u].includes(v);
  const routed = () => puzzle.kind !== "numbers";

  // -- what was entered ----------------------------------------------------------------------------------------------
  // With numbers: the number of each cell, 0 for none, and the cell to go on from. With routes: their cells.
  function begin() {
    if (puzzle.kind === "numbers") {
      const least = puzzle.numbers.filter(Boolean).sort((a, b) => a - b)[0];
      return { numbers: [...puzzle.numbers], at: puzzle.numbers.indexOf(least) };
    }
    const count = puzzle.kind === "paths" ? Math.max(...puzzle.numbers) : 1;
    return { routes: Array.from({ length: count }, () => []), at: -1 };
  }
  const copy = now => JSON.parse(JSON.stringify(now));
  function change(act) {
    if (shown) return;
    const before = copy(state);
    if (act() !== false) { past.push(before); wrong.clear(); made[number] = { state, past }; paint(); judge(); }
  }

  // -- numbers -------------------------------------------------------------------------------------------------------
  const down = () => get("way").getAttribute("aria-pressed") === "true";
  function nextNumber() {
    const k = state.numbers[state.at] + (down() ? -1 : 1);
    const n = state.numbers.length;
    return puzzle.closed ? (k + n - 1) % n + 1 : k;
  }
  function press(v) {
    if (state.numbers[v]) {
      const isNext = state.at >= 0 && v !== state.at && state.numbers[v] === nextNumber() && linked(state.at, v);
      if (v === state.at && !puzzle.numbers[v] && !isNext) { state.numbers[v] = 0; state.at = -1; return true; }
      state.at = v;
      return true;
    }
    if (state.at < 0 || !linked(state.at, v)) return false;
    const k = nextNumber();
    if (k < 1 || k > state.numbers.length || state.numbers.includes(k)) {
      return say(k >= 1 && k <= state.numbers.length ? `${k} stands elsewhere.` : "The numbers end here.", true);
    }
    state.numbers[v] = k;
    state.at = v;
    return true;
  }
  function type(v, digit) {
    if (puzzle.numbers[v]) return false;
    const n = state.numbers.length, old = state.numbers[v];
    const longer = digit === null ? Math.floor(old / 10) : old * 10 + digit;
    state.numbers[v] = longer > n ? digit : longer;
    state.at = v;
    return true;
  }

  // -- routes --------------------------------------------------------------------------------------------------------
  const routeOf = v => state.routes.findIndex(route => route.includes(v));
  const starts = v => puzzle.kind === "paths" ? puzzle.numbers[v] - 1 : puzzle.numbers[v] === 1 ? 0 : -1;
  function over(p) {
    const route = state.routes[p], last = route[route.length - 1];
    return puzzle.kind === "paths" && route.length > 1 && puzzle.numbers[last] === p + 1;
  }
  function go(v) {
    const p = routeOf(v);
    if (p >= 0) {  // Back to a cell of a route; from its only cell, away.
      const route = state.routes[p], k = route.indexOf(v);
      const closing = puzzle.closed && k === 0 && route.length === puzzle.near.length;
      if (state.at === p && closing) return false;
      if (route.length === 1 && state.at === p) { state.routes[p] = []; state.at = -1; return true; }
      if (k === route.length - 1 && state.at === p) return false;
      state.routes[p] = route.slice(0, k + 1);
      state.at = p;
      return true;
    }
    if (state.at >= 0) {
      const route = state.routes[state.at], last = route[route.length - 1];
      const other = puzzle.kind === "paths" && puzzle.numbers[v] && puzzle.numbers[v] !== state.at + 1;
      if (route.length && linked(last, v) && !over(state.at) && !other) { route.push(v); return true; }
    }
    const begun = starts(v);
    if (begun >= 0) { state.routes[begun] = [v]; state.at = begun; return true; }
    return false;
  }

  // -- judging -------------------------------------------------------------------------------------------------------
  function mistakes() {
    const found = new Set();
    if (puzzle.kind === "numbers") {
      state.numbers.forEach((k, v) => { if (k && k !== puzzle.solution[v]) found.add(v); });
      return found;
    }
    const right = new Set(puzzle.steps);
    for (const route of state.routes) {
      route.forEach((v, i) => { if (i && !right.has([route[i - 1], v].sort((a, b) => a - b).join("-"))) found.add(v); });
    }
    return found;
  }
  function isWhole() {
    if (puzzle.kind === "numbers") return state.numbers.every((k, v) => k === puzzle.solution[v]);
    const steps = state.routes.reduce((sum, route) => sum + Math.max(0, route.length - 1), 0);
    return steps === puzzle.steps.length - (puzzle.closed ? 1 : 0) && !mistakes().size;
  }
  function say(words, bad = false) {
    get("status").textContent = words;
    get("status").className = bad ? "wrong" : "";
    return false;
  }
  function judge() {
    if (isWhole()) return say("Solved.");
    const left = puzzle.kind === "numbers" ? state.numbers.filter(k => !k).length
      : puzzle.near.length - state.routes.reduce((sum, route) => sum + route.length, 0);
    say(left ? `${left} cell${left > 1 ? "s" : ""} left` : "All cells are used, and something is wrong.", !left);
  }

  // -- what is seen --------------------------------------------------------------------------------------------------
  const SVG = "http://www.w3.org/2000/svg";
  function line(points, colour, width, name = "") {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", "M" + points.map(([x, y]) => `${x} ${y}`).join("L"));
    if (colour) path.setAttribute("stroke", colour);
    if (width) path.setAttribute("stroke-width", width);
    if (name) path.setAttribute("class", name);
    return path;
  }
  const middle = v => [puzzle.cells[v][0] + 0.5, puzzle.height - puzzle.cells[v][1] - 0.5];
  function paint() {
    const board = get("board"), svg = board.querySelector("svg");
    svg.replaceChildren();
    if (routed()) {
      state.routes.forEach((route, p) => {
        const whole = puzzle.closed && route.length === puzzle.near.length && linked(route[0], route[route.length - 1]);
        const around = whole ? [...route, route[0]] : route;
        if (around.length > 1) svg.append(line(around.map(middle), COLOURS[p % COLOURS.length], 0.22));
      });
    }
    for (const [first, second] of puzzle.walls) {
      const [x, y] = [(first[0] + second[0] + 1) / 2, puzzle.height - (first[1] + second[1] + 1) / 2];
      const [dx, dy] = first[0] === second[0] ? [0.5, 0] : [0, 0.5];
      svg.append(line([[x - dx, y - dy], [x + dx, y + dy]], "", 0, "wall"));
    }
    const last = routed() && state.at >= 0 ? state.routes[state.at][state.routes[state.at].length - 1] : state.at;
    cells.forEach((button, v) => {
      const words = routed() ? puzzle.numbers[v] || "" : state.numbers[v] || "";
      button.firstChild.textContent = words;
      button.classList.toggle("given", Boolean(puzzle.numbers[v]));
      button.classList.toggle("here", v === last);
      button.classList.toggle("near", last >= 0 && last !== undefined && linked(last, v) && (routed() ? routeOf(v) < 0 : !state.numbers[v]));
      button.classList.toggle("wrong", wrong.has(v));
      const p = routed() ? routeOf(v) : -1;
      if (routed() && puzzle.numbers[v] && puzzle.kind === "paths") {
        button.firstChild.style.background = COLOURS[(puzzle.numbers[v] - 1) % COLOURS.length];
        button.firstChild.style.color = "#ffffff";
      }
      const on = p >= 0 ? `, on ${puzzle.kind === "paths" ? `path ${p + 1}` : "the tour"}` : "";
      button.setAttribute("aria-label", `${puzzle.names[v]}${words ? `: ${words}` : ""}${on}`);
    });
    get("undo").disabled = !past.length || shown;
    get("clear").disabled = shown;
    get("faults").disabled = shown;
    get("solve").setAttribute("aria-pressed", shown);
    get("way").hidden = routed();
  }
  function open(k) {
    number = k;
    puzzle = data.puzzles[k];
    shown = false;
    wrong = new Set();
    const kept = made[k];
    state = kept ? kept.state : begin();
    past = kept ? kept.past : [];
    get("way").setAttribute("aria-pressed", false);
    get("which").textContent = `${k + 1} of ${data.puzzles.length}, ${puzzle.difficulty}`;
    get("chooser").hidden = false;
    get("before").disabled = k === 0;
    get("after").disabled = k === data.puzzles.length - 1;
    get("rule").textContent = puzzle.rule;
    get("how").textContent = routed()
      ? "Begin at a number. Draw with a finger or the mouse, or press cell after cell; arrow keys and Enter work too. Pressing a cell of a line goes back to it."
      : "Choose a number, then press the cell of the next one. Or choose a cell and type. Arrow keys move.";
    const board = get("board");
    board.replaceChildren();
    board.className = routed() ? "routes" : "";
    board.style.gridTemplateColumns = `repeat(${puzzle.width}, 1fr)`;
    cells = [];
    const at = new Map(puzzle.cells.map((cell, v) => [cell.join(), v]));
    for (let y = puzzle.height - 1; y >= 0; y--) {
      for (let x = 0; x < puzzle.width; x++) {
        const v = at.get([x, y].join());
        const place = document.createElement(v === undefined ? "div" : "button");
        if (v === undefined) place.className = "hole";
        else {
          place.type = "button";
          place.dataset.v = v;
          place.append(document.createElement("span"));
          cells[v] = place;
        }
        board.append(place);
      }
    }
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${puzzle.width} ${puzzle.height}`);
    svg.setAttribute("aria-hidden", "true");
    board.append(svg);
    paint();
    judge();
  }

  // -- what is done --------------------------------------------------------------------------------------------------
  const cellAt = event => {
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board button");
    return place ? Number(place.dataset.v) : -1;
  };
  const act = v => change(() => routed() ? go(v) : press(v));
  get("board").addEventListener("pointerdown", event => {
    const v = cellAt(event);
    if (v < 0) return;
    event.preventDefault();
    cells[v].focus();
    dragged = v;
    act(v);
  });
  addEventListener("pointermove", event => {
    if (dragged < 0 || !routed()) return;
    const v = cellAt(event);
    if (v >= 0 && v !== dragged && linked(dragged, v)) { dragged = v; act(v); }
  });
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => { dragged = -1; });
  get("board").addEventListener("keydown", event => {
    const v = Number(event.target.dataset?.v ?? -1);
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (v < 0) return;
    if (event.key in moves) {
      const [x, y] = puzzle.cells[v].map((c, i) => c + moves[event.key][i]);
      const to = puzzle.cells.findIndex(cell => cell[0] === x && cell[1] === y);
      if (to >= 0) { cells[to].focus(); event.preventDefault(); }
    } else if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(v); }
    else if (!routed() && /^[0-9]$/.test(event.key)) change(() => type(v, Number(event.key)));
    else if (!routed() && event.key === "Backspace") change(() => type(v, null));
  });
  get("undo").addEventListener("click", () => {
    if (!past.length) return;
    state = past.pop();
    made[number] = { state, past };
    wrong.clear();
    paint();
    judge();
  });
  get("clear").addEventListener("click", () => change(() => { state = begin(); }));
  get("way").addEventListener("click", () => {
    get("way").setAttribute("aria-pressed", !down());
    paint();
  });
  get("faults").addEventListener("click", () => {
    wrong = mistakes();
    paint();
    say(wrong.size ? `${wrong.size} cell${wrong.size > 1 ? "s are" : " is"} wrong.` : "No mistake so far.", wrong.size > 0);
  });
  get("solve").addEventListener("click", () => {
    shown = !shown;
    if (shown) {
      state = routed() ? { routes: puzzle.solution.map(route => [...route]), at: -1 } : { numbers: [...puzzle.solution], at: -1 };
      paint();
      say("This is the solution.");
    } else {
      state = made[number] ? made[number].state : begin();
      paint();
      judge();
    }
  });
  get("before").addEventListener("click", () => open(number - 1));
  get("after").addEventListener("click", () => open(number + 1));
  open(0);
})();
