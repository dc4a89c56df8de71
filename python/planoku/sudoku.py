"""Sudoku: one puzzle as text, many as arrays or tables.

Functions that take many puzzles take whatever holds them and give back the
like: a string gives one result, a list a list, a NumPy array of `n` rows and 81
columns (0 for a blank) arrays, and anything that speaks Arrow a table with
columns added: pyarrow and Polars their own tables, pandas a data frame.
"""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, cast, overload

import numpy
from numpy.typing import NDArray

from . import _core

__all__ = [
    "canon",
    "count",
    "dataset",
    "engines",
    "generate",
    "hint",
    "label",
    "leaks",
    "rate",
    "reward",
    "solve",
    "steps",
    "to_array",
    "to_text",
]


Cells = NDArray[numpy.uint8]


def to_array(puzzles: Iterable[str]) -> Cells:
    """Puzzles of 81 characters as an array of `n` rows and 81 columns.

    >>> to_array(["1" + "." * 80])[0, :3].tolist()
    [1, 0, 0]
    """
    if isinstance(puzzles, str):
        puzzles = [puzzles]
    texts = list(puzzles)
    for row, text in enumerate(texts):
        if not isinstance(text, str) or len(text) != 81 or text.strip("0123456789."):
            raise _core.PlanokuError(
                f"row {row}: expected 81 characters, 1 to 9 and . or 0, found {text!r}"
            )
    text = "".join(texts).replace(".", "0")
    cells = numpy.array(bytearray(text.encode("ascii")), dtype=numpy.uint8) - ord("0")
    return cells.reshape(-1, 81)


def to_text(boards: NDArray[Any]) -> list[str]:
    """Boards of an array as texts, `.` for a blank.

    >>> to_text(to_array(["1" + "." * 80])) == ["1" + "." * 80]
    True
    """
    cells, _ = _cells(boards)
    if (cells > 9).any():
        raise _core.PlanokuError("expected 0 (blank) to 9 in every cell")
    text = (cells + ord("0")).tobytes().decode("ascii").replace("0", ".")
    return [text[start : start + 81] for start in range(0, len(text), 81)]


def _cells(boards: NDArray[Any]) -> tuple[Cells, tuple[int, ...]]:
    """The boards as rows of 81 bytes, where they lie if they are kept so, and the
    shape of an array that has one value for each."""
    if boards.dtype.kind not in "iub":
        hint = "; to_array() makes an array of texts" if boards.dtype.kind in "UTO" else ""
        raise _core.PlanokuError(
            f"expected whole numbers from 0 (blank) to 9, found {boards.dtype}{hint}"
        )
    shape = boards.shape
    if shape[-1:] == (81,):
        each = shape[:-1]
    elif shape[-2:] == (9, 9):
        each = shape[:-2]
    else:
        raise _core.PlanokuError(
            "expected an array of n rows and 81 columns, or of n boards of 9 by 9, "
            f"found shape {shape}"
        )
    if boards.dtype != numpy.uint8:
        wrong = ((boards < 0) | (boards > 9)).reshape(-1, 81).any(axis=1)
        if wrong.any():
            row = int(wrong.argmax())
            raise _core.PlanokuError(f"row {row}: expected 0 (blank) to 9 in every cell")
    rows = 1
    for size in each:
        rows *= size
    return numpy.ascontiguousarray(boards, dtype=numpy.uint8).reshape(rows, 81), each


def _rows(data: Iterable[str | None]) -> list[str | None]:
    """Puzzles of a list, which has texts and `None`."""
    rows = list(data)
    for row, puzzle in enumerate(rows):
        if puzzle is not None and not isinstance(puzzle, str):
            kind = type(puzzle).__name__
            raise _core.PlanokuError(f"row {row}: expected a puzzle as text, found {kind}")
    return rows


