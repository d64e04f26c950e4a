"""The reasoning core: games, rules, rulings, scores and the record of a table."""
