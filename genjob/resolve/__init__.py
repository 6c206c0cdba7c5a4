"""Layers → one resolved, typed job that remembers who set each value."""
