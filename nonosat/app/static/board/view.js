// Where everything is: the size of a cell, the bands for clues around the board, and how far it is scrolled.

const LARGEST = 60;
const MOST_BAND = 0.42;

export class View {
  constructor(height, width) {
    Object.assign(this, { height, width, across: 0, down: 0, cell: 1, left: 0, top: 0, right: 0, bottom: 0 });
    Object.assign(this, { x: 0, y: 0, ratio: 1, fitted: true });
  }

  resize(across, down, face) {
    Object.assign(this, { across, down });
    this.fit = this.fitting(face);
    this.place(this.fitted ? this.fit : Math.max(this.cell, this.fit), face);
    this.wanted = this.cell;
  }

  /** The largest cell with which all of the board is seen, whole pixels if it is large enough for that. */
  fitting(face) {
    const room = (bands) => [this.across - bands.left - bands.right - 2, this.down - bands.top - bands.bottom - 2];
    for (let cell = LARGEST; cell >= 3; cell -= 1) {
      const [across, down] = room(this.bands(cell, face));
      if (cell * this.width <= across && cell * this.height <= down) return cell;
    }
    const [across, down] = room(this.bands(1, face));
    return Math.max(0.25, Math.min(across / this.width, down / this.height));
  }

  bands(cell, face) {
    const bands = face.bands(cell);
    bands.left = Math.min(bands.left, Math.round(this.across * MOST_BAND));
    bands.top = Math.min(bands.top, Math.round(this.down * MOST_BAND));
    return bands;
  }

  /** Take a size of cells; what was in the middle of the free area stays where it can. */
  place(cell, face) {
    Object.assign(this, { cell }, this.bands(cell, face));
    this.roomX = this.across - this.left - this.right;
    this.roomY = this.down - this.top - this.bottom;
    this.clamp();
  }

  clamp() {
    // A board that is smaller than its room stands in the middle, with its bands beside it: the offset is negative.
    const fitted = (offset, room, size) =>
      size <= room ? -Math.floor((room - size) / 2) : Math.min(Math.max(offset, 0), size - room);
    this.x = fitted(this.x, this.roomX, this.cell * this.width);
    this.y = fitted(this.y, this.roomY, this.cell * this.height);
    this.originX = this.left - this.x;
    this.originY = this.top - this.y;
  }

  /** Zoom by a factor about a point; 0 fits the board. Whole pixels a cell, where a cell has several. */
  zoom(factor, x, y, face) {
    const most = Math.max(LARGEST, 4 * this.fit);
    this.wanted = factor === 0 ? this.fit : Math.min(Math.max(this.wanted * factor, this.fit), most);
    const cell = this.wanted > this.fit && this.wanted >= 6 ? Math.round(this.wanted) : this.wanted;
    const [column, row] = [(x - this.originX) / this.cell, (y - this.originY) / this.cell];
    this.fitted = cell <= this.fit;
    this.place(this.fitted ? this.fit : cell, face);
    this.moved(column * this.cell - (x - this.left), row * this.cell - (y - this.top));
  }

  /** Scroll to an offset, as far as there is something to see; whether that is another one. */
  moved(x, y) {
    const before = [this.x, this.y];
    Object.assign(this, { x, y });
    this.clamp();
    return before[0] !== this.x || before[1] !== this.y;
  }

  pan(dx, dy) {
    return this.moved(this.x - dx, this.y - dy);
  }

  /** Bring a cell into sight; whether anything moved. */
  reveal(row, column) {
    const near = (offset, at, room) => Math.max(Math.min(offset, at), at + this.cell - room);
    return this.moved(near(this.x, column * this.cell, this.roomX), near(this.y, row * this.cell, this.roomY));
  }

  /** The cell under a point, beyond the board's edge too. */
  at(x, y) {
    return { row: Math.floor((y - this.originY) / this.cell), column: Math.floor((x - this.originX) / this.cell) };
  }

  inside(x, y) {
    const { row, column } = this.at(x, y);
    const seen = x >= this.left && y >= this.top && x < this.across - this.right && y < this.down - this.bottom;
    return seen && row >= 0 && column >= 0 && row < this.height && column < this.width;
  }

  /** Pixels of the edges before row or column `index`. */
  edgeX(index) {
    return this.snapped(this.originX + index * this.cell);
  }

  edgeY(index) {
    return this.snapped(this.originY + index * this.cell);
  }

  /** Where some rows and columns, `[first, behind the last]`, are: `[x, y, width, height]`. */
  box(rows, columns) {
    const [x, y] = [this.edgeX(columns[0]), this.edgeY(rows[0])];
    return [x, y, this.edgeX(columns[1]) - x, this.edgeY(rows[1]) - y];
  }

  /** The nearest edge of a pixel of the screen, which may be finer than the page's pixels. */
  snapped(length) {
    return Math.round(length * this.ratio) / this.ratio;
  }

  /** Rows and columns in sight, `[first, behind the last]`. */
  seen() {
    const range = (offset, room, count) =>
      [Math.max(0, Math.floor(offset / this.cell)), Math.min(count, Math.ceil((offset + room) / this.cell))];
    return { rows: range(this.y, this.roomY, this.height), columns: range(this.x, this.roomX, this.width) };
  }
}
