"""The models → what helps a person to write files: editor schemas, outlines, templates."""
