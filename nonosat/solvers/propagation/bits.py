"""Two machine instructions that numba's Python lacks, for compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

if TYPE_CHECKING:
    import numpy as np

    def lowest(word: np.uint64) -> int:
        """The index of the lowest set bit of ``word``, which is not 0."""

    def population(word: np.uint64) -> int:
        """How many bits of ``word`` are set."""

else:

    @intrinsic
    def lowest(_context: Any, _word: Any) -> Any:
        """The index of the lowest set bit of a word that is not 0."""

        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), generate

    @intrinsic
    def population(_context: Any, _word: Any) -> Any:
        """How many bits of a word are set."""

        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate
