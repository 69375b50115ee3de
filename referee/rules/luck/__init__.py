"""What chance gave each seat of a round: the terms of the luck correction, in exact fractions (docs/ratings.md).

`watched(kind)` is the same game with an account of its chance; a plain round knows nothing of it and pays nothing for
it. Per game one module says which terms there are and where they come from.
"""
