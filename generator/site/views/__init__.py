"""One module for each kind of page: a plan in, a rendered page out."""
