"""The store of a study: one SQLite file, to which one process writes and which any number may read meanwhile.

A record is committed within ``COMMIT_S``, together with those that come meanwhile; one that was committed survives the
end of the process by any signal. (Power loss may take the last seconds, and never leaves a broken file.)
"""

from nonosat.experiments.store.lock import written_to
from nonosat.experiments.store.reader import Reader, title_in
from nonosat.experiments.store.tables import StoreError
from nonosat.experiments.store.writer import Store

__all__ = ["Reader", "Store", "StoreError", "title_in", "written_to"]
