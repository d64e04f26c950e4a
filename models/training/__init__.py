"""How the networks are made; not part of the wheel."""
