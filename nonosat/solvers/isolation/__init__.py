"""Searches in processes of their own, which are killed at their limits: from ``run.isolated`` down to the fork."""
