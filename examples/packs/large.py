"""Pictures of twelve cells a side and more, drawn by code."""

from __future__ import annotations

from canvas import Canvas


def rocket() -> Canvas:
    """A rocket that starts."""
    c = Canvas(15, 15)
    c.shape("b", (7.5, 0), (10, 4), (10, 11), (5, 11), (5, 4)).oval("w", 7.5, 5.5, 1.1)
    c.shape("r", (5, 7), (2, 11.5), (5, 11)).shape("r", (10, 7), (13, 11.5), (10, 11))
    return c.shape("o", (5.5, 11), (9.5, 11), (8.5, 13), (7.5, 15), (6.5, 13)).box("y", 7, 11, 8, 13)


def planet() -> Canvas:
    """A planet with a ring, and a star."""
    c = Canvas(15, 15)
    c.oval("o", 7.5, 7.5, 4.6).stroke(".", 1.6, (0.5, 11.5), (14.5, 3.5)).stroke("n", 0.7, (0.5, 11.5), (14.5, 3.5))
    return c.box("b", 2, 1, 3, 4).box("b", 1, 2, 4, 3).box("b", 12, 11, 13, 14).box("b", 11, 12, 14, 13)


def lighthouse() -> Canvas:
    """A lighthouse by the sea."""
    c = Canvas(15, 15)
    c.shape("r", (5.5, 4), (9.5, 4), (10.5, 13), (4.5, 13)).box("w", 4, 6, 11, 7).box("w", 4, 9, 11, 11)
    c.fill(".", lambda x, y: y < 13 and y > 4 and not 5.5 - (y - 4) / 9 <= x <= 9.5 + (y - 4) / 9)
    c.box("y", 7, 2, 8, 4).box("k", 6, 2, 7, 4).box("k", 8, 2, 9, 4).shape("k", (7.5, 0), (10, 2), (5, 2)).box(
        "o", 0, 2, 4, 3
    ).box("o", 11, 2, 15, 3)
    return c.box("b", 0, 13, 15, 15).box(".", 2, 13, 4, 14).box(".", 11, 13, 13, 14)


def anchor() -> Canvas:
    """An anchor."""
    c = Canvas(15, 15)
    c.oval("k", 7.5, 2, 2).oval(".", 7.5, 2, 0.8).box("k", 7, 3, 8, 14).box("k", 4, 4, 11, 6)
    c.oval("k", 7.5, 8.5, 6.6, 6).oval(".", 7.5, 7.6, 5, 5).box(".", 0, 3, 7, 8.5).box(".", 8, 3, 15, 8.5)
    c.box("k", 4, 4, 11, 6).box("k", 7, 3, 8, 14)
    return c.shape("k", (0, 10), (1.5, 7), (4, 10)).mirrored()


def teapot() -> Canvas:
    """A teapot."""
    c = Canvas(15, 15)
    c.oval("b", 7.5, 9, 4.8, 4.6).box("b", 5, 4, 10, 5).box("k", 7, 2, 8, 4)
    c.stroke("b", 0.8, (3, 10.5), (1.2, 8.5), (0.6, 6)).oval("b", 12, 8.5, 2.9, 2.9).oval(".", 12.2, 8.5, 1.6, 1.6)
    return c.oval("b", 7.5, 9, 4.5, 4.4).box("w", 4, 8, 11, 9).box("k", 4, 13, 11, 14)


def balloon() -> Canvas:
    """A balloon with a basket."""
    c = Canvas(15, 15)
    c.oval("r", 7.5, 5, 5, 5).oval("y", 7.5, 5, 2.6, 5).shape("r", (3.5, 8), (11.5, 8), (9, 11), (6, 11))
    c.oval("o", 7.5, 5, 1, 5).box("k", 6, 11, 7, 12).box("k", 8, 11, 9, 12)
    return c.box("n", 6, 12, 9, 15).box("b", 0, 2, 2, 3).box("b", 13, 9, 15, 10)


