"""What people do with Frontrow: one file a flow. A flow opens and closes its transaction; adapters never commit."""
