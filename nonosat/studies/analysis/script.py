"""The script of a report's page, which sorts tables, and the policy that lets this script run and no other."""

from __future__ import annotations

import base64
import hashlib

SCRIPT = """
"use strict";
function value(row, column) {
  const cell = row.cells[column], number = cell.dataset.v;
  return number === undefined ? cell.textContent : Number(number);
}
function compare(a, b) {
  const none = (x) => x === "" || Number.isNaN(x);
  if (none(a) || none(b)) return none(a) - none(b);
  if (typeof a === "number" && typeof b === "number") return a === b ? 0 : a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}
function sort(button) {
  const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const none = (x) => x === "" || Number.isNaN(x);
  const rows = Array.from(body.rows, (row) => [value(row, head.cellIndex), row]);
  rows.sort(([a], [b]) => (none(a) || none(b) || !down ? compare(a, b) : compare(b, a)));
  body.append(...rows.map(([, row]) => row));
}
for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => sort(button));
"""

_DIGEST = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
POLICY = f"default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src 'sha256-{_DIGEST}'"
"""Content security policy: a server that shows the page sends it too."""
