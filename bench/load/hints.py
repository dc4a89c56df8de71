#!/usr/bin/env python3
"""How long hints take: every position on the way through hard puzzles.

    planoku serve --port 7990 &
    planoku generate --rating 8.3..9.9 -n 20 --seed 5 | python3 bench/load/hints.py --port 7990

Each puzzle is rated; then a hint at full depth is asked for before every step
of its path, with the candidates that are left there as notes. Prints one JSON
object: how many hints, the hardest steps among them, and the quantiles of the
time as the server measured it (`time_us`) and as the client saw it. Exit code 0
if the slowest hint took less than 50 ms in the server.
"""

import argparse
import json
import sys
import time
import urllib.request


def post(port, path, body):
    """Asks, and returns the answer and the seconds it took."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", json.dumps(body).encode(),
                                     {"content-type": "application/json"})
    started = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response), time.perf_counter() - started


def peers(cell):
    """The cells that share a house with this one."""
    row, column = divmod(cell, 9)
    box = {(row // 3 * 3 + r) * 9 + column // 3 * 3 + c for r in range(3) for c in range(3)}
    return box | set(range(row * 9, row * 9 + 9)) | set(range(column, 81, 9))


def positions(puzzle, path):
    """The digits and candidates before each step of a path."""
    at = lambda place: (place["row"] - 1) * 9 + place["column"] - 1
    digits = list(puzzle)
    left = [set("123456789") - {digits[peer] for peer in peers(cell)} for cell in range(81)]
    for step in path:
        marks = ["".join(sorted(left[cell])) if digits[cell] == "." else "" for cell in range(81)]
        yield step, "".join(digits), marks
        for place in step["eliminations"]:
            left[at(place)].discard(str(place["digit"]))
        if step.get("placement"):
            cell, digit = at(step["placement"]), str(step["placement"]["digit"])
            digits[cell] = digit
            for peer in peers(cell):
                left[peer].discard(digit)


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--port", type=int, required=True)
    port = args.parse_args().port
    server, client, hard, puzzles = [], [], [], 0
    for line in sys.stdin:
        puzzle = line.split()[0]
        rated, _ = post(port, "rate", {"puzzle": puzzle, "path": True})
        puzzles += 1
        for step, digits, marks in positions(puzzle, rated["path"]):
            hint, seconds = post(port, "hint", {"puzzle": puzzle, "position": digits, "marks": marks, "depth": 3})
            assert hint["step"]["rating"] == step["rating"], (puzzle, digits, step, hint)
            server.append(hint["time_us"] / 1000)
            client.append(seconds * 1000)
            if step["rating"] >= 8:
                hard.append(hint["time_us"] / 1000)
    show = lambda times: {f"p{part}": round(sorted(times)[min(len(times) - 1, len(times) * part // 100)], 2) for part in (50, 99, 100)}
    print(json.dumps({"puzzles": puzzles, "hints": len(server), "server_ms": show(server), "client_ms": show(client),
                      "of_rating_8_up": len(hard), "of_rating_8_up_server_ms": show(hard) if hard else None}, indent=2))
    sys.exit(0 if max(server) < 50 else 1)


main()
