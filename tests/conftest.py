"""Options of the test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes down anew what the fixtures are expected to say."""
    parser.addoption("--update", action="store_true", help="write the expected output of fixtures anew")
