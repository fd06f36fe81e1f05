"""The types of what compiled searches work on; the number is an array's dimensions, where they are more than one."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
IntTable = Annotated[npt.NDArray[np.int64], 2]
IntCube = Annotated[npt.NDArray[np.int64], 3]
WordTable = Annotated[npt.NDArray[np.uint64], 2]
WordCube = Annotated[npt.NDArray[np.uint64], 3]
ByteTable = Annotated[npt.NDArray[np.uint8], 2]
FloatTable = Annotated[npt.NDArray[np.float64], 2]
Int = int | np.int64
