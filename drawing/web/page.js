/* The page: one board or several side by side, the walk step by step, switches, keys. */
(() => {
  "use strict";

  const KEYS = [
    ["space", "play or pause"], ["← →", "one move back, one move on; with Shift, a twentieth of the walk"],
    ["Home End", "to the start, to the end"], ["+ −", "zoom"], ["0", "the whole board"],
    ["w a s d", "pan; rotate a board in space"], ["PgUp PgDn", "change the layer of a board in space"], ["t", "turns"], ["c", "crossings"], ["n", "numbers"],
    ["b", "next colouring"], ["x", "cells that differ from the other tour"],
    ["f", "find a cell or a visit"], ["p", "save a picture"], ["l", "light or dark"], ["i", "this panel or more room"], ["?", "these keys"],
  ];
  const SWITCHES = [
    ["turns", "Turns", (views) => views.some((view) => view.tour.n > 2)],
    ["crossings", "Crossings", (views) => views.some((view) => view.tour.n > 1 && view.tour.patterns)],
    ["numbers", "Numbers", (views) => views.some((view) => view.tour.n > 0)],
    ["names", "Names", (views) => views.some((view) => !view.board.space)],
    ["layer", "Cells", (views) => views.some((view) => view.side.layer)],
    ["parts", "Pieces", (views) => views.some((view) => view.side.parts && (view.side.parts.frames || []).length)],
    ["differences", "Differences", (views) => views.length > 1],
  ];
  const COLOURS = [
    ["position", "by position", () => true],
    ["strand", "by strand", (views) => views.some((view) => view.side.parts && view.side.parts.steps)],
    ["component", "by component", (views) => views.some((view) => view.tour.walks > 1)],
    ["move", "by direction", () => true], ["plain", "one colour", () => true],
  ];
  const at = (id) => document.getElementById(id);

  /** Builds the page around the data that stands in it. */
  KT.page = () => {
    let data;
    try {
      data = JSON.parse(at("data").textContent);
      build(data);
    } catch (error) {
      at("boards").replaceChildren(KT.make("p", { name: "message", text: `This page is damaged and cannot be shown (${error.message}).` }));
      throw error;
    }
  };

  function build(data) {
    const root = document.documentElement, wish = window.matchMedia("(prefers-color-scheme: dark)");
    let dark = wish.matches;
    const views = data.sides.map((side, k) => {
      const stage = KT.make("div", { name: "stage" }), caption = KT.make("figcaption");
      const several = data.sides.length > 1;
      if (several) caption.append(side.name, KT.make("span", { text: ` ${side.caption}` }));
      at("boards").append(KT.make("figure", { name: "board" }, ...(several ? [caption] : []), stage));
      return KT.view(stage, data, { side: k, dark, label: `${side.name}: ${side.caption}. Keys: question mark for a list.` });
    });
    const [main] = views;
    const moves = Math.max(...views.map((view) => view.moves));
    document.body.classList.toggle("two", views.length === 2);
    document.body.classList.toggle("many", views.length > 2);
    if (views.length > 2) arrange(at("boards"), views.length);
    const alike = (view, other) => !view.side.place && !other.side.place || JSON.stringify(view.side.place) === JSON.stringify(other.side.place);
    const groups = []; // views of one board and leaper, whose cameras move together
    for (const view of views) {
      const group = groups.find(([first]) => alike(first, view));
      if (group) group.push(view); else groups.push([view]);
    }
    const every = (act) => { for (const [first] of groups) act(first); };
    at("subtitle").textContent = data.subtitle || "";
    writeClaim(data.sides);
    const writeFacts = KT.factsTable(at("facts"), views);
    at("numbers").hidden = !at("facts").querySelector("tr");

    // -- the walk

    const slider = at("slider"), play = at("play");
    let clock = 0, exact = moves, speed = Math.max(4, moves / 15), made = moves;
    slider.max = moves;
    at("transport").hidden = moves < 1;
    const write = (said) => {
      slider.value = made;
      slider.setAttribute("aria-valuetext", `${made} of ${moves} moves`);
      at("counter").textContent = `${KT.number(made)} / ${KT.number(moves)}`;
      writeFacts();
      if (!said || !main.tour.n) return;
      const cell = main.tour.cellAfter(Math.min(made, main.moves));
      at("live").textContent = `after move ${made} of ${moves}: ${main.board.name(cell)}`;
    };
    const go = (to, playing = false) => {
      exact = made = Math.max(0, Math.min(moves, Math.round(to)));
      for (const view of views) view.go(made, playing);
      write(!playing);
    };
    const pause = () => {
      if (!clock) return;
      cancelAnimationFrame(clock);
      clock = 0;
      play.classList.remove("playing");
      play.setAttribute("aria-label", "Play");
      go(made);
    };
    const start = () => {
      if (moves < 1) return;
      if (made >= moves) go(0);
      play.classList.add("playing");
      play.setAttribute("aria-label", "Pause");
      let last = performance.now();
      const tick = (now) => {
        const on = exact + (Math.max(0, Math.min(now - last, 100)) / 1000) * speed;
        last = now;
        if (on >= moves) { go(moves, true); clock = 1; pause(); return; }
        const whole = Math.floor(on);
        if (whole !== made) go(whole, true);
        exact = on;
        clock = requestAnimationFrame(tick);
      };
      clock = requestAnimationFrame(tick);
    };
    const toggle = () => (clock ? pause() : start());
    const jump = (to) => { pause(); go(to); };
    slider.addEventListener("input", () => jump(Number(slider.value)));
    play.addEventListener("click", toggle);
    at("to-start").addEventListener("click", () => jump(0));
    at("to-end").addEventListener("click", () => jump(moves));
    at("back").addEventListener("click", () => jump(made - 1));
    at("on").addEventListener("click", () => jump(made + 1));
    const [slowest, fastest] = [1, Math.max(60, moves * 1.5)]; // moves a second
    const speedInput = at("speed");
    speedInput.value = Math.round((100 * Math.log(speed / slowest)) / Math.log(fastest / slowest));
    speedInput.addEventListener("input", () => { speed = slowest * (fastest / slowest) ** (speedInput.value / 100); });

    // -- several boards

    let differing = Infinity;
    if (views.length === 2 && groups.length === 1) {
      const { differs, count } = KT.differences(views[0].tour, views[1].tour);
      differing = count;
      for (const view of views) view.compare(differs);
      at("facts").querySelector("tbody").append(KT.make("tr", {}, KT.make("th", { text: "Cells that differ", scope: "row" }),
        KT.make("td", { text: `${KT.number(count)} of ${KT.number(main.board.cells)}`, colspan: 2, id: "differing" })));
    }
    for (const group of groups) {
      for (const view of group) {
        view.on("camera", () => { for (const other of group) if (other !== view) other.follow(view); });
        view.on("hover", (cell) => { for (const other of group) if (other !== view) { other.hover = cell; other.ask(); } });
      }
    }

    // -- looks

    for (const view of views) {
      for (const [name, on] of Object.entries(data.show || {})) view.set(name, on);
      view.set("layer", !view.tour.n); // under a walk only if asked for
      view.set("parts", views.length === 1);
      view.set("differences", differing < main.board.cells / 2); // where most do, the tint would say nothing
    }
    const switches = new Map();
    for (const [name, text, offered] of SWITCHES) {
      if (!offered(views) || (name === "differences" && differing === Infinity)) continue;
      const button = KT.make("button", { type: "button", text, id: `switch-${name}`, "aria-pressed": String(main.show[name]) });
      button.addEventListener("click", () => flip(name));
      at("switches").append(button);
      switches.set(name, button);
    }
    const flip = (name) => {
      if (!switches.has(name)) return;
      const on = !main.show[name];
      for (const view of views) view.set(name, on);
      switches.get(name).setAttribute("aria-pressed", String(on));
      if (name === "numbers" && on && !KT.numbered(main.frame(), main.scene) && !main.board.space) say("Numbers show when zoomed in.");
      writeKey();
    };
    const colour = at("colour"), offered = COLOURS.filter(([, , there]) => there(views));
    for (const [value, text] of offered) colour.append(KT.make("option", { value, text }));
    at("colour-row").hidden = moves < 1;
    const paintBy = (value) => {
      colour.value = value;
      for (const view of views) view.set("colour", value);
      writeKey();
    };
    colour.addEventListener("change", () => paintBy(colour.value));
    const layer = at("layer");
    const depth = Math.max(...views.map((view) => (view.board.space ? view.board.depth : 0)));
    at("layer-row").hidden = !depth;
    layer.append(KT.make("option", { value: -1, text: "all" }));
    for (let z = 0; z < depth; z++) layer.append(KT.make("option", { value: z, text: `z = ${z}` }));
    const single = (z) => {
      layer.value = Math.max(-1, Math.min(depth - 1, z));
      for (const view of views) view.set("only", Number(layer.value));
    };
    layer.addEventListener("change", () => single(Number(layer.value)));
    const writeKey = () => KT.writeKey(at("key"), main);
    const dress = () => {
      root.dataset.theme = dark ? "dark" : "light";
      for (const view of views) view.set("dark", dark);
      writeKey();
      if (!at("rose-section").hidden) KT.drawRose(at("rose"), views);
    };
    at("rose-section").hidden = views.length > 2 || !views.some((view) => view.moves > 1); // of more, none would be large enough
    at("theme").addEventListener("click", () => { dark = !dark; dress(); });
    wish.addEventListener("change", () => { dark = wish.matches; dress(); });

    // -- tools

    const panel = (open) => {
      document.body.classList.toggle("panel-off", !open);
      at("panel-toggle").setAttribute("aria-expanded", String(open));
    };
    panel(window.innerWidth > 760);
    at("panel-toggle").addEventListener("click", () => panel(document.body.classList.contains("panel-off")));
    const fit = () => every((view) => view.fit()), zoom = (factor) => every((view) => view.zoom(factor));
    at("fit").addEventListener("click", fit);
    at("zoom-in").addEventListener("click", () => zoom(1.5));
    at("zoom-out").addEventListener("click", () => zoom(1 / 1.5));
    at("save").addEventListener("click", () => save(views, data));
    for (const [key, what] of KEYS) at("keys").append(KT.make("dt", { text: key }), KT.make("dd", { text: what }));
    at("help-open").addEventListener("click", () => at("help").showModal());

    const say = (text, wrong = false) => {
      at("find-word").textContent = text;
      at("find-word").classList.toggle("wrong", wrong);
    };
    at("find").addEventListener("submit", (event) => {
      event.preventDefault();
      find(at("find-text").value, views, jump, say);
    });

    const nudge = (dx, dy) => every((view) => { if (view.board.space) view.rotate(-dx * 0.004, dy * 0.004); else view.pan(dx, dy); });
    const keys = {
      " ": toggle, ArrowRight: () => jump(made + 1), ArrowLeft: () => jump(made - 1), Home: () => jump(0), End: () => jump(moves),
      "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit,
      w: () => nudge(0, 60), s: () => nudge(0, -60), a: () => nudge(60, 0), d: () => nudge(-60, 0),
      t: () => flip("turns"), c: () => flip("crossings"), n: () => flip("numbers"), x: () => flip("differences"),
      b: () => paintBy(offered[(offered.findIndex(([value]) => value === colour.value) + 1) % offered.length][0]),
      f: () => { panel(true); at("find-text").focus(); }, p: () => save(views, data),
      PageUp: () => depth && single(Number(layer.value) + 1), PageDown: () => depth && single(Number(layer.value) - 1),
      l: () => { dark = !dark; dress(); }, i: () => panel(document.body.classList.contains("panel-off")), "?": () => at("help").showModal(),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || at("help").open) return;
      const own = event.target.tagName, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (own === "INPUT" && event.target.type === "text") { if (key === "Escape") event.target.blur(); return; }
      if (own === "SELECT" || (own === "INPUT" && event.target !== slider && /^Arrow|Home|End/.test(key))) return;
      if (own === "BUTTON" && key === " ") return;
      const far = event.shiftKey ? Math.ceil(moves / 20) : 0;
      if (far && key === "ArrowRight") jump(made + far);
      else if (far && key === "ArrowLeft") jump(made - far);
      else if (keys[key]) keys[key]();
      else return;
      event.preventDefault();
    });

    paintBy(data.colour && offered.some(([value]) => value === data.colour) ? data.colour : main.tour.walks > 1 ? "component" : "position");
    dress();
    go(moves);
    KT.shown = { views, data, go: jump };
  }

  /** As many columns as make the boards largest; where all would be too small, they are larger and the place scrolls. */
  function arrange(place, count) {
    const LEAST = 170, CAPTION = 22, GAP = 10;
    const choose = () => {
      const { clientWidth: wide, clientHeight: high } = place;
      const fit = (lines, length) => (length - GAP * (lines - 1)) / lines;
      const side = (across) => Math.min(fit(across, wide), fit(Math.ceil(count / across), high) - CAPTION);
      let columns = 1;
      for (let across = 2; across <= count; across++) if (side(across) > side(columns)) columns = across;
      const small = side(columns) < LEAST;
      if (small) columns = Math.max(1, Math.floor((wide + GAP) / (1.3 * LEAST + GAP)));
      place.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
      place.style.gridAutoRows = small ? `${Math.round(Math.min(fit(columns, wide), high) + CAPTION)}px` : "minmax(0, 1fr)";
    };
    new ResizeObserver(choose).observe(place);
    choose();
  }

  /** What a certificate or a result claims, and how far that was checked. */
  function writeClaim(sides) {
    const side = sides.length === 1 && sides[0].claim ? sides[0] : null; // of two, the table says what each claims
    at("claim").hidden = !side;
    if (!side) return;
    at("claim-text").textContent = side.claim.text;
    at("claim-known").textContent = side.claim.known;
    at("claim-more").textContent = side.claim.more;
  }

  /** A cell's name, or the number of a visit. */
  function find(text, views, jump, say) {
    const wanted = text.trim().replace(/^#/, ""), main = views.find((view) => view.board.find(wanted) >= 0) || views[0], { tour, board } = main;
    let cell = board.find(wanted);
    if (cell < 0 && /^[\d,]{1,12}$/.test(wanted) && !(board.space && wanted.includes(","))) {
      const visit = Number(wanted.replace(/,/g, ""));
      if (visit < 1 || visit > tour.n) { say(`There is no visit ${visit}: visits run from 1 to ${KT.number(tour.n)}.`, true); return; }
      cell = tour.at[visit - 1];
      jump(visit - 1);
    } else if (cell < 0) {
      say(wanted ? `“${wanted.slice(0, 20)}” is not a cell of this board.` : `Type a cell, such as ${board.name(board.mask ? board.mask.indexOf(1) : 0)}, or the number of a visit.`, true);
      return;
    }
    for (const view of views) {
      const same = view === main ? cell : view.board.find(board.name(cell));
      view.highlight(same < 0 ? [] : [same]);
      if (same >= 0) view.centre(same);
    }
    say(main.describe(cell));
  }

  /** What is seen, as a PNG file. */
  function save(views, data) {
    const boxes = views.map((view) => view.canvas.getBoundingClientRect()), { ratio } = views[0];
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const whole = document.createElement("canvas"), context = whole.getContext("2d");
    whole.width = Math.round(ratio * (Math.max(...boxes.map((box) => box.right)) - left));
    whole.height = Math.round(ratio * (Math.max(...boxes.map((box) => box.bottom)) - top));
    context.fillStyle = views[0].theme.paper;
    context.fillRect(0, 0, whole.width, whole.height);
    views.forEach(({ canvas }, k) => context.drawImage(canvas, Math.round(ratio * (boxes[k].left - left)), Math.round(ratio * (boxes[k].top - top))));
    whole.toBlob((blob) => {
      const link = KT.make("a", { download: `${String(data.title).replace(/[^\w\d-]+/g, "-").slice(0, 60) || "tour"}.png` });
      link.href = URL.createObjectURL(blob);
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }
})();
