"""A camera's pictures without a camera: photographs of any position, and a table that plays by itself."""
