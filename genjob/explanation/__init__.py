"""A resolved job → what a person wants to know of it: who set each value, and what will happen."""
