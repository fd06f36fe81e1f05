"""Paint the eighteen pictures of this folder side by side: ``python examples/pictures/overview.py``."""

from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parent
SHEET = FOLDER.parents[1] / "docs/images/pictures.png"
"""Not in this folder, which has puzzles alone."""
SIDE, GAP, ACROSS = 192, 16, 6
PAPER = 224


def sheet() -> Image.Image:
    """Each picture as large as whole pixels allow, in the order of the file names."""
    paths = sorted(FOLDER.glob("[0-9][0-9]-*.png"))
    step = SIDE + GAP
    painted = Image.new("L", (ACROSS * step + GAP, -(-len(paths) // ACROSS) * step + GAP), PAPER)
    for index, path in enumerate(paths):
        with Image.open(path) as image:
            cell = SIDE // max(image.size)
            drawn = image.convert("L").resize((image.width * cell, image.height * cell), Image.Resampling.NEAREST)
        row, column = divmod(index, ACROSS)
        edge = (SIDE - drawn.width) // 2
        painted.paste(drawn, (GAP + column * step + edge, GAP + row * step + edge))
    return painted


if __name__ == "__main__":
    sheet().quantize(3).save(SHEET, optimize=True)
