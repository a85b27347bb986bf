"""Relations between entries: stated ones, likeness, and a drawing of all of them."""

from __future__ import annotations

from generator.graph.layout import Layout, lay_out
from generator.graph.relations import KINDS, Related, RelationKind, related_entries

__all__ = ["KINDS", "Layout", "Related", "RelationKind", "lay_out", "related_entries"]
