"""Sizes of an export, in bytes."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Exported"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A static site.

    Attributes:
        page_bytes: pages, scripts, fonts and documents, without pictures and Python.
        document_bytes: documents among these files.
        sent_bytes: download of these files where the host compresses text, without the page's licences, which no
            picture needs.
        image_bytes: preview pictures of links.
        python_bytes: Python and its licences, fetched where a slider is turned; 0 where it was left out.
        without_python: reason for which Python was left out; empty where it was not.
        without_images: reason for which the pictures were left out; empty where they were not.
    """

    page_bytes: int
    document_bytes: int
    sent_bytes: int
    image_bytes: int
    python_bytes: int
    without_python: str
    without_images: str

    @property
    def total_bytes(self) -> int:
        """Size of all files that a host stores."""
        return self.page_bytes + self.image_bytes + self.python_bytes
