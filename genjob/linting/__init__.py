"""Manifests that nobody generated → the findings that a generated one would have."""
