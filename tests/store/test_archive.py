"""The archive: what is written is what is read, or it is said what is wrong."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.store import Store
from ladder.store.archive import NO_SYNC, Archive, Shelved
from ladder.store.errors import ArchiveError
from ladder.store.local import LocalStore
from ladder.store.rows import MatchRow, MatchState
from ladder.store.shelf import Trimmed
from lastcard.secret import Secret
from tests.fixtures_store import OpenStore
from tests.store.proxy import LossyProxy
from tests.store.scenes import SEED, Host, plan, result_text

pytestmark = pytest.mark.slow

MATCH = "cup.1.1.0"
TEXT = result_text([[[1, 2], [2, 1]]])
FIELDS = {"id": MATCH, "number": "7", "state": "rated"}
SHELVED = Shelved(MATCH, FIELDS, "1-2-abc", Secret(SEED), ((1, 0, b"\x00open"), (1, 1, b"\xffact")))

ENTRIES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99), st.binary(max_size=40)), max_size=6).map(tuple)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """A folder that is not there yet."""
    return Archive(str(tmp_path / "far" / "archive"))


@pytest.fixture
def kept(store_server: LocalStore, tenant: str, archive: Archive) -> Iterator[Store]:
    """A store with an archive."""
    with Store.open(store_server.url, tenant=tenant, role="test", archive=archive) as store:
        yield store


def settled(store: Store, match: str = MATCH) -> MatchRow:
    """Plan, play and settle a match."""
    store.matches.plan([plan(match)], 5)
    host = Host(store)
    host.close(host.append(host.claim(match).head, b"act", match), TEXT, match)
    store.matches.settle(match)
    return store.matches.get(match)


@given(st.text(max_size=20), st.dictionaries(st.text(max_size=5), st.text(max_size=9), max_size=4), ENTRIES)
def test_a_line_and_back(match: str, fields: dict[str, str], log: tuple[tuple[int, int, bytes], ...]) -> None:
    """Whatever a match holds, its line gives it back, and there is one line for it."""
    shelved = Shelved(match, fields, "1-1-x", Secret(SEED), log)
    assert Shelved.of(shelved.line()) == shelved
    assert "\n" not in shelved.line()


def test_an_object_is_named_by_its_content(archive: Archive) -> None:
    """The same matches are the same object; other ones are another."""
    name = archive.put("main/1-7", [SHELVED])
    assert archive.put("main/1-7", [SHELVED]) == name
    assert archive.put("main/1-7", [Shelved("x", {}, "", Secret(b""), ()), SHELVED]) != name
    assert archive.get(name, MATCH) == SHELVED
    folder = Path(archive.url) / "main"
    assert sorted(file.suffix for file in folder.iterdir()) == [".gz", ".gz"]


def test_an_object_that_did_not_reach_the_disk_is_none(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log is dropped once it is archived, so a disk that says it could not write is believed."""

    def full(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(ArchiveError, match="Input/output error") as refused:
            archive.put("main/1-7", [SHELVED])
    assert refused.value.reason == "ARCHIVE_UNAVAILABLE"
    assert not list((Path(archive.url) / "main").iterdir()), "what failed on a full disk does not fill it"
    assert archive.get(archive.put("main/1-7", [SHELVED]), MATCH) == SHELVED


def test_an_object_stays_after_the_power_was_gone(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bytes are forced to the disk, and then the folders in which it stands by name: its own and the archive."""
    forced: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: forced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
    )
    name = archive.put("main/1-7", [SHELVED])
    folder = Path(archive.url).resolve()
    part, *folders = forced
    assert part.startswith(f"{folder / name}.")
    assert folders == [str(folder / "main"), str(folder), str(folder.parent)]


def _says_of_folders(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """Have each folder that is forced to the disk say this; files are as ever."""
    forced = os.fsync

    def said(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(code, os.strerror(code))
        forced(descriptor)

    monkeypatch.setattr(os, "fsync", said)


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fails_a_folder_is_believed(archive: Archive, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """The object may be gone with the power, so its log is kept: also at the next try, which finds it there."""
    with monkeypatch.context() as patched:
        _says_of_folders(patched, code)
        for _ in range(2):
            with pytest.raises(ArchiveError, match=os.strerror(code)) as refused:
                archive.put("main/1-7", [SHELVED])
            assert refused.value.reason == "ARCHIVE_UNAVAILABLE"
    assert archive.get(archive.put("main/1-7", [SHELVED]), MATCH) == SHELVED


@pytest.mark.parametrize("code", sorted(NO_SYNC))
def test_a_folder_that_cannot_be_forced_to_the_disk_will_do(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Some file systems do not know that, and what is above the archive may be somebody else's."""
    _says_of_folders(monkeypatch, code)
    assert archive.get(archive.put("main/1-7", [SHELVED]), MATCH) == SHELVED


def test_a_damaged_object_is_noticed(archive: Archive) -> None:
    """One bit is enough; and an object that is gone is said to be gone."""
    name = archive.put("main/1-7", [SHELVED])
    file = Path(archive.url) / name
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(ArchiveError, match="damaged") as damaged:
        archive.get(name, MATCH)
    assert damaged.value.reason == "ARCHIVE_DAMAGED"
    file.unlink()
    with pytest.raises(ArchiveError) as gone:
        Archive(archive.url).get(name, MATCH)
    assert gone.value.reason == "ARCHIVE_UNAVAILABLE"


def test_a_match_that_is_not_in_its_object_is_noticed(archive: Archive) -> None:
    """Another object than the ledger says."""
    name = archive.put("main/1-7", [SHELVED])
    with pytest.raises(ArchiveError, match="it has no match cup"):
        archive.get(name, "cup.1.2.0")


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("carrier-pigeon://loft", id="a protocol that nobody speaks"),
        pytest.param("://", id="no protocol"),
        pytest.param("/proc/nowhere/archive", id="a folder that cannot be made"),
    ],
)
def test_an_archive_that_cannot_be_used_is_refused(url: str) -> None:
    """Before anything is archived, with what would be allowed."""
    with pytest.raises(ArchiveError, match="cannot be used") as refused:
        Archive(url).check()
    assert (refused.value.reason, refused.value.field) == ("BAD_ARCHIVE", "LASTCARD_ARCHIVE")


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        pytest.param({"LASTCARD_ARCHIVE": "s3://bucket/x", "LASTCARD_STATE": "/state"}, "s3://bucket/x", id="named"),
        pytest.param({"LASTCARD_STATE": "/state"}, "/state/archive", id="in the state folder"),
        pytest.param({"HOME": "/home/ann"}, "/home/ann/.local/state/lastcard/archive", id="at home"),
        pytest.param({"XDG_STATE_HOME": "/x"}, "/x/lastcard/archive", id="where state belongs"),
    ],
)
def test_where_the_archive_is(environ: dict[str, str], url: str) -> None:
    """`LASTCARD_ARCHIVE`, else the state folder."""
    assert Archive.of(environ).url == url


