"""TSV: a score sheet, a line for each deal, with tabs between cells."""

from __future__ import annotations

from functools import partial

from handrec.formats import Format
from handrec.formats.sheet import read, sniff, write

FORMAT = Format("tsv", "Score sheet, TSV", read, partial(sniff, tabs=True), partial(write, delimiter="\t"))
