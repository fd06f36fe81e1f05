"""The command line: parse, call, print. Each file here is a command, which is imported when it is used."""

from __future__ import annotations

import os

import click

import nonosat
from nonosat import plugins
from nonosat.cli.shared import completion
from nonosat.cli.shared.commands import LazyGroup
from nonosat.interrupts import plain_interrupts

COMMANDS = {
    "app": "Open the workbench: play, make, watch and explain puzzles in the browser.",
    "backbone": "Draw the cells of the puzzles in FILES that are the same in all solutions.",
    "certify": "Prove from the rules of the puzzle in FILE alone that it has no solution, or one and no other.",
    "check": "Are the texts PICTURES ('-': stdin) solutions of the puzzle in FILE?",
    "check-certificate": "Does the proof in FILE.pbp prove what it claims of the statement in FILE.opb?",
    "convert": "Write the puzzle(s) in IN to OUT in another format.",
    "count": "Count the solutions of the puzzles in FILES: exactly, whatever their number, unless --approximate.",
    "csp": "Solve the CSP in FILE.csp, which is in Sugar's language, and print what Sugar prints.",
    "decode": "Decode what a SAT solver printed for CNF into a checked picture, or a model's solution.",
    "difficulty": "How hard is the puzzle in FILES for somebody who reasons, and which kind of reasoning does it take?",
    "draw": "Draw the puzzle in FILE with its clues to OUT: .png, .svg, .pdf or .txt ('-': text on stdout).",
    "encode": "Write the puzzle in FILE as DIMACS CNF, with comments that say how to decode a model.",
    "equivalent": "Have the models in FILE and OTHER (.py, .csp, .xml) the same solutions, by the names of their "
    "variables?",
    "explain": "Tell how the puzzle in FILE is solved, step by step, in words that players use.",
    "generate": "Write random puzzles: nonograms of a given density, or skyscrapers of a given level.",
    "list": "List what there is: a name and a line about it.",
    "picture": "Make a puzzle of the picture in IMAGE ('-': stdin): PNG, GIF, JPEG, PBM, ..., a cell a pixel unless "
    "--size says.",
    "print": "Print the puzzles in FILES as a booklet to OUT, several a page where they fit, then their solutions.",
    "prove": "Prove that the puzzle in FILE has no solution, or no second one, and print the commands that check it.",
    "repair": "Change few cells of the picture in IN until its puzzle has a single solution, and write that puzzle to "
    "OUT.",
    "sample": "Draw solutions of the nonograms in FILES at random, each as likely as any other.",
    "solve": "Solve the puzzles in FILES and print the picture, which has been checked against the clues.",
    "study": "Experiments: a study is a TOML file that says what to run; its records are in a store.",
    "warm": "Compile all native code now, so that nothing waits for it later: once a machine, on all cores.",
}
"""Each command with the first sentence of its help: the list of commands imports none of them."""


def load_plugins(context: click.Context, option: click.Parameter, named: tuple[str, ...]) -> None:
    """Load the plug-ins that the command line and the environment name, before any command reads the tables."""
    if named or plugins.VARIABLE in os.environ:
        with plain_interrupts():
            plugins.load_named()
            for source in named:
                plugins.load(source)


@click.group(
    cls=LazyGroup,
    package=__name__,
    lines=COMMANDS,
    groups=("study",),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(nonosat.__version__, prog_name="nonosat")
@click.option(
    "--plugin",
    multiple=True,
    metavar="FILE.py",
    shell_complete=completion.files,
    is_eager=True,
    expose_value=False,
    callback=load_plugins,
    help="Parts of your own (kinds of puzzle, rules, encodings, solvers, ...): a file or a module; may be repeated.",
)
def cli() -> None:
    """Puzzles as SAT and CSP: solve, encode, decode, generate, check, convert, draw."""
