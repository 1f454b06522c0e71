"""The arithmetic of scores that several games, or several parts of one, have in common: pure, on ints and on arrays."""
