"""What may be wrong with a machine that is to watch a table: small checks, each with what to do about it."""
