"""Refusals as gRPC statuses with `google.rpc` details, and back. Knows nothing of what is served."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "lastcard"
DETAILS_KEY = "grpc-status-details-bin"
ALLOWED_SEPARATOR = ", "


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that ends without an answer: the status, a stable reason, a sentence, and the field to blame, if any."""

    code: grpc.StatusCode
    reason: str
    message: str
    field: str = ""
    value: str = ""
    allowed: tuple[str, ...] = ()
    metadata: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What else a program may want to read."""

    def trailers(self) -> tuple[tuple[str, bytes], ...]:
        """Return the trailing metadata that carries the details."""
        return ((DETAILS_KEY, encode(self).SerializeToString()),)


def encode(refusal: Refusal) -> status_pb2.Status:
    """Return the status with `ErrorInfo`, and with `BadRequest` where a field is to blame."""
    status = status_pb2.Status(code=refusal.code.value[0], message=refusal.message)
    info = error_details_pb2.ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=_metadata(refusal))
    status.details.append(_packed(info))
    if refusal.field:
        violation = error_details_pb2.BadRequest.FieldViolation(field=refusal.field, description=refusal.message)
        status.details.append(_packed(error_details_pb2.BadRequest(field_violations=[violation])))
    return status


def decode(code: grpc.StatusCode, message: str, trailers: Iterable[tuple[str, str | bytes]]) -> Refusal:
    """Return the refusal that a failed call carries; one without our details has an empty reason."""
    for key, value in trailers:
        if key == DETAILS_KEY and isinstance(value, bytes):
            return _from_status(code, message, status_pb2.Status.FromString(value))
    return Refusal(code, "", message)


def _from_status(code: grpc.StatusCode, message: str, status: status_pb2.Status) -> Refusal:
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            told = dict(info.metadata)
            allowed = tuple(item for item in told.pop("allowed", "").split(ALLOWED_SEPARATOR) if item)
            return Refusal(code, info.reason, message, told.pop("field", ""), told.pop("value", ""), allowed, told)
    return Refusal(code, "", message)


def _metadata(refusal: Refusal) -> Mapping[str, str]:
    if not refusal.field:
        return refusal.metadata
    shown = {"field": refusal.field, "value": refusal.value, **refusal.metadata}
    return shown | ({"allowed": ALLOWED_SEPARATOR.join(refusal.allowed)} if refusal.allowed else {})


def _packed(message: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
