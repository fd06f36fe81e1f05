"""The report of records: a page with the result first, its figures, and its tables as LaTeX, CSV and Markdown."""

from nonosat.studies.analysis.report.figures import Drawn
from nonosat.studies.analysis.report.tables import ReportedStudy
from nonosat.studies.analysis.report.write import PAGE_FORMATS, PAPER_FORMATS, write_report

__all__ = ["PAGE_FORMATS", "PAPER_FORMATS", "Drawn", "ReportedStudy", "write_report"]
