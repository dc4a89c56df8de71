"""Spark and Ray, with a worker killed while they work.

These take a minute each; Spark needs Java. `.ci/cluster` installs what they need
and lets nothing be left out; `pytest` alone leaves out what is not there. With
`PLANOKU_CLUSTER_ROWS=1000000 PLANOKU_CLUSTER_WORK=canon` they are a measurement.
"""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import planoku

ROWS = int(os.environ.get("PLANOKU_CLUSTER_ROWS", "10000"))
WORK = os.environ.get("PLANOKU_CLUSTER_WORK", "rate")
FEW = 500
PIECES = 40

pyarrow = pytest.importorskip("pyarrow")
import pyarrow.parquet  # noqa: E402


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A folder of Parquet files with numbered puzzles."""
    folder = tmp_path_factory.mktemp("rows")
    puzzles = planoku.generate(ROWS, seed=8)
    size = -(-ROWS // PIECES)
    for nth in range(PIECES):
        some = puzzles[nth * size : (nth + 1) * size]
        ids = range(nth * size, nth * size + len(some))
        table = pyarrow.table({"id": pyarrow.array(ids, "int64"), "puzzle": some})
        pyarrow.parquet.write_table(table, folder / f"{nth:02}.parquet")
    return folder


@pytest.fixture(scope="module")
def expected(rows):
    """What one process makes of them."""
    started = time.perf_counter()
    table = getattr(planoku, WORK)(pyarrow.parquet.read_table(rows)).sort_by("id")
    tell("one process", started)
    return table


def tell(what, started):
    print(f"\n{what}: {ROWS} rows, {WORK}, {time.perf_counter() - started:.1f} s")


def check_same(found, expected):
    """The same rows, each once, whatever the types of whole numbers."""
    assert len(found) == len(expected)
    found = found.sort_by("id")
    assert found.column_names == expected.column_names
    for name in expected.column_names:
        assert found[name].to_pylist() == expected[name].to_pylist(), name


def processes(word):
    """Processes below this one whose command line holds a word."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True)
    lines = (line.split(None, 2) for line in listed.stdout.splitlines()[1:])
    found = [(int(line[0]), int(line[1]), line[2]) for line in lines if len(line) == 3]
    below = {os.getpid()}
    for _ in range(8):
        below |= {pid for pid, above, _ in found if above in below}
    return [pid for pid, _, command in found if word in command and pid in below - {os.getpid()}]


class Killer(threading.Thread):
    """Kills a process of a job once some of the job is done and some is not."""

    def __init__(self, half_done, word):
        super().__init__(daemon=True)
        self.half_done, self.word = half_done, word
        self.killed = None
        self.over = False
        self.start()

    def run(self):
        while not self.over and self.killed is None:
            found = processes(self.word) if self.half_done() else []
            if found:
                os.kill(found[0], signal.SIGKILL)
                self.killed = found[0]
            time.sleep(0.05)

    def check(self):
        self.over = True
        self.join(timeout=30)
        assert self.killed, f"no {self.word} was killed"


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]")
    builder = builder.config("spark.ui.enabled", "false").config("spark.executor.memory", "1g")
    session = builder.config("spark.sql.shuffle.partitions", "8").getOrCreate()
    yield session
    session.stop()


def test_spark_gives_every_row_once_though_an_executor_dies(spark, rows, expected, tmp_path):
    import planoku.spark

    tracker = spark.sparkContext.statusTracker()

    def half_done():
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        return any(one and 0 < one.numCompletedTasks < one.numTasks for one in stages)

    frame = spark.read.parquet(str(rows)).repartition(PIECES)
    killer = Killer(half_done, "CoarseGrainedExecutorBackend")
    started = time.perf_counter()
    getattr(planoku.spark, WORK)(frame).write.parquet(str(tmp_path / "done"))
    tell("Spark, an executor killed", started)
    killer.check()
    check_same(pyarrow.parquet.read_table(tmp_path / "done"), expected)


def test_spark_finds_disguises_by_the_canonical_id(spark, rows):
    import planoku.spark

    frame = spark.read.parquet(str(rows))
    small = frame.where(f"id < {FEW}")
    for row in planoku.spark.canon(small).limit(20).collect():
        assert row.puzzle_id == planoku.canon(row.puzzle)["puzzle_id"]
    assert planoku.spark.solve(small).where("solutions = 1").count() == FEW
    turned = small.selectExpr(f"id + {ROWS} as id", "reverse(puzzle) as puzzle")
    others = planoku.generate(100, seed=9)
    others = spark.createDataFrame(list(enumerate(others)), "id bigint, puzzle string")
    found = planoku.spark.leaks(frame, turned.union(others)).collect()
    assert sorted(row.id for row in found) == list(range(ROWS, ROWS + FEW))
    assert all(row.leaked_from == row.puzzle[::-1] and not row.exact for row in found)
    assert planoku.spark.deduplicate(small.union(turned)).count() == FEW


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


def test_ray_gives_every_row_once_though_a_worker_dies(cluster, rows, expected, tmp_path):
    import ray.data

    import planoku.ray

    dataset = ray.data.read_parquet(str(rows))
    # A worker is called by what it does while it does it.
    killer = Killer(lambda: True, "ray::MapBatches")
    started = time.perf_counter()
    done = getattr(planoku.ray, WORK)(dataset, batch_size=max(64, ROWS // 200))
    done.write_parquet(str(tmp_path / "done"))
    tell("Ray, a worker killed", started)
    killer.check()
    check_same(pyarrow.parquet.read_table(tmp_path / "done"), expected)


def test_ray_finds_disguises_by_the_canonical_id(cluster, rows):
    import ray.data

    import planoku.ray

    # Which rows are the first is decided anew whenever it is read, unless it is kept.
    first = ray.data.read_parquet(str(rows)).limit(FEW).materialize()
    assert planoku.ray.solve(first).sum("solutions") == FEW
    turned = first.map(lambda row: {"id": row["id"], "puzzle": row["puzzle"][::-1]})
    assert len(planoku.ray.leaks(first, turned, partitions=2).take_all()) == FEW
