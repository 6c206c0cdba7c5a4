"""Manifests that anybody wrote → their objects with places, or what they are instead."""
