"""Archives: very many records as Parquet, whose columns the sieve reads as they are. Needs numpy and pyarrow.

Any record that can be read survives the way in and out. `handrec.archive.layout` describes the layout; other tools can read it.
`verdicts` is the unit of work for engines such as Dask, Ray and Spark: an Arrow batch in, an Arrow batch out. Whoever wants
the columns themselves cuts a batch: `Cut(batch, Heads(games.find)).parts`.
"""

from handrec.archive.batch import Block, Cut
from handrec.archive.heads import Heads
from handrec.archive.layout import LAYOUT, SCHEMA
from handrec.archive.read import Group, UnreadableArchive, batches, complete, groups, opened, read, rows_of
from handrec.archive.records import readings
from handrec.archive.verdicts import VERDICTS, clean, sifted, verdicts
from handrec.archive.write import write

__all__ = [
    "LAYOUT",
    "SCHEMA",
    "VERDICTS",
    "Block",
    "Cut",
    "Group",
    "Heads",
    "UnreadableArchive",
    "batches",
    "clean",
    "complete",
    "groups",
    "opened",
    "read",
    "readings",
    "rows_of",
    "sifted",
    "verdicts",
    "write",
]
