/* The page: one board or two side by side, the walk step by step, switches, keys. */
(() => {
  "use strict";

  const KEYS = [
    ["space", "play or pause"], ["← →", "a move back, a move on; with Shift, a twentieth of the walk"],
    ["Home End", "to the start, to the end"], ["+ −", "zoom"], ["0", "the whole board"],
    ["w a s d", "move what is seen; a board in space is turned"], ["PgUp PgDn", "layer by layer, of a board in space"], ["t", "turns"], ["c", "crossings"], ["n", "numbers"],
    ["b", "colour by the next of what there is"], ["x", "cells that differ, beside another tour"],
    ["f", "find a cell or a visit"], ["p", "save a picture"], ["l", "light or dark"], ["i", "this panel or more room"], ["?", "these keys"],
  ];
  const SWITCHES = [
    ["turns", "Turns", (views) => views.some((view) => view.tour.n > 2)],
    ["crossings", "Crossings", (views) => views.some((view) => view.tour.n > 1 && view.tour.patterns)],
    ["numbers", "Numbers", (views) => views.some((view) => view.tour.n > 0)],
    ["names", "Names", (views) => !views[0].board.space],
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
      const two = data.sides.length > 1;
      if (two) caption.append(side.name, KT.make("span", { text: ` ${side.caption}` }));
      at("boards").append(KT.make("figure", { name: "board" }, ...(two ? [caption] : []), stage));
      return KT.view(stage, data, { side: k, dark, label: `${side.name}: ${side.caption}. Keys: question mark for a list.` });
    });
    const [main] = views;
    const moves = Math.max(...views.map((view) => view.moves));
    document.body.classList.toggle("two", views.length > 1);
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

    // -- two boards

    let differing = 0;
    if (views.length > 1) {
      const { differs, count } = KT.differences(views[0].tour, views[1].tour);
      differing = count;
      for (const view of views) view.compare(differs);
      at("facts").querySelector("tbody").append(KT.make("tr", {}, KT.make("th", { text: "Cells that differ", scope: "row" }),
        KT.make("td", { text: `${KT.number(count)} of ${KT.number(main.board.cells)}`, colspan: 2, id: "differing" })));
      for (const view of views) view.on("camera", () => { for (const other of views) if (other !== view) other.follow(view); });
      for (const view of views) {
        view.on("hover", (cell) => { for (const other of views) if (other !== view) { other.hover = cell; other.ask(); } });
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
      if (!offered(views)) continue;
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
    at("colour-row").hidden = !main.tour.n;
    const paintBy = (value) => {
      colour.value = value;
      for (const view of views) view.set("colour", value);
      writeKey();
    };
    colour.addEventListener("change", () => paintBy(colour.value));
    const layer = at("layer");
    at("layer-row").hidden = !main.board.space;
    layer.append(KT.make("option", { value: -1, text: "all" }));
    for (let z = 0; main.board.space && z < main.board.depth; z++) layer.append(KT.make("option", { value: z, text: `z = ${z}` }));
    const single = (z) => {
      layer.value = Math.max(-1, Math.min(main.board.depth - 1, z));
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
    at("rose-section").hidden = !views.some((view) => view.moves > 1);
    at("theme").addEventListener("click", () => { dark = !dark; dress(); });
    wish.addEventListener("change", () => { dark = wish.matches; dress(); });

    // -- tools

    const panel = (open) => {
      document.body.classList.toggle("panel-off", !open);
      at("panel-toggle").setAttribute("aria-expanded", String(open));
    };
    panel(window.innerWidth > 760);
    at("panel-toggle").addEventListener("click", () => panel(document.body.classList.contains("panel-off")));
    at("fit").addEventListener("click", () => main.fit());
    at("zoom-in").addEventListener("click", () => main.zoom(1.5));
    at("zoom-out").addEventListener("click", () => main.zoom(1 / 1.5));
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

    const nudge = (dx, dy) => { if (main.board.space) main.rotate(-dx * 0.004, dy * 0.004); else main.pan(dx, dy); };
    const keys = {
      " ": toggle, ArrowRight: () => jump(made + 1), ArrowLeft: () => jump(made - 1), Home: () => jump(0), End: () => jump(moves),
      "+": () => main.zoom(1.25), "=": () => main.zoom(1.25), "-": () => main.zoom(0.8), 0: () => main.fit(),
      w: () => nudge(0, 60), s: () => nudge(0, -60), a: () => nudge(60, 0), d: () => nudge(-60, 0),
      t: () => flip("turns"), c: () => flip("crossings"), n: () => flip("numbers"), x: () => flip("differences"),
      b: () => paintBy(offered[(offered.findIndex(([value]) => value === colour.value) + 1) % offered.length][0]),
      f: () => { panel(true); at("find-text").focus(); }, p: () => save(views, data),
      PageUp: () => main.board.space && single(Number(layer.value) + 1), PageDown: () => main.board.space && single(Number(layer.value) - 1),
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
    const [main] = views, { tour, board } = main, wanted = text.trim().replace(/^#/, "");
    let cell = board.find(wanted);
    if (cell < 0 && /^[\d,]{1,12}$/.test(wanted) && !(board.space && wanted.includes(","))) {
      const visit = Number(wanted.replace(/,/g, ""));
      if (visit < 1 || visit > tour.n) { say(`There is no visit ${visit}: they run from 1 to ${KT.number(tour.n)}.`, true); return; }
      cell = tour.at[visit - 1];
      jump(visit - 1);
    } else if (cell < 0) {
      say(wanted ? `“${wanted.slice(0, 20)}” is not a cell of this board.` : `Type a cell, such as ${board.name(board.mask ? board.mask.indexOf(1) : 0)}, or the number of a visit.`, true);
      return;
    }
    for (const view of views) { view.highlight([cell]); }
    main.centre(cell);
    say(main.describe(cell));
  }

  /** What is seen, as a PNG file. */
  function save(views, data) {
    const canvases = views.map((view) => view.canvas), gap = canvases.length > 1 ? 20 : 0;
    const whole = document.createElement("canvas"), context = whole.getContext("2d");
    whole.width = canvases.reduce((sum, canvas) => sum + canvas.width, gap * (canvases.length - 1));
    whole.height = Math.max(...canvases.map((canvas) => canvas.height));
    context.fillStyle = views[0].theme.paper;
    context.fillRect(0, 0, whole.width, whole.height);
    let x = 0;
    for (const canvas of canvases) { context.drawImage(canvas, x, 0); x += canvas.width + gap; }
    whole.toBlob((blob) => {
      const link = KT.make("a", { download: `${String(data.title).replace(/[^\w\d-]+/g, "-").slice(0, 60) || "tour"}.png` });
      link.href = URL.createObjectURL(blob);
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }
})();
