"""Files in and out: a limited, strict reader of text and an atomic writer; every failure is one line for people.

Files may be compressed by gzip, xz or zstd. What is read is known by its first bytes, whatever its name; what is
written, by the suffix of its name (``x.cnf.gz``), and so that equal contents give equal bytes.
"""

from nonosat.files.inputs import MAX_BYTES, decode, lines_of, read_bytes, read_text
from nonosat.files.naming import printable, shown, suffix_of, unpacked_name
from nonosat.files.writing import check_folder, made_folder, write_atomically

__all__ = [
    "MAX_BYTES",
    "check_folder",
    "decode",
    "lines_of",
    "made_folder",
    "printable",
    "read_bytes",
    "read_text",
    "shown",
    "suffix_of",
    "unpacked_name",
    "write_atomically",
]
