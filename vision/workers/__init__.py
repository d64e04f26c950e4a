"""The programs that hold a camera: each runs in a process of its own, which can be killed."""
