"""An identity service on this machine: it publishes keys over HTTP, and signs tokens with them."""

import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import get_default_algorithms

ISSUER: Final = "https://id.example"
AUDIENCE: Final = "tickets.example"
SUBJECT: Final = "7"
NOW: Final = 1_800_000_000.0

CLAIMS: Final = {"iss": ISSUER, "aud": AUDIENCE, "sub": SUBJECT, "iat": int(NOW), "exp": int(NOW) + 3600}

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


@dataclass
class Service:
    """What it publishes, and how often it was asked."""

    published: bytes = b'{"keys": []}'
    status: int = 200
    asked: int = 0
    url: str = ""
    keys: dict[str, tuple[str, PrivateKey]] = field(default_factory=dict[str, tuple[str, PrivateKey]])

    def make_key(self, name: str, algorithm: str = "RS256") -> None:
        """A new key, published from now on."""
        self.keys[name] = algorithm, _new_key(algorithm)
        self.publish(*self.keys)

    def publish(self, *names: str) -> None:
        """These keys and no other."""
        self.published = json.dumps({"keys": [self.public(name) for name in names]}).encode()

    def public(self, name: str) -> dict[str, Any]:
        algorithm, key = self.keys[name]
        told: str = get_default_algorithms()[algorithm].to_jwk(key.public_key())
        return json.loads(told) | {"kid": name, "alg": algorithm, "use": "sig"}

    def token(self, name: str, *, headers: dict[str, Any] | None = None, **claims: object) -> bytes:
        """A token of the fan SUBJECT, good for an hour from NOW, but for what is said. None takes something away."""
        algorithm, key = self.keys[name]
        signing = get_default_algorithms()[algorithm]
        header = {"alg": algorithm, "kid": name} | (headers or {})
        return signed(header, CLAIMS | claims, lambda said: signing.sign(said, key))


@contextmanager
def identity_service() -> Generator[Service]:
    service = Service()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            service.asked += 1
            self.send_response(service.status)
            self.send_header("Content-Length", str(len(service.published)))
            self.end_headers()
            self.wfile.write(service.published)

        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 -- the name it has there

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        service.url = f"http://127.0.0.1:{server.server_address[1]}/keys"
        answering = threading.Thread(target=server.serve_forever)
        answering.start()
        try:
            yield service
        finally:
            server.shutdown()
            answering.join()


def signed(header: dict[str, Any], claims: dict[str, Any], sign: Callable[[bytes], bytes]) -> bytes:
    """A token, whatever it says: no library would make some of these. What is None is left out."""
    parts = ({name: value for name, value in part.items() if value is not None} for part in (header, claims))
    said = b".".join(_base64(json.dumps(part).encode()) for part in parts)
    return said + b"." + _base64(sign(said))


def _base64(content: bytes) -> bytes:
    return urlsafe_b64encode(content).rstrip(b"=")


def _new_key(algorithm: str) -> PrivateKey:
    if algorithm == "EdDSA":
        return ed25519.Ed25519PrivateKey.generate()
    if algorithm.startswith("ES"):
        return ec.generate_private_key(ec.SECP384R1() if algorithm == "ES384" else ec.SECP256R1())
    return rsa.generate_private_key(65537, 2048)
