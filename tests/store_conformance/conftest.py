"""Both stores, for every test of the suite."""

import pytest

from tests.fixtures_store import OpenStore
from tests.store_conformance.stands import RealStand, SimulatedStand, Stand


@pytest.fixture(params=["simulated", "redis"])
def stand(request: pytest.FixtureRequest, tenant: str) -> Stand:
    """A store, empty for this test."""
    if request.param == "simulated":
        return SimulatedStand(tenant)
    open_store: OpenStore = request.getfixturevalue("open_store")
    return RealStand(request.getfixturevalue("store_server"), tenant, open_store())
