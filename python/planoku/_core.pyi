"""What Rust does; the package decides how it is called."""

from typing import Any, final

import numpy
from numpy.typing import NDArray

__version__: str

class PlanokuError(ValueError): ...

class ParseError(PlanokuError):
    file: str
    line: int
    column: int
    message: str

def solve(
    puzzle: str, limit: int, engine: str, nodes: int | None
) -> tuple[list[str], str, int]: ...
def count(puzzle: str, limit: int) -> tuple[int, bool]: ...
def generate(
    count: int,
    seed: int,
    rating: tuple[str, str] | None,
    with_: list[str],
    without: list[str],
    clues: tuple[int, int] | None,
    symmetry: str,
    minimal: bool,
) -> list[str]: ...
def rate(puzzle: str) -> str: ...
def steps(puzzle: str) -> str: ...
def hint(puzzle: str) -> str | None: ...
def canonical(puzzle: str) -> tuple[str, str, int]: ...
def broken_rule(puzzle: str, solution: str) -> str | None: ...
def engines() -> list[tuple[str, str]]: ...
def make_dataset(recipe: str, folder: str, shard: str | None) -> str | None: ...
def solve_cells(
    cells: NDArray[numpy.uint8],
) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8]]: ...
def rate_cells(cells: NDArray[numpy.uint8]) -> list[NDArray[numpy.float64]]: ...
def canon_cells(
    cells: NDArray[numpy.uint8],
) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64]]: ...
def map_batches(data: Any, work: str, column: str | None) -> Any: ...
def map_array(data: Any, work: str) -> Any: ...
def map_list(puzzles: list[str | None], work: str) -> list[tuple[str, list[Any]]]: ...
def leaks(
    first: Any, second: Any, solutions: bool, memory: int
) -> list[tuple[int, int, bool]]: ...
def check_texts(domain: str, problem: str | None, names: list[str], strict: bool) -> str: ...
def format_text(text: str, name: str) -> str: ...
def written(domain: str, problem: str, names: list[str]) -> tuple[str, str, bool]: ...
def ground(
    domain: str,
    problem: str,
    names: list[str],
    time: float | None,
    memory: int | None,
    actions: bool,
) -> str: ...
def plan(
    domain: str,
    problem: str,
    names: list[str],
    optimal: bool,
    time: float | None,
    nodes: int | None,
    memory: int | None,
    threads: int,
    seed: int,
) -> str: ...
def verify(
    domain: str,
    problem: str,
    names: list[str],
    plan: str,
    plan_name: str,
    time: float | None,
    nodes: int | None,
    memory: int | None,
) -> str: ...

@final
class Improving:
    def __new__(
        cls,
        domain: str,
        problem: str,
        names: list[str],
        time: float | None,
        nodes: int | None,
        memory: int | None,
        threads: int,
        seed: int,
    ) -> Improving: ...
    def next(self) -> str | None: ...
    def stop(self) -> None: ...
