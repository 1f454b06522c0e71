"""The sieve: very many deals judged at once, in columns, by the rules that the referee judges one deal by.

A deal in order is a row of numbers (`codec`): cards, and a script of what else happened. Rows of one shape (`shape`) are
columns (`columns`, with numpy). To judge them, each script is taken once, by the game's own phases (`laid`); the tricks are
played for all deals together, card by card, the rules of play running on arrays (`play`, with suits and ranks as tables from
`orders`); and the score is reckoned with the game's own lines (`points`). `sift` puts these together. A deal is fine, or it goes
to the referee, which finds out what is wrong: the sieve names no fault, and knows no game, rule or phase by name.

Modules are imported one by one, as only some need numpy.
"""