def _map(data: Any, work: str, column: str | None) -> Any:
    """Some work on a list or on Arrow data, given back as its owner likes it."""
    if isinstance(data, (list, tuple)):
        columns = _core.map_list(_rows(data), work)
        names = [name for name, _ in columns]
        return [dict(zip(names, row)) for row in zip(*(values for _, values in columns))]
    module = type(data).__module__.split(".")[0]
    if module == "pandas":
        import pyarrow

        frame = data if hasattr(data, "columns") else data.to_frame("puzzle")
        table = pyarrow.Table.from_pandas(frame, preserve_index=False)
        done = pyarrow.table(_core.map_batches(table, work, column))
        # What is theirs stays as it is; ours is put beside it.
        added = done.select(done.column_names[len(table.column_names) :]).to_pandas()
        return frame.assign(**{name: added[name].to_numpy() for name in added})
    if module == "polars":
        import polars

        if isinstance(data, polars.LazyFrame):
            data = data.collect()
        if isinstance(data, polars.Series):
            data = data.to_frame("puzzle")
        return polars.DataFrame(_core.map_batches(data, work, column))
    if not (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")):
        raise _core.PlanokuError(
            "expected a text, a list of texts, a NumPy array, a data frame or Arrow data, "
            f"found {type(data).__name__}"
        )
    if hasattr(data, "schema") or not hasattr(data, "type"):
        done = _core.map_batches(data, work, column)
    else:
        done = _core.map_array(data, work)
    if module != "pyarrow":
        return done
    import pyarrow

    table = pyarrow.table(done)
    if not isinstance(data, pyarrow.RecordBatch):
        return table
    batches = table.combine_chunks().to_batches()
    if not batches:
        return pyarrow.RecordBatch.from_pylist([], schema=table.schema)
    return batches[0] if len(batches) == 1 else table


@overload
def solve(
    puzzles: str, *, engine: str = ..., limit: None = ..., nodes: int | None = ...
) -> str | None: ...
@overload
def solve(
    puzzles: str, *, engine: str = ..., limit: int, nodes: int | None = ...
) -> list[str]: ...
@overload
def solve(puzzles: NDArray[Any]) -> tuple[Cells, Cells]: ...
@overload
def solve(puzzles: list[str] | list[str | None]) -> list[dict[str, Any]]: ...
@overload
def solve(puzzles: Any, *, column: str | None = ...) -> Any: ...
def solve(
    puzzles: Any,
    *,
    column: str | None = None,
    engine: str = "native",
    limit: int | None = None,
    nodes: int | None = None,
) -> Any:
    """Solves puzzles; whatever is found was verified.

    A string gives the solution, or `None` if there is none; with a `limit`, the
    list of up to so many solutions. A NumPy array gives two: solutions (zeroes
    where there is none) and how many there are (2 for two or more). A list gives a
    dictionary for each puzzle, a table gets the columns `solution` and `solutions`;
    what is no puzzle gets `None`. `engine`, `limit` and `nodes` are for one puzzle.

    >>> solve("1234341221434321") == "1234341221434321"
    True
    >>> len(solve("." * 16, limit=5))
    5
    >>> solve("11" + "." * 79) is None
    True
    """
    if not isinstance(puzzles, str) and (engine != "native" or limit is not None or nodes is not None):
        raise _core.PlanokuError("engine, limit and nodes go with one puzzle as text")
    if isinstance(puzzles, str):
        found, end, _ = _core.solve(puzzles, 1 if limit is None else limit, engine, nodes)
        if not found and end != "exhausted":
            raise _core.PlanokuError(f"no solution found: the search is {end}")
        if limit is not None:
            return found
        return found[0] if found else None
    if isinstance(puzzles, numpy.ndarray):
        cells, each = _cells(puzzles)
        solutions, counts = _core.solve_cells(cells)
        return solutions.reshape(puzzles.shape), counts.reshape(each)
    return _map(puzzles, "solve", column)


def count(puzzle: str, *, limit: int = 1_000_000) -> int:
    """How many solutions a puzzle has, counted up to `limit`.

    >>> count("." * 16)
    288
    """
    return _core.count(puzzle, limit)[0]


def generate(
    n: int = 1,
    *,
    seed: int = 0,
    rating: tuple[float, float] | None = None,
    with_: Iterable[str] = (),
    without: Iterable[str] = (),
    clues: tuple[int, int] | None = None,
    symmetry: str = "none",
    minimal: bool = False,
) -> list[str]:
    """New puzzles with exactly one solution, the same for the same seed.

    >>> [count(puzzle) for puzzle in generate(3, seed=7)]
    [1, 1, 1]
    >>> 3.0 <= rate(generate(seed=7, rating=(3.0, 3.4))[0])["er"] <= 3.4
    True
    """
    order = None if rating is None else (f"{rating[0]:.1f}", f"{rating[1]:.1f}")
    return _core.generate(n, seed, order, list(with_), list(without), clues, symmetry, minimal)


Floats = NDArray[numpy.float64]


@overload
def rate(puzzles: str) -> dict[str, Any]: ...
@overload
def rate(puzzles: NDArray[Any]) -> tuple[Floats, Floats, Floats]: ...
@overload
def rate(puzzles: list[str] | list[str | None]) -> list[dict[str, Any]]: ...
@overload
def rate(puzzles: Any, *, column: str | None = ...) -> Any: ...
def rate(puzzles: Any, *, column: str | None = None) -> Any:
    """Rates puzzles on the scale of Sudoku Explainer.

    A string gives a dictionary; a NumPy array three arrays, ER, EP and ED (NaN
    where there is no rating); a table gets columns.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rate(puzzle)["hardest"]
    'hidden-single-box'
    """
    if isinstance(puzzles, str):
        return cast("dict[str, Any]", json.loads(_core.rate(puzzles)))
    if isinstance(puzzles, numpy.ndarray):
        cells, each = _cells(puzzles)
        er, ep, ed = (values.reshape(each) for values in _core.rate_cells(cells))
        return er, ep, ed
    return _map(puzzles, "rate", column)


def steps(puzzle: str) -> list[dict[str, Any]]:
    """The whole solution step by step.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> len(steps(puzzle)) == puzzle.count(".")
    True
    """
    return cast("list[dict[str, Any]]", json.loads(_core.steps(puzzle)))


def hint(puzzle: str) -> dict[str, Any] | None:
    """The next step for somebody who is stuck; `None` if nothing is left to do.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> hint(puzzle)["technique"]
    'hidden-single-box'
    """
    found = _core.hint(puzzle)
    return None if found is None else cast("dict[str, Any]", json.loads(found))


@overload
def canon(puzzles: str) -> dict[str, Any]: ...
@overload
def canon(puzzles: NDArray[Any]) -> tuple[Cells, NDArray[numpy.uint64]]: ...
@overload
def canon(puzzles: list[str] | list[str | None]) -> list[dict[str, Any]]: ...
@overload
def canon(puzzles: Any, *, column: str | None = ...) -> Any: ...
def canon(puzzles: Any, *, column: str | None = None) -> Any:
    """The canonical (minlex) form: one for all disguises of a board.

    A string gives a dictionary with `canonical`, `puzzle_id` and
    `automorphisms`; a NumPy array two arrays, forms and automorphisms; a table
    gets columns. The id is half of the SHA-256 of the form, so that it is the
    same everywhere and fit to be the key of a shuffle.

    >>> canon("1234............")["canonical"] == canon("...1...2...3...4")["canonical"]
    True
    """
    if isinstance(puzzles, str):
        form, name, automorphisms = _core.canonical(puzzles)
        return {"canonical": form, "puzzle_id": name, "automorphisms": automorphisms}
    if isinstance(puzzles, numpy.ndarray):
        cells, each = _cells(puzzles)
        forms, counts = _core.canon_cells(cells)
        return forms.reshape(puzzles.shape), counts.reshape(each)
    return _map(puzzles, "canon", column)


def label(puzzles: Any, *, column: str | None = None) -> Any:
    """All labels of a data set for a list or a table of puzzles.

    >>> label(["." * 81])[0]["status"]
    'several'
    """
    return _map(puzzles, "label", column)


def leaks(
    first: Any, second: Any, *, solutions: bool = False, memory: int = 1 << 30
) -> list[tuple[int, int, bool]]:
    """Rows of the second list that are rows of the first in disguise.

    Takes lists of texts, NumPy boards, and columns of pandas, Polars or Arrow.
    Each leak is the row of the second,
    the row of the first, and whether they are the same as they stand. With
    `solutions`, other clues of the same grid count as well.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> leaks([puzzle], [puzzle[::-1], "." * 81])
    [(0, 0, False)]
    """
    def column(data: Any) -> Any:
        if isinstance(data, numpy.ndarray):
            return to_text(data) if data.dtype.kind in "iub" else _rows(data.tolist())
        if isinstance(data, (list, tuple)) or type(data).__module__.startswith("pandas"):
            return _rows(None if puzzle != puzzle else puzzle for puzzle in data)
        return data

    return _core.leaks(column(first), column(second), solutions, memory)


def reward(puzzle: str, answer: str) -> dict[str, Any]:
    """Judges an answer, whole and cell by cell, as those who train models need it.

    `solved` says whether the answer is the solution; `broken` which rule it
    breaks first; `cells` is the share of blanks filled as in the solution.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> reward(puzzle, solve(puzzle))["solved"]
    True
    >>> reward(puzzle, puzzle)["cells"]
    0.0
    """
    solution = solve(puzzle)
    if solution is None or len(solve(puzzle, limit=2)) != 1:
        raise _core.PlanokuError("expected a puzzle with exactly one solution")
    clues = [symbol in "123456789" for symbol in puzzle]
    right = [
        answer[at] == digit
        for at, digit in enumerate(solution)
        if not clues[at] and at < len(answer)
    ]
    blanks = clues.count(False)
    try:
        broken = _core.broken_rule(puzzle, answer)
    except _core.ParseError as error:
        broken = str(error)
    return {
        "solved": broken is None,
        "broken": broken,
        "cells": sum(right) / blanks if blanks else 1.0,
    }


def dataset(
    recipe: str, folder: str | os.PathLike[str], *, shard: str | None = None
) -> dict[str, Any] | None:
    """Makes a data set from the text of a recipe, or what is missing of it.

    Gives back the manifest; `None` for one of several shards (`"2/8"`), after
    which a last call without `shard` writes the manifest.
    """
    manifest = _core.make_dataset(recipe, os.fspath(folder), shard)
    return None if manifest is None else cast("dict[str, Any]", json.loads(manifest))


def engines() -> dict[str, str]:
    """Every engine by name, with a line on how it thinks.

    >>> "native" in engines()
    True
    """
    return dict(_core.engines())
