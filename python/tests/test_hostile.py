"""What people pass by mistake gets an answer or an error, never a wrong answer."""

import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest

import planoku

PUZZLES = planoku.generate(40, seed=12)
SOLUTIONS = [planoku.solve(puzzle) for puzzle in PUZZLES]
BOARDS = planoku.to_array(PUZZLES)


@pytest.mark.parametrize(
    "boards, words",
    [
        (BOARDS.astype(float), "whole numbers.*float64"),
        (numpy.array(PUZZLES), "to_array"),
        (BOARDS.astype(numpy.int64) + 256, "row 0"),
        (-BOARDS.astype(numpy.int16), "row 0"),
        (BOARDS.reshape(81, 40), "shape"),
        (BOARDS[:, :80], "shape"),
        (numpy.zeros(0, dtype=numpy.uint8), "shape"),
    ],
)
def test_arrays_of_another_kind_are_refused(boards, words):
    for work in (planoku.solve, planoku.rate, planoku.canon):
        with pytest.raises(planoku.PlanokuError, match=words):
            work(boards)


def test_arrays_may_lie_as_they_like():
    def check(boards, expected=SOLUTIONS):
        solutions, counts = planoku.solve(boards)
        assert planoku.to_text(solutions) == expected and (counts == 1).all()
        assert solutions.shape == boards.shape

    check(BOARDS.astype(numpy.int64))
    check(numpy.asfortranarray(BOARDS))
    check(BOARDS[::-1], SOLUTIONS[::-1])
    check(BOARDS[::3], SOLUTIONS[::3])
    check(numpy.repeat(BOARDS, 2, axis=1)[:, ::2])
    check(BOARDS.reshape(-1, 9, 9))
    check(BOARDS.reshape(4, 10, 81))
    check(BOARDS[0], SOLUTIONS[:1])
    empty = numpy.zeros((0, 81), dtype=numpy.uint8)
    solutions, counts = planoku.solve(empty)
    assert solutions.shape == (0, 81) and counts.shape == (0,)
    assert [len(one) for one in planoku.rate(empty)] == [0, 0, 0]
    assert planoku.to_array([]).shape == (0, 81) and planoku.to_text(empty) == []
    assert planoku.solve([]) == [] and planoku.leaks([], PUZZLES) == []


def test_texts_of_another_length_are_refused():
    with pytest.raises(planoku.PlanokuError, match="row 1"):
        planoku.to_array([PUZZLES[0], PUZZLES[1][:80], PUZZLES[2] + "1"])
    with pytest.raises(planoku.PlanokuError, match="row 0.*int"):
        planoku.solve([3])
    with pytest.raises(planoku.PlanokuError, match="found dict"):
        planoku.solve({"puzzle": PUZZLES})
    with pytest.raises(planoku.PlanokuError):
        planoku.solve(None)
    rows = planoku.solve([PUZZLES[0], None, "no puzzle", "11" + "." * 79, "." * 81])
    assert [row["solutions"] for row in rows] == [1, None, None, 0, 2]
    assert rows[2]["solution"] is None and rows[3]["solution"] is None


