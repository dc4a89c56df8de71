"""Puzzles from everything that holds them, and the same answers everywhere."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy
import pytest

import planoku

PUZZLES = planoku.generate(300, seed=5)


def test_every_way_in_gives_the_same_solutions():
    expected = [planoku.solve(puzzle) for puzzle in PUZZLES]
    assert all(
        planoku.reward(puzzle, solution)["solved"]
        for puzzle, solution in zip(PUZZLES[:20], expected)
    )
    solutions, counts = planoku.solve(planoku.to_array(PUZZLES))
    assert counts.tolist() == [1] * 300
    assert planoku.to_text(solutions) == expected
    assert [row["solution"] for row in planoku.solve(PUZZLES)] == expected

    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"id": range(300), "puzzle": PUZZLES})
    solved = planoku.solve(table)
    assert solved.column_names == ["id", "puzzle", "solution", "solutions"]
    assert solved["solution"].to_pylist() == expected
    array = pyarrow.chunked_array([PUZZLES[:100], PUZZLES[100:]])
    assert planoku.solve(array)["solution"].to_pylist() == expected
    assert planoku.solve(table.to_batches()[0]).column("solution").to_pylist() == expected
    views = table.cast(pyarrow.schema([("id", "int64"), ("puzzle", pyarrow.string_view())]))
    assert planoku.solve(views)["solution"].to_pylist() == expected

    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"question": PUZZLES})
    assert planoku.solve(frame)["solution"].to_list() == expected
    assert planoku.solve(polars.Series("p", PUZZLES))["solution"].to_list() == expected

    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"puzzle": PUZZLES, "n": range(300)}, index=range(1000, 1300))
    solved = planoku.solve(frame)
    assert solved["n"].equals(frame["n"]) and list(frame) == ["puzzle", "n"]
    assert solved["solution"].tolist() == expected
    assert solved.index.tolist() == list(range(1000, 1300))


def test_ratings_agree():
    er, ep, ed = planoku.rate(planoku.to_array(PUZZLES[:40]))
    rows = planoku.rate(PUZZLES[:40])
    for at, puzzle in enumerate(PUZZLES[:40]):
        one = planoku.rate(puzzle)
        assert (one["er"], one["ep"], one["ed"]) == (er[at], ep[at], ed[at])
        assert rows[at]["er"] == er[at] and rows[at]["steps"] == one["steps"]
        assert len(planoku.steps(puzzle)) == one["steps"]


def test_disguises_have_one_form_and_leak():
    boards = planoku.to_array(PUZZLES)
    turned = boards.reshape(-1, 9, 9).transpose(0, 2, 1).reshape(-1, 81)
    forms, automorphisms = planoku.canon(boards)
    others, _ = planoku.canon(turned)
    assert (forms == others).all() and (automorphisms == 1).all()
    texts = planoku.to_text(numpy.ascontiguousarray(turned[:10])) + PUZZLES[20:25]
    found = planoku.leaks(PUZZLES, texts + planoku.generate(50, seed=6))
    assert [second for second, _, _ in found] == list(range(15))
    assert [exact for _, _, exact in found] == [False] * 10 + [True] * 5
    one = planoku.canon(PUZZLES[0])
    import hashlib

    assert one["puzzle_id"] == hashlib.sha256(one["canonical"].encode()).hexdigest()[:32]


def test_arrays_are_read_where_they_lie():
    boards = planoku.to_array(PUZZLES)
    boards.flags.writeable = False
    planoku.solve(boards)
    with pytest.raises(planoku.PlanokuError, match="row 3"):
        wrong = planoku.to_array(PUZZLES)
        wrong[3, 7] = 12
        planoku.solve(wrong)


def test_mistakes_have_a_place():
    with pytest.raises(planoku.ParseError) as found:
        planoku.solve("1234\n12z4\n....\n....\n")
    assert (found.value.line, found.value.column) == (2, 3)
    with pytest.raises(planoku.ParseError) as found:
        planoku.dataset("seed = 1\n[[bucket]]\ncount = 5\nclues = 5\n", "unused")
    assert found.value.line == 2
    with pytest.raises(planoku.PlanokuError, match="several"):
        planoku.rate("." * 81)
    assert isinstance(found.value, ValueError)


def test_the_gil_is_released():
    boards = planoku.to_array(planoku.generate(2000, seed=1))
    counted = 0
    done = threading.Event()

    def work():
        planoku.rate(boards)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 5


def test_ctrl_c_is_heard():
    program = """
        import planoku, sys
        print("ready", flush=True)
        try:
            planoku.count("." * 81, limit=10**15)
        except KeyboardInterrupt:
            print("heard", flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    os.kill(process.pid, signal.SIGINT)
    started = time.monotonic()
    assert process.stdout.readline() == "heard\n"
    process.wait(timeout=30)
    assert time.monotonic() - started < 20


def test_a_data_set_is_made_and_read(tmp_path):
    recipe = """
seed = 3
formats = ["parquet", "npy"]
block = 40
[split]
train = 0.8
test = 0.2
[[bucket]]
count = 100
[augment]
copies = 2
splits = ["train"]
[traces]
share = 0.2
negatives = 1
"""
    manifest = planoku.dataset(recipe, str(tmp_path / "set"))
    assert manifest["puzzles"] == 100
    again = planoku.dataset(recipe, str(tmp_path / "again"))
    assert manifest["files"] == again["files"]
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(tmp_path / "set" / "train")
    assert len(table) == manifest["splits"]["train"]["rows"]
    labelled = planoku.label(table.select(["puzzle"]))
    for name in ["solution", "puzzle_id", "solution_id", "er", "techniques", "minimal"]:
        assert labelled[name].to_pylist() == table[name].to_pylist()

    # As the loaders of HRM and TRM read it.
    folder = tmp_path / "set" / "npy" / "train"
    inputs = numpy.load(folder / "all__inputs.npy", mmap_mode="r")
    labels = numpy.load(folder / "all__labels.npy", mmap_mode="r")
    groups = numpy.load(folder / "all__group_indices.npy")
    puzzles = numpy.load(folder / "all__puzzle_indices.npy")
    names = numpy.load(folder / "all__puzzle_identifiers.npy")
    assert inputs.shape == labels.shape == (len(table), 81)
    assert inputs.min() == 1 and inputs.max() == 10 and labels.min() == 2
    assert groups[0] == 0 and groups[-1] == len(table) and (numpy.diff(groups) == 3).all()
    assert puzzles.tolist() == list(range(len(table) + 1)) and len(names) == len(table)
    assert groups.dtype == puzzles.dtype == names.dtype == numpy.int32
    assert planoku.to_text(inputs - 1) == table["puzzle"].to_pylist()
