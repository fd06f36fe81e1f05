"""Sugar's language of finite CSPs: text to CSP.

Source: Tamura & Banbara, *Sugar: a CSP to SAT translator based on order encoding* (2008), and Sugar's description of
its syntax. All of it is read: declarations (``int``, ``bool``, ``domain``, ``predicate``, ``relation``), logical
connectives, comparisons, arithmetic with ``div``, ``mod`` and ``pow``, the global constraints, and ``objective``.
Variables and predicates may also be declared after they are used.

>>> csp = read("(int x 1 9) (int y (1 3 (5 7))) (predicate (double a b) (= (+ a a) b)) (double y x) (> x 3)")
>>> csp.names(), csp.board.tolist(), csp.lower.tolist(), csp.upper.tolist()
(['x', 'y'], [[0, 1]], [1, 1], [9, 7])
"""

from nonosat.csp.sugar.language import Declarations, read, read_statement

__all__ = ["Declarations", "read", "read_statement"]
