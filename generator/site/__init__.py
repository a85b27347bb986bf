"""Pages of the site, and the MkDocs plugin that publishes them."""
