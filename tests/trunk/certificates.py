"""Certificates for tests, made by openssl in a folder of the test."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from referee.settings import CERTIFICATE, KEY, TRUNK
from referee.tls import KeyPair, PlayFiles, TrunkFiles

CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


@dataclass(frozen=True)
class Issued:
    """A certificate and its key."""

    certificate: Path
    key: Path

    def pair(self, names: tuple[str, str] = (CERTIFICATE, KEY)) -> KeyPair:
        """Return it as a referee takes it."""
        return KeyPair(self.certificate, self.key, names)

    def play(self) -> PlayFiles:
        """Return it as what bots see."""
        return PlayFiles(self.pair())


@dataclass(frozen=True)
class Authority:
    """Who signs."""

    folder: Path
    name: str

    @classmethod
    def make(cls, folder: Path, name: str = "authority") -> "Authority":
        """Return a new one."""
        made = cls(folder, name)
        _openssl(
            "req", "-x509", *CURVE, "-keyout", made.key, "-out", made.certificate, "-subj", f"/CN={name}", "-days", "2"
        )
        return made

    @property
    def certificate(self) -> Path:
        """Its own."""
        return self.folder / f"{self.name}.pem"

    @property
    def key(self) -> Path:
        """Of its certificate."""
        return self.folder / f"{self.name}.key"

    def issue(self, name: str, names: str = "IP:127.0.0.1,DNS:localhost", days: int = 2) -> Issued:
        """Return a certificate for these names; a negative number of days: it has expired."""
        issued = Issued(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        request, extensions = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={names}\n", encoding="ascii")
        _openssl("req", *CURVE, "-keyout", issued.key, "-out", request, "-subj", f"/CN={name}")
        _openssl(
            "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial",
            "-out", issued.certificate, "-days", str(days), "-extfile", extensions,
        )  # fmt: skip
        return issued

    def trunk(self, issued: Issued) -> TrunkFiles:
        """Return a certificate as what referees that trust this authority show each other."""
        return TrunkFiles(issued.pair(TRUNK[:2]), self.certificate, TRUNK[2])
