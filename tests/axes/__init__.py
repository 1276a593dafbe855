"""Axes that no variant stood on yet, through the engine's public calls."""
