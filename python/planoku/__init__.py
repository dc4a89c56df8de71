"""Sudoku solved as planning, and planning made to work.

One puzzle at a time, as text in any format people exchange:

>>> import planoku
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> planoku.solve(puzzle)
'534678912672195348198342567859761423426853791713924856961537284287419635345286179'
>>> planoku.count(puzzle)
1
>>> planoku.rate(puzzle)["er"]
1.2

Many at once, on all cores, without the GIL, from NumPy arrays and anything that
speaks Arrow (pyarrow, Polars, pandas, DuckDB), without copying them:

>>> import numpy
>>> boards = planoku.to_array([puzzle, puzzle])
>>> solutions, counts = planoku.solve(boards)
>>> solutions.shape, counts.tolist()
((2, 81), [1, 1])

Planning:

>>> planoku.plan(planoku.examples.DOMAIN, planoku.examples.PROBLEM).status
'solved'
"""

from __future__ import annotations

from . import examples
from ._core import ParseError, PlanokuError, __version__
from .build import Domain, Problem
from .planning import (
    Diagnostic,
    Network,
    PlanResult,
    Step,
    Task,
    Verdict,
    anytime,
    check,
    format,
    ground,
    plan,
    verify,
)
from .sudoku import (
    canon,
    count,
    dataset,
    engines,
    generate,
    hint,
    label,
    leaks,
    rate,
    reward,
    solve,
    steps,
    to_array,
    to_text,
)

__all__ = [
    "Diagnostic",
    "Domain",
    "Network",
    "ParseError",
    "PlanResult",
    "PlanokuError",
    "Problem",
    "Step",
    "Task",
    "Verdict",
    "__version__",
    "anytime",
    "canon",
    "check",
    "count",
    "dataset",
    "engines",
    "examples",
    "format",
    "generate",
    "ground",
    "hint",
    "label",
    "leaks",
    "plan",
    "rate",
    "reward",
    "solve",
    "steps",
    "to_array",
    "to_text",
    "verify",
]
