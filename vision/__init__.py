"""From the camera to what lies where: pixels live here and nowhere else."""
