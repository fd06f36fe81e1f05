"""The counters of nonograms: compiled code, which is imported when something is counted."""

from nonosat.counting.own import Own

_NATIVE = "nonosat.counting.native:"

COUNTING = Own(_NATIVE + "count", _NATIVE + "estimate", _NATIVE + "sample", _NATIVE + "backbone")
