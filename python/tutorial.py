# %% [markdown]
# # Planoku from Python, in ten minutes
#
# A walk from `pip install planoku` to one puzzle, a data set, a verified plan with its
# tree, and the same with unified-planning (`pip install 'planoku[up]'`). The
# file is a notebook in percent format (`tutorial.ipynb` is the same): editors show its cells, and
# `python tutorial.py` runs it from top to bottom, which CI does.

# %%
import tempfile

import numpy

import planoku

puzzle = planoku.generate(seed=7, rating=(4.0, 5.0))[0]
print(puzzle)

# %% [markdown]
# ## One puzzle
# Solve it, rate it, ask for help.

# %%
solution = planoku.solve(puzzle)
rated = planoku.rate(puzzle)
print(solution)
print(rated["er"], rated["hardest"], rated["steps"], "steps")
print(planoku.hint(puzzle)["sentence"])
assert planoku.count(puzzle) == 1
assert 4.0 <= rated["er"] <= 5.0

# %% [markdown]
# ## Many puzzles
# Arrays go in and come out; all cores work, without the GIL.

# %%
boards = planoku.to_array(planoku.generate(20_000, seed=1))
solutions, counts = planoku.solve(boards)
assert (counts == 1).all()
clues = (boards != 0).sum(axis=1)
print("clues:", numpy.unique(clues, return_counts=True))

# %% [markdown]
# ## Disguises
# Rows and columns exchanged, digits renamed: still the same puzzle. The canonical
# form sees through it, and `leaks` finds such rows between any two lists.

# %%
first = planoku.to_text(boards[:1000])
disguised = planoku.to_text(boards[:10].reshape(-1, 9, 9).transpose(0, 2, 1).copy())
found = planoku.leaks(first, disguised)
print(len(found), "leaks, the first:", found[0])
assert len(found) == 10

# %% [markdown]
# ## A data set
# From a recipe to a folder: labelled, split by canonical solution, with a
# manifest. The same recipe gives the same bytes.

# %%
recipe = """
seed = 1
formats = ["csv", "npy"]
[split]
train = 0.9
test = 0.1
[[bucket]]
name = "easy"
count = 100
rating = "1.0..2.5"
[[bucket]]
name = "chains"
count = 20
rating = "6.5..7.5"
[augment]
copies = 2
splits = ["train"]
[traces]
share = 0.2
negatives = 1
"""
with tempfile.TemporaryDirectory() as folder:
    manifest = planoku.dataset(recipe, folder)
print(manifest["splits"], manifest["trace_rows"], "steps in traces")
assert manifest["puzzles"] == 120

# %% [markdown]
# ## A plan
# Domains and problems in HDDL or PDDL, as text or as files. What comes back was
# verified by code that knows nothing of the planner.

# %%
from planoku import examples

plan = planoku.plan(examples.DOMAIN, examples.PROBLEM)
print(plan.tree)
assert planoku.verify(examples.DOMAIN, examples.PROBLEM, plan.text)

# %% [markdown]
# Mistakes point into the source.

# %%
try:
    planoku.plan(examples.DOMAIN.replace("(clean ?r)))", "(clen ?r)))"), examples.PROBLEM)
except planoku.ParseError as error:
    print(error)
    assert error.file == "domain"

# %% [markdown]
# ## Cheaper and cheaper
# An iterator gives each plan as soon as it is found and verified; the last result
# says whether the best is proved cheapest.

# %%
for found in planoku.anytime(examples.DOMAIN, examples.PROBLEM, time=30):
    print(found.status, found.length, found.cost)
assert found.status == "optimal"

# %% [markdown]
# ## The same with unified-planning
# Problems are built in Python, or read from the same texts; plans come back with
# their decomposition, and every parameter of every method has its value.

# %%
from unified_planning.shortcuts import OneshotPlanner, PlanValidator, get_environment

import planoku.up

get_environment().credits_stream = None
planoku.up.register()
problem = planoku.up.read(examples.DOMAIN, examples.PROBLEM)
with OneshotPlanner(name="planoku") as planner:
    answer = planner.solve(problem, timeout=30)
print(repr(answer.plan))
for name, instance in answer.plan.methods():
    values = dict(zip((one.name for one in instance.method.parameters), instance.parameters))
    print(name, values)

# %%
with PlanValidator(name="planoku-validator") as validator:
    verdict = validator.validate(problem, answer.plan)
print(verdict)
assert verdict
