"""Signatures: what a program prints, as templates with typed placeholders."""

from generator.signatures.condition import (
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Name,
    Number,
    Text,
    parse_condition,
)
from generator.signatures.template import (
    ANCHOR_BYTES,
    GAP,
    KINDS,
    Literal,
    Placeholder,
    Template,
    TemplateError,
    check_template,
    parse_template,
)

__all__ = [
    "ANCHOR_BYTES",
    "GAP",
    "KINDS",
    "AllOf",
    "AnyOf",
    "Comparison",
    "Condition",
    "Literal",
    "Name",
    "Number",
    "Placeholder",
    "Template",
    "TemplateError",
    "Text",
    "check_template",
    "parse_condition",
    "parse_template",
]
