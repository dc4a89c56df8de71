"""Two lists of boards with disguises planted between them.

Boards are clues of random grids, about 26 each, so that no two are the same by
chance; every thousandth row of the second is a disguise of a row of the first,
every ten thousandth a copy.
"""

import os
import subprocess
import sys

import numpy

first_name, second_name, planted_name, count = *sys.argv[1:4], int(sys.argv[4])
rng = numpy.random.default_rng(1)
command = os.environ["PLANOKU"]
puzzles = subprocess.run([command, "generate", "-n", "20000", "--seed", "1"], stdout=subprocess.PIPE, check=True)
solved = subprocess.run([command, "solve", "-"], input=puzzles.stdout, stdout=subprocess.PIPE, check=True)
grids = numpy.array([list(line[:81]) for line in solved.stdout.splitlines()], dtype=numpy.uint8) - ord("0")
assert grids.shape == (20_000, 81)
DOTS = numpy.frombuffer(b".123456789", dtype=numpy.uint8)


def permutations(n):
    """Rows (or columns) in an order that keeps bands together."""
    bands = rng.permuted(numpy.tile(numpy.arange(3), (n, 1)), axis=1)
    inner = rng.permuted(numpy.tile(numpy.arange(3), (3 * n, 1)), axis=1).reshape(n, 3, 3)
    return (3 * bands[:, :, None] + inner).reshape(n, 9)


def digits(n):
    order = rng.permuted(numpy.tile(numpy.arange(1, 10, dtype=numpy.uint8), (n, 1)), axis=1)
    return numpy.concatenate([numpy.zeros((n, 1), dtype=numpy.uint8), order], axis=1)


def disguised(boards):
    n = len(boards)
    grid = boards.reshape(n, 9, 9)
    turned = rng.random(n) < 0.5
    grid = numpy.where(turned[:, None, None], grid.transpose(0, 2, 1), grid)
    grid = numpy.take_along_axis(grid, permutations(n)[:, :, None], axis=1)
    grid = numpy.take_along_axis(grid, permutations(n)[:, None, :], axis=2)
    return numpy.take_along_axis(digits(n), grid.reshape(n, 81), axis=1)


def boards(n):
    chosen = grids[rng.integers(len(grids), size=n)]
    names = numpy.take_along_axis(digits(n), chosen, axis=1)
    return numpy.where(rng.random((n, 81), dtype=numpy.float32) < 0.32, names, 0).astype(numpy.uint8)


def write(file, rows):
    lines = numpy.empty((len(rows), 82), dtype=numpy.uint8)
    lines[:, :81] = DOTS[rows]
    lines[:, 81] = ord("\n")
    file.write(lines.tobytes())


SIZE = 100_000
planted = []
with open(first_name, "wb") as first, open(second_name, "wb") as second:
    for file in (first, second):
        file.write(b"puzzle\n")
    for start in range(0, count, SIZE):
        n = min(SIZE, count - start)
        known, other = boards(n), boards(n)
        places = numpy.arange(0, n, 1000)
        sources = rng.integers(n, size=len(places))
        images = disguised(known[sources])
        exact = places % 10_000 == 0
        images[exact] = known[sources[exact]]
        other[places] = images
        write(first, known)
        write(second, other)
        for place, source, same in zip(places, sources, exact):
            kind = "exact" if same else "disguised"
            planted.append(f"{start + place + 2},{start + source + 2},{kind}")
with open(planted_name, "w") as file:
    file.write("line_b,line_a,kind\n" + "\n".join(planted) + "\n")
print(f"{count} rows each, {len(planted)} planted")
