// The board: anywidget's front-end module, for the page and for notebooks alike (docs/workbench.md has its keys).
// In a notebook it is one file, which `nonosat.app.notebook` writes.

import { BoardView } from "./board/boardview.js";

export default {
  render({ model, el }) {
    const view = new BoardView(model, el);
    return () => view.close();
  },
};
