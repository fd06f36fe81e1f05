"""From records to what they say: frames, summaries, figures, what theses claim, and a page with all of it.

The modules here import pandas and matplotlib, and are imported only when they are asked for, by name:

    from nonosat.studies.analysis import frames, summary, plots, ranking, ranking as paired, report
    from nonosat.studies.analysis import castilho2018 as figures, castilho2018 as claims, castilho2018 as differences
"""
