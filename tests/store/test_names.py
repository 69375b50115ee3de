"""Names: what is refused, and what looks alike."""
# ruff: noqa: RUF001 letters that look like others are what this is about

import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.errors import RequestError
from ladder.names import checked
from ladder.store.errors import BadInputError
from ladder.store.names import (
    RESERVED,
    check_author,
    check_bot_name,
    check_operator,
    check_owner,
    check_tournament_name,
    check_version,
    skeleton,
)
from lastcard import starter
from lastcard.errors import InputError
from lastcard.names import BOT, BOT_RULE, TOURNAMENT, TOURNAMENT_RULE

pytestmark = pytest.mark.slow

HOSTILE = [
    *(
        "",
        "a",
        "ab",
        "-ab",
        "ab-",
        "-",
        "---",
        "a" * 25,
        "Ann",
        "ANN",
        "an n",
        " ann",
        "ann ",
        "ann\n",
        "\nann",
        "ann\0",
        "a\tb",
    ),
    *(
        "a.b",
        "a_b",
        "a@1",
        "a/b",
        "a\\b",
        "a:b",
        "a|b",
        "a;b",
        "a,b",
        "a=b",
        "a{b}",
        "{main}",
        "a*b",
        "a?b",
        "a[b]",
        "a%b",
        "a#b",
    ),
    *(
        "<b>x</b>",
        "<script>alert(1)</script>",
        "javascript:x",
        "'; DROP TABLE bots; --",
        '" OR 1=1',
        "$(id)",
        "`id`",
        "${x}",
        "{{7*7}}",
        "%s%n",
    ),
    *(
        "../../etc/passwd",
        "con\r\nSET x 1",
        "*3\r\n$3\r\nSET",
        "FLUSHALL\r\n",
        "\x1b[31mred",
        "\x7f",
        "\x00\x01\x02",
        "\u200bann",
        "ann\u200b",
    ),
    *(
        "а" + "nn",
        "аnn",
        "раураl",
        "ｆｕｌｌ",
        "ﬀoo",
        "ıvan",
        "ñandu",
        "日本語",
        "бот",
        "بوت",
        "🂡🂢🂣",
        "a\u0301nn",
        "\u202egnp.exe",
        "ann\ufeff",
        "ΑΒΓ",
        "ⅷbot",
        "①②③",
        "ᵃᵇᶜ",
    ),
    *(
        "٠١٢",
        "१२३",
        "𝒶𝓃𝓃",
        "ａｎｎ",
        "a\u00adnn",
        "a\u2010b",
        "a\u2013b",
        "a−b",
        "a\u00a0b",
        "ｂｏｔ-1",
        "bot\u0000admin",
        "\ud7ffabc",
    ),
]
CONFUSABLE = ["аbcde", "ԁanny", "һello", "јohnny", "ⅼast", "ѕmith", "ϲard", "ոice", "ʟast", "ɡreedy", "օne-x", "рlay"]


@pytest.mark.parametrize("name", [pytest.param(name, id=repr(name)) for name in dict.fromkeys(HOSTILE + CONFUSABLE)])
def test_hostile_names_are_refused(name: str) -> None:
    """Markup, control characters, protocol, foreign alphabets that look like ours: none is a name."""
    with pytest.raises(BadInputError) as bot:
        check_bot_name(name)
    assert bot.value.reason == "BAD_NAME"
    if len(name) < 25:
        with pytest.raises(BadInputError):
            check_tournament_name(name)


LOOKALIKES = {
    "a": "àáâãäåāăąаạ\u0251ａ",
    "c": "çćĉċčсϲｃ",
    "d": "ďđԁḍｄ",
    "e": "èéêëēĕėęěеẹｅ",
    "h": "ĥħһḥｈ",
    "i": "ìíîïĩīĭįıіⅰｉ",
    "l": "ĺļľŀłⅼӏｌ",
    "n": "ñńņňŉոṇｎ",
    "o": "òóôõöøōŏőоοօọｏ",
    "p": "рρþｐ",
    "s": "śŝşšѕṣｓ",
    "x": "×хχⅹｘ",
    "y": "ýÿŷуγỵｙ",
}


def test_no_lookalike_letter_passes() -> None:
    """More than five hundred names with one foreign letter in them: all refused."""
    plain = [
        "deep-thought",
        "alpha-zero",
        "lion-heart",
        "chess-player",
        "sixpence",
        "candyshop",
        "polyphonic",
        "hexadecimal",
    ]
    hostile = [
        name[:at] + other + name[at + 1 :]
        for name in plain
        for at, letter in enumerate(name)
        for other in LOOKALIKES.get(letter, "")
    ]
    assert len(hostile) > 500
    for name in hostile:
        with pytest.raises(BadInputError):
            check_bot_name(name)


