"""Measurements of genjob on made-up workspaces, beside other tools; no part of the tests."""
