"""What the address of a store says."""

from __future__ import annotations

import pytest

from ladder.store.url import StoreAddress, on_this_machine, store_address


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
