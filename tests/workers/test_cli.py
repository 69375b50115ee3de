"""`lastcard tournament …` as it is typed: what it prints, how it fails, and its exit codes."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from lastcard.cli import main
from tests.store.scenes import parked
from tests.workers.house import House
from tests.workers.organiser import CREATE, printed
from tests.workers.small_referee import FORMAT
from workers.tournaments.tournament_text import UNMEASURED

pytestmark = pytest.mark.slow


def test_plan(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """`plan` says how much there is to play, how long it takes, and how sure the result will be."""
    assert main(["tournament", "plan", *CREATE[2:], "--start", "2099-12-24T18:00:00+01:00"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "3 matches, 9 meetings, 18 games",
        "about 515 decisions to be sent and answered",
        "each bot plays 6 meetings",
        f"about 0:00:02, 0:00:00 to 0:00:13, where bots answer at once: {UNMEASURED.format(FORMAT)}",
        "over between 2099-12-24 17:00:00 UTC and 2099-12-24 17:00:12 UTC",
        "ratings to about ±112 Elo (95 %)",
    ]
    assert main(["tournament", "plan", *CREATE[2:], "--json"]) == 0
    assert UNMEASURED.endswith("with 10 games and 1 second of play")
    plan = printed(capsys)["plan"]
    assert isinstance(plan, dict)
    assert (plan["matches"], plan["games"], plan["next_starts"]) == (3, 18, [])
    assert (plan["messages"], plan["per_pairing"]) == (515, 3)
    assert plan["finish_earliest"] < plan["finish"] < plan["finish_latest"]
    assert plan["games_measured"] == 0


def test_plan_says_who_plays_how_much(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """In a gauntlet one plays more than the others."""
    assert main(["tournament", "plan", *CREATE[2:], "--kind", "gauntlet"]) == 0
    assert "\nalpha plays 6 meetings, each of the others 3 meetings\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "meetings"),
    [
        pytest.param(["--size", "quick"], 10, id="quick"),
        pytest.param(["--size", "fine"], 200, id="fine"),
        pytest.param([], 50, id="the default"),
    ],
)
def test_sizes(shop: House, capsys: pytest.CaptureFixture[str], words: list[str], meetings: int) -> None:
    """A size stands for meetings of each pairing."""
    assert main(["tournament", "plan", *CREATE[2:7], *words, "--json"]) == 0
    plan = printed(capsys)["plan"]
    assert isinstance(plan, dict)
    assert (plan["per_pairing"], plan["meetings"]) == (meetings, 3 * meetings)


def test_create_list_show(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """What is created is listed and shown, for people and as JSON."""
    assert main([*CREATE, "--json"]) == 0
    created = printed(capsys)
    assert (created["state"], created["deal_seed"]) == ("draft", None)
    assert main(["tournament", "show", "spring"]) == 0
    assert f"fresh deals, committed to by {created['commitment']}\n" in capsys.readouterr().out
    shop.play("spring")
    assert main(["tournament", "list"]) == 0
    assert "spring" in capsys.readouterr().out
    assert main(["tournament", "list", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["tournaments"]
    assert (listed["name"], listed["state"], "standings" in listed) == ("spring", "finished", False)
    assert main(["tournament", "show", "spring"]) == 0
    shown = capsys.readouterr().out
    assert "spring: finished, uno-classic-2, 3 bots" in shown
    assert f"fresh deals, of seed {listed['deal_seed']}, committed to by {listed['commitment']}" in shown
    assert sha256(bytes.fromhex(listed["deal_seed"])).hexdigest() == listed["commitment"]
    assert "schedule seed 0" in shown
    assert "3/3 matches, 18/18 games" in shown
    assert f"rated by ruleset {shop.store.matches.get('spring.1.1.0').ruleset}" in shown
    assert "alpha@1" in shown
    assert main(["tournament", "show", "spring", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    row = shop.store.tournaments.get("spring")
    assert document["games_per_second"] == pytest.approx(18_000 / (row.ended_ms - row.started_ms), abs=1e-3)
    assert document["rounds_per_second"] == document["games_per_second"]  # a game is one round
    assert list(document["standings"][0]) == [
        *("rank", "bot", "elo", "ci95", "meetings", "wins", "ties", "losses", "mean_points", "faults"),
        *("raw_elo", "luck", "provisional", "walkovers"),
    ]
    assert [(pair["a"], pair["b"]) for pair in document["pairs"]] == [
        ("alpha@1", "beta@1"),
        ("alpha@1", "gamma@1"),
        ("beta@1", "gamma@1"),
    ]


def test_a_start_that_is_to_come_is_told(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """By `create`, `show` and `list`, with its time zone; not any more once it is over."""
    assert main(["tournament", "create", "eve", *CREATE[3:], "--start", "2099-12-24T18:00:00+01:00"]) == 0
    said = capsys.readouterr()
    assert "starts 2099-12-24 17:00:00 UTC\n" in said.out
    assert "it begins at 2099-12-24 17:00:00 UTC; " in said.err
    shop.look()
    assert main(["tournament", "show", "eve"]) == 0
    assert "starts 2099-12-24 17:00:00 UTC\n" in capsys.readouterr().out
    assert main(["tournament", "list"]) == 0
    assert "scheduled, starts 2099-12-24 17:00:00 UTC " in capsys.readouterr().out
    assert main(["tournament", "cancel", "eve"]) == 0
    capsys.readouterr()
    assert main(["tournament", "list"]) == 0
    assert "2099" not in capsys.readouterr().out


def test_a_cron_line_says_when_and_how_much(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """It plays nothing itself: no seeds and no progress, but what each run is; the next three are told by all verbs."""
    words = [*CREATE[3:], "--cron", "0 2 * * *", "--tz", "Asia/Ho_Chi_Minh"]
    starts = [
        "starts 2027-01-16 02:00:00 Asia/Ho_Chi_Minh (2027-01-15 19:00:00 UTC)",
        "starts 2027-01-17 02:00:00 Asia/Ho_Chi_Minh (2027-01-16 19:00:00 UTC)",
        "starts 2027-01-18 02:00:00 Asia/Ho_Chi_Minh (2027-01-17 19:00:00 UTC)",
    ]
    each = "at '0 2 * * *' (Asia/Ho_Chi_Minh), each time 3 matches, 18 games"
    assert main(["tournament", "plan", "nightly", *words]) == 0
    planned = capsys.readouterr().out.splitlines()
    assert (planned[0], planned[-3:]) == ("3 matches, 9 meetings, 18 games", starts)
    assert shop.store.tournaments.page()[0] == []
    assert main(["tournament", "create", "nightly", *words]) == 0
    created = capsys.readouterr()
    assert created.out.splitlines()[1:] == [each, *starts]
    assert "each run is a tournament of its own, named nightly-<time>" in created.err
    assert main(["tournament", "show", "nightly"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [each, *starts]
    assert main(["tournament", "list"]) == 0
    assert "at '0 2 * * *'" in capsys.readouterr().out


def test_a_cron_line_of_all_says_when_though_nobody_is_there(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Who plays shows at each run; when the next three are is known, for people and for machines."""
    shop.referee.seat({})
    words = ["nightly", "--format", FORMAT, "--all", "--cron", "0 2 * * *"]
    days = [f"2027-01-{day}" for day in (16, 17, 18)]
    for verb in ("plan", "create"):
        assert main(["tournament", verb, *words]) == 0
        assert capsys.readouterr().out.splitlines()[-3:] == [f"starts {day} 02:00:00 UTC" for day in days]
        assert main(["tournament", verb, *words, "--json"]) == 0
        plan = printed(capsys)["plan"]
        assert isinstance(plan, dict)
        assert [start[:19] for start in plan["next_starts"]] == [f"{day}T02:00:00" for day in days]


