"""The site: `make docs` builds it with Sphinx, furo and MyST. What is made of the program is in `_site`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_site"))

import nonosat

project = "nonosat"
author = "The nonosat authors"
release = nonosat.__version__
html_title = f"nonosat {release}"

extensions = ["myst_parser", "made", "leaving"]
exclude_patterns = ["_site", "_made/site"]

myst_enable_extensions = ["colon_fence", "attrs_inline", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

smartquotes = False  # --option is two hyphens

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False
pygments_style, pygments_dark_style = "default", "github-dark"
