"""The phases a deal is made of, a module each; a game composes those it needs.

Phases are data; their methods replay what is recorded and write down what is wrong with it. `handrec.game.value.Phase` says what
a phase is asked for, `bids` is a short one to read first.
"""
