"""Skyscrapers as texts: a format a file."""
