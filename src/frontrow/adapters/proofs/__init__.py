"""Proofs of work, and of being a person."""
