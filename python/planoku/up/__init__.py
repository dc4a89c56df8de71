"""Planoku for unified-planning: engines, and a reader of HDDL and PDDL.

```python
import planoku.up
from unified_planning.shortcuts import OneshotPlanner

planoku.up.register()
problem = planoku.up.read("domain.hddl", "problem.hddl")
with OneshotPlanner(name="planoku") as planner:
    print(planner.solve(problem).plan)
```

Without a call of `register`, unified-planning finds the engines through a file
`up.ini` in the working directory (or `~/.uprc`):

```ini
[engine planoku]
module_name: planoku.up
class_name: Planner

[engine planoku-opt]
module_name: planoku.up
class_name: Optimal

[engine planoku-validator]
module_name: planoku.up
class_name: Validator

[engine planoku-grounder]
module_name: planoku.up
class_name: Grounding
```
"""

from __future__ import annotations

from unified_planning.environment import Environment, get_environment

from .engines import Grounding, Optimal, Planner, Validator
from .reader import read
from .translate import Translation, Unsupported

__all__ = [
    "Grounding",
    "Optimal",
    "Planner",
    "Translation",
    "Unsupported",
    "Validator",
    "read",
    "register",
]

_ENGINES = {
    "planoku": "Planner",
    "planoku-opt": "Optimal",
    "planoku-validator": "Validator",
    "planoku-grounder": "Grounding",
}


def register(environment: Environment | None = None) -> None:
    """Makes the engines known to unified-planning, which then also considers them
    where it chooses an engine by what a problem needs."""
    factory = get_environment(environment).factory
    for name, class_name in _ENGINES.items():
        if name not in factory.engines:
            factory.add_engine(name, "planoku.up", class_name)