def camera() -> Canvas:
    """A camera."""
    c = Canvas(15, 15)
    c.box("k", 0, 4, 15, 13).box("k", 4, 2, 11, 4).oval("w", 7.5, 8.5, 3.6).oval("b", 7.5, 8.5, 2.3)
    return c.oval(".", 6.7, 7.7, 0.9).box("r", 12, 5, 14, 6).box(".", 1, 6, 3, 7).box("w", 1, 3, 3, 4)


def clock() -> Canvas:
    """An alarm clock."""
    c = Canvas(15, 15)
    c.oval("r", 7.5, 8.3, 5.6).oval("w", 7.5, 8.3, 4.2).stroke("k", 0.6, (7.5, 8.5), (7.5, 5)).oval("r", 3, 2.5, 2.2)
    c.oval("r", 12, 2.5, 2.2).stroke("k", 0.6, (7.5, 8.5), (10, 9.5)).fill(
        ".", lambda x, y: (x - 7.5) ** 2 + (y - 8.3) ** 2 > 32 and y > 3.2 + abs(x - 7.5) * 0.05 and y < 12
    )
    return c.box("k", 3, 13, 5, 15).box("k", 10, 13, 12, 15)


def guitar() -> Canvas:
    """A guitar."""
    c = Canvas(15, 15)
    c.oval("n", 4.6, 10.4, 4).oval("n", 8, 7.4, 2.9).stroke("k", 0.75, (7, 8), (13, 2)).oval(".", 5.6, 9.4, 1.2)
    return c.box("k", 12, 0, 14, 3).box("y", 14, 0, 15, 2).stroke("y", 0.5, (2.6, 12.4), (3.6, 13.2))


def owl() -> Canvas:
    """An owl on a branch."""
    c = Canvas(15, 15)
    c.oval("n", 7.5, 8, 4.6, 5.8).shape("n", (3, 0), (7, 3.5), (3, 6)).oval("w", 5.5, 5, 2).oval("k", 5.5, 5, 0.9)
    c.shape("n", (2, 6), (4, 6), (3.5, 12)).mirrored().shape("o", (6.5, 6), (8.5, 6), (7.5, 8.5))
    return c.box("k", 0, 13, 15, 14).box("o", 5, 12, 7, 13).box("o", 8, 12, 10, 13)


THINGS = {
    "Rocket": rocket,
    "Planet": planet,
    "Lighthouse": lighthouse,
    "Anchor": anchor,
    "Teapot": teapot,
    "Balloon": balloon,
    "Camera": camera,
    "Alarm clock": clock,
    "Guitar": guitar,
    "Owl": owl,
}


def melon() -> Canvas:
    """A slice of melon."""
    c = Canvas(10, 12)
    c.oval("g", 6, 1, 6, 8.8).oval("r", 6, 1, 4.9, 7.4).box(".", 0, 0, 12, 1)
    return c.box("k", 4, 3, 5, 4).box("k", 7, 3, 8, 4).box("k", 5, 5, 7, 6)


def strawberry() -> Canvas:
    """A strawberry."""
    c = Canvas(12, 11)
    c.shape("r", (0.5, 3), (10.5, 3), (9.5, 8), (5.5, 12.4), (1.5, 8)).shape("g", (1, 3), (5.5, 5.5), (10, 3), (5.5, 1))
    return c.box("g", 5, 0, 6, 2).box("y", 2, 6, 3, 7).box("y", 8, 6, 9, 7).box("y", 5, 8, 6, 9).box("y", 4, 6, 5, 7)


def icecream() -> Canvas:
    """Two balls of ice in a cone."""
    c = Canvas(14, 10)
    c.oval("s", 3.3, 4, 2.9).oval("n", 6.7, 4, 2.9).shape("y", (0.5, 6), (9.5, 6), (5, 14.5))
    return c.oval("r", 5, 1, 1.2).box("o", 2, 7, 8, 8).box("o", 3, 9, 7, 10)


