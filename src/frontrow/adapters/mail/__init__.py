"""Mails: what they say, and how they get out."""
