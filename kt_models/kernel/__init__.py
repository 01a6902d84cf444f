"""The kernel: certificates and their checkers, and the sweeps that some of them repeat. It imports the model only."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
