"""A million puzzles from NumPy beside the command, interleaved."""

import os
import subprocess
import tempfile
import time

import numpy

import planoku

COUNT = int(os.environ.get("COUNT", "1000000"))
puzzles = planoku.generate(COUNT, seed=4)
boards = planoku.to_array(puzzles)
command = os.environ["PLANOKU"]


def timed(work):
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    file.write("\n".join(puzzles) + "\n")
    file.flush()
    ways = {
        "command": lambda: subprocess.run([command, "solve", file.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True),
        "numpy": lambda: planoku.solve(boards),
    }
    try:
        import pyarrow

        table = pyarrow.table({"puzzle": puzzles})
        ways["pyarrow"] = lambda: planoku.solve(table)
        import polars

        frame = polars.DataFrame({"puzzle": puzzles})
        ways["polars"] = lambda: planoku.solve(frame)
        import pandas

        other = pandas.DataFrame({"puzzle": puzzles})
        ways["pandas"] = lambda: planoku.solve(other)
    except ImportError as error:
        print(error)
    times = {name: [] for name in ways}
    for _ in range(5):
        for name, work in ways.items():
            times[name].append(timed(work))
    base = numpy.median(times["command"])
    for name, seconds in times.items():
        median = numpy.median(seconds)
        print(f"{name:8} {median:.2f} s  {median / base:.2f} of the command  {[round(s, 2) for s in seconds]}")
