// Where everything is: cells, the bands for clues beside them, and how far they are scrolled.

const LARGEST = 60;
const MOST_BAND = 0.42;
const [SMALL, HIT] = [16, 20]; // pixels of a cell: a finger misses smaller ones, and hits these

/** Columns (`x`) or rows (`y`): `count` of them in `length` pixels. */
class Axis {
  constructor(view, count) {
    Object.assign(this, { view, count, length: 0, before: 0, behind: 0, offset: 0, origin: 0 });
  }

  get room() {
    return this.length - this.before - this.behind;
  }

  /** Scroll, as far as there is something to see; whether anything moved. */
  scroll(offset) {
    const { offset: former, view, count } = this;
    const over = view.cell * count - this.room;
    // A board that is smaller than its room stands in the middle: the offset is negative.
    this.offset = over <= 0 ? Math.ceil(over / 2) : Math.min(Math.max(offset, 0), over);
    this.origin = this.before - this.offset;
    return this.offset !== former;
  }

  reveal(index) {
    const at = index * this.view.cell;
    return this.scroll(Math.max(Math.min(this.offset, at), at + this.view.cell - this.room));
  }

  edge(index) {
    return this.view.snapped(this.origin + index * this.view.cell);
  }

  get ends() {
    return [Math.max(this.before, this.edge(0)), Math.min(this.length - this.behind, this.edge(this.count))];
  }

  at(pixel) {
    return Math.floor((pixel - this.origin) / this.view.cell);
  }

  inside(pixel) {
    const index = this.at(pixel);
    return pixel >= this.before && pixel < this.length - this.behind && index >= 0 && index < this.count;
  }

  get seen() {
    const { offset, room, count, view } = this;
    return [Math.max(0, Math.floor(offset / view.cell)), Math.min(count, Math.ceil((offset + room) / view.cell))];
  }
}

export class View {
  constructor(board, { height, width }) {
    Object.assign(this, { board, x: new Axis(this, width), y: new Axis(this, height), cell: 1, ratio: 1, fitted: true });
  }

  resize(across, down) {
    this.x.length = across;
    this.y.length = down;
    this.fit = this.fitting();
    if (!this.begun && this.board.touched && this.fit < SMALL) Object.assign(this, { fitted: false, cell: HIT });
    this.begun = true;
    this.place(this.fitted ? this.fit : Math.max(this.cell, this.fit));
    this.wanted = this.cell;
  }

  /** The largest cell with which all is seen, whole pixels if it has several. */
  fitting() {
    const most = (cell) => {
      this.take(cell);
      return Math.min(...[this.x, this.y].map(({ room, count }) => (room - 2) / count));
    };
    for (let cell = LARGEST; cell >= 3; cell -= 1) {
      if (most(cell) >= cell) return cell;
    }
    return Math.max(0.25, most(1));
  }

  take(cell) {
    for (const [key, [before, behind]] of Object.entries(this.board.face.bands(cell))) {
      Object.assign(this[key], { before: Math.min(before, Math.round(this[key].length * MOST_BAND)), behind });
    }
  }

  place(cell) {
    this.cell = cell;
    this.take(cell);
    this.pan(0, 0);
  }

  /** Zoom by a factor about a point; 0 fits the board. */
  zoom(factor, x, y) {
    const most = Math.max(LARGEST, 4 * this.fit);
    const held = [[this.x, x], [this.y, y]].map(([axis, at]) => [axis, at, (at - axis.origin) / this.cell]);
    this.wanted = factor === 0 ? this.fit : Math.min(Math.max(this.wanted * factor, this.fit), most);
    const cell = this.wanted > this.fit && this.wanted >= 6 ? Math.round(this.wanted) : this.wanted;
    this.fitted = cell <= this.fit;
    this.place(this.fitted ? this.fit : cell);
    held.forEach(([axis, at, index]) => axis.scroll(index * this.cell - (at - axis.before)));
  }

  follow({ cell, wanted, fitted, x, y }) {
    Object.assign(this, { wanted, fitted });
    this.place(fitted ? this.fit : cell);
    this.x.scroll(x.offset);
    this.y.scroll(y.offset);
  }

  pan(dx, dy) {
    return [this.x.scroll(this.x.offset - dx), this.y.scroll(this.y.offset - dy)].includes(true);
  }

  at({ x, y }) {
    return { row: this.y.at(y), column: this.x.at(x) };
  }

  inside({ x, y }) {
    return this.x.inside(x) && this.y.inside(y);
  }

  /** The line whose clues are there: `{ row }` or `{ column }`; or null. */
  beside({ x, y }) {
    if (x < this.x.before && this.y.inside(y)) return { row: this.y.at(y) };
    return y < this.y.before && this.x.inside(x) ? { column: this.x.at(x) } : null;
  }

  /** The box of some rows and columns, `[first, behind the last]`. */
  box(rows, columns) {
    const [[left, right], [top, bottom]] = [columns.map((at) => this.x.edge(at)), rows.map((at) => this.y.edge(at))];
    return [left, top, right - left, bottom - top];
  }

  /** The nearest edge of a pixel of the screen, which may be finer than the page's. */
  snapped(length) {
    return Math.round(length * this.ratio) / this.ratio;
  }
}
