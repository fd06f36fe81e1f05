"""What a report rests on, as BibTeX: the tool, the solvers, the parts of encodings, the statistics."""

from __future__ import annotations

import re

from nonosat.studies.analysis.intervals import FEWEST
from nonosat.studies.analysis.report.tables import ReportedStudy
from nonosat.version import __version__

PREAMBLE = '@preamble{"\\providecommand{\\url}[1]{\\texttt{#1}}"}\n'
"""For papers that load no package with ``\\url``."""

_ENTRIES = (
    ("nonosat", "misc", {"author": "{The nonosat authors}", "year": "2026",
     "title": "nonosat: how puzzles are encoded into {SAT} and {CSP}, version " + __version__,
     "howpublished": "\\url{https://github.com/nonosat/nonosat}"}),
    ("pysat", "inproceedings", {"author": "Ignatiev, Alexey and Morgado, Antonio and Marques-Silva, Joao",
     "title": "{PySAT}: A {Python} Toolkit for Prototyping with {SAT} Oracles", "year": "2018", "pages": "428--437",
     "booktitle": "Theory and Applications of Satisfiability Testing -- SAT 2018"}),
    ("minisat", "inproceedings", {"author": "E{\\'e}n, Niklas and S{\\\"o}rensson, Niklas", "year": "2003",
     "title": "An Extensible {SAT}-solver", "pages": "502--518",
     "booktitle": "Theory and Applications of Satisfiability Testing -- SAT 2003"}),
    ("glucose", "inproceedings", {"author": "Audemard, Gilles and Simon, Laurent", "year": "2009",
     "pages": "399--404", "title": "Predicting Learnt Clauses Quality in Modern {SAT} Solvers",
     "booktitle": "IJCAI 2009"}),
    ("cadical", "techreport", {
     "author": "Biere, Armin and Fazekas, Katalin and Fleury, Mathias and Heisinger, Maximilian",
     "title": "{CaDiCaL}, {Kissat}, {Paracooba}, {Plingeling} and {Treengeling} Entering the {SAT} Competition 2020",
     "institution": "University of Helsinki, Proceedings of SAT Competition 2020", "pages": "50--53", "year": "2020"}),
    ("lingeling", "techreport", {"author": "Biere, Armin", "year": "2010",
     "title": "{Lingeling}, {Plingeling}, {PicoSAT} and {PrecoSAT} at {SAT} Race 2010",
     "institution": "FMV Reports Series, Johannes Kepler University"}),
    ("maplesat", "inproceedings", {
     "author": "Liang, Jia Hui and Ganesh, Vijay and Poupart, Pascal and Czarnecki, Krzysztof",
     "title": "Learning Rate Based Branching Heuristic for {SAT} Solvers", "year": "2016", "pages": "123--140",
     "booktitle": "Theory and Applications of Satisfiability Testing -- SAT 2016"}),
    ("cpsat", "misc", {"author": "Perron, Laurent and Didier, Fr{\\'e}d{\\'e}ric", "title": "{CP-SAT}",
     "howpublished": "\\url{https://developers.google.com/optimization/cp/cp_solver}"}),
    ("orderencoding", "article", {
     "author": "Tamura, Naoyuki and Taga, Akiko and Kitagawa, Satoshi and Banbara, Mutsunori",
     "title": "Compiling finite linear {CSP} into {SAT}", "journal": "Constraints", "volume": "14", "year": "2009",
     "pages": "254--272"}),
    ("directencoding", "inproceedings", {"author": "Walsh, Toby", "title": "{SAT} v {CSP}", "year": "2000",
     "booktitle": "Principles and Practice of Constraint Programming -- CP 2000", "pages": "441--456"}),
    ("supportencoding", "inproceedings", {"author": "Gent, Ian P.", "title": "Arc Consistency in {SAT}",
     "booktitle": "ECAI 2002", "pages": "121--125", "year": "2002"}),
    ("logencoding", "inproceedings", {"author": "Iwama, Kazuo and Miyazaki, Shuichi", "year": "1994",
     "title": "{SAT}-Variable Complexity of Hard Combinatorial Problems", "booktitle": "IFIP World Computer Congress",
     "pages": "253--258"}),
    ("coupledencoding", "article", {"author": "Ohrimenko, Olga and Stuckey, Peter J. and Codish, Michael",
     "title": "Propagation via Lazy Clause Generation", "journal": "Constraints", "volume": "14", "year": "2009",
     "pages": "357--391"}),
    ("automata", "inproceedings", {"author": "Bacchus, Fahiem", "title": "{GAC} Via Unit Propagation", "year": "2007",
     "booktitle": "Principles and Practice of Constraint Programming -- CP 2007", "pages": "133--147"}),
    ("totalizer", "inproceedings", {"author": "Bailleux, Olivier and Boufkhad, Yacine", "year": "2003",
     "title": "Efficient {CNF} Encoding of {Boolean} Cardinality Constraints",
     "booktitle": "Principles and Practice of Constraint Programming -- CP 2003", "pages": "108--122"}),
    ("mdd", "inproceedings", {"author": "Ab{\\'i}o, Ignasi and Stuckey, Peter J.", "year": "2014",
     "title": "Encoding Linear Constraints into {SAT}", "pages": "75--91",
     "booktitle": "Principles and Practice of Constraint Programming -- CP 2014"}),
    ("adder", "article", {"author": "Warners, Joost P.", "year": "1998", "pages": "63--69", "volume": "68",
     "title": "A Linear-Time Transformation of Linear Inequalities into Conjunctive Normal Form",
     "journal": "Information Processing Letters"}),
    ("sequential", "inproceedings", {"author": "Sinz, Carsten", "year": "2005", "pages": "827--831",
     "title": "Towards an Optimal {CNF} Encoding of {Boolean} Cardinality Constraints",
     "booktitle": "Principles and Practice of Constraint Programming -- CP 2005"}),
    ("ladder", "inproceedings", {"author": "Gent, Ian P. and Nightingale, Peter", "year": "2004",
     "title": "A New Encoding of {AllDifferent} into {SAT}",
     "booktitle": "Modelling and Reformulating Constraint Satisfaction Problems (ModRef 2004)"}),
    ("product", "inproceedings", {"author": "Chen, Jingchao", "year": "2010",
     "title": "A New {SAT} Encoding of the At-Most-One Constraint",
     "booktitle": "Constraint Modelling and Reformulation (ModRef 2010)"}),
    ("commander", "inproceedings", {"author": "Klieber, Will and Kwon, Gihwon", "year": "2007",
     "title": "Efficient {CNF} Encoding for Selecting 1 from {N} Objects",
     "booktitle": "Constraints in Formal Verification (CFV 2007)"}),
    ("bitwise", "article", {"author": "Prestwich, Steven", "year": "2003", "volume": "118", "pages": "137--150",
     "title": "Negative Effects of Modeling Techniques on Search Performance",
     "journal": "Annals of Operations Research"}),
    ("channel", "article", {"author": "Hnich, Brahim and Smith, Barbara M. and Walsh, Toby", "year": "2004",
     "title": "Dual Modelling of Permutation and Injection Problems", "pages": "357--391", "volume": "21",
     "journal": "Journal of Artificial Intelligence Research"}),
    ("castilho2018", "misc", {"author": "Castilho, Rafael Sanfelice and Welter, Luan Varaschim", "year": "2018",
     "title": "Encodings of nonograms into {SAT}"}),
    ("kaplanmeier", "article", {"author": "Kaplan, E. L. and Meier, Paul",
     "journal": "Journal of the American Statistical Association",
     "title": "Nonparametric Estimation from Incomplete Observations",
     "volume": "53", "year": "1958", "pages": "457--481"}),
    ("bootstrap", "book", {"author": "Efron, Bradley and Tibshirani, Robert J.", "year": "1993",
     "title": "An Introduction to the Bootstrap", "publisher": "Chapman and Hall"}),
)  # fmt: skip
REFERENCES = {
    key: f"@{kind}{{{key},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items()) + "}\n"
    for key, kind, fields in _ENTRIES
}
"""By its key: what a report may rest on."""

