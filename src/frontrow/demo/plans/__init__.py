"""The seat maps of the demo's halls, drawn by calculation: pure functions, the same call gives the same bytes."""
