// What the faces of all kinds have in common.

import { paint } from "./paint.js";

export class Face {
  constructor(board) {
    this.board = board;
  }

  get context() {
    return this.board.sheet.context;
  }

  get theme() {
    return this.board.sheet.theme;
  }

  /** The stylesheet's colours are these now. */
  recolour() {}

  /** Look again at the clues of `lines` (`{ rows, columns }`), or of all. */
  refresh() {}

  paintWrong(box) {
    paint(this.context, this.theme.bad, box, 0.3);
  }
}
