#!/usr/bin/env python3
"""Load on loopback: a thousand clients of the API for a minute.

    planoku serve --port 7990 &
    python3 bench/load/load.py --port 7990 --pid $! [--clients 1000] [--seconds 60]

Each client keeps a connection and asks for a solution, a hint or a plan with
limits, again and again. Beside them, some send what nobody should: slow heads
and bodies, half-open connections, readers that do not read, clients that leave,
10 MB bodies, malformed JSON. Prints one JSON object: how many answers of each status, the
quantiles of their times, and the server's memory before, at its peak and after.

Exit code 0 if there was no error but the documented refusals (429, 503), nobody
who stalls kept a connection, the server answers afterwards, and its memory is no more than 64 MB above what it
held before.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

PUZZLES = [
    "..7....2..1.7..5...35.....4..9.831...2.....9...316.4..5.....81...2..5.3..6....2..",
    ".4.98...2.....46.7....3....7.1...92...6...5...93...7.6....4....6.48.....8...61.3.",
    "345.....861..8354979..45..6...157.......649...719..4....9.2.6.4.5..1....2.6...3..",
]
DOMAIN = "(define (domain d) (:predicates (lit ?l)) (:action light :parameters (?l) :effect (lit ?l)))"
PROBLEM = "(define (problem p) (:domain d) (:objects a b c) (:init) (:goal (and (lit a) (lit b) (lit c))))"


def requests(host):
    """What clients ask for: mostly solutions, some hints and plans."""
    def post(path, body):
        body = json.dumps(body).encode()
        head = f"POST /api/v1/{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        return path, head.encode() + body
    found = []
    for puzzle in PUZZLES:
        found += [post("solve", {"puzzle": puzzle})] * 3
        found += [post("solve", {"puzzle": puzzle, "engine": "sat", "time_ms": 2000})]
        found += [post("hint", {"puzzle": puzzle, "depth": 3})] * 2
        found += [post("plan", {"domain": DOMAIN, "problem": PROBLEM, "time_ms": 2000})]
    return found


async def answer(reader):
    """Reads one answer; its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1])
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    if length:
        await reader.readexactly(length)
    return status


async def client(port, wanted, end, statuses, times, errors):
    """Asks again and again until the time is up."""
    reader = writer = None
    while time.monotonic() < end:
        path, request = random.choice(wanted)
        started = time.monotonic()
        try:
            if writer is None:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            status = await asyncio.wait_for(answer(reader), 60)
            statuses[f"{path} {status}"] += 1
            times.append(time.monotonic() - started)
            if status in (429, 503):
                await asyncio.sleep(0.2 + random.random())
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
            errors[type(error).__name__] += 1
            writer = None
            await asyncio.sleep(0.5)
    if writer is not None:
        writer.close()


async def nuisance(port, host, kind, end, seen):
    """Does what nobody should, again and again."""
    body = b'{"puzzle":"' + b"1" * (10 << 20) + b'"}'
    head = f"POST /api/v1/solve HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
    while time.monotonic() < end:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            if kind == "half open":
                # Says nothing; the server is to close.
                await asyncio.wait_for(reader.read(), 30)
                seen[f"{kind} closed"] += 1
            elif kind == "half closed":
                # Asks for a search without an end, and says that nothing more will come.
                writer.write(f"GET /api/v1/watch?engine=bt&puzzle={'.' * 625} HTTP/1.1\r\nhost: {host}\r\n\r\n".encode())
                writer.write_eof()
                await asyncio.wait_for(reader.read(), 30)
                seen[f"{kind} closed"] += 1
            elif kind == "leaver":
                # Asks for a search without an end, and leaves.
                endless = json.dumps({"puzzle": "." * 625, "engine": "bt"}).encode()
                writer.write(f"{head}content-length: {len(endless)}\r\n\r\n".encode() + endless)
                await writer.drain()
                await asyncio.sleep(1)
                seen[f"{kind} left"] += 1
            elif kind == "slow head":
                for byte in head.encode():
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(0.2)
            elif kind == "slow body":
                writer.write(f"{head}content-length: 100000\r\n\r\n".encode())
                for _ in range(200):
                    writer.write(b" ")
                    await writer.drain()
                    await asyncio.sleep(0.1)
            elif kind == "slow reader":
                for _ in range(2000):
                    writer.write(f"GET /api/v1/openapi.json HTTP/1.1\r\nhost: {host}\r\n\r\n".encode())
                await asyncio.wait_for(writer.drain(), 5)
                await asyncio.sleep(15)
                # The server is to have closed: what is left to read is not all of it.
                got = 0
                while block := await asyncio.wait_for(reader.read(1 << 20), 30):
                    got += block.count(b"HTTP/1.1 200")
                seen[f"{kind} closed"] += got < 2000
            elif kind == "large body":
                writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
                seen[f"{kind} {await asyncio.wait_for(answer(reader), 60)}"] += 1
            elif kind == "malformed":
                junk = bytes(random.randrange(256) for _ in range(200))
                writer.write(f"{head}content-length: {len(junk)}\r\n\r\n".encode() + junk)
                seen[f"{kind} {await asyncio.wait_for(answer(reader), 60)}"] += 1
                await asyncio.sleep(0.2)
            writer.close()
        except asyncio.TimeoutError:
            seen[f"{kind} kept"] += 1
        except (OSError, asyncio.IncompleteReadError):
            seen[f"{kind} closed"] += 1
        await asyncio.sleep(0.2)


def memory(pid, field):
    """Megabytes the server holds, or held at most."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) // 1024
    return 0


async def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--port", type=int, required=True)
    args.add_argument("--pid", type=int, required=True)
    args.add_argument("--clients", type=int, default=1000)
    args.add_argument("--seconds", type=int, default=60)
    args = args.parse_args()
    host = f"127.0.0.1:{args.port}"
    wanted = requests(host)
    statuses, errors, seen, times = Counter(), Counter(), Counter(), []
    # Warm: tables are built once.
    await client(args.port, wanted, time.monotonic() + 2, Counter(), [], Counter())
    before = memory(args.pid, "VmRSS")
    end = time.monotonic() + args.seconds
    kinds = ["half open", "half closed", "leaver", "slow head", "slow body", "slow reader", "large body", "malformed"]
    await asyncio.gather(
        *(client(args.port, wanted, end, statuses, times, errors) for _ in range(args.clients)),
        *(nuisance(args.port, host, kind, end, seen) for kind in kinds))
    after_times = []
    after = Counter()
    await client(args.port, wanted, time.monotonic() + 2, after, after_times, errors)
    await asyncio.sleep(1)
    times.sort()
    quantile = lambda part: round(1000 * times[min(len(times) - 1, int(part * len(times)))], 1)
    bad = {name: count for name, count in statuses.items() if name.split()[1] not in ("200", "429", "503")}
    report = {
        "clients": args.clients, "seconds": args.seconds, "answers": len(times),
        "per_second": round(len(times) / args.seconds), "statuses": dict(sorted(statuses.items())),
        "p50_ms": quantile(0.5), "p99_ms": quantile(0.99), "slowest_ms": quantile(1),
        "errors": dict(errors), "nuisances": dict(sorted(seen.items())), "answers_after": sum(after.values()),
        "memory_mb": {"before": before, "peak": memory(args.pid, "VmHWM"), "after": memory(args.pid, "VmRSS")},
    }
    print(json.dumps(report, indent=2))
    grown = report["memory_mb"]["after"] - before
    kept = [kind for kind in seen if kind.endswith(" kept")]
    sys.exit(0 if not bad and not kept and not errors and after and grown < 64 else 1)


asyncio.run(main())
