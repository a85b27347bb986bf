"""Everything that is published as data: JSON, Markdown, feeds, structured data.

Each module holds pure functions over the records of `generator.model`; the
caller writes what they return.
"""
