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
    "app": "Open the workbench in the browser.",
    "backbone": "Draw the cells that are the same in all solutions.",
    "certify": "Prove by the rules: no solution, or no other one.",
    "check": "Check pictures against the clues of a puzzle.",
    "check-certificate": "Check a proof (.pbp) of a statement (.opb).",
    "convert": "Write puzzles in another format.",
    "count": "Count all solutions, exactly or approximately.",
    "csp": "Solve a CSP in Sugar's language.",
    "decode": "Decode a SAT solver's answer into a checked picture.",
    "difficulty": "Measure how hard a puzzle is for people.",
    "draw": "Draw a puzzle: .png, .svg, .pdf, .txt; .html to play.",
    "encode": "Write a puzzle or a model as DIMACS CNF.",
    "equivalent": "Compare the solutions of two models.",
    "explain": "Tell step by step how people solve a puzzle.",
    "generate": "Write random puzzles.",
    "list": "List solvers, encodings, formats, generators, ...",
    "picture": "Make a puzzle of an image.",
    "print": "Print puzzles and solutions as a booklet (.pdf).",
    "prove": "Prove that there is no solution, or no second one.",
    "repair": "Change few cells until the solution is the only one.",
    "sample": "Draw solutions at random, all equally likely.",
    "solve": "Solve puzzles or models, and check the solutions.",
    "study": "Run experiments, and report what came out.",
    "warm": "Compile all native code now.",
}
"""Each command in a line that no list at 80 columns cuts: the list of commands imports none of them."""


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
