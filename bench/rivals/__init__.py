"""The same objects, written by other tools: programs that `bench.others` runs."""
