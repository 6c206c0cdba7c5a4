"""Durations as people write them (`72h`, `1h30m`) ↔ seconds."""

from __future__ import annotations

import re

_UNIT_S = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:\d+[dhms])+|\d+", re.ASCII)
_PART = re.compile(r"(\d+)([dhms])", re.ASCII)


def seconds(text: str) -> int:
    """Return the length of a duration, in seconds.

    Raises:
        ValueError: when the text is not a duration.
    """
    if not _DURATION.fullmatch(text):
        raise ValueError("expected a duration such as 72h, 90m or 1h30m")
    if text.isdigit():
        return int(text)
    return sum(int(number) * _UNIT_S[unit] for number, unit in _PART.findall(text))


def words(length_s: int) -> str:
    """Return a length in seconds as a duration in hours, minutes and seconds: `72h`, `1h30m`."""
    hours, rest = divmod(length_s, _UNIT_S["h"])
    minutes, seconds_left = divmod(rest, _UNIT_S["m"])
    parts = ((hours, "h"), (minutes, "m"), (seconds_left, "s"))
    return "".join(f"{number}{unit}" for number, unit in parts if number) or "0s"
