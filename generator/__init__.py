"""Faultbook: the generator of the open encyclopedia of ML run failures."""

__version__ = "0.1.0"
