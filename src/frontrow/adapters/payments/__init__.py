"""Payment providers, as the flows need them: Stripe, and psp-sim, which has the shape of its API."""