def test_a_tournament_that_is_there_is_told_with_its_table(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Created again after its end it says what `show` says."""
    main(CREATE)
    shop.play("spring")
    capsys.readouterr()
    assert main([*CREATE, "--json"]) == 0
    created = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert main(["tournament", "show", "spring", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert created["standings"] == shown["standings"] != []


def test_pairs_and_what_the_numbers_mean(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Every pair stands in a table of its own; which rating is shown, ranges and seats are said in words."""
    main(CREATE)
    assert main([*CREATE, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out.splitlines()[-1])["existed"] is True
    assert "spring is there already, the same in all; nothing has changed" in captured.err
    shop.play("spring")
    assert main(["tournament", "show", "spring", "--pairs"]) == 0
    shown = capsys.readouterr().out
    for words in ("elo has the luck of the cards in it", "score by seat, first to last: ", "ranks", "LOS", "expected"):
        assert words in shown
    assert main(["tournament", "show", "spring", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["bot"] for row in document["ranks"]] == [row["bot"] for row in document["standings"]]
    assert all(1 <= row["best"] <= row["worst"] <= 3 for row in document["ranks"])
    assert sum(document["seats"]) == pytest.approx(1.0)
    assert all(0 <= pair["los"] <= 1 and 0 < pair["expected"] < 1 for pair in document["pairs"])


def test_operators_verbs(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Each verb says what came of it; twice is as good as once."""
    main(CREATE)
    shop.look()
    first, second, _ = sorted(shop.store.matches.waiting())
    parked(shop.store, second, "strikes", shop.now_ms)
    capsys.readouterr()
    for words, sentence in (
        (["pause", "spring"], "spring is paused"),
        (["pause", "spring"], "spring is paused"),
        (["resume", "spring"], "spring is running"),
        (["void", first, "--reason", "wrong deck"], f"{first} is void"),
        (["requeue", second], f"{second} is ready"),
        (["requeue", first], f"{first}.r2 is ready"),
    ):
        assert main(["tournament", *words]) == 0
        assert capsys.readouterr().out.splitlines()[0] == sentence
    assert main(["tournament", "void", first, "--reason", "again", "--json"]) == 0
    assert printed(capsys)["reason"] == "wrong deck"


def test_a_deal_seed_from_a_file(shop: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The secret comes from a file and is printed when all is over, not before."""
    file = tmp_path / "seed"
    file.write_text("ab" * 32 + "\n")
    assert main([*CREATE, "--deal-seed-file", str(file), "--json"]) == 0
    assert printed(capsys)["deal_seed"] is None
    shop.play("spring")
    main(["tournament", "show", "spring", "--json"])
    assert printed(capsys)["deal_seed"] == "ab" * 32


@pytest.mark.parametrize(
    ("words", "code", "reason", "sentence"),
    [
        pytest.param(["show", "nope"], 2, "UNKNOWN_TOURNAMENT", "there is no tournament 'nope'", id="unknown name"),
        pytest.param(["show", "No!"], 2, "BAD_NAME", "a-z, 0-9", id="no name"),
        pytest.param(["create", "spring"], 2, "USAGE", "--format", id="format left out"),
        pytest.param(
            ["create", "spring", "--format", "chess", "--all"], 2, "UNKNOWN_FORMAT", "chess", id="no such format"
        ),
        pytest.param(["create", "spring", "--format", FORMAT], 2, "BAD_BOTS", "name the bots", id="nobody"),
        pytest.param([*CREATE[1:], "--kind", "swiss"], 2, "USAGE", "gauntlet", id="no such kind"),
        pytest.param([*CREATE[1:], "--start", "tomorrow"], 2, "BAD_START", "2026-12-24T18:00:00+01:00", id="no time"),
        pytest.param([*CREATE[1:], "--start", "2026-12-24T18:00:00"], 2, "BAD_START", "offset", id="no offset"),
        pytest.param([*CREATE[1:], "--cron", "daily"], 2, "BAD_CRON", "five fields", id="no cron line"),
        pytest.param([*CREATE[1:], "--deal-seed-file", "/nowhere"], 2, "BAD_SEED", "cannot be read", id="no seed file"),
        pytest.param([*CREATE[1:], "--deal-seed-file", "/dev/zero"], 2, "BAD_SEED", "64 hex digits", id="endless file"),
        pytest.param([*CREATE[1:], "--meetings", "0"], 2, "USAGE", "1<=x<=10000", id="no meetings"),
        pytest.param(["void", "spring.1.1.0"], 2, "USAGE", "--reason", id="void without a reason"),
        pytest.param(["void", "spring.9.9.9", "--reason", "x"], 2, "UNKNOWN_MATCH", "spring.9.9.9", id="unknown match"),
        pytest.param(["void", "over.1.1", "--reason", "x"], 2, "UNKNOWN_MATCH", "like spring.1.1.0", id="half an id"),
        pytest.param(["requeue", "over"], 2, "UNKNOWN_MATCH", "`lastcard bot log NAME`", id="a tournament, no match"),
        pytest.param(["resume", "over"], 2, "WRONG_STATE", "allowed while", id="resume what is over"),
        pytest.param([*CREATE[1:], "--cron", "0 2 * * *", "--wait"], 2, "WAIT_FOREVER", "has none", id="wait for ever"),
        pytest.param(
            ["create", "over", "--format", FORMAT, "--bots", "alpha,beta", "--meetings", "3", "--grace", "9"],
            2,
            "NAME_TAKEN",
            "another description (it differs in grace and meetings); choose another name",
            id="another description",
        ),
        pytest.param(
            ["create", "cup", "--format", FORMAT, "--bots", "alpha,betta"],
            2,
            "UNKNOWN_BOT",
            "there is no bot 'betta'; did you mean beta? Register it first, or leave it out",
            id="mistyped bot",
        ),
        pytest.param(
            ["plan", "cup", "--format", FORMAT, "--bots", "alpha", "beta"],
            2,
            "USAGE",
            "too much: beta; there is one NAME, and bots are joined by commas: --bots a,b,c",
            id="bots with a blank between them",
        ),
        pytest.param(["win", "spring"], 2, "UNKNOWN_COMMAND", "tournament", id="no such verb"),
    ],
)
def test_errors(
    shop: House, capsys: pytest.CaptureFixture[str], words: list[str], code: int, reason: str, sentence: str
) -> None:
    """Each mistake has its exit code and a sentence on stderr, with --json as an object; never a traceback."""
    main(["tournament", "create", "over", "--format", FORMAT, "--bots", "alpha,beta"])
    main(["tournament", "cancel", "over"])
    capsys.readouterr()
    assert main(["tournament", *words]) == code
    assert sentence in capsys.readouterr().err
    assert main(["tournament", *words, "--json"]) == code
    captured = capsys.readouterr()
    if code:
        error = json.loads(captured.err)["error"]
        assert error["reason"] == reason
        assert sentence in error["message"]
        assert captured.out == ""


def test_without_a_token(shop: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Writing needs one: exit code 2, and what to set."""
    monkeypatch.delenv("LASTCARD_TOKEN_FILE")
    assert main(CREATE) == 2
    assert "LASTCARD_TOKEN" in capsys.readouterr().err


def test_without_a_ladder(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody listens: exit code 3, and what to start."""
    monkeypatch.setenv("LASTCARD_LADDER", "127.0.0.1:1")
    monkeypatch.delenv("LASTCARD_TOKEN_FILE", raising=False)
    assert main(["tournament", "list"]) == 3
    assert "lastcard up" in capsys.readouterr().err


@pytest.mark.parametrize("which", ["worker", "beat", "ladder"])
def test_a_process_without_a_store(
    which: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`serve` without a ledger says which variable to set: exit code 2."""
    monkeypatch.delenv("LASTCARD_REDIS_URL", raising=False)
    assert main(["serve", which]) == 2
    assert "LASTCARD_REDIS_URL" in capsys.readouterr().err
