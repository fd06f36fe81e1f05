"""Puzzles made to meet a criterion: by rejection, by repair, by given cells; and the verdict at every edit."""
