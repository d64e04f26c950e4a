"""Modules that stand in for those that only a Raspberry Pi has."""
