"""Threads that share the work of a read."""

import math
from collections.abc import Iterator
from threading import Barrier, get_ident

import pytest

from vision.crew import Crew


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_is_made_comes_in_the_order_of_the_things(threads: int) -> None:
    assert Crew(threads).map(lambda number: number * number, iter(range(40))) == [n * n for n in range(40)]


def test_the_caller_is_one_of_the_crew() -> None:
    """Two meet at the barrier: the caller and one helper, and no third is needed."""
    met = Barrier(2, timeout=20)

    def meet(_: int) -> int:
        met.wait()
        return get_ident()

    at_work = Crew(2).map(meet, range(2))
    assert get_ident() in at_work
    assert len(set(at_work)) == 2


def test_things_are_taken_one_at_a_time_as_they_come() -> None:
    taking = []

    def things() -> Iterator[int]:
        for number in range(60):
            taking.append("begun")
            yield number
            taking.append("done")

    Crew(4).map(lambda number: number, things())
    assert taking == ["begun", "done"] * 60


@pytest.mark.parametrize("threads", [1, 3])
def test_what_goes_wrong_is_told_to_the_caller(threads: int) -> None:
    with pytest.raises(ZeroDivisionError):
        Crew(threads).map(lambda number: 1 / (number - 7), range(20))


@pytest.mark.parametrize(("things", "share"), [(0, 1), (1, 1), (9, 5), (16, 8), (17, 5), (83, 7)])
def test_no_thread_has_much_more_to_do_than_another(things: int, share: int) -> None:
    crew = Crew(2)
    assert crew.fair_share(things, at_most=8) == share
    assert math.ceil(things / share) % 2 == 0 or things < 2
