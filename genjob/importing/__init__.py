"""A PyTorchJob that somebody wrote → an experiment that renders to it, with the proof."""
