"""What Frontrow talks to. No adapter knows another."""
