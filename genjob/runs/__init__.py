"""Which run of an experiment Git declares: its identity, its lock, and whether it is held."""
