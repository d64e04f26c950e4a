"""Cameras for tests: a worker that misbehaves, and servers that send pictures over the network."""
