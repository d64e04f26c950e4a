"""Threads that share the work of a read with the one who asks for it."""

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

Thing = TypeVar("Thing")
Made = TypeVar("Made")


class Crew:
    """So many threads, the caller's own among them: with one more than there are cores two would share a core."""

    def __init__(self, threads: int) -> None:
        self.threads, self._helpers = threads, threads - 1
        self._pool = ThreadPoolExecutor(max(1, self._helpers), "reader")

    def fair_share(self, things: int, at_most: int) -> int:
        """So many of the things at once, no more than that, that no thread ends long before the others."""
        rounds = max(1, math.ceil(things / at_most / self.threads))
        return max(1, math.ceil(things / rounds / self.threads))

    def map(self, make: Callable[[Thing], Made], things: Iterable[Thing]) -> list[Made]:
        """What is made of each thing, in their order; whoever is free takes the next one."""
        waiting, made, one_at_a_time = enumerate(things), dict[int, Made](), Lock()

        def take() -> tuple[int, Thing] | None:
            with one_at_a_time:
                return next(waiting, None)

        def work() -> None:
            while (taken := take()) is not None:
                number, thing = taken
                made[number] = make(thing)

        helping = [self._pool.submit(work) for _ in range(self._helpers)]
        work()
        for helper in helping:
            # One that has not even begun is not needed any more.
            if not helper.cancel():
                helper.result()
        return [made[number] for number in sorted(made)]
