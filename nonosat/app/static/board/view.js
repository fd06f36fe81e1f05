// Where everything is: the size of a cell, the bands for clues around the board, and how far it is scrolled.

const LARGEST = 60;
const MOST_BAND = 0.42;

export class View {
  constructor(height, width) {
    Object.assign(this, {
      height,
      width,
      across: 0,
      down: 0,
      cell: 1,
      left: 0,
      top: 0,
      right: 0,
      bottom: 0,
      x: 0,
      y: 0,
      ratio: 1,
    });
    this.fitted = true;
  }

  resize(across, down, face) {
    Object.assign(this, { across, down });
    this.fit = this.fitting(face);
    this.place(this.fitted ? this.fit : Math.max(this.cell, this.fit), face);
    this.wanted = this.cell;
  }

  /** The largest cell with which all of the board is seen, whole pixels if it is large enough for that. */
  fitting(face) {
    for (let cell = LARGEST; cell >= 3; cell -= 1) {
      const bands = this.bands(cell, face);
      if (
        bands.left + bands.right + cell * this.width <= this.across - 2 &&
        bands.top + bands.bottom + cell * this.height <= this.down - 2
      ) {
        return cell;
      }
    }
    const bands = this.bands(1, face);
    const room = [
      (this.across - bands.left - bands.right - 2) / this.width,
      (this.down - bands.top - bands.bottom - 2) / this.height,
    ];
    return Math.max(0.25, Math.min(...room));
  }

  bands(cell, face) {
    const bands = face.bands(cell);
    bands.left = Math.min(bands.left, Math.round(this.across * MOST_BAND));
    bands.top = Math.min(bands.top, Math.round(this.down * MOST_BAND));
    return bands;
  }

  /** Take a size of cells; what was in the middle of the free area stays where it can. */
  place(cell, face) {
    this.cell = cell;
    Object.assign(this, this.bands(cell, face));
    this.roomX = this.across - this.left - this.right;
    this.roomY = this.down - this.top - this.bottom;
    this.clamp();
  }

  clamp() {
    const fitted = (offset, room, size) =>
      size <= room ? -Math.floor((room - size) / 2) : Math.min(Math.max(offset, 0), size - room);
    // A board that is smaller than its room stands in the middle, with its bands beside it: the offset is negative.
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
    this.x = column * this.cell - (x - this.left);
    this.y = row * this.cell - (y - this.top);
    this.clamp();
  }

  pan(dx, dy) {
    const before = [this.x, this.y];
    this.x -= dx;
    this.y -= dy;
    this.clamp();
    return before[0] !== this.x || before[1] !== this.y;
  }

  /** Bring a cell into sight; whether anything moved. */
  reveal(row, column) {
    const [x, y] = [column * this.cell, row * this.cell];
    const before = [this.x, this.y];
    this.x = Math.max(Math.min(this.x, x), x + this.cell - this.roomX);
    this.y = Math.max(Math.min(this.y, y), y + this.cell - this.roomY);
    this.clamp();
    return before[0] !== this.x || before[1] !== this.y;
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

  /** The nearest edge of a pixel of the screen, which may be finer than the page's pixels. */
  snapped(length) {
    return Math.round(length * this.ratio) / this.ratio;
  }

  /** Rows and columns in sight, `[first, behind the last]`. */
  seen() {
    const range = (offset, room, count) => [
      Math.max(0, Math.floor(offset / this.cell)),
      Math.min(count, Math.ceil((offset + room) / this.cell)),
    ];
    return { rows: range(this.y, this.roomY, this.height), columns: range(this.x, this.roomX, this.width) };
  }
}
