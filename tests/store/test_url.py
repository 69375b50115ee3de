"""What the address of a store says."""

from __future__ import annotations

import pytest

from ladder.store.errors import BadInputError
from ladder.store.url import StoreAddress, check_url, on_this_machine, store_address, without_password


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://127.0.0.1:6390/2", StoreAddress("", "127.0.0.1", 6390, False, "", "", 2)),
        ("redis://ledger", StoreAddress("", "ledger", 6379, False, "", "")),
        ("redis://ledger/1?db=3", StoreAddress("", "ledger", 6379, False, "", "", 3)),
        ("redis://ref:a%2Fb@ledger:7000", StoreAddress("", "ledger", 7000, False, "ref", "a/b")),
        ("unix:///run/a%20b.sock?db=4", StoreAddress("/run/a b.sock", "127.0.0.1", 6379, False, "", "", 4)),
        (
            "rediss://:word@ledger:6380/0?ssl_ca_certs=/etc/ca.pem",
            StoreAddress("", "ledger", 6380, True, "", "word", 0, (("ssl_ca_certs", "/etc/ca.pem"),)),
        ),
    ],
)
def test_an_address_is_taken_apart(url: str, address: StoreAddress) -> None:
    """As the general client takes it."""
    assert store_address(url) == address
    assert "word" not in repr(store_address(url))


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("unix:///run/store.sock?db=1", True),
        ("redis://127.0.0.1:6379/0", True),
        ("redis://user:word@localhost/0", True),
        ("redis://[::1]:6379/0", True),
        ("rediss://ledger.example:6380/0", False),
        ("redis://10.0.0.7:6379/0", False),
    ],
)
def test_only_a_disk_of_this_machine_is_looked_at(url: str, *, here: bool) -> None:
    """The disk of a referee says nothing of a store elsewhere."""
    assert on_this_machine(url) is here


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://ref:word@ledger:7000/1", "redis://ledger:7000/1"),
        ("unix://ref:word@/run/store.sock?db=1", "unix:///run/store.sock?db=1"),
        ("unix:///run/store.sock?db=1&password=word", "unix:///run/store.sock?db=1&password=***"),
        ("redis://ledger?password=word&username=ref", "redis://ledger?password=***&username=***"),
    ],
)
def test_a_url_is_shown_without_user_and_password(url: str, shown: str) -> None:
    """Wherever they stand in it."""
    assert without_password(url) == shown


@pytest.mark.parametrize("url", ["unix:///run/store.sock?db=1&password=word", "redis://ledger?username=word"])
def test_user_and_password_stand_in_one_place(url: str) -> None:
    """A referee's own connection would not find them behind the question mark; the error does not repeat them."""
    with pytest.raises(BadInputError, match="before host or path, as USER:PASSWORD@") as refused:
        check_url(url)
    assert "=word" not in f"{refused.value}{refused.value.value}"


@pytest.mark.parametrize("name", ["pass%77ord", "%70assword", "user%6eame", "Password"])
def test_a_secret_is_masked_however_its_name_is_written(name: str) -> None:
    """A client that decodes the name would take it; what is around it is shown as it was typed."""
    url = f"redis://ledger:7000/1?{name}=word;x&ssl_ca_certs=/etc/ca.pem"
    assert without_password(url) == f"redis://ledger:7000/1?{name}=***&ssl_ca_certs=/etc/ca.pem"