def test_a_file_system_in_memory_will_do() -> None:
    """Whatever fsspec knows: nothing here depends on folders of this machine."""
    archive = Archive("memory://lastcard-test")
    archive.check()
    name = archive.put("main/1-7", [SHELVED])
    assert Archive("memory://lastcard-test").get(name, MATCH) == SHELVED


def test_rated_archived_trimmed(kept: Store) -> None:
    """One way, and each step is told; log and seed read the same before and after."""
    row = settled(kept)
    log, seed, head = kept.matches.log(MATCH), kept.matches.seed(MATCH), kept.matches.head(MATCH)
    assert kept.shelf.waiting(2_000, 10) == [MATCH]
    assert kept.shelf.waiting(1_999, 10) == []
    assert kept.shelf.write([row]) == 1
    row = kept.matches.get(MATCH)
    assert row.state is MatchState.ARCHIVED
    assert row.archive.startswith(f"{kept.keys.tenant}/{1:012}-{1:012}-")
    assert kept.shelf.trim(row) is Trimmed.OK
    assert kept.shelf.count() == 0
    assert kept.matches.get(MATCH).state is MatchState.TRIMMED
    assert kept.matches.log_here(MATCH) == []
    assert (kept.matches.log(MATCH), kept.matches.seed(MATCH), kept.matches.head(MATCH)) == (log, seed, head)
    assert {state: count for state, count in kept.matches.states().items() if count} == {MatchState.TRIMMED: 1}


def test_every_step_twice_is_once(kept: Store) -> None:
    """A worker that was cut off does it all again."""
    row = settled(kept)
    assert (kept.shelf.write([row]), kept.shelf.write([row])) == (1, 0)
    row = kept.matches.get(MATCH)
    assert (kept.shelf.trim(row), kept.shelf.trim(row)) == (Trimmed.OK, Trimmed.DUP)
    assert kept.shelf.write([kept.matches.get(MATCH)]) == 0


