"""Times two pieces of work in turn, so that both see the same machine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter, process_time

Work = Callable[[], object]
_UNIT = 0.004
"""Least time that is measured at once [s]: clocks are too coarse for less."""
_FEWEST, _MOST, _WARM = 5, 400, 2


class Course:
    """A piece of work, and what waits until it is done."""

    def __init__(self, work: Work, wait: Work) -> None:
        """Take both; `wait` returns when the work that was asked for is done."""
        self._work, self._wait = work, wait

    def run(self, calls: int) -> tuple[float, float]:
        """Wall time, and time of all threads of this process, of some calls [s]."""
        wall, cpu = perf_counter(), process_time()
        for _ in range(calls):
            self._work()
        self._wait()
        return perf_counter() - wall, process_time() - cpu


@dataclass(frozen=True)
class Times:
    """What in-turn runs took.

    Attributes:
        costs: Median wall and CPU time per call of each [s].
        ratio: Median over the rounds of the last one's wall time over the first one's,
            which a machine that is busy now and then does not change.
        noise: How far the ratio may be off by chance, as a share of it.
    """

    costs: tuple[tuple[float, float], ...]
    ratio: float
    noise: float


def in_turn(courses: Sequence[Course], seconds: float) -> Times:
    """Run pieces of work in turn, one way round and then the other.

    Args:
        courses: What to time; each gets the same number of calls.
        seconds: About how long it may take in all.
    """
    calls = _calls(courses)
    rounds = max(course.run(calls)[0] for course in courses) * len(courses)
    count = round(min(max(seconds / rounds, _FEWEST), _MOST))
    taken: list[list[tuple[float, float]]] = [[] for _ in courses]
    for number in range(count + _WARM):
        pairs = list(zip(courses, taken, strict=True))
        for course, times in pairs if number % 2 else reversed(pairs):
            spent = course.run(calls)
            if number >= _WARM:
                times.append(spent)
    costs = tuple(
        (
            median(wall for wall, _ in times) / calls,
            median(cpu for _, cpu in times) / calls,
        )
        for times in taken
    )
    both = zip(taken[0], taken[-1], strict=True)
    ratios = [last / first for (first, _), (last, _) in both]
    low, middle, high = quantiles(ratios, n=4)
    # the notch of a box plot: 95 of 100 medians are within it
    noise = 1.57 * (high - low) / len(ratios) ** 0.5 / middle
    return Times(costs, middle, noise)


def _calls(courses: Sequence[Course]) -> int:
    """How many calls take long enough to be measured."""
    calls = 1
    while min(course.run(calls)[0] for course in courses) < _UNIT:
        calls *= 2
    return calls
