/* The panel: numbers, switches, key, directions.  Every text goes in as text, never as markup. */
(() => {
  "use strict";

  const number = (value) => value.toLocaleString("en");

  /** An element with a class, a text and children. */
  const make = (tag, { text, name, ...attributes } = {}, ...children) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  KT.make = make;
  KT.number = number;

  const METRICS = [["turns", "Turns"], ["crossings", "Crossings"]];
  const counts = (view, metric) => (view.side.counts ? view.side.counts[metric] : undefined);

  /** The cell of a number that is counted while the walk is played, and what writes it. */
  function counter(view, metric, id, short) {
    const cell = make("td", { id }), total = counts(view, metric);
    const write = () => {
      const by = view.made < view.moves && view.tour.n <= 2e6 ? view.tour[`${metric}By`] : null;
      cell.replaceChildren();
      if (total === undefined) cell.textContent = "–";
      else if (by) cell.append(number(by[view.made]), make("small", { text: short ? `/${number(total)}` : ` of ${number(total)}` }));
      else cell.textContent = number(total);
    };
    return [cell, write];
  }

  /** A row for each of many boards, as there is no room for as many columns; below it what is claimed. */
  function manyTable(table, views) {
    const there = METRICS.filter(([metric]) => views.some((view) => counts(view, metric) !== undefined)), live = [];
    const claims = views.filter((view) => view.side.claim);
    if (!there.length && !claims.length) return () => {};
    const head = [["Tour"], ...there.map(([, label]) => [label])].map(([text]) => make("th", { text, scope: "col" }));
    const body = make("tbody");
    views.forEach((view, k) => {
      const counters = there.map(([metric]) => counter(view, metric, `${metric}-${k}`, true));
      live.push(...counters.map(([, write]) => write));
      body.append(make("tr", {}, make("th", { text: view.side.name, scope: "row" }), ...counters.map(([cell]) => cell)));
      if (view.side.claim) body.append(make("tr", { name: "claimed" }, make("td", { text: view.side.claim.text, colspan: there.length + 1 })));
    });
    table.append(make("thead", {}, make("tr", {}, ...head)), body);
    return () => live.forEach((write) => write());
  }

  /** The table of numbers; returns what to call after every step. */
  KT.factsTable = (table, views) => {
    table.replaceChildren();
    if (views.length > 2) return manyTable(table, views);
    if (views.length > 1) {
      const names = views.map((view) => make("th", { text: view.side.name, scope: "col", title: view.side.name }));
      table.append(make("thead", {}, make("tr", {}, make("td"), ...names)));
    }
    const body = table.appendChild(make("tbody")), live = [];
    const row = (label, cells, name = "") => body.append(make("tr", { name }, make("th", { text: label, scope: "row" }), ...cells));
    for (const [metric, label] of METRICS) {
      if (!views.some((view) => counts(view, metric) !== undefined)) continue;
      const counters = views.map((view, k) => counter(view, metric, views.length === 1 ? metric : `${metric}-${k}`, views.length > 1));
      live.push(...counters.map(([, write]) => write));
      row(label, counters.map(([cell]) => cell), "main");
    }
    if (views.length > 1 && views.some((view) => view.side.claim)) {
      row("Claim", views.map((view) => make("td", { text: view.side.claim ? view.side.claim.text : "–", name: "long" })));
    }
    const labels = [...new Set(views.flatMap((view) => (view.side.facts || []).map(([label]) => label)))];
    for (const label of labels) {
      row(label, views.map((view) => {
        const fact = (view.side.facts || []).find(([own]) => own === label), text = fact ? String(fact[1]) : "–";
        return make("td", { text, name: text.length > 14 ? "long" : "" });
      }));
    }
    return () => live.forEach((write) => write());
  };

  /** What the colours mean. */
  KT.writeKey = (list, view) => {
    list.replaceChildren();
    const { side, scene, tour } = view;
    const item = (kind, background, text) => {
      const swatch = make("i", { name: kind });
      swatch.style[kind === "frame" ? "borderColor" : "background"] = background;
      list.append(make("li", {}, swatch, ...(text ? [make("span", { text })] : [])));
    };
    if (tour.n && view.mode === "position" && tour.n > 1) {
      const stops = Array.from({ length: 13 }, (_, k) => scene.colour.css[Math.min(scene.colour.css.length - 1, Math.floor((k / 12) * scene.colour.css.length))]);
      item("scale", `linear-gradient(90deg, ${stops.join(", ")})`, "");
    } else if (view.mode === "strand" && side.parts) {
      for (const [colour, text] of side.parts.key) item("", KT.css(KT.ink(colour, view.theme)), text);
    } else if (view.mode === "component" && tour.walks <= 12) {
      for (let w = 0; w < tour.walks; w++) {
        item("", scene.colour.css[w], `${tour.closed[w] ? "cycle" : "path"} of ${number(tour.first[w + 1] - tour.first[w])}`);
      }
    }
    if (!tour.n && side.parts) for (const [colour, text] of side.parts.key) item("", KT.css(KT.ink(colour, view.theme)), text);
    if (side.parts && view.show.parts) {
      const frames = new Map((side.parts.frames || []).filter(({ label }) => label).map(({ label, colour }) => [label, colour]));
      for (const [label, colour] of frames) item("frame", KT.css(KT.ink(colour, view.theme)), label);
    }
    if (scene.layer) side.layer.key.forEach(([row, text]) => item("square", scene.layer.css[row], text));
    if (scene.differs) item("square", view.theme.change, "cells with other moves");
  };

  /** How often each direction is taken, as a rose; for two walks, one beside the other. */
  KT.drawRose = (place, views) => {
    place.replaceChildren();
    const ratio = Math.min(window.devicePixelRatio || 1, 3), wide = place.clientWidth || 240, high = 150;
    const canvas = place.appendChild(make("canvas", { role: "img" }));
    canvas.width = wide * ratio;
    canvas.height = high * ratio;
    canvas.style.height = `${high}px`;
    const words = [], context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    views.forEach((view, k) => {
      const counts = view.tour.rose, most = Math.max(...counts, 1), theme = view.theme;
      const cx = (wide * (k + 0.5)) / views.length, cy = high / 2, radius = Math.min(high / 2, wide / views.length / 2) - 20;
      const colours = KT.colouring(view.tour, view.side, "move", theme).css;
      context.font = "10.5px system-ui, sans-serif";
      context.textAlign = "center";
      context.textBaseline = "middle";
      view.tour.vectors.forEach(([x, y, z], m) => {
        if (z && !x && !y) return;
        const length = Math.hypot(x, y), [ux, uy] = [x / length, -y / length], r = (radius * counts[m]) / most;
        words.push(`${view.tour.vectors[m].slice(0, view.board.space ? 3 : 2).join(",")}: ${counts[m]}`);
        context.lineWidth = 7;
        context.lineCap = "round";
        context.strokeStyle = colours[m];
        context.beginPath();
        context.moveTo(cx, cy);
        context.lineTo(cx + ux * r, cy + uy * r);
        context.stroke();
        if (view.board.space || wide / views.length < 170) return;
        context.fillStyle = theme.soft;
        context.fillText(number(counts[m]), cx + ux * (radius + 18), cy + uy * (radius + 10));
      });
    });
    canvas.setAttribute("aria-label", `Moves by direction. ${words.join("; ")}`);
  };
})();
