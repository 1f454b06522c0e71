"""CSV: a score sheet, a line for each deal, with commas between cells."""

from __future__ import annotations

from handrec.formats import Format
from handrec.formats.sheet import read, sniff, write

FORMAT = Format("csv", "Score sheet, CSV", read, sniff, write)
