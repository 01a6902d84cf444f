/* What is shown: a board, the walks on it, and their turns and crossings, counted here from the moves alone. */
(() => {
  "use strict";

  const NONE = 255; // no move leaves this cell: the walk ends here
  const FARTHEST = 40; // longer moves cross so many that marks would hide the board
  const MOST_PAIRS = 4e8;
  KT.NONE = NONE;

  /** Bytes of a base64 text. */
  KT.bytes = (text) => Uint8Array.from(atob(text || ""), (c) => c.charCodeAt(0));

  const columnName = (x) => {
    let letters = "";
    for (let k = x + 1; k > 0; k = Math.floor((k - 1) / 26)) letters = String.fromCharCode(97 + ((k - 1) % 26)) + letters;
    return letters;
  };
  KT.columnName = columnName;

  /** Cells of a box, numbered in lexicographic order of their coordinates, holes too. */
  KT.Board = class {
    constructor(json) {
      this.text = String(json.text);
      this.shape = json.shape;
      this.wraps = json.wraps;
      this.wrapped = json.wraps.some(Boolean);
      this.space = json.shape.length === 3;
      [this.width, this.height, this.depth] = [json.shape[0], json.shape[1], this.space ? json.shape[2] : 1];
      this.size = this.width * this.height * this.depth;
      this.mask = null;
      if (json.mask) {
        const packed = KT.bytes(json.mask);
        this.mask = new Uint8Array(this.size);
        for (let i = 0; i < this.size; i++) this.mask[i] = (packed[i >> 3] >> (7 - (i & 7))) & 1;
      }
      this.cells = json.cells;
    }

    has(x, y, z = 0) {
      if (x < 0 || y < 0 || z < 0 || x >= this.width || y >= this.height || z >= this.depth) return false;
      return !this.mask || this.mask[this.index(x, y, z)] === 1;
    }

    index(x, y, z = 0) { return (x * this.height + y) * this.depth + z; }
    x(i) { return Math.floor(i / (this.height * this.depth)); }
    y(i) { return Math.floor(i / this.depth) % this.height; }
    z(i) { return i % this.depth; }

    /** Number of the cell, or -1 where there is none; periodic axes are followed round. */
    wrap(x, y, z = 0) {
      const [wx, wy, wz] = this.wraps;
      if (wx) x = ((x % this.width) + this.width) % this.width;
      if (wy) y = ((y % this.height) + this.height) % this.height;
      if (wz) z = ((z % this.depth) + this.depth) % this.depth;
      return this.has(x, y, z) ? this.index(x, y, z) : -1;
    }

    name(i) {
      if (this.space) return `${this.x(i)},${this.y(i)},${this.z(i)}`;
      return `${columnName(this.x(i))}${this.y(i) + 1}`;
    }

    /** The cell of a name, or -1. */
    find(name) {
      const text = name.trim().toLowerCase().replace(/[()\s]/g, "");
      let place = null;
      if (this.space) {
        if (/^\d{1,7},\d{1,7},\d{1,7}$/.test(text)) place = text.split(",").map(Number);
      } else if (/^[a-z]{1,5}\d{1,7}$/.test(text)) {
        const letters = text.match(/^[a-z]+/)[0];
        let x = 0;
        for (const letter of letters) x = 26 * x + letter.charCodeAt(0) - 96;
        place = [x - 1, Number(text.slice(letters.length)) - 1];
      }
      return place && this.has(...place) ? this.index(...place) : -1;
    }
  };

  /** Walks on a board: visit i is at cell `at[i]`, and move i leaves it. */
  KT.Tour = class {
    constructor(board, moves, side) {
      this.board = board;
      this.half = moves.length;
      this.vectors = [...moves, ...moves.map((move) => move.map((c) => -c))].map(([x, y, z = 0]) => [x, y, z]);
      this.reach = moves.reduce((most, move) => Math.max(most, ...move.map(Math.abs)), 0);
      const walks = side.walks || { starts: [], lengths: [], closed: [] };
      const steps = KT.bytes(side.steps);
      const n = walks.lengths.reduce((sum, length) => sum + length, 0);
      this.n = n;
      this.walks = walks.lengths.length;
      this.closed = walks.closed.map(Boolean);
      this.at = new Int32Array(n);
      this.step = new Uint8Array(n).fill(NONE);
      this.prev = new Int32Array(n).fill(-1);
      this.next = new Int32Array(n).fill(-1);
      this.walkOf = this.walks > 1 ? new Int32Array(n) : null;
      this.first = new Int32Array(this.walks + 1);
      this.visit = new Int32Array(board.size).fill(-1);
      let i = 0, s = 0;
      for (let w = 0; w < this.walks; w++) {
        const start = i, length = walks.lengths[w];
        this.first[w + 1] = start + length;
        let cell = walks.starts[w];
        for (let k = 0; k < length; k++, i++) {
          this.at[i] = cell;
          this.visit[cell] = i;
          if (this.walkOf) this.walkOf[i] = w;
          if (k > 0) { this.prev[i] = i - 1; this.next[i - 1] = i; }
          if (k < length - 1 || this.closed[w]) {
            this.step[i] = steps[s++];
            const [dx, dy, dz] = this.vectors[this.step[i]];
            cell = board.wrap(board.x(cell) + dx, board.y(cell) + dy, board.z(cell) + dz);
          }
        }
        if (this.closed[w] && length) { this.prev[start] = i - 1; this.next[i - 1] = start; }
      }
      /** How many moves can be made: the slider's end. */
      this.moves = n === 0 ? 0 : this.closed[this.walks - 1] ? n : n - 1;
      this.wrapping = null;
      if (board.wrapped) {
        this.wrapping = new Uint8Array(n);
        for (let v = 0; v < n; v++) {
          if (this.step[v] === NONE) continue;
          const [dx, dy, dz] = this.vectors[this.step[v]], cell = this.at[v];
          const [x, y, z] = [board.x(cell) + dx, board.y(cell) + dy, board.z(cell) + dz];
          this.wrapping[v] = x < 0 || y < 0 || z < 0 || x >= board.width || y >= board.height || z >= board.depth;
        }
      }
    }

    /** Where the walker is after so many moves. */
    cellAfter(made) { return this.n === 0 ? -1 : this.at[made % this.n]; }

    isTurn(i) {
      const before = this.prev[i];
      return before >= 0 && this.step[i] !== NONE && this.step[before] !== this.step[i];
    }

    /** How many turns the first m moves make, for every m. */
    get turnsBy() {
      if (!this._turnsBy) {
        const by = new Uint32Array(this.n + 1);
        for (let i = 0; i < this.n; i++) if (this.isTurn(i)) by[Math.max(i, this.prev[i]) + 1]++;
        this._turnsBy = summed(by);
      }
      return this._turnsBy;
    }

    /** Pairs of moves whose open segments meet, as on every board; null where there are none to speak of. */
    get patterns() {
      if (this._patterns === undefined) {
        const found = this.board.space ? null : crossingPatterns(this.vectors.slice(0, this.half));
        const work = found ? this.n * found.reduce((most, list) => Math.max(most, list.length), 0) : 0;
        this._patterns = work <= MOST_PAIRS ? found : null;
      }
      return this._patterns;
    }

    /** Calls found(other move, x, y) for each crossing of move i whose pattern has it first, at (x, y) from its tail. */
    crossingsOf(i, found) {
      const kind = this.step[i];
      if (kind === NONE) return;
      const { board, half } = this;
      const own = kind % half, tail = kind < half ? this.at[i] : this.at[this.next[i]];
      const x = board.x(tail), y = board.y(tail);
      for (const { second, dx, dy, px, py } of this.patterns[own]) {
        const cell = board.wrap(x + dx, y + dy);
        const v = cell < 0 ? -1 : this.visit[cell];
        if (v < 0) continue;
        if (this.step[v] === second) found(v, x + px, y + py);
        const before = this.prev[v];
        if (before >= 0 && this.step[before] === second + half) found(before, x + px, y + py);
      }
    }

    /** How many crossings the first m moves make, for every m; null where they are not counted. */
    get crossingsBy() {
      if (this._crossingsBy === undefined) {
        this._crossingsBy = null;
        if (this.patterns) {
          const by = new Uint32Array(this.n + 1);
          for (let i = 0; i < this.n; i++) this.crossingsOf(i, (other) => { by[Math.max(i, other) + 1]++; });
          this._crossingsBy = summed(by);
        }
      }
      return this._crossingsBy;
    }

    /** How often each move is made, opposite moves apart. */
    get rose() {
      const counts = new Array(this.vectors.length).fill(0);
      for (let i = 0; i < this.n; i++) if (this.step[i] !== NONE) counts[this.step[i]]++;
      return counts;
    }

    /** The two moves at visit i, whichever way it is walked. */
    pairAt(i) {
      const out = this.step[i], before = this.prev[i];
      const back = before < 0 ? NONE : (this.step[before] + this.half) % (2 * this.half);
      return Math.min(out, back) * 256 + Math.max(out, back);
    }
  };

  /** Cells that two tours of one board leave by other moves: 1 at those, and how many. */
  KT.differences = (one, other) => {
    const differs = new Uint8Array(one.board.size);
    let count = 0;
    for (let cell = 0; cell < differs.length; cell++) {
      const i = one.visit[cell], j = other.visit[cell];
      if (i < 0 && j < 0) continue;
      if (i < 0 || j < 0 || one.pairAt(i) !== other.pairAt(j)) { differs[cell] = 1; count++; }
    }
    return { differs, count };
  };

  function summed(by) {
    for (let i = 1; i < by.length; i++) by[i] += by[i - 1];
    return by;
  }

  function crossingPatterns(moves) {
    const reach = Math.max(...moves.flat().map(Math.abs), 1);
    if (reach > FARTHEST) return null;
    return moves.map(([ax, ay], i) => {
      const list = [];
      moves.forEach(([bx, by], j) => {
        if (j < i) return;
        for (let dx = -2 * reach; dx <= 2 * reach; dx++) {
          for (let dy = -2 * reach; dy <= 2 * reach; dy++) {
            if (i === j && !(dx > 0 || (dx === 0 && dy > 0))) continue;
            const point = meeting(ax, ay, bx, by, dx, dy);
            if (point) list.push({ second: j, dx, dy, px: point[0], py: point[1] });
          }
        }
      });
      return list;
    });
  }

  /** Where the open segments 0..a and d..d+b meet (the middle of what they share, on one line), or null. */
  function meeting(ax, ay, bx, by, dx, dy) {
    const area = ax * by - ay * bx;
    if (area === 0) {
      if (ax * dy - ay * dx !== 0) return null;
      const square = ax * ax + ay * ay, p = dx * ax + dy * ay, q = p + bx * ax + by * ay;
      const low = Math.max(0, Math.min(p, q)), high = Math.min(square, Math.max(p, q));
      if (low >= high) return null;
      const along = (low + high) / 2 / square;
      return [along * ax, along * ay];
    }
    const s = dx * by - dy * bx, t = dx * ay - dy * ax; // along a and along b, times the area
    const [u, v, w] = area > 0 ? [s, t, area] : [-s, -t, -area];
    if (u <= 0 || u >= w || v <= 0 || v >= w) return null;
    return [(s / area) * ax, (s / area) * ay];
  }
})();
