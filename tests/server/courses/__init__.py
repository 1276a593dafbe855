"""Courses of commands, for real servers and for the model of one side by side."""
