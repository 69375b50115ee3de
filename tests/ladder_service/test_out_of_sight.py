"""Nobody who prints an object of a running ladder, or of a worker, reads what is secret."""

from dataclasses import asdict
from pathlib import Path

from ladder.settings import LadderSettings
from ladder.store import Store
from ladder.store.deal_seeds import new_seed
from ladder.store.store import Store as OpenStore
from lastcard.v1 import ladder_pb2 as pb
from referee.settings import load
from tests.fixtures_store import PEPPER
from tests.ladder_running import running_ladder, settings_for
from tests.sight import bare, printed, shapes
from workers.settings import WorkerSettings


async def test_no_object_of_a_ladder_shows_a_secret_and_none_holds_it_bare(store: Store, tmp_path: Path) -> None:
    """After it has made a token, looked at one, and shown a tournament that plays."""
    seed = new_seed()
    store.tournaments.create("cup", {}, deal_seed=seed, state="running", now_ms=5)
    async with running_ladder(settings_for(store.link.url, store.keys.tenant, tmp_path)) as ladder:
        made = await ladder.stub.RegisterBot(pb.RegisterBotRequest(name="ann-bot", owner="Ann"))
        await ladder.stub.RotateToken(
            pb.RotateTokenRequest(name="ann-bot"), metadata=(("authorization", f"Bearer {made.token}"),)
        )
        assert (await ladder.http.get("/tournaments/cup")).status_code < 500
        secrets = {"token": made.token.split("_", 2)[2].encode(), "pepper": PEPPER, "deal seed": seed.reveal()}
        assert bare(ladder.app, secrets) == set()
        assert printed(ladder.app, {name: shapes(secret) for name, secret in secrets.items()}) == set()
        ladder.app.planted = {name: f"{secret.hex()}" for name, secret in secrets.items()}  # type: ignore[attr-defined]
        assert bare(ladder.app, secrets) == set(secrets), "a search that finds nothing proves nothing"


def test_settings_show_no_password(tmp_path: Path) -> None:
    """Of the store or the broker, in whichever process."""
    url = "redis://ada:hush-hush@127.0.0.1:1/0"
    environ = {"LASTCARD_REDIS_URL": url, "LASTCARD_BROKER_URL": url, "LASTCARD_STATE": str(tmp_path)}
    told = (
        load(index=0, play=None, metrics=None, insecure=False, dev=False, environ=environ),
        LadderSettings.of(environ),
        WorkerSettings.of(environ),
    )
    assert all("hush" not in f"{settings}" for settings in told)
    assert [url in str(asdict(settings)) for settings in told] == [True] * 3


def test_no_object_of_a_store_holds_what_it_read(store: Store) -> None:
    """Nor do the calls that write it: they are kept where an answer may be lost."""
    seed = new_seed()
    store.tournaments.create("cup", {}, deal_seed=seed, state="running", now_ms=5)
    assert store.tournaments.deal_seed("cup") == seed
    assert bare(store, {"deal seed": seed.reveal(), "pepper": PEPPER}) == set()
    assert isinstance(store, OpenStore)
