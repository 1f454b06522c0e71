"""Audits: very many records judged, chunk by chunk and by many workers, and folded into one report.

`chunks` cuts the inputs, `judge` is the one function that workers run (over rows of archives by `handrec.archive.verdicts`,
which every other engine runs too), `run` drives it on an engine, and the `Store` folds what came of every chunk, in order: so
the report is the same however many workers there were, and whatever became of them.
"""

from handrec.audit.chunks import chunks
from handrec.audit.engines import Dask, Engine, Local, run
from handrec.audit.journal import Journal, Unusable
from handrec.audit.judge import judge
from handrec.audit.pieces import Chunk, Input, Piece, Span
from handrec.audit.result import Result, nothing, put_besides
from handrec.audit.store import Store

__all__ = [
    "Chunk",
    "Dask",
    "Engine",
    "Input",
    "Journal",
    "Local",
    "Piece",
    "Result",
    "Span",
    "Store",
    "Unusable",
    "chunks",
    "judge",
    "nothing",
    "put_besides",
    "run",
]
