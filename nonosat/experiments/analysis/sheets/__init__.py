"""Tables for people: one number format a column, units, the best marked; as HTML, LaTeX, Markdown and CSV."""
