"""A CRD or a core kind → a strict JSON Schema, and what it finds in an object."""
