"""A folder in a Git repository → its commits and their files; without a network or a checkout."""
