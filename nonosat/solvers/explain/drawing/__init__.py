"""Explanations as text, and as a page to walk through."""