@given(st.text(max_size=30))
def test_whatever_is_accepted_is_plain(name: str) -> None:
    """3 to 24 characters of a-z, 0-9 and hyphens, and a hyphen neither first nor last."""
    try:
        check_bot_name(name, house=True)
    except BadInputError:
        return
    assert 3 <= len(name) <= 24
    assert set(name) <= set(string.ascii_lowercase + string.digits + "-")
    assert "-" not in (name[0], name[-1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("pay-pal", "paypa1", id="one for l"),
        pytest.param("oscar", "0scar", id="zero for o"),
        pytest.param("lion", "iion", id="i for l"),
        pytest.param("modern", "rnodern", id="rn for m"),
        pytest.param("corner", "comer", id="m for rn"),
        pytest.param("a-b-c", "abc", id="hyphens"),
    ],
)
def test_lookalikes_have_one_skeleton(one: str, other: str) -> None:
    """What is mistaken for each other at a glance counts as the same."""
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_reserved_names_are_for_the_operator(name: str) -> None:
    """Refused to everybody else."""
    with pytest.raises(BadInputError):
        check_bot_name(name)


@pytest.mark.parametrize("name", ["ann", "a-1", "deep-thought-42", "x" * 24, "123"])
def test_plain_names_are_accepted(name: str) -> None:
    """Short, long, digits, hyphens inside."""
    check_bot_name(name)
    check_tournament_name(name)


def test_ladder_is_no_tournament() -> None:
    """Its match ids would be those of the ladder. It keeps to the rule of names: the rule would be no answer."""
    with pytest.raises(BadInputError, match="is reserved") as refused:
        check_tournament_name("ladder")
    assert refused.value.reason == "BAD_NAME"
    assert str(refused.value).endswith("choose another name")


def test_library_commands_and_store_agree_about_names() -> None:
    """One rule, in the same words: for who writes a bot, who asks a server, and who registers it; and on the pages."""
    assert BOT_RULE == "3 to 24 of a-z, 0-9 and hyphens, and no hyphen at either end"
    assert BOT_RULE.replace("24", "40") == TOURNAMENT_RULE
    for page in ("README.md", "docs/house-bots.md", "docs/tutorial.md"):
        assert BOT_RULE in (Path(__file__).parents[2] / page).read_text("utf-8"), page
    with pytest.raises(InputError, match=re.escape(BOT_RULE)):
        starter.new(["a.b"])
    with pytest.raises(RequestError, match=re.escape(BOT_RULE)):
        checked(BOT, "a.b", "name")
    with pytest.raises(BadInputError, match=re.escape(BOT_RULE)):
        check_bot_name("a.b")
    with pytest.raises(RequestError, match=re.escape(TOURNAMENT_RULE)):
        checked(TOURNAMENT, "a.b", "name")
    with pytest.raises(BadInputError, match=re.escape(TOURNAMENT_RULE)):
        check_tournament_name("a.b")


@pytest.mark.parametrize(("check", "field"), [(check_owner, "owner"), (check_version, "version")])
@pytest.mark.parametrize("text", ["", " x", "x ", "a\nb", "x" * 65, "\u3164", "\u2800", "\ufe0f"])
def test_owners_and_versions_are_printable_and_short(check: Callable[[str], None], field: str, text: str) -> None:
    """The refusal says which of the two it was, and what may be."""
    with pytest.raises(BadInputError, match="1 to 64 printable characters") as refused:
        check(text)
    assert (refused.value.reason, refused.value.field) == (f"BAD_{field.upper()}", field)


@pytest.mark.parametrize(
    "owner",
    [
        pytest.param("operator", id="the first operator"),
        pytest.param("Operator", id="with a capital letter"),
        pytest.param("0perator", id="a digit that looks like it"),
        pytest.param("planner", id="what acts by itself"),
        pytest.param("unix:root", id="an account of the machine"),
        pytest.param("UNIX:root", id="in capitals"),
        pytest.param("bot:rover", id="a bot"),
        pytest.param("bot：rover", id="a wide colon"),
        pytest.param("unix\ua789root", id="a letter that looks like a colon"),
        pytest.param("oper\u034fator", id="a mark that nobody sees"),
        pytest.param("planner\ufe0f", id="a mark behind it"),
        pytest.param("pl\u0430nner", id="a letter of Cyrillic"),
    ],
)
def test_owners_are_not_called_as_who_acts_in_the_audit(owner: str) -> None:
    """Nobody reads there what an author chose; an operator may call an owner so."""
    with pytest.raises(BadInputError, match="choose another") as refused:
        check_author(owner)
    assert (refused.value.reason, refused.value.field) == ("BAD_OWNER", "owner")
    check_owner(owner)


@pytest.mark.parametrize("owner", ["Ada", "robot: one", "Unix fan", "operators of Ghent", "Zoë Ångström", "house"])
def test_other_owners_are_called_as_they_like(owner: str) -> None:
    """In any alphabet, with spaces inside; whose the house is, registration looks at."""
    check_author(owner)


@pytest.mark.parametrize("name", ["planner", "Planner", "bot:rover", "unix:root", "lastcard"])
def test_operators_are_not_called_as_who_acts_without_their_token(name: str) -> None:
    """Nor does an operator's token speak for a bot, or for an account of the machine."""
    with pytest.raises(BadInputError, match="the audit calls somebody else") as refused:
        check_operator(name)
    assert refused.value.reason == "BAD_OWNER"
    check_operator("operator")
    check_operator("Zoë Ångström")
