"""Texts for plays, boards and matches: strict writers, and readers that take what is found in the wild.

A reader raises `NotationError`, which says where and what was expected, or gives something unproven.
"""
