"""The scripts are the only writers, and the server always knows them."""

import re
from pathlib import Path

import pytest

import ladder.store
from ladder.store import Store, scripts
from ladder.store.call import Call
from ladder.store.head import next_head
from ladder.store.scripts import NAMES, NOTED, every, script
from tests.store.scenes import Host, plan

PACKAGE = Path(ladder.store.__file__).parent
WRITES = re.compile(
    r"[\"'](APPEND|BITOP|COPY|DECR\w*|DEL|EXPIRE\w*|FLUSH\w+|GETDEL|GETEX|GETSET|HDEL|HINCRBY\w*|HMSET|HSET\w*|INCR\w*|"
    r"LMOVE|LPOP|LPUSH\w*|LREM|LSET|LTRIM|MOVE|MSET\w*|PERSIST|PEXPIRE\w*|PSETEX|RENAME\w*|RESTORE|RPOP\w*|RPUSH\w*|SADD|"
    r"SDIFFSTORE|SET|SETEX|SETNX|SETRANGE|SMOVE|SPOP|SREM|UNLINK|XADD|XDEL|XTRIM|ZADD|ZINCRBY|ZPOP\w+|ZREM\w*|EVAL)[\"']"
)
RAW = re.compile(r"\.(set|incr|zincrby|rpush|lpush|xadd|hincrby|hset|sadd|zadd|zrem|srem|delete|expire|eval)\(")


def test_every_script_file_is_registered() -> None:
    """And every registered name has its file; files with an underscore are included in others, or stand behind them."""
    files = {path.stem for path in (PACKAGE / "lua").glob("*.lua")}
    assert {name for name in files if not name.startswith("_")} == set(NAMES)
    included = {
        match
        for path in (PACKAGE / "lua").glob("*.lua")
        for match in re.findall(r"^-- with (\w+)$", path.read_text(), re.MULTILINE)
    }
    assert {name for name in files if name.startswith("_")} == {f"_{name}" for name in included} | {"_noted"}


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in sorted(PACKAGE.glob("*.py"))])
def test_nothing_but_a_script_writes(path: Path) -> None:
    """No module sends a writing command, nor a script that is not registered (EVAL).

    `CONFIG SET` writes nothing into the ledger: it is said once to a server of our own that loads a copy.
    """
    text = path.read_text()
    found = [match[1] for match in WRITES.finditer(text)]
    assert found == {"client.py": ["SET"]}.get(path.name, [])
    assert not RAW.search(text)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in sorted(PACKAGE.glob("*.py"))])
def test_only_one_module_spells_keys_and_one_imports_the_client(path: Path) -> None:
    """`keys.py` and `client.py`."""
    text = path.read_text()
    assert ("{{{self.tenant}}}" in text) == (path.name == "keys.py")
    assert bool(re.search(r"^(import|from) redis\b", text, re.MULTILINE)) == (path.name == "client.py")


def test_append_is_short() -> None:
    """It is the hot path: six lines of work."""
    lines = [line for line in script("append").text.splitlines() if line and not line.startswith("--")]
    assert len(lines) == 6


def test_included_functions_stand_in_the_text() -> None:
    """One text, one SHA."""
    text = script("close").text
    assert "local function append(" in text
    assert "local function move(" in text
    assert "-- with" not in text
    assert len({known.sha for known in every()}) == len(NAMES) + len(NOTED)


def test_a_server_that_forgot_its_scripts_learns_them_again(store: Store) -> None:
    """After SCRIPT FLUSH or a restart single calls and pipelines go on."""
    store.link.read("SCRIPT", "FLUSH")
    assert store.matches.plan([plan(), plan("cup.1.2.0")], 5) == 2
    store.link.read("SCRIPT", "FLUSH")
    assert store.matches.unready("cup.1.1.0")
    assert store.matches.unready("cup.1.2.0")


def test_calls_can_go_over_a_connection_of_ones_own(store: Store) -> None:
    """The words of an append are those of its call, and work as they are, however often."""
    store.matches.plan([plan()], 5)
    head = Host(store).claim().head
    calls = store.matches.calls("cup.1.1.0", me="ref-1", tournament="")
    new = next_head(head, b"\0one")
    constant, changing = calls.append_words(head, new, b"\0one")
    words = (*constant, *changing)
    assert list(words) == calls.append(head, new, b"\0one").words()
    assert store.link.read(*words) == b"OK"
    assert store.link.read(*calls.append(head, new, b"\0one").words()) == b"DUP"
    assert store.matches.head("cup.1.1.0") == new


def test_a_call_can_be_repeated_word_for_word() -> None:
    """It holds no state of its own."""
    call = Call(scripts.script("tick"), ("k",), ("me", 5))
    assert call.words() == call.words() == ["EVALSHA", scripts.script("tick").sha, 1, "k", "me", 5]


def test_all_scripts_are_made_once() -> None:
    """Whoever loads them again and again, as on a server that forgets, loads the same."""
    assert every() is every()
