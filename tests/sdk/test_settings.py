"""Where a bot plays and who it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastcard.errors import BadTokenError, InputError
from lastcard.secret import Secret
from lastcard.settings import Server, settings

TOKEN = {"LASTCARD_TOKEN": "lcb1_env"}


def test_the_command_line_wins_over_the_call_and_the_call_over_the_environment(tmp_path: Path) -> None:
    """For server and token alike."""
    typed, given = tmp_path / "typed", tmp_path / "given"
    typed.write_text("lcb1_typed\n")
    given.write_text("lcb1_given\n")
    env = TOKEN | {"LASTCARD_SERVER": "env:1"}
    argv = ["--server", "typed:3", "--token-file", str(typed)]
    found = settings(argv, env, server="given:2", token="lcb1_call")
    assert (found.servers, found.token) == ((Server("typed:3"),), Secret("lcb1_typed"))
    found = settings([], env, server="given:2", token_file=given)
    assert (found.servers, found.token) == ((Server("given:2"),), Secret("lcb1_given"))
    found = settings([], env)
    assert (found.servers, found.token) == ((Server("env:1"),), Secret("lcb1_env"))


def test_defaults() -> None:
    """The first referee of this machine, one process, never giving up."""
    found = settings([], TOKEN)
    assert (found.servers, found.processes, found.verbose, found.patience) == (
        (Server("127.0.0.1:7410"),),
        None,
        False,
        None,
    )


def test_the_token_may_be_in_a_file_that_the_environment_names(tmp_path: Path) -> None:
    """Where no token is in the environment itself."""
    file = tmp_path / "token"
    file.write_text(" lcb1_file \n")
    assert settings([], {"LASTCARD_TOKEN_FILE": str(file)}).token.text() == "lcb1_file"


def test_a_token_does_not_show_in_the_settings() -> None:
    """Not in their repr, which may end up in a log."""
    assert "lcb1_env" not in repr(settings([], TOKEN))


def test_what_the_script_itself_understands_is_left_alone() -> None:
    """Unknown options belong to the author."""
    assert settings(["--depth", "3", "--verbose"], TOKEN).verbose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("h:1", (Server("h:1"),), id="plain"),
        pytest.param("tls://play.example.org:443", (Server("play.example.org:443", secure=True),), id="TLS"),
        pytest.param("a:1, https://b:2/", (Server("a:1"), Server("b:2", secure=True)), id="several"),
        pytest.param("[::1]:7410", (Server("[::1]:7410"),), id="IPv6"),
    ],
)
def test_servers(text: str, expected: tuple[Server, ...]) -> None:
    """host:port, with or without a scheme, one or several."""
    assert settings(["--server", text], TOKEN).servers == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("localhost", id="no port"),
        pytest.param("h:http", id="port in letters"),
        pytest.param("h:99999", id="port too high"),
        pytest.param("ftp://h:1", id="another scheme"),
        pytest.param("h:1,", id="a comma too many"),
        pytest.param("h:1/play", id="a path"),
    ],
)
def test_what_is_no_server_is_refused(text: str) -> None:
    """With an example of one."""
    with pytest.raises(InputError, match=r"127\.0\.0\.1:7410") as caught:
        settings(["--server", text], TOKEN)
    assert (caught.value.reason, caught.value.exit_code) == ("BAD_SERVER", 2)


def test_a_token_on_the_command_line_is_refused() -> None:
    """Everybody on the machine could read it."""
    with pytest.raises(InputError, match="--token-file") as caught:
        settings(["--token", "lcb1_x"], TOKEN)
    assert caught.value.reason == "TOKEN_ON_COMMAND_LINE"


def test_no_token_says_how_to_get_one() -> None:
    """And where to put it."""
    with pytest.raises(BadTokenError, match="lastcard bot register"):
        settings([], {})


@pytest.mark.parametrize("text", [pytest.param("two words", id="a space"), pytest.param("lcb1_é", id="not ASCII")])
def test_a_token_that_cannot_be_one_is_refused_without_showing_it(text: str) -> None:
    """It may be a secret of something else."""
    with pytest.raises(BadTokenError) as caught:
        settings([], {}, token=text)
    assert text not in str(caught.value)


@pytest.mark.parametrize("text", [pytest.param("two words", id="no token"), pytest.param(" ", id="nothing")])
@pytest.mark.parametrize(
    ("argv", "env", "given", "source"),
    [
        pytest.param(["--token-file", "FILE"], {}, {}, "--token-file=FILE", id="typed"),
        pytest.param([], {}, {"token": "TEXT"}, "run(token=…)", id="a token of the script"),
        pytest.param([], {}, {"token_file": "FILE"}, "run(token_file=FILE)", id="a file of the script"),
        pytest.param([], {"LASTCARD_TOKEN": "TEXT"}, {}, "LASTCARD_TOKEN", id="the environment"),
        pytest.param([], {"LASTCARD_TOKEN_FILE": "FILE"}, {}, "LASTCARD_TOKEN_FILE=FILE", id="a file of it"),
    ],
)
def test_a_token_that_is_no_good_is_told_with_where_it_came_from(
    tmp_path: Path, argv: list[str], env: dict[str, str], given: dict[str, str], source: str, text: str
) -> None:
    """Several places may hold one, and the one that counts is not always the one that was meant."""
    file = tmp_path / "token"
    file.write_text(text)

    def real(word: str) -> str:
        return word.replace("FILE", str(file)) if word == "FILE" else word.replace("TEXT", text)

    environment = {name: real(value) for name, value in env.items()}
    arguments = {name: real(value) for name, value in given.items()}
    with pytest.raises(BadTokenError) as caught:
        settings(list(map(real, argv)), environment, **arguments)  # type: ignore[arg-type]
    assert f" that {source.replace('=FILE', f'={file}')} gave" in str(caught.value)
    assert "two words" not in str(caught.value)


def test_who_names_a_file_that_cannot_be_read_is_told() -> None:
    """It may be a variable that was set long ago; a token in the place of a file is not shown."""
    with pytest.raises(InputError, match="No such file or directory; LASTCARD_TOKEN_FILE names it"):
        settings([], {"LASTCARD_TOKEN_FILE": "/nowhere/token"})
    with pytest.raises(InputError, match="LASTCARD_TOKEN_FILE holds a token; write it into a file") as caught:
        settings([], {"LASTCARD_TOKEN_FILE": "lcb1_key_secret"})
    assert "lcb1_key" not in f"{caught.value} {caught.value.value}"


def test_a_token_file_that_is_not_there_is_named() -> None:
    """With what the system says."""
    with pytest.raises(InputError, match="/nowhere/token cannot be read: No such file"):
        settings(["--token-file", "/nowhere/token"], {})


def test_an_authority_to_trust_is_read_from_its_file(tmp_path: Path) -> None:
    """The command line wins over the environment; None: what gRPC trusts by itself."""
    typed, named = tmp_path / "typed.pem", tmp_path / "named.pem"
    for file in (typed, named):
        file.write_text(f"-----BEGIN CERTIFICATE-----\n{file.stem}\n", encoding="ascii")
    env = TOKEN | {"LASTCARD_CA_FILE": str(named)}
    assert settings(["--ca", str(typed)], env).authority == typed.read_bytes()
    assert settings([], env).authority == named.read_bytes()
    assert settings([], TOKEN).authority is None


@pytest.mark.parametrize(
    ("content", "said"), [pytest.param(None, "No such file", id="missing"), pytest.param("hello", "PEM", id="no PEM")]
)
def test_a_file_that_holds_no_authority_is_named(tmp_path: Path, content: str | None, said: str) -> None:
    """With what is wrong with it."""
    file = tmp_path / "ca.pem"
    if content:
        file.write_text(content, encoding="ascii")
    with pytest.raises(InputError, match=rf"ca\.pem.*{said}") as caught:
        settings([], TOKEN | {"LASTCARD_CA_FILE": str(file)})
    assert (caught.value.reason, caught.value.exit_code) == ("CA_FILE", 2)


@pytest.mark.parametrize("count", [pytest.param("0", id="none"), pytest.param("9", id="too many")])
def test_processes_are_one_to_eight(count: str) -> None:
    """More instances of a version than that do not share its load."""
    with pytest.raises(InputError, match="1 to 8"):
        settings(["--processes", count], TOKEN)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("--sever", "--server"),
        ("--token-fil=x", "--token-file"),
        ("--process", "--processes"),
        ("--verbos", "--verbose"),
    ],
)
def test_a_slip_of_the_finger_is_no_option_of_the_script(word: str, meant: str) -> None:
    """It would go unheard, and the bot would dial where nobody wanted it to."""
    with pytest.raises(InputError, match=f"did you mean {meant}") as refused:
        settings([word, "x"], {"LASTCARD_TOKEN": "lcb1_a_b"})
    assert refused.value.reason == "UNKNOWN_OPTION"


def test_a_script_may_have_options_of_its_own() -> None:
    """What looks like none of ours is left to it."""
    assert settings(["--depth", "3", "--seed=4", "level"], {"LASTCARD_TOKEN": "lcb1_a_b"}).servers