_OF_SOLVERS = {
    "minisat": r"minisat|minicard",
    "glucose": r"glucose",
    "cadical": r"cadical|kissat",
    "lingeling": r"lingeling",
    "maplesat": r"maple",
    "cpsat": r"cpsat",
}
"""By key, what the solvers' names have in them."""
_OF_ENCODINGS = {
    "orderencoding": "order|coupled",
    "directencoding": "direct",
    "supportencoding": "support",
    "logencoding": "log",
    "coupledencoding": "coupled",
    "automata": "automaton",
    **{part: part for part in ("totalizer", "mdd", "adder", "sequential", "ladder", "product", "commander", "bitwise")},
    "channel": "channel",
    "castilho2018": "r[3-6].*",
}
"""By key, which parts of encodings it is about."""


def references_of(study: ReportedStudy) -> list[str]:
    """The keys of what the study's tool, solvers, encodings and statistics rest on, as in ``REFERENCES``."""
    runs = study.runs
    solvers = " ".join(runs["solver"].dropna().unique())
    named = " ".join(str(name) for column in ("parts", "encoding") for name in runs[column].dropna().unique())
    parts = set(re.split(r"[^A-Za-z0-9]+", named))
    used = {"nonosat", "pysat"} if runs["family"].eq("SAT").any() else {"nonosat"}
    used |= {key for key, pattern in _OF_SOLVERS.items() if re.search(pattern, solvers)}
    used |= {key for key, pattern in _OF_ENCODINGS.items() if any(re.fullmatch(pattern, part) for part in parts)}
    used |= {"kaplanmeier"} if len(runs) else set()
    used |= {"bootstrap"} if runs["instance"].nunique() >= FEWEST else set()
    return [key for key in REFERENCES if key in used]