def rainbow() -> Canvas:
    """A rainbow between two clouds."""
    c = Canvas(10, 14)
    for ink, radius in (("r", 7.0), ("y", 5.6), ("g", 4.4), ("b", 3.2), (".", 2.0)):
        c.oval(ink, 7, 8.5, radius, radius)
    c.box(".", 0, 8, 14, 10)
    return c.box("w", 0, 8, 5, 10).box("w", 9, 8, 14, 10).box("w", 1, 7, 4, 8).box("w", 10, 7, 13, 8)


def lights() -> Canvas:
    """Traffic lights."""
    c = Canvas(15, 9)
    c.box("k", 1, 0, 8, 12).oval("r", 4.5, 2.5, 1.6).oval("y", 4.5, 6, 1.6).oval("g", 4.5, 9.5, 1.6)
    return (
        c.box("k", 4, 12, 5, 15)
        .box("k", 0, 2, 9, 3)
        .box("k", 0, 6, 9, 7)
        .oval("r", 4.5, 2.5, 1.6)
        .oval("y", 4.5, 6, 1.6)
    )


def parrot() -> Canvas:
    """A parrot on its perch."""
    c = Canvas(15, 12)
    c.oval("r", 5, 3.5, 3.2).oval("r", 5.8, 7.5, 3.4, 5).shape("b", (6, 5), (10, 8), (9.5, 13), (6, 10))
    c.shape("k", (1, 3), (3, 3), (2.4, 5.6)).box(".", 4, 3, 5, 4).shape("y", (6, 10), (9, 10), (10.5, 15), (8.5, 15))
    return c.box("n", 0, 12, 8, 13).box("g", 8, 11, 10, 13)


def reef_fish() -> Canvas:
    """A fish of the reef."""
    c = Canvas(11, 15)
    c.oval("o", 6, 5.5, 5.8, 4.4).shape("b", (10, 5.5), (15, 1), (15, 10)).box("w", 4, 0, 6, 11).box("w", 8, 0, 10, 11)
    c.fill(".", lambda x, y: x < 10.2 and ((x - 6) * 4.4) ** 2 + ((y - 5.5) * 5.8) ** 2 > 25.52**2)
    return c.box("b", 5, 0, 9, 1).box("b", 6, 10, 8, 11).box("k", 2, 4, 3, 5)


def flag() -> Canvas:
    """A flag in the wind."""
    c = Canvas(12, 12)
    c.box("n", 0, 0, 1, 12)
    for ink, top in (("b", 0), ("y", 3), ("r", 5)):
        for x in range(1, 12):
            c.box(ink, x, top + (x > 4) + (x > 8), x + 1, top + 3 - (ink == "y") + (x > 4) + (x > 8))
    return c


def lantern() -> Canvas:
    """A paper lantern."""
    c = Canvas(14, 11)
    c.box("k", 5, 0, 6, 2).box("y", 3, 2, 8, 3).oval("r", 5.5, 6, 5.2, 3.6).box("o", 3, 3, 4, 9).box("o", 7, 3, 8, 9)
    return c.box("y", 3, 9, 8, 10).box("y", 3, 10, 4, 13).box("y", 5, 10, 6, 14).box("y", 7, 10, 8, 13)


def windmill() -> Canvas:
    """A windmill."""
    c = Canvas(15, 13)
    c.shape("n", (4.5, 5), (8.5, 5), (10, 15), (3, 15)).shape("r", (3.5, 5), (6.5, 2), (9.5, 5)).box("y", 6, 12, 7, 15)
    c.stroke("w", 0.6, (1, 0.5), (12, 11)).stroke("w", 0.6, (12, 0.5), (1, 11))
    return c.box("k", 6, 5, 7, 6)


COLOURS = {
    "Melon": melon,
    "Strawberry": strawberry,
    "Ice cream": icecream,
    "Rainbow": rainbow,
    "Traffic lights": lights,
    "Parrot": parrot,
    "Reef fish": reef_fish,
    "Flag": flag,
    "Lantern": lantern,
    "Windmill": windmill,
}
