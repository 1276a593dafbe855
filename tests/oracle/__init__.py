"""The rules of play once more, brute force, from the rule texts alone.

Only the modules that compare (`compare`, `registered`, and the tests named `…_equals_oracle`) import bgcore.
"""
