"""Two states of a workspace → what a change means to whoever must approve it."""
