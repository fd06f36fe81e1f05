"""Every name of code by which a lower room uses a higher one.

Imports run one way: a room imports only from the rooms below it. A few records near the ground need code from above
all the same: the kind "nonogram" has encodings, certificates and explanations. Such a record holds a text
``"module:name"`` from this file, and ``plugins.Code`` imports it at its first use. All other texts of this form in the
package name modules of their own room or of one below; ``tests/test_architecture.py`` reads them and this file.

>>> from nonosat.plugins import resolved
>>> resolved(NONOGRAM_ENCODINGS).name
'nonogram'
"""

# Used by all kinds of puzzle (puzzles/puzzle.py).
CONSTRAINT_EXPLAINER = "nonosat.explanations.constraints:EXPLAINER"
OPB_READ = "nonosat.certificates.opb_format:read"
OPB_WRITE = "nonosat.certificates.opb_format:write"
OPB_MARKS = "nonosat.certificates.opb_format:marks"

# Used by nonograms (puzzles/nonogram/kind.py).
NONOGRAM_ENCODINGS = "nonosat.encodings.nonogram:NONOGRAM"
NONOGRAM_STRATEGY = "nonosat.solvers.auto.nonogram:search"
NONOGRAM_STATEMENT = "nonosat.certificates.statement.nonogram:statement"
NONOGRAM_DEDUCTION = "nonosat.certificates.deduction.deduce:deduced"
NONOGRAM_EXPLAINER = "nonosat.explanations.nonogram.explainer:EXPLAINER"
NONOGRAM_COUNTERS = "nonosat.counting.count:NONOGRAMS"

# Used by Skyscrapers (puzzles/skyscrapers/kind.py).
SKYSCRAPERS_ENCODINGS = "nonosat.encodings.skyscrapers:SKYSCRAPERS"
SKYSCRAPERS_STRATEGY = "nonosat.solvers.auto.search:skyscrapers_search"
SKYSCRAPERS_STATEMENT = "nonosat.certificates.statement.skyscrapers:statement"
SKYSCRAPERS_EXPLAINER = "nonosat.explanations.skyscrapers.explainer:EXPLAINER"

# Used by records of solvers (runs/solver.py, solvers/registry.py).
FORMULA_SEARCH = "nonosat.solvers.formulas:search"
CERTIFYING_SEARCH = "nonosat.certificates.certify:search"

# Used by generators (generators/density.py, pictures.py, skyscrapers.py).
JUDGE = "nonosat.making.criteria:judge"
TECHNIQUE_JUDGE = "nonosat.making.criteria:technique_judge"
REPAIR = "nonosat.making.criteria:repair"
GIVE = "nonosat.making.giving:give"
