"""From image files to pictures: exact for pixel art, predictable for the rest, one clear line for what is no image."""

from __future__ import annotations

import struct
import subprocess
import zlib
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import commands
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from sampling import sampled

from nonosat.errors import FormatError, NonosatError, PuzzleError, UnknownNameError, UnsupportedError
from nonosat.puzzles.formats import load
from nonosat.puzzles.nonogram.images import ImageOptions, bayer, floyd_steinberg, load_image, otsu, read_image, size_of
from nonosat.puzzles.nonogram.puzzle import BLACK, Colour, Picture

HEART = np.array([[0, 1, 0, 1, 0], [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0]], np.uint8)
SHADES = {"red": "#d01010", "green": "#20a020", "blue": "#101080", "white": "#ffffff"}
RGB = {name: tuple(bytes.fromhex(shade[1:])) for name, shade in SHADES.items()}


def encoded(image: Image.Image | np.ndarray, kind: str = "PNG", **options: Any) -> bytes:
    file = BytesIO()
    (image if isinstance(image, Image.Image) else Image.fromarray(image)).save(file, kind, **options)
    return file.getvalue()


def grey(cells: np.ndarray, dark: int = 0, light: int = 255) -> np.ndarray:
    return np.where(cells > 0, dark, light).astype(np.uint8)


def painted(*rows: str) -> np.ndarray:
    """An image in RGB of rows of letters: r, g, b, w."""
    names = {name[0]: value for name, value in RGB.items()}
    return np.array([[names[letter] for letter in row] for row in rows], np.uint8)


def shades(picture: Picture) -> list[str]:
    return [colour.rgb for colour in picture.palette]


# ---------------------------------------------------------------- black and white, exactly


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "CMYK", "I;16"])
@pytest.mark.parametrize("kind", ["PNG", "GIF", "PPM", "BMP", "TIFF", "WEBP", "JPEG"])
def test_every_mode_of_every_kind_comes_out_exactly(mode: str, kind: str) -> None:
    image = Image.fromarray(grey(HEART))
    if mode == "I;16":
        image = Image.fromarray(grey(HEART).astype(np.uint16) * 257)
    elif mode != "L":
        image = image.convert("RGB").convert(mode) if mode in ("CMYK", "P") else image.convert(mode)
    if kind == "JPEG":
        image = image.resize((40, 40), Image.Resampling.NEAREST)  # cells of whole blocks: JPEG blurs within a block
    options: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {"quality": 95} if kind == "JPEG" else {}
    try:
        data = encoded(image, kind, **options)
    except (OSError, ValueError, KeyError):
        pytest.skip(f"{kind} cannot hold {mode}")
    assert read_image(data, ImageOptions(size=(5, 5))) == Picture(HEART)


@pytest.mark.parametrize("text", ["P1 5 5\n", "P2 5 5 1\n", "P2 5 5 9\n", "P2 5 5 65535\n"])
def test_plain_text_images(text: str) -> None:
    most = int(text.split()[-1]) if text.startswith("P2") else 1
    cells = HEART if text.startswith("P1") else (1 - HEART.astype(int)) * most
    data = (text + "\n".join(" ".join(map(str, row)) for row in cells.tolist())).encode()
    assert read_image(data) == Picture(HEART)


def test_sixteen_bits_are_not_cut_off() -> None:
    """Pillow makes 255 of everything over 255."""
    deep = np.where(HEART > 0, 10_000, 40_000).astype(np.uint16)
    assert read_image(encoded(deep)) == Picture(HEART)
    assert read_image(encoded(deep), ImageOptions(threshold=0.1)).cells.sum() == 0
    image = Image.fromarray(deep)
    assert read_image(encoded(image, transparency=10_000), ImageOptions(threshold=0.9)) == Picture(1 - HEART)


def test_pixels_that_mean_nothing_certain_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="floating-point"):
        read_image(encoded(HEART.astype(np.float32), "TIFF"))
    with pytest.raises(UnsupportedError, match="more than 16 bits"):
        read_image(encoded(HEART.astype(np.int32) * 1_000_000, "TIFF"))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 7), st.data())
