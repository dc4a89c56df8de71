"""Sample families of the planning competitions through unified-planning.

Every family of a corpus (a folder per track, in it a folder per family) is read into
objects of unified-planning by planoku's reader, translated back, planned, and the
plan judged by planoku's validator. The smallest problem of a family is taken; where
that has no plan, or none in time, the next:

    python bench/data/up_families.py ../shared/ipc [--seconds 30]
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path

import planoku.up
from unified_planning.shortcuts import OneshotPlanner, PlanValidator, get_environment


def pairs(family: Path) -> list[tuple[Path, Path]]:
    """The problems of a family, small ones first, each with its domain."""
    files = sorted(path for path in family.iterdir() if path.suffix in (".hddl", ".pddl"))
    domains = [path for path in files if "domain" in path.stem]
    problems = [path for path in files if path not in domains]
    problems.sort(key=lambda path: path.stat().st_size)
    own = lambda problem: [path for path in domains if problem.stem in path.stem]  # noqa: E731
    return [((own(problem) or domains)[0], problem) for problem in problems]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", default="", help="part of the names of families")
    parser.add_argument("--seconds", type=float, default=30.0)
    arguments = parser.parse_args()
    get_environment().credits_stream = None
    warnings.simplefilter("ignore")
    planoku.up.register()
    families = sorted(path for path in arguments.corpus.glob("*/*") if path.is_dir())
    families = [path for path in families if arguments.only in str(path)]
    counts = {"read": 0, "planned": 0, "valid": 0}
    print(f"{'family':50} {'read':>7} {'plan':>7} {'judge':>7}  status")
    for family in families:
        done = {"read": False, "planned": False, "valid": False}
        for domain, problem in pairs(family):
            name = f"{family.parent.name}/{family.name}/{problem.stem}"[:50]
            began = time.perf_counter()
            model = planoku.up.read(domain, problem)
            done["read"] = True
            read = time.perf_counter()
            with OneshotPlanner(name="planoku") as planner:
                found = planner.solve(model, timeout=arguments.seconds)
            planned = time.perf_counter()
            verdict = ""
            if found.plan is not None:
                done["planned"] = True
                with PlanValidator(name="planoku-validator") as validator:
                    verdict = validator.validate(model, found.plan).status.name
                done["valid"] = verdict == "VALID"
            judged = time.perf_counter()
            seconds = (read - began, planned - read, judged - planned)
            columns = " ".join(f"{one:6.2f}s" for one in seconds)
            print(f"{name:50} {columns}  {found.status.name} {verdict}", flush=True)
            if done["planned"]:
                break
        for word, yes in done.items():
            counts[word] += yes
    print(f"{len(families)} families: " + ", ".join(f"{n} {word}" for word, n in counts.items()))
    return 0 if counts["valid"] == len(families) else 1


if __name__ == "__main__":
    sys.exit(main())
