"""Wałejko's tables 4.1-4.4 (2022): ``thesis`` has its figures, ``cells`` ours beside them, ``tables`` writes them."""
