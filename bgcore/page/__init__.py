"""The page of a variant, made from its data: the rules in prose, pictures, options, worked examples.

Nothing here knows a variant: what the axes say is a table of sentences, what a game's own code adds is told by
its docstrings, and the pictures follow from the geometry. So every author has a page for nothing.
"""
