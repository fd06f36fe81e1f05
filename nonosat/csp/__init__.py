"""A finite CSP as data: integer variables with bounds, and columnar families of constraints."""
