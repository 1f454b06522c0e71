"""The sieve: very many deals judged at once, by the rules that the referee judges one deal by. Needs numpy."""

from handrec.bulk.columns import VERSION, Columns, Shape, layout
from handrec.bulk.plain import Odd, Plain
from handrec.bulk.records import Answer
from handrec.bulk.sieve import Sifted, fits, sift

__all__ = [
    "VERSION",
    "Answer",
    "Columns",
    "Odd",
    "Plain",
    "Shape",
    "Sifted",
    "fits",
    "layout",
    "sift",
]
