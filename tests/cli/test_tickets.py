"""`frontrow tickets`, as the one who stands at the door uses it: on another machine, with public keys in a file."""

from pathlib import Path

import pytest
from tests.processes.copies import Copy, new_copy

from frontrow.core.catalogue import EventId
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketFacts, TicketSerial, TicketSigner

SECRETS = "n" * 32, "o" * 32
SIGNER = TicketSigner([secret.encode() for secret in SECRETS])
OLDER = TicketSigner([SECRETS[1].encode()])
SETTINGS = {"FRONTROW_SIGNING_KEYS": ",".join(SECRETS)}


def code(signer: TicketSigner) -> str:
    return signer.code(TicketFacts(EventId(18), SeatNo(412), TicketSerial(77), signer.key_id))


def test_a_door_without_our_secrets_tells_our_tickets(copy: Copy, tmp_path: Path) -> None:
    printed = copy.says("tickets", "keys", **SETTINGS)
    assert printed.status == 0
    assert [int(line.split()[0]) for line in printed.out.splitlines()] == [SIGNER.key_id, OLDER.key_id]
    assert not any(secret in printed.out for secret in SECRETS)
    keys = tmp_path / "keys"
    keys.write_text(printed.out)
    with new_copy() as door:
        said = door.says("tickets", "verify", code(OLDER), "--keys", str(keys))
    assert (said.status, said.err) == (0, "")
    assert said.out == f"event 18, seat 412, ticket 77, key {OLDER.key_id}\n"


def test_and_tells_others(copy: Copy) -> None:
    said = copy.says("tickets", "verify", code(SIGNER))  # with the keys of this copy, which are others
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("frontrow: none of the keys")
    assert copy.says("tickets", "verify", code(SIGNER), **SETTINGS).status == 0


@pytest.mark.parametrize("content", ["", "no keys\n", "12 ünsinn"])
def test_a_file_without_keys(copy: Copy, tmp_path: Path, content: str) -> None:
    keys = tmp_path / "keys"
    keys.write_text(content, encoding="utf-8")
    said = copy.says("tickets", "verify", code(SIGNER), "--keys", str(keys))
    assert (said.status, said.out) == (1, "")
    assert said.err.count("\n") == 1


def test_a_specimen_lets_nobody_in(copy: Copy, tmp_path: Path) -> None:
    file = tmp_path / "specimen.pdf"
    said = copy.says("tickets", "specimen", str(file))
    assert (said.status, said.out) == (0, f"wrote {file}\n")
    assert file.read_bytes().startswith(b"%PDF-")
    refused = copy.says("tickets", "specimen", str(tmp_path))
    assert (refused.status, refused.err.count("\n")) == (1, 1)
