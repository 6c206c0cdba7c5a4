"""Planned files ↔ the disk."""