def test_a_picture_comes_back_from_its_image(height: int, width: int, cell: int, data: st.DataObject) -> None:
    cells = np.array(data.draw(st.lists(st.integers(0, 1), min_size=height * width, max_size=height * width)), np.uint8)
    picture = Picture(cells.reshape(height, width))
    image = encoded(grey(picture.cells).repeat(cell, 0).repeat(cell, 1))
    assert read_image(image, ImageOptions(size=(height, width))) == picture
    if cell == 1:
        assert read_image(image) == picture
    found = read_image(image, ImageOptions(size="auto"))
    assert np.array_equal(np.kron(found.cells, np.ones((height // found.shape[0],) * 2)), picture.cells)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4), st.booleans(), st.data())
def test_a_picture_in_colours_comes_back_from_its_image(
    height: int, width: int, count: int, clear: bool, data: st.DataObject
) -> None:
    values = data.draw(st.lists(st.integers(0, count), min_size=height * width, max_size=height * width))
    cells = np.array([0, *values][-height * width :]).reshape(height, width)
    cells.flat[0] = 0  # that some cell is blank is what makes white, and nothing else, blank
    rgb = np.array([[255] * 3, *([40 * i, 255 - 60 * i, 50 * i] for i in range(count))], np.uint8)
    image = rgb[cells]
    if clear:
        image = np.concatenate([image, np.where(cells > 0, 255, 0).astype(np.uint8)[..., np.newaxis]], axis=2)
    picture = read_image(encoded(image), ImageOptions(colours=count))
    table = np.array([[255] * 3, *(tuple(bytes.fromhex(shade[1:])) for shade in shades(picture))], np.uint8)
    assert np.array_equal(table[picture.cells], rgb[cells])
    assert np.array_equal(picture.cells > 0, cells > 0)


# ---------------------------------------------------------------- threshold


def test_the_threshold_splits_by_luminance() -> None:
    ramp = np.arange(0, 256, 51, dtype=np.uint8)[np.newaxis]  # 0, 0.2, .. 1
    assert [read_image(encoded(ramp), ImageOptions(threshold=t)).cells.sum() for t in (0, 0.2, 0.3, 0.9, 1)] == [
        0,
        1,
        2,
        5,
        5,
    ]
    inverted = read_image(encoded(ramp), ImageOptions(threshold=0.3, invert=True))
    assert inverted == Picture(1 - read_image(encoded(ramp), ImageOptions(threshold=0.3)).cells)


def test_green_is_lighter_than_blue() -> None:
    assert str(read_image(encoded(painted("bgr")), ImageOptions(threshold=0.3))) == "#.#"


def test_otsu_finds_the_valley() -> None:
    rng = np.random.default_rng(1)
    dark, light = rng.normal(70, 12, 500), rng.normal(170, 12, 300)
    level = otsu(np.clip(np.concatenate([dark, light]), 0, 255).astype(np.uint8)) * 255
    assert 105 < level < 135
    low = np.where(HEART > 0, 12, 40).astype(np.uint8)  # all of it dark, by a fixed threshold
    assert read_image(encoded(low)) == Picture(HEART)


@pytest.mark.parametrize(("shade", "filled"), [(0, 4), (100, 4), (200, 0), (255, 0)])
def test_one_shade_is_all_filled_or_all_blank(shade: int, filled: int) -> None:
    assert read_image(encoded(np.full((2, 2), shade, np.uint8))).cells.sum() == filled


# ---------------------------------------------------------------- dither


@pytest.mark.parametrize("dither", [bayer, floyd_steinberg])
@pytest.mark.parametrize("level", [0.0, 0.1, 0.25, 0.5, 0.8, 1.0])
def test_a_dither_keeps_the_mean(dither: Any, level: float) -> None:
    assert abs(dither(np.full((64, 64), level)).mean() - (1 - level)) < 0.02
    ramp = np.tile(np.linspace(0, 1, 64), (64, 1))
    assert abs(dither(ramp).mean() - 0.5) < 0.02
    assert abs(dither(ramp)[:, :16].mean() - (1 - ramp[:, :16].mean())) < 0.03


@pytest.mark.parametrize("dither", ["bayer", "floyd-steinberg"])
def test_a_dither_leaves_black_and_white_alone(dither: str) -> None:
    assert read_image(encoded(grey(HEART)), ImageOptions(dither=dither)) == Picture(HEART)
    assert read_image(encoded(grey(HEART)), ImageOptions(dither=dither, invert=True)) == Picture(1 - HEART)


def test_the_threshold_of_a_dither_is_what_comes_out_half_filled() -> None:
    image = encoded(np.full((32, 32), 77, np.uint8))  # luminance 0.3
    assert read_image(image, ImageOptions(dither="bayer", threshold=0.3)).cells.mean() == pytest.approx(0.5, abs=0.02)
    assert read_image(image, ImageOptions(dither="bayer")).cells.mean() == pytest.approx(0.7, abs=0.02)


# ---------------------------------------------------------------- colours


def test_colours_are_the_image_s_own_the_darkest_first() -> None:
    picture = read_image(encoded(painted("rgw", "bwg")), ImageOptions(colours=3))
    assert picture.rows() == ["rg.", "b.g"]
    assert shades(picture) == [SHADES["blue"], SHADES["red"], SHADES["green"]]


@pytest.mark.parametrize(
    ("blank", "rows", "colours"),
    [
        (None, ["rg.", "b.g"], ["blue", "red", "green"]),
        ("#20A020", ["r.w", "bw."], ["blue", "red", "white"]),
        ("#0e0e70", ["rgw", "bwg"], ["blue", "red", "green", "white"]),  # in no pixel, and there are colours enough
    ],
)
def test_the_blank_colour(blank: str | None, rows: list[str], colours: list[str]) -> None:
    picture = read_image(
        encoded(painted("rgw", "bwg")), ImageOptions(colours=4 if blank == "#0e0e70" else 3, blank=blank)
    )
    assert (picture.rows(), shades(picture)) == (rows, [SHADES[name] for name in colours])


def test_transparency_is_blank_and_white_then_is_a_colour() -> None:
    image = np.concatenate([painted("rww"), np.array([[[255], [255], [0]]], np.uint8)], axis=2)
    picture = read_image(encoded(image), ImageOptions(colours=2))
    assert (picture.rows(), shades(picture)) == (["rw."], [SHADES["red"], "#ffffff"])


def test_many_colours_become_few() -> None:
    rng = np.random.default_rng(3)
    cells = rng.integers(0, 4, (30, 30))
    base = np.array([RGB["white"], RGB["red"], RGB["green"], RGB["blue"]])
    noisy = np.clip(base[cells] + rng.integers(-9, 10, (30, 30, 3)), 0, 255).astype(np.uint8)
    picture = read_image(encoded(noisy), ImageOptions(colours=3))
    order = np.array([0, 2, 3, 1])  # by darkness: blue, red, green
    assert np.array_equal(picture.cells, order[cells])
    for shade, name in zip(shades(picture), ("blue", "red", "green"), strict=True):
        assert np.abs(np.array(list(bytes.fromhex(shade[1:]))) - RGB[name]).max() < 10


@pytest.mark.whole
@pytest.mark.parametrize(
    ("most", "size", "noise"),
    sampled(product([3, 4], [(10, 10), (12, 16), (15, 20), (20, 15), (24, 32), (45, 60)], [0, 8, 20])),
)
def test_colours_of_a_drawing_are_those_of_its_shapes_at_every_size(
    noise: int, size: tuple[int, int], most: int
) -> None:
    """Its cells mix colours at the edges of shapes: a grey is no blue, and red and blue are no purple."""
    image = Image.new("RGB", (600, 450), "white")
    pen = ImageDraw.Draw(image)
    pen.ellipse((60, 60, 260, 260), fill=(214, 40, 40))
    pen.rectangle((320, 80, 560, 220), fill=(30, 60, 190))
    pen.polygon([(100, 420), (300, 300), (520, 430)], fill=(20, 20, 20))
    rough = np.asarray(image) + np.random.default_rng(1).normal(0, noise, (450, 600, 3))
    data = encoded(np.clip(rough, 0, 255).astype(np.uint8))
    picture = read_image(data, ImageOptions(size=size, colours=most))
    found = np.array([list(bytes.fromhex(shade[1:])) for shade in shades(picture)])
    for shape in ((214, 40, 40), (30, 60, 190), (20, 20, 20)):
        assert np.abs(found - shape).max(axis=1).min() < 10
    rows, columns = size
    for (x, y), shape in (((160, 160), (214, 40, 40)), ((440, 150), (30, 60, 190)), ((300, 390), (20, 20, 20))):
        cell = picture.cells[y * rows // 450, x * columns // 600]
        assert np.abs(found[cell - 1] - shape).max() < 10
    assert picture.cells[0, 0] == picture.cells[-1, -1] == 0


def test_dithered_in_colours_what_is_transparent_is_blank() -> None:
    image = np.zeros((4, 6, 4), np.uint8)
    assert not read_image(encoded(image), ImageOptions(colours=2, dither="floyd-steinberg")).cells.any()
    image[:, :3] = (200, 10, 10, 255)
    found = read_image(encoded(image), ImageOptions(colours=2, dither="floyd-steinberg", size=(2, 2)))
    assert found.cells.tolist() == [[1, 0], [1, 0]]


def test_blank_is_the_nearest_of_many_colours() -> None:
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[:, np.newaxis], 3, axis=1)[np.newaxis]
    picture = read_image(encoded(ramp), ImageOptions(colours=2, blank="#000000"))
    assert picture.cells[0, 0] == 0
    assert picture.cells[0, -1] == 2


def test_diffused_colours_keep_the_mean_and_use_the_same_shades() -> None:
    ramp = np.tile(np.linspace(0, 255, 64).astype(np.uint8)[np.newaxis, :, np.newaxis], (64, 1, 3))
    picture = read_image(encoded(ramp), ImageOptions(colours=2, dither="floyd-steinberg"))
    plain = read_image(encoded(ramp), ImageOptions(colours=2))
    assert picture != plain
    assert set(shades(picture)) == set(shades(plain))


@pytest.mark.parametrize(("shade", "filled"), [(0, 1), (255, 0)])
def test_an_image_of_one_colour(shade: int, filled: int) -> None:
    picture = read_image(encoded(np.full((2, 2, 3), shade, np.uint8)), ImageOptions(colours=3))
    assert picture == Picture(np.full((2, 2), filled))
    assert picture.palette == (BLACK,)


def test_an_image_with_nothing_in_it() -> None:
    clear = encoded(np.zeros((2, 3, 4), np.uint8))
    for how in (
        ImageOptions(),
        ImageOptions(invert=True),
        ImageOptions(colours=2),
        ImageOptions(colours=2, blank="#ff0000"),
    ):
        assert read_image(clear, how) == Picture(np.zeros((2, 3), int))


# ---------------------------------------------------------------- transparency, orientation, frames, size


@pytest.mark.parametrize("how", [ImageOptions(), ImageOptions(invert=True), ImageOptions(dither="bayer", invert=True)])
def test_what_is_transparent_is_never_filled(how: ImageOptions) -> None:
    image = np.zeros((2, 2, 4), np.uint8)
    image[0] = (255, 255, 255, 255) if how.invert else (0, 0, 0, 255)
    assert read_image(encoded(image), how).rows() == ["##", ".."]


def test_half_transparent_black_is_grey() -> None:
    image = np.zeros((1, 3, 4), np.uint8)
    image[0, :, 3] = (255, 128, 0)
    assert read_image(encoded(image), ImageOptions(threshold=0.4)).rows() == ["#.."]
    assert read_image(encoded(image), ImageOptions(threshold=0.6)).rows() == ["##."]


def test_transparent_colour_of_a_palette() -> None:
    image = Image.fromarray(HEART)
    image.putpalette([9, 9, 9, 0, 0, 0])
    assert read_image(encoded(image, transparency=0), ImageOptions(threshold=0.5)) == Picture(HEART)
    assert read_image(encoded(image, "GIF", transparency=0), ImageOptions(threshold=0.5)) == Picture(HEART)


@pytest.mark.parametrize(("orientation", "turned"), [(1, HEART), (3, np.rot90(HEART, 2)), (6, np.rot90(HEART, 3))])
def test_the_camera_s_orientation(orientation: int, turned: np.ndarray) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(Image.fromarray(grey(HEART)).resize((80, 80), Image.Resampling.NEAREST), "JPEG", exif=exif)
    assert read_image(data, ImageOptions(size=(5, 5))) == Picture(turned)
    assert read_image(encoded(grey(HEART), exif=exif)) == Picture(turned)


def test_bad_orientation_data_do_no_harm() -> None:
    assert read_image(encoded(grey(HEART), exif=b"Exif\0\0MM\0*\xff\xff\xff\xff junk")) == Picture(HEART)


def test_frames() -> None:
    frames = [Image.fromarray(grey(np.roll(HEART, i, axis=1))) for i in range(3)]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100)
    for number in range(3):
        assert read_image(data, ImageOptions(frame=number + 1)) == Picture(np.roll(HEART, number, axis=1))
    with pytest.raises(FormatError, match="no frame 4, the image has 3"):
        read_image(data, ImageOptions(frame=4))
    with pytest.raises(FormatError, match="no frame 2, the image has 1"):
        read_image(encoded(grey(HEART)), ImageOptions(frame=2))


@pytest.mark.parametrize(
    ("size", "shape"),
    [
        ((3, 4), (3, 4)),
        ((10, None), (10, 20)),
        ((None, 10), (5, 10)),
        (8, (4, 8)),
        (None, (20, 40)),
        ((1, None), (1, 2)),
    ],
)
def test_sizes(size: Any, shape: tuple[int, int]) -> None:
    assert read_image(encoded(np.zeros((20, 40), np.uint8)), ImageOptions(size=size)).shape == shape


def test_a_cell_is_the_mean_of_its_pixels() -> None:
    fine = np.zeros((4, 8), np.uint8)
    fine[:, 0:4:2] = 255  # half white; the right half is black
    assert read_image(encoded(fine), ImageOptions(size=(1, 2), threshold=0.4)).rows() == [".#"]
    assert read_image(encoded(fine), ImageOptions(size=(1, 2), threshold=0.6)).rows() == ["##"]


def test_auto_finds_squares_of_equal_pixels() -> None:
    assert read_image(encoded(grey(HEART).repeat(60, 0).repeat(60, 1)), ImageOptions(size="auto")) == Picture(HEART)
    assert read_image(encoded(grey(HEART).repeat(6, 0).repeat(4, 1)), ImageOptions(size="auto")).shape == (15, 10)
    clear = np.random.default_rng(1).integers(0, 255, (6, 6, 4)).astype(np.uint8)
    clear[..., 3] = np.kron(HEART[:3, :3], np.full((2, 2), 255))
    clear[clear[..., 3] > 0, :3] = 0
    assert read_image(encoded(clear), ImageOptions(size="auto")) == Picture(HEART[:3, :3])


def test_a_photograph_is_refused_with_advice() -> None:
    photo = encoded(np.random.default_rng(1).integers(0, 255, (300, 400)).astype(np.uint8))
    for size in (None, "auto"):
        with pytest.raises(UnsupportedError, match=r"400 x 300 pixels are too many .* such as 30x40"):
            read_image(photo, ImageOptions(size=size))
    assert read_image(photo, ImageOptions(size=(30, 40))).shape == (30, 40)
    with pytest.raises(UnsupportedError, match="at most 67,108,864 cells"):
        read_image(photo, ImageOptions(size=(100_000, 100_000)))


@pytest.mark.parametrize("text", ["", "x", "0", "3x0", "-3", "3x4x5", "3.5", "1e3", "AUTO!", "1234567", "٣"])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(UnsupportedError, match="30x40"):
        size_of(text)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"threshold": 1.5}, UnsupportedError, "from 0"),
        ({"threshold": float("nan")}, UnsupportedError, "from 0"),
        ({"dither": "atkinson"}, UnknownNameError, "floyd-steinberg"),
        ({"colours": 0}, PuzzleError, "1 to 52"),
        ({"colours": 99}, PuzzleError, "1 to 52"),
        ({"colours": 3, "blank": "red"}, PuzzleError, "#rrggbb"),
        ({"blank": "#ffffff"}, UnsupportedError, "colours only"),
        ({"colours": 3, "threshold": 0.5}, UnsupportedError, "not for colours"),
        ({"colours": 3, "invert": True}, UnsupportedError, "not for colours"),
        ({"colours": 3, "dither": "bayer"}, UnsupportedError, "not for colours"),
        ({"frame": 0}, UnsupportedError, "the first is 1"),
        ({"size": (None, None)}, UnsupportedError, "at least one row"),
        ({"size": (0, 5)}, UnsupportedError, "at least one row"),
        ({"size": -3}, UnsupportedError, "at least one row"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ImageOptions(**options)


# ---------------------------------------------------------------- what is no image


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_header(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))


PNG = encoded(np.random.default_rng(1).integers(0, 255, (50, 50)).astype(np.uint8))
HOSTILE = {
    "empty": (b"", "empty"),
    "junk": (bytes(range(256)) * 9, "not an image; read are PNG"),
    "text": (b"3 3\n2\n2\n0\n#\n2\n1\n1\n", "not an image, but text"),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not an image, but text"),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not an image, but text"),
    "magic": (PNG[:8], "image"),
    "cut": (PNG[:900], "a broken image"),
    "cut jpeg": (encoded(np.zeros((99, 99), np.uint8), "JPEG")[:300], "a broken image"),
    "cut pbm": (b"P4 100 100\n12", "a broken image"),
    "letters in a pbm": (b"P1 2 2\n1 0 q 1", "a broken image"),
    "zero wide": (png_header(0, 5) + chunk(b"IEND", b""), "image"),
    "zero pbm": (b"P1 0 0\n", "image"),
    "bomb": (png_header(60_000, 60_000) + chunk(b"IDAT", zlib.compress(b"\0" * 99)), "more than 67,108,864 pixels"),
    "small bomb": (png_header(10_000, 10_000) + chunk(b"IDAT", zlib.compress(b"\0" * 99)), "more than 67,108,864"),
    "large pgm": (b"P5 99999 99999 255\n", "more than 67,108,864 pixels"),
    "text bomb": (
        png_header(1, 1) + chunk(b"zTXt", b"k\0\0" + zlib.compress(b"a" * 10**8)) + chunk(b"IDAT", b""),
        "a broken image",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_an_invalid_image_is_reported_in_one_line(name: str, tmp_path: Path) -> None:
    data, words = HOSTILE[name]
    (tmp_path / "image").write_bytes(data)
    with pytest.raises((FormatError, UnsupportedError)) as caught:
        load_image(tmp_path / "image")
    assert str(caught.value).startswith(f"{tmp_path / 'image'}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["PNG", "GIF", "BMP", "PPM", "TIFF", "JPEG", "WEBP"]), st.data())
def test_damaged_images_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    image = bytearray(encoded(grey(HEART).repeat(4, 0).repeat(4, 1), kind))
    for _ in range(data.draw(st.integers(1, 6))):
        image[data.draw(st.integers(0, len(image) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(image)))
    try:
        read_image(bytes(image[:cut] if cut % 3 == 0 else image))
    except NonosatError as error:
        assert "\n" not in str(error)  # noqa: PT017 - there need not be an error


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NonosatError, match=r"none\.png: no such file"):
        load_image(tmp_path / "none.png")
    with pytest.raises(NonosatError, match="is a directory"):
        load_image(tmp_path)


# ---------------------------------------------------------------- the command


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    done = commands.command("picture", *arguments, stdin=stdin)
    assert b"Traceback" not in done.stderr
    return done


@pytest.fixture
def heart(tmp_path: Path) -> str:
    (tmp_path / "heart.png").write_bytes(encoded(grey(HEART)))
    return str(tmp_path / "heart.png")


@pytest.mark.parametrize("suffix", [".json", ".mk", ".non", ".txt"])
def test_the_command_writes_any_format(heart: str, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    done = run(heart, str(out), "--title", "A heart")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"5x5, one colour, 64% filled" in done.stderr
    puzzle = load(out)
    assert [len(clue) for clue in puzzle.rows] == [2, 1, 1, 1, 1]
    if suffix in (".json", ".non"):
        assert (puzzle.goal, puzzle.title) == (Picture(HEART), "A heart")


def test_the_command_reads_and_writes_pipes(heart: str) -> None:
    done = run("-", "-", "--to", "mk", stdin=Path(heart).read_bytes())
    assert done.stdout == b"5 5\n1 1\n5\n5\n3\n1\n#\n2\n4\n4\n4\n2\n"


@pytest.mark.parametrize("clear", [False, True])
def test_a_puzzle_file_that_is_an_image_in_colours_keeps_them(tmp_path: Path, clear: bool) -> None:
    image = painted("rgw", "bwg")
    if clear:
        blank = (image == RGB["white"]).all(axis=2)
        image = np.concatenate([image, np.where(blank, 0, 255).astype(np.uint8)[..., np.newaxis]], axis=2)
    (tmp_path / "flag.png").write_bytes(encoded(image))
    puzzle = load(tmp_path / "flag.png")
    assert puzzle.goal.rows() == ["rg.", "b.g"]
    assert shades(puzzle.goal) == [SHADES["blue"], SHADES["red"], SHADES["green"]]


def test_the_command_says_that_an_image_is_drawn_in_colours(tmp_path: Path) -> None:
    image = tmp_path / "flag.png"
    for pixels, said in (
        (painted("rgw", "bwg"), b"is drawn in 3 colours besides blank; --colours 3 keeps"),
        (grey(HEART), b""),
    ):
        image.write_bytes(encoded(pixels))
        done = run(str(image), str(tmp_path / "flag.mk"))
        assert (done.returncode, said in done.stderr, b"is drawn in" in done.stderr) == (0, True, bool(said))
        assert b"is drawn" not in run(str(image), str(tmp_path / "f.json"), "--colours", "3").stderr


def test_the_command_knows_colours_and_sizes(tmp_path: Path) -> None:
    image = tmp_path / "image.gif"
    image.write_bytes(encoded(Image.fromarray(painted("rgw", "bwg").repeat(9, 0).repeat(9, 1)).quantize(8), "GIF"))
    done = run(str(image), str(tmp_path / "out.json"), "--size", "auto", "--colours", "5", "--blank", "#ffffff")
    assert b"2x3, 3 colours, 67% filled (json)" in done.stderr
    puzzle = load(tmp_path / "out.json")
    assert puzzle.goal is not None
    assert puzzle.goal.rows() == ["rg.", "b.g"]
    assert puzzle.palette[1] == Colour("r", SHADES["red"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["photo.png", "out.mk", "--size", "auto"],
            "no enlarged pixel art that auto could shrink: a size is needed",
        ),
        (["none.png", "out.mk"], "none.png: no such file"),
        (["heart.png", "out.bmp"], 'no format has the suffix ".bmp"'),
        (["heart.png", "out"], "no suffix"),
        (["heart.png", "out.mk", "--size", "0x3"], "size 0x3"),
        (["heart.png", "out.mk", "--threshold", "7"], "threshold 7"),
        (["heart.png", "out.mk", "--dither", "x"], "unknown dither 'x'; known: none"),
        (["heart.png", "out.mk", "--blank", "#ffffff"], "colours only"),
        (["heart.png", "out.mk", "--frame", "2"], "heart.png: no frame 2"),
        (["colours.png", "out.mk", "--colours", "3"], "colour"),
    ],
)
def test_the_command_refuses_in_a_line(
    arguments: list[str], words: str, heart: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("colours.png").write_bytes(encoded(painted("rgw", "bwg")))
    Path("photo.png").write_bytes(encoded(np.indices((300, 400)).sum(axis=0).astype(np.uint8)))
    done = run(*arguments)
    [line] = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert line.startswith("nonosat: ")
    assert words in line
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("out")]
