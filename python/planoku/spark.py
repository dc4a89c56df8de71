"""Sudoku on Spark: columns added by `mapInArrow`, leaks found by a join.

Every function takes and gives data frames. The work is done in the Python
workers, batch by batch, by the same code as everywhere else; the canonical id
is the key of the shuffle, so that deduplication and leak checks grow with the
cluster. A task that dies is run again by Spark, and since a row's result depends
on the row alone, every row comes out once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

__all__ = ["canon", "deduplicate", "label", "leaks", "rate", "solve"]

# Arrow's types and Spark's; Spark has no unsigned numbers.
TYPES = {"string": "string", "uint64": "bigint", "double": "double", "bool": "boolean"}


def _added(frame: DataFrame, work: str, column: str) -> DataFrame:
    import pyarrow
    from pyspark.sql.types import StructField, StructType, _parse_datatype_string

    from . import _core

    # The work on no rows says which columns it adds.
    none = pyarrow.table({name: pyarrow.array([], "string") for name in frame.columns})
    added = pyarrow.table(_core.map_batches(none, work, column)).schema
    fields = list(frame.schema.fields)
    for field in list(added)[len(fields) :]:
        fields.append(StructField(field.name, _parse_datatype_string(TYPES[str(field.type)]), True))

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import os

        # An executor has the cores Spark gave it, and no others.
        os.environ.setdefault("RAYON_NUM_THREADS", "1")
        import pyarrow

        from planoku import _core

        for batch in batches:
            done = pyarrow.table(_core.map_batches(batch, work, column))
            columns = [
                values.cast(pyarrow.int64()) if values.type == pyarrow.uint64() else values
                for values in done.columns
            ]
            table = pyarrow.table(columns, names=done.column_names)
            yield from table.combine_chunks().to_batches()

    return frame.mapInArrow(run, StructType(fields))


def solve(frame: DataFrame, *, column: str = "puzzle") -> DataFrame:
    """Adds `solution` and `solutions` (0, 1, or 2 for two or more)."""
    return _added(frame, "solve", column)


def rate(frame: DataFrame, *, column: str = "puzzle") -> DataFrame:
    """Adds ER, EP, ED, the hardest technique, steps and techniques."""
    return _added(frame, "rate", column)


def canon(frame: DataFrame, *, column: str = "puzzle") -> DataFrame:
    """Adds the canonical form, its id and the number of automorphisms."""
    return _added(frame, "canon", column)


def label(frame: DataFrame, *, column: str = "puzzle") -> DataFrame:
    """Adds all labels of a data set."""
    return _added(frame, "label", column)


def deduplicate(frame: DataFrame, *, column: str = "puzzle") -> DataFrame:
    """One row of each class of disguises, the one whose text is first."""
    from pyspark.sql import Window, functions

    named = canon(frame, column=column)
    order = Window.partitionBy("puzzle_id").orderBy(column)
    numbered = named.withColumn("_number", functions.row_number().over(order))
    return numbered.where("_number = 1").drop("_number")


def leaks(first: DataFrame, second: DataFrame, *, column: str = "puzzle") -> DataFrame:
    """Rows of `second` that are rows of `first` in disguise.

    All columns of `second`, the `puzzle_id` they share, the first puzzle of
    `first` with that id as `leaked_from`, and whether some row of `first` is the
    same as it stands as `exact`.
    """
    from pyspark.sql import functions

    known = canon(first.select(column), column=column)
    known = known.groupBy("puzzle_id").agg(
        functions.min(column).alias("leaked_from"),
        functions.collect_set(column).alias("_all"),
    )
    asked = canon(second, column=column).drop("canonical", "automorphisms")
    found = asked.join(known, "puzzle_id")
    exact = functions.array_contains("_all", functions.col(column))
    return found.withColumn("exact", exact).drop("_all")
