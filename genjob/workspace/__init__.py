"""A folder → the files that people write, read and checked on their own."""
