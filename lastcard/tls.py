"""TLS as clients meet it: whom to trust, and what went wrong in words."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lastcard.errors import InputError

CA_FILE: Final = "LASTCARD_CA_FILE"
UNTRUSTED: Final = (
    "its certificate is not signed by an authority that is trusted here; name the file of that authority with"
    f" --ca or {CA_FILE}"
)
MEANINGS: Final = {
    "certificate has expired": "its certificate has expired",
    "certificate is not yet valid": "its certificate is not valid yet; is the clock of this machine right?",
    "unable to get local issuer certificate": UNTRUSTED,
    "self signed certificate in certificate chain": UNTRUSTED,
    "self signed certificate": (
        f"its certificate is signed by itself and not trusted here; name its file with --ca or {CA_FILE}"
    ),
    "Hostname Verification Check failed": "its certificate is for another name than the one that was dialled",
    "WRONG_VERSION_NUMBER": "it does not speak TLS there; leave out tls://, or is it another port?",
    "Socket closed": "it closed the connection; if it speaks TLS, write tls:// before its address",
}
"""What gRPC says of a connection that failed, by a part of it."""


def meaning(details: str) -> str | None:
    """Return in plain words what the details of a failed connection say, where they say something known."""
    said = details.lower().replace("self-signed", "self signed")  # which of them depends on gRPC's version
    return next((words for part, words in MEANINGS.items() if part.lower() in said), None)


def authority(typed: str | None, environment: Mapping[str, str] = os.environ) -> bytes | None:
    """Return the certificates of the authorities to trust, as PEM; None: those that gRPC trusts by itself.

    Raises:
        InputError: the file cannot be read, or is no PEM.

    """
    path = typed or environment.get(CA_FILE)
    if not path:
        return None
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        message = f"the file of authorities {path} cannot be read: {error.strerror}"
        raise InputError("CA_FILE", message, field="ca", value=path) from error
    if b"-----BEGIN CERTIFICATE-----" not in content:
        message = f"{path} holds no certificate in PEM: none of its lines is -----BEGIN CERTIFICATE-----"
        raise InputError("CA_FILE", message, field="ca", value=path)
    return content
