"""Faults done to the record for real: killed writers, power cuts, full disks; tests do a few, this does them all."""
