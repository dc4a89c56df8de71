"""Sudoku on Ray Data: columns added by `map_batches`.

Batches stay in Arrow from end to end. A worker that dies is replaced by Ray and
its batches are done again; a row's result depends on the row alone.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow
    from ray.data import Dataset

__all__ = ["canon", "label", "leaks", "rate", "solve"]


def _run(batch: pyarrow.Table, work: str, column: str) -> pyarrow.Table:
    import os

    # Ray counts a task as one core.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    import pyarrow

    from planoku import _core

    return pyarrow.table(_core.map_batches(batch, work, column))


def _added(dataset: Dataset, work: str, column: str, options: dict[str, Any]) -> Dataset:
    run = partial(_run, work=work, column=column)
    return dataset.map_batches(run, batch_format="pyarrow", zero_copy_batch=True, **options)


def solve(dataset: Dataset, *, column: str = "puzzle", **options: Any) -> Dataset:
    """Adds `solution` and `solutions`; options go to `map_batches`."""
    return _added(dataset, "solve", column, options)


def rate(dataset: Dataset, *, column: str = "puzzle", **options: Any) -> Dataset:
    """Adds ER, EP, ED, the hardest technique, steps and techniques."""
    return _added(dataset, "rate", column, options)


def canon(dataset: Dataset, *, column: str = "puzzle", **options: Any) -> Dataset:
    """Adds the canonical form, its id and the number of automorphisms."""
    return _added(dataset, "canon", column, options)


def label(dataset: Dataset, *, column: str = "puzzle", **options: Any) -> Dataset:
    """Adds all labels of a data set."""
    return _added(dataset, "label", column, options)


def leaks(
    first: Dataset, second: Dataset, *, column: str = "puzzle", partitions: int = 8
) -> Dataset:
    """Rows of `second` whose canonical id occurs in `first`, with that id."""
    known = canon(first.select_columns([column]), column=column).select_columns(["puzzle_id"])
    known = known.groupby("puzzle_id").count().select_columns(["puzzle_id"])
    asked = canon(second, column=column).drop_columns(["canonical", "automorphisms"])
    return asked.join(known, join_type="inner", num_partitions=partitions, on=("puzzle_id",))
