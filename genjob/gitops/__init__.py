"""A workspace's repository and environments → the files that Argo CD or Flux reads."""
