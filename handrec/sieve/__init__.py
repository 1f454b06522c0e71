"""The sieve: very many deals judged at once, by the rules that the referee judges one deal by. Needs numpy."""

from handrec.sieve.columns import VERSION, Columns, Shape, layout
from handrec.sieve.plain import Odd, Plain
from handrec.sieve.records import Answer
from handrec.sieve.sift import Sifted, fits, sift

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