def test_a_crash_after_the_object_was_written_is_harmless(kept: Store, archive: Archive) -> None:
    """An object that nothing points to stays; the next attempt writes its own."""
    row = settled(kept)
    other = settled(kept, "cup.1.2.0")
    archive.put("orphan", [kept.shelf._shelved(row)])
    assert kept.shelf.write([row, other]) == 2
    assert {kept.shelf.trim(kept.matches.get(match.id)) for match in (row, other)} == {Trimmed.OK}
    assert kept.matches.log(row.id)
    assert kept.matches.log(other.id)


def test_what_is_not_archived_is_not_dropped(kept: Store, archive: Archive) -> None:
    """A match that is rated only, or whose object is gone or another one, keeps its log."""
    row = settled(kept)
    kept.shelf.write([row])
    row = kept.matches.get(MATCH)
    (Path(archive.url) / row.archive).unlink()
    with pytest.raises(ArchiveError):
        kept.shelf.trim(row)
    assert kept.matches.log_here(MATCH)
    assert kept.matches.get(MATCH).state is MatchState.ARCHIVED


def test_a_log_that_grew_is_not_dropped(kept: Store) -> None:
    """What is archived is not what is here: it stays, and somebody has to look."""
    row = settled(kept)
    kept.shelf.write([row])
    Host(kept).append(kept.matches.head(MATCH), b"more")
    assert kept.shelf.trim(kept.matches.get(MATCH)) is Trimmed.HEAD
    assert len(kept.matches.log_here(MATCH)) == 3
    assert [fields["d"] for _, fields in kept.link.entries(kept.keys.log(MATCH))] == [b"more"]


def test_luck_reads_the_log_first(kept: Store) -> None:
    """While somebody still has to read it, the log stays here."""
    kept.matches.plan([plan(MATCH)], 5)
    host = Host(kept)
    host.close(host.claim(MATCH).head, TEXT)
    kept.matches.settle(MATCH, luck=True)
    kept.shelf.write([kept.matches.get(MATCH)])
    assert kept.shelf.trim(kept.matches.get(MATCH)) is Trimmed.WAIT
    kept.gifts.give_up(MATCH, "")
    assert kept.shelf.trim(kept.matches.get(MATCH)) is Trimmed.OK


@pytest.mark.parametrize("steps", [0, 1, 2], ids=["rated", "archived", "trimmed"])
def test_a_match_can_be_declared_void_at_any_step(kept: Store, steps: int) -> None:
    """It leaves the way into the archive; what was played can still be looked at."""
    row = settled(kept)
    log = kept.matches.log(MATCH)
    if steps > 0:
        kept.shelf.write([row])
    if steps > 1:
        kept.shelf.trim(kept.matches.get(MATCH))
    kept.matches.annul(MATCH, "why", 9)
    assert kept.matches.get(MATCH).state is MatchState.VOID
    assert kept.shelf.count() == 0
    assert kept.shelf.write([row]) == 0
    assert kept.matches.log(MATCH) == log


def test_a_process_without_an_archive_says_so(kept: Store, open_store: OpenStore) -> None:
    """A log that is in the archive is not simply empty."""
    kept.shelf.write([settled(kept)])
    kept.shelf.trim(kept.matches.get(MATCH))
    bare = open_store()
    for read in (bare.matches.log, bare.matches.seed):
        with pytest.raises(ArchiveError, match="LASTCARD_ARCHIVE"):
            read(MATCH)
    assert bare.matches.log("cup.9.9.9") == []
    with pytest.raises(ArchiveError, match="no archive"):
        bare.shelf.write([settled(bare, "cup.1.2.0")])


STEPS: list[Callable[[Store], object]] = [
    lambda store: store.shelf.write([store.matches.get(MATCH)]),
    lambda store: store.shelf.trim(store.matches.get(MATCH)),
]


@pytest.mark.parametrize("lost", [0, 1], ids=["archived", "trimmed"])
def test_a_lost_reply_changes_nothing(store_server: LocalStore, tenant: str, archive: Archive, lost: int) -> None:
    """A call that is sent again because its reply was lost finds what it did."""
    with (
        LossyProxy(store_server) as proxy,
        Store.open(proxy.url, tenant=tenant, role="test", archive=archive) as store,
    ):
        settled(store)
        proxy.losing(lost, (partial(step, store) for step in STEPS))
        assert store.matches.get(MATCH).state is MatchState.TRIMMED
        assert store.matches.log(MATCH)
