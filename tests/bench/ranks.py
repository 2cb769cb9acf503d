#!/usr/bin/env python3
"""usage: ranks.py STUDY.db [RANKS …]: simulates a sweep over many ranks, from the training runs that a study holds.

Rank 0 hands out tasks and stores results under one lock. Times of training runs are drawn from those in the study. The defaults of the costs
are measured: a message arrives within 0.3 ms, rank 0 takes 0.1 ms per task and per result, and a commit of any size takes 5 ms of disk
time. Waves are those of the search: a wave starts when all results of the previous wave are stored. Reports the efficiency: the tasks' time over the
ranks' time."""
import argparse
import heapq
import random
import sqlite3
from collections import deque

words = argparse.ArgumentParser(description=__doc__)
words.add_argument("study")
words.add_argument("ranks", type=int, nargs="*", default=[2, 8, 64, 256, 1000])
words.add_argument("--tasks", type=int, default=40960)
words.add_argument("--first", type=int, default=8, help="tasks of the first wave")
words.add_argument("--grow", type=float, default=0.25, help="a wave is at least this share of all tasks before it; 0: waves as the first")
words.add_argument("--message", type=float, default=0.3e-3, help="seconds until a message is noticed")
words.add_argument("--work", type=float, default=0.1e-3, help="seconds of rank 0 a task")
words.add_argument("--commit", type=float, default=5e-3, help="seconds of a commit")
words.add_argument("--single", action="store_true", help="a commit each")
asked = words.parse_args()
times = [row[0] for row in sqlite3.connect(asked.study).execute("SELECT seconds FROM runs WHERE seconds > 0")]


def waves(tasks):
    """Sizes of the waves."""
    done = 0
    while done < tasks:
        size = min(tasks - done, max(asked.first, int(asked.grow * done)))
        yield size
        done += size


class Rank0:
    """The study's lock, under which rank 0 hands out tasks and stores results one by one."""

    def __init__(self):
        self.events, self.queue, self.free_at, self.busy = [], deque(), 0.0, 0.0

    def serve(self, now):
        """Starts due work; a commit stores all waiting results."""
        if self.queue and self.free_at <= now:
            kind, ranks = self.queue[0][0], [self.queue.popleft()[1]]
            if kind == "keep" and not asked.single:
                ranks += [rank for other, rank in self.queue if other == "keep"]
                self.queue = deque(entry for entry in self.queue if entry[0] != "keep")
            length = asked.work * len(ranks) + (asked.commit if kind == "keep" else 0.0)
            self.free_at = now + length
            self.busy += length
            heapq.heappush(self.events, (self.free_at, "kept" if kind == "keep" else "given", ranks))


def run(ranks, tasks, rng):
    """Returns the total seconds, the tasks' seconds, and rank 0's seconds of work."""
    now, trained, root = 0.0, 0.0, Rank0()
    for size in waves(tasks):
        left = kept = 0
        for rank in range(min(ranks, size)):
            root.queue.append(("give", rank))
        left = size - min(ranks, size)
        root.serve(now)
        while kept < size:
            now, kind, some = heapq.heappop(root.events)
            if kind == "given":
                long = rng.choice(times)
                trained += long
                heapq.heappush(root.events, (now + long + 2 * asked.message, "back", some))
            elif kind == "back":
                root.queue.append(("keep", some[0]))
            else:
                kept += len(some)
                for rank in some[:left]:
                    root.queue.append(("give", rank))
                left -= min(left, len(some))
            root.serve(now)
    return now, trained / (now * ranks), root.busy / now


print(f"{len(times)} trainings measured, {sum(times) / len(times):.3f} s each; {asked.tasks} tasks in {len(list(waves(asked.tasks)))} waves")
for ranks in asked.ranks:
    seconds, efficiency, busy = run(ranks, asked.tasks, random.Random(1))
    print(f"{ranks:5d} ranks: {seconds:9.1f} s, efficiency {efficiency:.2f}, rank 0 busy {busy:.2f}")
