"""What a naive split leaks: augmented puzzles, shuffled, 90 to 10."""

import random

import numpy

import planoku

puzzles = planoku.generate(1000, seed=3)
rng = numpy.random.default_rng(2)


def disguise(board):
    def lines():
        return numpy.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])

    grid = board.reshape(9, 9)
    grid = grid.T if rng.random() < 0.5 else grid
    names = numpy.concatenate([[0], 1 + rng.permutation(9)]).astype(numpy.uint8)
    return names[grid[lines()][:, lines()]].reshape(81)


boards = planoku.to_array(puzzles)
for copies in (1, 9, 99):
    rows = [board for board in boards for _ in range(copies + 1)]
    rows = [board if n % (copies + 1) == 0 else disguise(board) for n, board in enumerate(rows)]
    texts = planoku.to_text(numpy.array(rows))
    random.Random(1).shuffle(texts)
    cut = len(texts) * 9 // 10
    found = planoku.leaks(texts[:cut], texts[cut:])
    exact = sum(same for _, _, same in found)
    share = 100 * len(found) / (len(texts) - cut)
    print(
        f"1,000 puzzles, {copies} disguises each, split 90/10 at random: of {len(texts) - cut} test rows "
        f"{len(found)} ({share:.1f} %) are in the training set, {exact} as they stand"
    )
train = [row["solution_id"] for row in planoku.label(puzzles)]
fraction = [int(name[:16], 16) / 2**64 for name in train]
test = [text for text, at in zip(puzzles, fraction) if at < 0.1]
rest = [text for text, at in zip(puzzles, fraction) if at >= 0.1]
rest = planoku.to_text(numpy.array([disguise(b) for b in planoku.to_array(rest) for _ in range(9)]))
print(f"split by canonical solution: {len(planoku.leaks(rest, test, solutions=True))} of {len(test)}")
