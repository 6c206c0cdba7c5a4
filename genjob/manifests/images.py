"""Image names → the same images in an environment's mirror."""

from __future__ import annotations

DOCKER_HUB = "docker.io"


def mirrored(image: str, mirror: dict[str, str]) -> str:
    """Return where an image is pulled from: the longest mirrored registry or path replaced.

    An image without a registry is one of docker.io, and without a path one of docker.io/library.
    Source: https://github.com/distribution/reference (normalisation of familiar names)
    """
    full = full_name(image)
    matching = [prefix for prefix in mirror if full.startswith(prefix.rstrip("/") + "/")]
    if not matching:
        return image
    longest = max(matching, key=len)
    return mirror[longest].rstrip("/") + full[len(longest.rstrip("/")) :]


def full_name(image: str) -> str:
    """Return an image name with its registry: `pytorch/pytorch:2.6` is one of docker.io."""
    first, slash, _ = image.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return image
    return f"{DOCKER_HUB}/{image if slash else f'library/{image}'}"
