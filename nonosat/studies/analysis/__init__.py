"""The analysis of records: frames, estimates, rankings, figures, and a study's report.

The modules import pandas and matplotlib. Import each by its name:

    from nonosat.studies.analysis import frames, summary, plots, ranking, report
"""
