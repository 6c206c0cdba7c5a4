"""What was found before → what need not be found again: files in the user's cache folder.

Nothing here is ever the source of what is written: a rendered file is left alone because what is
on the disk is what was rendered from the same inputs. Everything is keyed by the content of all
that was read and by the program with its dependencies, so it may be deleted at any moment.
"""
