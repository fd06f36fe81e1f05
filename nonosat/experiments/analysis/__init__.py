"""From records to what they say: frames, summaries, figures, what theses claim, and a page with all of it.

The modules here import pandas and matplotlib, and are imported only when they are asked for, by name:

    from nonosat.experiments.analysis import frames, summary, plots, ranking, paired, report
    from nonosat.experiments.analysis.castilho2018 import figures, claims, differences
"""
