"""The rules of play once more, brute force, from the rule texts alone.

Only the modules that compare (`compare`, `test_kernel_equals_oracle`) import bgcore.
"""
