"""Runs the command as `python -m generator.cli`."""

from generator.cli import main

main(prog_name="faultbook")
