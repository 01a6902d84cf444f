/* Tiles: a large board painted once into squares of pixels, which are then moved about; a few are painted per frame. */
(() => {
  "use strict";

  const SIDE = 256; // device pixels
  const MOST = 640; // tiles kept, of a quarter of a megabyte each
  const MILLISECONDS = 10; // spent painting in one frame

  KT.Tiles = class {
    constructor() { this.sets = []; this.clock = 0; }

    /** Everything has to be painted anew; what there is stays on show until it is. */
    spoil() { for (const set of this.sets) for (const tile of set.tiles.values()) tile.stale = true; }

    clear() { this.sets = []; }

    /**
     * Draws a frame of so many device pixels per cell from tiles, over `under()` where some are missing.
     * While it is `moving`, tiles of nearly that scale do.  Returns whether all of it is there; if not, ask again.
     */
    draw(context, frame, scene, made, moving, under) {
      let set = this.sets.find((one) => Math.abs(one.s / frame.s - 1) < 1e-9);
      const nearest = this.sets[0];
      if (!set && moving && nearest && frame.s / nearest.s < 2 && frame.s / nearest.s > 0.5) set = nearest;
      if (!set) {
        set = { s: frame.s, tiles: new Map() };
      }
      this.sets = [set, ...this.sets.filter((one) => one !== set)].slice(0, 2);
      const wanted = this.wanted(frame, set, scene.board);
      const missing = wanted.some(([column, row]) => !set.tiles.has(`${column},${row}`));
      if (missing) {
        under();
        if (this.sets[1]) this.blit(context, frame, this.sets[1]);
      }
      const until = performance.now() + MILLISECONDS;
      let whole = true;
      for (const [column, row] of wanted) {
        const key = `${column},${row}`;
        let tile = set.tiles.get(key);
        if (!tile || tile.stale || tile.made > made || made - tile.made > 3000) {
          if (performance.now() > until) { whole = false; continue; }
          tile = this.paint(tile, set, column, row, scene, made);
          set.tiles.set(key, tile);
        } else if (tile.made < made) {
          KT.paintMore(tile.context, this.tileFrame(set, column, row), scene, tile.made, made);
          tile.made = made;
          tile.rough = true; // marks are under lines that came later
        } else if (tile.rough && !scene.playing) {
          tile.stale = true;
          whole = false;
        }
        tile.used = ++this.clock;
      }
      this.blit(context, frame, set);
      this.forget();
      return whole && !missing; // what was under them is seen at their edges, until the next frame
    }

    tileFrame(set, column, row) {
      return { s: set.s, ox: (column * SIDE) / set.s, oy: -(row * SIDE) / set.s, w: SIDE, h: SIDE };
    }

    paint(old, set, column, row, scene, made) {
      const canvas = old ? old.canvas : document.createElement("canvas");
      canvas.width = canvas.height = SIDE;
      const context = canvas.getContext("2d");
      KT.paint(context, this.tileFrame(set, column, row), scene, made);
      return { canvas, context, made, stale: false, rough: false, used: 0 };
    }

    /** Tiles that a frame shows, those in its middle first. */
    wanted(frame, set, board) {
      const scale = set.s / frame.s, low = -1.2 * set.s;
      const column = (x) => Math.floor(x / SIDE);
      const left = Math.max(frame.ox * set.s, low), right = Math.min(frame.ox * set.s + frame.w * scale, (board.width + 0.2) * set.s);
      const top = Math.max(-frame.oy * set.s, -(board.height + 0.2) * set.s);
      const bottom = Math.min(-frame.oy * set.s + frame.h * scale, 1.2 * set.s);
      const found = [];
      for (let c = column(left); c <= column(right); c++) for (let r = column(top); r <= column(bottom); r++) found.push([c, r]);
      const [mc, mr] = [(left + right) / 2 / SIDE - 0.5, (top + bottom) / 2 / SIDE - 0.5];
      const far = ([c, r]) => (c - mc) ** 2 + (r - mr) ** 2;
      return found.sort((a, b) => far(a) - far(b));
    }

    blit(context, frame, set) {
      const scale = frame.s / set.s, size = SIDE * scale, plain = Math.abs(scale - 1) < 1e-9;
      for (const [key, tile] of set.tiles) {
        const [column, row] = key.split(",").map(Number);
        let x = column * size - frame.ox * frame.s, y = row * size + frame.oy * frame.s;
        if (x > frame.w || y > frame.h || x + size < 0 || y + size < 0) continue;
        if (plain) { x = Math.round(x); y = Math.round(y); }
        context.drawImage(tile.canvas, x, y, size + (plain ? 0 : 0.5), size + (plain ? 0 : 0.5));
      }
    }

    forget() {
      for (const set of this.sets) {
        if (set.tiles.size <= MOST / 2) continue;
        const oldest = [...set.tiles.entries()].sort((a, b) => a[1].used - b[1].used);
        for (const [key] of oldest.slice(0, set.tiles.size - MOST / 2)) set.tiles.delete(key);
      }
    }
  };

  /** A board as an image of a pixel for each cell, for when cells are about that large. */
  KT.Overview = class {
    constructor(scene) {
      const { board } = scene;
      this.canvas = document.createElement("canvas");
      this.canvas.width = board.width;
      this.canvas.height = board.height;
      this.context = this.canvas.getContext("2d");
      this.image = this.context.createImageData(board.width, board.height);
      this.made = -1;
    }

    spoil() { this.made = -1; }

    update(scene, made) {
      if (this.made === made) return;
      const { board, tour } = scene, data = new Uint32Array(this.image.data.buffer);
      const row = (cell) => (board.height - 1 - board.y(cell)) * board.width + board.x(cell);
      const pack = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
      const colours = scene.colour.colours.map(pack);
      const faint = scene.theme.dark ? [[43, 48, 56], [38, 42, 49]] : [[222, 217, 206], [229, 225, 215]];
      const pale = faint.map(pack);
      const blank = (cell) => {
        const own = scene.layer ? scene.layer.rows[cell] : 255;
        if (scene.layer && own < scene.layer.colours.length) return pack(scene.layer.colours[own]);
        return pale[(board.x(cell) + board.y(cell)) % 2];
      };
      const full = this.made < 0;
      if (full) {
        for (let cell = 0; cell < board.size; cell++) {
          if (board.mask && !board.mask[cell]) continue;
          const i = tour.visit[cell];
          data[row(cell)] = i >= 0 && i <= made && made > 0 ? colours[scene.colour.rows[i]] : blank(cell);
        }
        if (scene.differs) {
          const mark = pack(scene.theme.dark ? [255, 150, 80] : [220, 70, 20]);
          for (let cell = 0; cell < board.size; cell++) if (scene.differs[cell]) data[row(cell)] = mark;
        }
      } else {
        const [low, high] = [Math.min(this.made, made), Math.max(this.made, made)];
        for (let i = low; i <= Math.min(high, tour.n - 1); i++) {
          const cell = tour.at[i];
          if (scene.differs && scene.differs[cell]) continue;
          data[row(cell)] = i <= made && made > 0 ? colours[scene.colour.rows[i]] : blank(cell);
        }
      }
      this.context.putImageData(this.image, 0, 0);
      this.made = made;
    }

    draw(context, frame, scene, made) {
      this.update(scene, made);
      const { board } = scene, { s, ox, oy } = frame;
      context.imageSmoothingEnabled = s < 4;
      context.imageSmoothingQuality = "high";
      context.drawImage(this.canvas, (-0.5 - ox) * s, (oy - board.height + 0.5) * s, board.width * s, board.height * s);
      context.imageSmoothingEnabled = true;
    }
  };
})();
