"""The processes Frontrow runs as: plain constructor wiring, no container."""
