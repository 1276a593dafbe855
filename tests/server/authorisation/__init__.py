"""Who may do what at a table: the cells, and a live table for each to try it at."""
