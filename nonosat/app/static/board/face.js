// What the faces of all kinds have in common.

import { paint } from "./paint.js";

export class Face {
  constructor(board) {
    const [least, most] = board.puzzle.values;
    this.board = board;
    this.cycle = [-1, ...Array.from({ length: most - least + 1 }, (_, at) => least + at)];
  }

  get context() {
    return this.board.sheet.context;
  }

  get theme() {
    return this.board.sheet.theme;
  }

  recolour() {}

  /** Look again at the clues of `lines` (`{ rows, columns }`), or of all. */
  refresh() {}

  paintWrong(box) {
    paint(this.context, this.theme.bad, box, 0.3);
  }
}
