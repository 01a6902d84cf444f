/* What stands beside the moves: names of files and ranks, and the frames, arrows and dots that explain a drawing. */
(() => {
  "use strict";

  const step = (room) => { // every so many are named: 1, 2, 5, 10, ...
    for (let power = 1; ; power *= 10) for (const k of [1, 2, 5]) if (k * power >= room) return k * power;
  };

  /** Files below and ranks on the left, at the edge of the board or, where that is out of sight, of the canvas. */
  KT.paintNames = (context, frame, scene) => {
    const { board, theme, ratio } = scene, { s, ox, oy, w, h } = frame;
    const [x0, y0, x1, y1] = KT.range(board, frame, -0.5);
    const size = 11 * ratio, over = board.wrapped ? KT.OVERHANG * s : 0;
    const bottom = Math.min((oy + 0.5) * s + over + 12 * ratio, h - 9 * ratio);
    const left = Math.max((-0.5 - ox) * s - over - 7 * ratio, (8 + 3.4 * String(board.height).length * 2) * ratio);
    context.font = `${size}px system-ui, "DejaVu Sans", sans-serif`;
    context.lineWidth = 3 * ratio;
    context.lineJoin = "round";
    context.strokeStyle = theme.paper;
    context.fillStyle = theme.soft;
    const write = (text, x, y) => { context.strokeText(text, x, y); context.fillText(text, x, y); };
    context.textBaseline = "middle";
    context.textAlign = "center";
    const wide = size * 0.7 * (KT.columnName(board.width - 1).length + 1);
    const every = step(wide / s), each = step((1.5 * size) / s);
    const chosen = (k, count) => count === 1 || (k + 1) % count === 0 || (k === 0 && count > 2);
    for (let x = x0; x <= x1; x++) if (chosen(x, every)) write(KT.columnName(x), (x - ox) * s, bottom);
    context.textAlign = "right";
    for (let y = y0; y <= y1; y++) if (chosen(y, each)) write(String(y + 1), left, (oy - y) * s);
  };

  const knight = new Path2D("M26 92 H84 C86 62 84 34 60 21 L55 7 L46 20 C34 26 28 38 17 54 C12 63 19 71 27 66 L33 62 "
    + "C41 60 47 57 52 51 C54 64 36 70 26 92 Z M43 40 a4 4 0 1 0 .1 0 Z");

  /** The walker: a knight so many pixels high, with its middle at a point. */
  KT.paintKnight = (context, x, y, high, colour) => {
    context.save();
    context.translate(x, y);
    context.scale(high / 100, high / 100);
    context.translate(-52, -51);
    context.fillStyle = colour;
    context.fill(knight, "evenodd");
    context.restore();
  };

  /** Frames, arrows and dots of an explanation. */
  KT.paintParts = (context, frame, parts, theme, ratio) => {
    const { s, ox, oy } = frame, px = (x) => (x - ox) * s, py = (y) => (oy - y) * s;
    for (const { cells, colour } of parts.frames || []) {
      const there = new Set();
      for (let k = 0; k < cells.length; k += 2) there.add(`${cells[k]},${cells[k + 1]}`);
      context.strokeStyle = KT.css(KT.ink(colour, theme));
      context.lineWidth = Math.max(0.05 * s, 1.4 * ratio);
      context.beginPath();
      for (let k = 0; k < cells.length; k += 2) {
        const [x, y] = [cells[k], cells[k + 1]];
        for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
          if (there.has(`${x + dx},${y + dy}`)) continue;
          context.moveTo(px(x + (dx - dy) / 2), py(y + (dy - dx) / 2));
          context.lineTo(px(x + (dx + dy) / 2), py(y + (dy + dx) / 2));
        }
      }
      context.stroke();
    }
    for (const [x0, y0, x1, y1, colour, headed] of parts.arrows || []) {
      const length = Math.hypot(x1 - x0, y1 - y0) || 1, [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
      const head = headed ? Math.min(0.5, 0.6 * length) : 0, [nx, ny] = [x1 - ux * head, y1 - uy * head];
      context.strokeStyle = context.fillStyle = KT.css(KT.ink(colour, theme));
      context.lineWidth = Math.max((headed ? 0.11 : 0.08) * s, ratio);
      context.beginPath();
      context.moveTo(px(x0), py(y0));
      context.lineTo(px(nx), py(ny));
      context.stroke();
      if (!headed) continue;
      context.beginPath();
      context.moveTo(px(x1), py(y1));
      context.lineTo(px(nx - 0.24 * uy), py(ny + 0.24 * ux));
      context.lineTo(px(nx + 0.24 * uy), py(ny - 0.24 * ux));
      context.fill();
    }
    for (const [x, y, colour] of parts.dots || []) {
      context.beginPath();
      context.arc(px(x), py(y), Math.max(0.22 * s, 1.5 * ratio), 0, 2 * Math.PI);
      context.fillStyle = KT.css(KT.ink(colour, theme));
      context.fill();
      context.lineWidth = Math.max(0.04 * s, 0.6 * ratio);
      context.strokeStyle = theme.halo;
      context.stroke();
    }
  };
})();
