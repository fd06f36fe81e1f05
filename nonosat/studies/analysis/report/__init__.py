"""What records say, as a folder: a page with the result first, the figures, and tables as LaTeX, CSV and Markdown."""

from nonosat.studies.analysis.report.write import PAGE_FORMATS, PAPER_FORMATS, write_report

__all__ = ["PAGE_FORMATS", "PAPER_FORMATS", "write_report"]
