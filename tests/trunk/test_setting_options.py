"""Certificates and proxies as options of a command: the settings of the same name, and stronger than those."""

import pytest
from click.testing import CliRunner

from lastcard.errors import InputError
from lastcard.proxies import NOBODY, TRUSTED_PROXIES, Proxies
from referee.cli import serve
from referee.setting_options import environment
from referee.settings import CERTIFICATE, KEY, TRUNK
from workers.cli import serve_ladder
from workers.house.up import up

PLAY = {"--tls-cert": CERTIFICATE, "--tls-key": KEY, "--trusted-proxies": TRUSTED_PROXIES}
BETWEEN = dict(zip(("--trunk-cert", "--trunk-key", "--trunk-ca"), TRUNK, strict=True))
STORE = {"LASTCARD_REDIS_URL": "redis://127.0.0.1:1/0"}


@pytest.mark.parametrize(
    ("command", "options"),
    [
        pytest.param(serve, PLAY | BETWEEN, id="serve referee"),
        pytest.param(serve_ladder, PLAY, id="serve ladder"),
        pytest.param(up, PLAY, id="up"),
    ],
)
def test_help_names_every_option_and_its_setting(command: object, options: dict[str, str]) -> None:
    """So that either is found from the other."""
    told = CliRunner().invoke(command, ["--help"], terminal_width=200).output  # type: ignore[arg-type]
    for option, setting in options.items():
        [line] = [line for line in told.splitlines() if f"{option} " in line]
        assert setting in told.partition(line)[2].partition("--")[0] or setting in line


def test_an_option_is_stronger_than_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is given; else the environment counts."""
    monkeypatch.setenv(CERTIFICATE, "theirs")
    monkeypatch.setenv(KEY, "theirs too")
    monkeypatch.setenv(TRUSTED_PROXIES, "10.0.0.1")
    told = environment({"tls_cert": "ours", "tls_key": None, "trunk_ca": "authority", "trusted_proxies": ""})
    assert (told[CERTIFICATE], told[KEY], told[TRUNK[2]]) == ("ours", "theirs too", "authority")
    assert Proxies.of(told) == NOBODY


@pytest.mark.parametrize(
    ("words", "field"),
    [
        pytest.param(["--tls-cert", "x.pem"], KEY, id="a certificate without its key"),
        pytest.param(["--tls-cert", "x.pem", "--tls-key", "y.pem"], CERTIFICATE, id="files that are not there"),
        pytest.param(["--trunk-ca", "x.pem"], TRUNK[0], id="an authority alone"),
        pytest.param(["--trusted-proxies", "nginx"], TRUSTED_PROXIES, id="a proxy by its name"),
    ],
)
def test_options_that_do_not_do_are_refused(words: list[str], field: str) -> None:
    """Before anything listens, with the setting that is wrong."""
    caught = CliRunner().invoke(serve, [*words, "--play", "127.0.0.1:0"], env=STORE, standalone_mode=False).exception
    assert isinstance(caught, InputError)
    assert caught.field == field
