"""What a host of repositories takes of a comment; imports nothing, for the start of a command."""

from __future__ import annotations

from typing import Final

GITHUB_LIMIT: Final = 65_536
"""Characters of a comment; GitLab takes 1,000,000. Counted in bytes, to be on the safe side.

Sources: the API of GitHub, "body is too long (maximum is 65536 characters)";
https://docs.gitlab.com/administration/instance_limits/#size-of-comments-and-descriptions-of-issues-merge-requests-and-epics
"""
