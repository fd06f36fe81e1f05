"""Any program that reads DIMACS, as a solver: ``exec:kissat --time={seconds} {cnf}``.

The command is split as a shell would split it, and started without one. In its words

- ``{cnf}`` is the path of the formula; a command without it gets the formula on its standard input;
- ``{out}`` is the path of a result file, which is read beside the standard output (MiniSat wants one);
- ``{seconds}`` is what is left of the time limit (whole seconds, at least 1), ``{memory}`` the memory limit in MiB.

The answer is what the program *says*: the line ``s SATISFIABLE`` with its ``v`` lines, or a result as MiniSat writes
it. The exit code must agree: 10 or 20 that contradict it or stand alone, any other than 0 and a signal are failures
(CRASH). Models are checked against the clauses, so that a bad one is the program's fault (CRASH), while the verdict
WRONG stays what it is for every solver: a model of the formula whose picture breaks the clues. UNSAT is the program's
word; nothing here can tell a lie (``nonosat prove`` can). Programs are not incremental: every further picture is a run
from the start, on the formula with the former pictures ruled out; times and counters are sums over the runs.
"""
