"""Objects ↔ the files of a Kustomize base and its overlays; the real binary."""
