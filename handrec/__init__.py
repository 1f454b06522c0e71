"""handrec replays recorded deals of trick-taking card games, checks every play, and recomputes every score."""

from __future__ import annotations

__version__ = "0.1.0"
