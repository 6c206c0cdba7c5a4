"""A cluster, through kubectl → the snapshot that is committed beside its environment."""
