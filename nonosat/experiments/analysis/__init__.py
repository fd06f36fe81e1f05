"""From records to what they say: frames, summaries, figures, the report's claims, and a page with all of it.

The modules here import pandas and matplotlib, and are imported only when they are asked for, by name:

    from nonosat.experiments.analysis import frames, summary, plots, report_figures, claims, differences, report
"""
