"""Skyscrapers explained: techniques of a line on candidates, and what is done where no line says anything."""
