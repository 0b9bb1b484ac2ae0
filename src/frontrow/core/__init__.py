"""The rules, and nothing else: no I/O, no clock, no chance. Time, ids and luck arrive as arguments."""