def test_every_kind_of_arrow_text_is_read():
    pyarrow = pytest.importorskip("pyarrow")
    texts = [PUZZLES[0], None, *PUZZLES[1:]]
    expected = [SOLUTIONS[0], None, *SOLUTIONS[1:]]
    plain = pyarrow.array(texts)
    for array in [
        plain,
        plain.cast(pyarrow.large_string()),
        plain.cast(pyarrow.string_view()),
        plain.dictionary_encode(),
        plain.cast(pyarrow.binary()),
    ]:
        assert planoku.solve(array)["solution"].to_pylist() == expected
        assert planoku.solve(array[1:9])["solution"].to_pylist() == expected[1:9]
        assert planoku.solve(array[:0])["solution"].to_pylist() == []
        table = pyarrow.table({"x": range(41), "question": array}).slice(3, 20)
        assert planoku.solve(table)["solution"].to_pylist() == expected[3:23]
        assert [b for b, _, _ in planoku.leaks(array, array[2:5])] == [0, 1, 2]
    assert len(planoku.solve(pyarrow.chunked_array([], "string"))) == 0
    none = planoku.solve(pyarrow.table({"puzzle": pyarrow.array([], "string")}))
    assert none.column_names == ["puzzle", "solution", "solutions"] and len(none) == 0
    assert planoku.solve(pyarrow.nulls(3))["solution"].to_pylist() == [None] * 3

    numbers = pyarrow.table({"puzzle": [1, 2]})
    with pytest.raises(planoku.PlanokuError, match="column `puzzle`: expected texts, found Int64"):
        planoku.solve(numbers)
    with pytest.raises(planoku.PlanokuError, match="expected a column `puzzle`"):
        planoku.solve(pyarrow.table({"id": [1]}))
    with pytest.raises(planoku.PlanokuError, match="nobody"):
        planoku.solve(pyarrow.table({"puzzle": PUZZLES}), column="nobody")
    taken = planoku.solve(pyarrow.table({"puzzle": PUZZLES, "solution": PUZZLES}))
    assert taken["solution"].to_pylist() == PUZZLES
    assert taken["planoku_solution"].to_pylist() == SOLUTIONS


def test_missing_values_of_pandas_and_polars_stay_missing():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"puzzle": [PUZZLES[0], None, float("nan")]}, index=list("abc"))
    solved = planoku.solve(frame)
    assert solved["solution"].tolist()[0] == SOLUTIONS[0] and list(solved.index) == list("abc")
    assert solved["solution"].isna().tolist() == [False, True, True]
    assert planoku.leaks(frame["puzzle"], pandas.Series(PUZZLES[:2])) == [(0, 0, True)]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"puzzle": [PUZZLES[0], None], "kind": ["a", "b"]})
    frame = frame.with_columns(polars.col("kind").cast(polars.Categorical))
    assert planoku.solve(frame)["solution"].to_list() == [SOLUTIONS[0], None]
    assert planoku.solve(frame.lazy())["solution"].to_list() == [SOLUTIONS[0], None]
    assert planoku.leaks(frame["puzzle"], PUZZLES[:2]) == [(0, 0, True)]


def test_threads_share_the_work():
    with ThreadPoolExecutor(8) as threads:
        for solutions, _ in threads.map(planoku.solve, [BOARDS] * 40):
            assert planoku.to_text(solutions) == SOLUTIONS


def _solve(puzzles):
    return planoku.to_text(planoku.solve(planoku.to_array(puzzles))[0])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_have_threads_of_their_own(method):
    _solve(PUZZLES)  # The parent's threads are there.
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map_async(_solve, [PUZZLES] * 4).get(timeout=120) == [SOLUTIONS] * 4


def test_errors_travel_between_processes():
    with pytest.raises(planoku.ParseError) as found:
        planoku.solve("1234\n12z4\n....\n....\n")
    copy = pickle.loads(pickle.dumps(found.value))
    assert isinstance(copy, planoku.ParseError)
    assert (copy.line, copy.column, str(copy)) == (2, 3, str(found.value))


def test_ctrl_c_is_heard_in_batches():
    program = (
        "import planoku, signal, threading, os\n"
        "boards = planoku.to_array(planoku.generate(200000, seed=1))\n"
        "threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    planoku.rate(boards)\n"
        "except KeyboardInterrupt:\n    print('heard')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "heard\n", done.stderr


def test_folders_that_cannot_be_written_are_told(tmp_path):
    recipe = "seed = 1\n[[bucket]]\ncount = 5\n"
    (tmp_path / "file").write_text("")
    with pytest.raises(planoku.PlanokuError, match="file"):
        planoku.dataset(recipe, tmp_path / "file" / "set")
    planoku.dataset(recipe, tmp_path / "set")
    with pytest.raises(planoku.PlanokuError, match="another recipe"):
        planoku.dataset(recipe.replace("5", "6"), tmp_path / "set")
    with pytest.raises(planoku.PlanokuError, match="2/8"):
        planoku.dataset(recipe, tmp_path / "other", shard="9/8")
