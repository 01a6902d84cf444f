/* The board of kt explore: the viewer, the walk step by step, switches; and the chart of a search. */
(() => {
  "use strict";

  const at = (id) => document.getElementById(id);
  const { make, number } = KT;
  const SWITCHES = [
    ["turns", "Turns", "t", (view) => view.tour.n > 2],
    ["crossings", "Crossings", "c", (view) => view.tour.n > 1 && view.tour.patterns],
    ["numbers", "Numbers", "n", (view) => view.tour.n > 0],
    ["names", "Names", "", (view) => !view.board.space],
    ["layer", "Cells", "", (view) => view.side.layer],
  ];
  const COLOURS = [["position", "by position"], ["move", "by direction"], ["plain", "one colour"]];
  let view = null, player = null, drawn = null, dark = false, clock = 0, made = 0; // player: the view, or a picture with a tour

  /** Shows the data of a page, or words where there is none. */
  function draw(page, instead = "") {
    if (page && page === drawn) return;
    drawn = page;
    pause();
    KT.numbers.close();
    const flat = page && (page.picture || page.points);
    if (flat && view) { view.destroy(); view = null; }
    player = null;
    if (page && page.picture) {
      player = picture(page);
    } else if (flat) {
      at("stage").replaceChildren(plane(page));
    } else if (!page) {
      if (view) { view.destroy(); view = null; }
      at("stage").replaceChildren(...(instead ? [make("p", { name: "message", text: instead })] : []));
    } else if (view) {
      view.update(page);
    } else {
      at("stage").replaceChildren();
      view = KT.view(at("stage"), page, { dark, label: page.title });
      view.on("cell", (cell) => KT.stage.oncell(cell));
      view.on("move", (move) => KT.stage.onmove(move));
      view.on("paint", (place) => KT.stage.onpaint(...place));
      view.on("camera", () => KT.numbers.place());
      view.on("step", (now) => { made = now; count(); });
      KT.shown = { view };
    }
    if (view) { view.canvas.setAttribute("aria-label", page.title); player = view; }
    if (player) made = player.made;
    switches();
    at("transport").hidden = !player || player.moves < 1;
    count();
  }

  /** A picture, and its tour to play: before the last move a veil makes it pale, and the moves made are drawn over it. */
  function picture(page) {
    const route = page.route || [], moves = Math.max(0, route.length - 1);
    const image = make("img", { name: "picture", src: page.picture, alt: page.title });
    const over = shape("svg", { class: "picture walk", viewBox: `0 0 ${(page.size || [1, 1]).join(" ")}`, "aria-hidden": "true" });
    const line = shape("polyline", { "stroke-width": page.radius / 2 });
    const place = shape("circle", { r: page.radius, "stroke-width": page.radius / 4 });
    over.append(shape("rect", { width: "100%", height: "100%" }), line, place);
    at("stage").replaceChildren(image, over);
    const played = { moves, made: moves, go(to) {
      made = played.made = Math.max(0, Math.min(moves, to));
      const part = made < moves;
      over.toggleAttribute("hidden", !part);
      if (part) {
        line.setAttribute("points", route.slice(0, made + 1).map((point) => point.join(",")).join(" "));
        place.setAttribute("cx", route[made][0]);
        place.setAttribute("cy", route[made][1]);
      }
      count();
    } };
    played.go(moves);
    return played;
  }

  /** A plane with points: a click makes one more, and a click on one takes it away. */
  function plane(page) {
    const space = "http://www.w3.org/2000/svg", all = [[0, 0], [100, 100], ...page.points];
    const sides = [0, 1].map((axis) => all.map((point) => point[axis]));
    const [left, low] = sides.map((row) => Math.min(...row)), [right, high] = sides.map((row) => Math.max(...row));
    const size = Math.max(right - left, high - low), edge = 0.06 * size, radius = 0.012 * size;
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("class", "plane");
    svg.setAttribute("viewBox", `${left - edge} ${-high - edge} ${right - left + 2 * edge} ${high - low + 2 * edge}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${page.points.length} points`);
    const put = (name, values) => {
      const element = document.createElementNS(space, name);
      for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
      svg.append(element);
    };
    for (const [u, v] of page.lines || []) {
      const [[a, b], [c, d]] = [page.points[u], page.points[v]];
      put("line", { x1: a, y1: -b, x2: c, y2: -d, "stroke-width": radius / 4 });
    }
    page.points.forEach(([x, y]) => put("circle", { cx: x, cy: -y, r: radius }));
    svg.addEventListener("click", (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const [x, y] = [place.x, -place.y];
      const near = page.points.findIndex(([a, b]) => Math.hypot(a - x, b - y) < 2 * radius);
      const step = 10 ** (Math.floor(Math.log10(size)) - 2), places = Math.max(0, -Math.log10(step));
      KT.stage.onpoint(near, [x, y].map((value) => Number((Math.round(value / step) * step).toFixed(places))));
    });
    return svg;
  }

  /** Gives an element one child a key, in this order.  Those that are there stay, so that a press ends where it began. */
  function keep(parent, keys, create) {
    const there = new Map([...parent.children].map((child) => [child.dataset.key, child]));
    const children = keys.map((key) => there.get(String(key)) || create(key));
    for (const child of [...parent.children]) if (!children.includes(child)) child.remove();
    children.forEach((child, i) => {
      child.dataset.key = keys[i];
      if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] || null);
    });
    return children;
  }

  function switches() {
    at("looks").hidden = !view || !SWITCHES.some(([name, , , offered]) => name !== "names" && offered(view));
    if (!view) return;
    const offers = SWITCHES.filter(([, , , offered]) => offered(view));
    keep(at("switches"), offers.map(([name]) => name), (which) => {
      const [name, text, key] = SWITCHES.find(([name]) => name === which);
      const button = make("button", { type: "button", text, ...(key ? { title: `${text} (${key})` } : {}), id: `switch-${name}` });
      button.addEventListener("click", () => flip(name));
      return button;
    }).forEach((button, i) => button.setAttribute("aria-pressed", String(view.show[offers[i][0]])));
    at("colour-row").hidden = !view.tour.n;
    at("colour").value = view.mode;
    KT.writeKey(at("key"), view);
  }

  function flip(name) {
    const button = at(`switch-${name}`);
    if (!view || !button) return;
    view.set(name, !view.show[name]);
    button.setAttribute("aria-pressed", String(view.show[name]));
    KT.writeKey(at("key"), view);
  }

  function count() {
    if (!player) return;
    at("slider").max = player.moves;
    at("slider").value = made;
    at("slider").setAttribute("aria-valuetext", `${made} of ${player.moves} moves`);
    const name = player.made < player.moves && drawn.names ? `: ${drawn.names[made]}` : "";
    at("counter").textContent = `${number(made)} / ${number(player.moves)}${name}`;
  }

  function pause() {
    cancelAnimationFrame(clock);
    clock = 0;
    at("play").classList.remove("playing");
    at("play").setAttribute("aria-label", "Play");
  }

  function play() {
    if (clock) { pause(); return; }
    if (!player || player.moves < 1) return;
    if (made >= player.moves) player.go(0);
    at("play").classList.add("playing");
    at("play").setAttribute("aria-label", "Pause");
    const speed = Math.max(4, player.moves / 15); // moves a second
    let exact = made, before = performance.now();
    const on = (now) => {
      exact += (Math.min(now - before, 100) / 1000) * speed;
      before = now;
      player.go(Math.floor(exact), exact < player.moves);
      if (exact >= player.moves) pause(); else clock = requestAnimationFrame(on);
    };
    clock = requestAnimationFrame(on);
  }

  const jump = (to) => { pause(); if (player) player.go(to); };

  function dress(isDark) {
    dark = isDark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    if (view) { view.set("dark", dark); KT.writeKey(at("key"), view); }
  }

  const KEYS = {
    " ": play, ArrowRight: () => jump(made + 1), ArrowLeft: () => jump(made - 1), Home: () => jump(0), End: () => jump(Infinity),
    "+": () => view && view.zoom(1.25), "=": () => view && view.zoom(1.25), "-": () => view && view.zoom(0.8), 0: () => view && view.fit(),
    t: () => flip("turns"), c: () => flip("crossings"), n: () => flip("numbers"), l: () => dress(!dark), "?": () => help(),
  };

  const HELP = [
    ["space", "play or pause"], ["← →", "one move back, one move on"], ["Home End", "to the start, to the end"], ["+ −", "zoom"],
    ["0", "the whole board"], ["t c n", "turns, crossings, numbers"], ["l", "light or dark"],
    ["click", "a cell of an empty board: remove it. A move of a tour: require it, or stop requiring it"],
    ["Shift+click", "a move of a tour: forbid it, or stop forbidding it"],
    ["Type numbers", "then click a cell and type its number, or 49,64 or 20-30; arrows move to other cells, Enter ends it"],
    ["Ctrl+V", "paste a tour, a grid of numbers, a mask or a graph, in any form that kt reads; or drop a file onto the page"],
    ["?", "these keys"],
  ];
  const help = () => { if (!at("help").open) at("help").showModal(); };

  function listen() {
    for (const [key, what] of HELP) at("keys").append(make("dt", { text: key }), make("dd", { text: what }));
    at("help-open").addEventListener("click", help);
    at("colour").append(...COLOURS.map(([value, text]) => make("option", { value, text })));
    at("colour").addEventListener("change", () => { if (view) { view.set("colour", at("colour").value); KT.writeKey(at("key"), view); } });
    at("theme").addEventListener("click", () => dress(!dark));
    at("fit").addEventListener("click", () => view && view.fit());
    at("zoom-in").addEventListener("click", () => view && view.zoom(1.5));
    at("zoom-out").addEventListener("click", () => view && view.zoom(1 / 1.5));
    at("play").addEventListener("click", play);
    at("to-start").addEventListener("click", () => jump(0));
    at("to-end").addEventListener("click", () => jump(Infinity));
    at("slider").addEventListener("input", () => jump(Number(at("slider").value)));
    document.addEventListener("keydown", (event) => {
      const own = event.target.tagName, type = event.target.type;
      if (event.ctrlKey || event.metaKey || event.altKey || at("help").open || own === "SELECT" || own === "TEXTAREA") return;
      if (own === "INPUT" && (type !== "range" || /^Arrow|Home|End/.test(event.key))) return;
      if ((own === "BUTTON" || own === "SUMMARY" || own === "A") && event.key === " ") return;
      const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act) { act(); event.preventDefault(); }
    });
    const wish = window.matchMedia("(prefers-color-scheme: dark)");
    wish.addEventListener("change", () => dress(wish.matches));
    dress(wish.matches);
  }

  // -- the chart ------------------------------------------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  const shape = (tag, attributes, text) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  /** Value and bound as steps over time; the bound 0, which everything has, is left out. */
  function chart({ points, work }, seconds) {
    const all = points.map(([t, value, bound]) => [t, value, bound || null]), bound = work.bound || null;
    if (work.value !== null || bound) all.push([Math.max(seconds, all.length ? all.at(-1)[0] : 0), work.value, bound]);
    const known = all.flatMap((point) => point.slice(1)).filter((n) => n !== null);
    if (points.length < 2 || !work.metric || !known.length) { at("chart").replaceChildren(); return; }
    const [w, h, left, right, top, bottom] = [280, 132, 4, 34, 8, 18];
    const last = Math.max(all.at(-1)[0], 0.1), [low, high] = [Math.min(...known), Math.max(...known)];
    const x = (t) => left + ((w - left - right) * t) / last, y = (v) => top + (h - top - bottom) * (high === low ? 0.5 : (high - v) / (high - low));
    const steps = (k) => {
      const there = all.filter((point) => point[k] !== null);
      return there.map((point, i) => (i ? `H${x(point[0]).toFixed(1)}V${y(point[k]).toFixed(1)}` : `M${x(point[0]).toFixed(1)} ${y(point[k]).toFixed(1)}`)).join("");
    };
    const svg = shape("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": `Value ${work.value ?? "unknown"} and bound ${work.bound ?? "unknown"} after ${last.toFixed(0)} seconds` });
    svg.append(shape("path", { class: "axis", d: `M${left} ${h - bottom}H${w - right}` }));
    svg.append(shape("path", { class: "bound", d: steps(2) }), shape("path", { class: "value", d: steps(1) }));
    const close = work.value !== null && bound && Math.abs(y(work.value) - y(bound)) < 13;
    if (work.value !== null) svg.append(shape("text", { class: "v", x: w - right + 5, y: y(work.value) + (close ? -2 : 4) }, number(work.value)));
    if (bound) svg.append(shape("text", { class: "b", x: w - right + 5, y: y(bound) + (close ? 10 : 4) }, number(bound)));
    svg.append(shape("text", { x: left, y: h - 4 }, "0 s"), shape("text", { x: w - right, y: h - 4, "text-anchor": "end" }, `${last < 10 ? last.toFixed(1) : number(Math.round(last))} s`));
    at("chart").replaceChildren(svg);
  }

  /** draw(page, instead), chart(entry, seconds), listen(), keep(parent, keys, create); oncell(cell) is called when a cell is clicked, onmove(move) when a move is, onpoint(near, place) when a plane is, onpaint(x, y, begins) while it is painted; view is the viewer, and player what plays: the viewer or a picture. */
  KT.stage = { draw, chart, listen, keep, onpoint: () => {}, oncell: () => {}, onmove: () => {}, onpaint: () => {}, get view() { return view; }, get player() { return player; } };
})();
