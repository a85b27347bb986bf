"""Diagnosis: whole logs in, the failure with its proof out."""

from generator.diagnose.incident import diagnose, diagnose_sources
from generator.diagnose.index import IndexFileError, Matcher, read_index
from generator.diagnose.report import Finding, Report
from generator.diagnose.search import Result, search
from generator.diagnose.sources import ReadLogError, Source, paste, sources_of, standard_input

__all__ = [
    "Finding",
    "IndexFileError",
    "Matcher",
    "ReadLogError",
    "Report",
    "Result",
    "Source",
    "diagnose",
    "diagnose_sources",
    "paste",
    "read_index",
    "search",
    "sources_of",
    "standard_input",
]
