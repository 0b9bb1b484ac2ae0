"""What an operator may turn: every setting with its unit, its default and the reason for it.

Each is an environment variable with the prefix FRONTROW_; docs/settings.md lists them, `frontrow doctor` prints them
with where each came from. Nothing else in Frontrow reads the environment.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from frontrow.halt import Halt

PREFIX: Final = "FRONTROW_"

TEST_PREFIX: Final = "FRONTROW_TEST_"  # what the tests are told; no setting of the service
PASSWORD: Final = re.compile(r"://([^:@/?#]*):.*@")  # up to the last @: a password may hold one
PASSWORD_NAMED: Final = re.compile(r"(\w*pass\w*\s*=\s*)[^&#\s]+", re.IGNORECASE)

SENDER: Final = re.compile(r"[^<>@\x00-\x1f\x7f]*<[^<>@\s\x00-\x1f\x7f]+@[^<>@\s\x00-\x1f\x7f]+>|[^<>@\s]+@[^<>@\s]+")

SIGNING_KEY_BYTES_MIN: Final = 32  # as many as the hash gives out

Port = Annotated[int, Field(ge=1, le=65535)]


class Settings(BaseSettings):
    """One process's settings. Read them once, at the start: `Settings.read()`."""

    # An empty variable counts as not set: that is what `FRONTROW_PORT=` in a compose file means.
    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    host: str = Field(
        default="127.0.0.1", description="address to listen on; loopback until you decide to be reachable"
    )
    port: Port = Field(default=8000, description="TCP port to listen on")
    data_dir: Path = Field(
        default=Path(".frontrow"), description="folder of the embedded engines' data; kept between runs"
    )
    database_url: str | None = Field(
        default=None,
        description="postgresql://… of your own PostgreSQL 15 or newer; unset: the embedded one",
        json_schema_extra={"secret": True},
    )
    valkey_url: str | None = Field(
        default=None,
        description="redis://… of your own Valkey, or Redis 7 or newer; unset: the embedded one",
        json_schema_extra={"secret": True},
    )
    engine_user: str = Field(
        default="nobody", description="system account that runs the embedded engines when Frontrow is started as root"
    )
    workers: Annotated[int, Field(ge=1, le=64)] = Field(
        default=1, description="processes that answer HTTP; one more for every core beyond two"
    )
    connections_max: Annotated[int, Field(ge=16, le=1_000_000)] = Field(
        default=10_000,
        description="open HTTP connections of one worker, those that follow a live map among them; "
        "each is an open file, and the next ones wait until one ends",
    )
    streams_max: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        default=5_000,
        description="fans of one process to whom changes of a live map are pushed; the next ones poll. "
        "At most four fifths of FRONTROW_CONNECTIONS_MAX, whatever this says",
    )
    polls_per_second_max: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        default=30_000,
        description="snapshots and counts of live maps that one process may be asked for in a second; above it, counts "
        "of sections are all there is until it is less. What your network carries at 14 kB each",
    )
    signing_keys: str | None = Field(
        default=None,
        description="keys that sign tickets, and the tokens of fans and sessions, 32 characters or more each, "
        "separated by commas: the first signs, all are accepted, so that keys can be changed during a sale; "
        "unset: one is made and kept in the data folder, which is enough for one machine",
        json_schema_extra={"secret": True},
    )
    mail_from: str | None = Field(
        default=None, description="whom mails are from: an address, or `Name <address>`; needed with a mail server"
    )
    smtp_url: str | None = Field(
        default=None,
        description="smtp://name:password@host:587 of your mail server, or smtps:// for TLS from the first byte; "
        "unset: mails are kept in the database and shown at /mails, to this machine alone",
        json_schema_extra={"secret": True},
    )
    identity_issuer: str | None = Field(
        default=None, description="`iss` in the tokens of your identity service; needed with its keys"
    )
    identity_audience: str | None = Field(
        default=None, description="`aud` in its tokens that are meant for this copy; needed with its keys"
    )
    identity_jwks_url: str | None = Field(
        default=None,
        description="https://… where your identity service publishes its keys (a JSON Web Key Set): its tokens then "
        "say who a fan is, as ours do; unset: only ours do",
    )
    cancel_minutes_before: Annotated[int, Field(ge=0, le=525_600)] = Field(
        default=60,
        description="minutes before an event begins until which fans may give tickets back; seats that come back later "
        "find nobody",
    )
    public_url: str | None = Field(
        default=None,
        description="https://… where fans reach this copy, for links that leave it: a bank sends fans back to it; "
        "unset: host and port of this machine",
    )
    stripe_api_key: str | None = Field(
        default=None,
        description="secret key of your Stripe account; unset: psp-sim stands in for it, and no money moves",
        json_schema_extra={"secret": True},
    )
    stripe_webhook_secrets: str | None = Field(
        default=None,
        description="what Stripe signs webhooks with, separated by commas while one takes over from another; "
        "needed with its key",
        json_schema_extra={"secret": True},
    )
    psp_sim_url: str | None = Field(
        default=None,
        description="http://… of a psp-sim that runs already; unset: `frontrow up` starts one",
    )
    payment_calls_per_second_max: Annotated[int, Field(ge=1, le=10_000)] = Field(
        default=100,
        description="calls that one process makes to the payment provider in a second; what a Stripe account allows, "
        "shared by your processes. psp-sim takes ten times as many",
    )
    behind_tls: bool = Field(
        default=False,
        description="true when a proxy in front ends TLS: browsers are then told to come back over https only",
    )
    proxies: str | None = Field(
        default=None,
        description="networks that proxies of yours ask from, separated by commas, `192.0.2.10, 10.1.0.0/16`: what "
        "they add to X-Forwarded-For says who asks, and what others write there counts for nothing; "
        "unset: with FRONTROW_BEHIND_TLS those of private networks, otherwise none",
    )
    proof_of_work: Literal["never", "by_risk", "always"] = Field(
        default="by_risk",
        description="when a device does some work before it joins a line: by_risk: in a rush, and where something is "
        "not as it is with people; always: also when it is calm, but for fans known for a month; never: for load tests",
    )
    captcha_secret: str | None = Field(
        default=None,
        description="by which that service knows you; needed with its address",
        json_schema_extra={"secret": True},
    )
    captcha_site_key: str | None = Field(
        default=None, description="with which pages show its widget; needed with its address"
    )
    captcha_url: str | None = Field(
        default=None,
        description="https://…/siteverify of your CAPTCHA service (Turnstile, hCaptcha and reCAPTCHA have one): it is "
        "asked beyond the hardest work; unset: nobody is",
    )
    database_connections_max: Annotated[int, Field(ge=2, le=500)] = Field(
        default=10, description="PostgreSQL connections of one process; group commit needs few"
    )
    request_seconds_max: Annotated[float, Field(gt=0, le=300)] = Field(
        default=15.0, description="seconds before a request is answered with 503; streams are exempt"
    )
    body_bytes_max: Annotated[int, Field(ge=1024, le=16_777_216)] = Field(
        default=65_536, description="bytes of a request's body; the largest call of the API needs 1 kB"
    )
    stop_seconds_max: Annotated[int, Field(ge=1, le=300)] = Field(
        default=10, description="seconds that requests under way get when the service stops; streams are cut after them"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="least important log line that is written"
    )
    log_format: Literal["auto", "json", "text"] = Field(
        default="auto", description="json for machines, text for people; auto: text on a terminal, json elsewhere"
    )

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        try:
            return value.expanduser().absolute()
        except (OSError, RuntimeError) as error:  # the folder we are in was removed; there is no such ~account
            raise ValueError(f"names no folder: {error}") from None

    @field_validator("signing_keys")
    @classmethod
    def _long_enough(cls, value: str | None) -> str | None:
        keys = [] if value is None else value.split(",")
        if not all(len(key.strip().encode()) >= SIGNING_KEY_BYTES_MIN for key in keys):
            raise ValueError(f"should have {SIGNING_KEY_BYTES_MIN} characters or more in each key")
        return value

    @field_validator("proxies")
    @classmethod
    def _networks(cls, value: str | None) -> str | None:
        for network in () if value is None else value.split(","):
            try:
                ip_network(network.strip())
            except ValueError:
                raise ValueError("should be addresses or networks, separated by commas") from None
        return value

    @field_validator("captcha_url")
    @classmethod
    def _whole_captcha(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None:
            return None
        _ensure_secure(value, why="a secret goes there")
        for name in ("captcha_secret", "captcha_site_key"):
            if not info.data.get(name):
                raise ValueError(f"needs {_variable(name)}")
        return value

    @field_validator("database_url")
    @classmethod
    def _postgresql(cls, value: str | None) -> str | None:
        return _url(value, schemes=("postgresql", "postgres"))

    @field_validator("valkey_url")
    @classmethod
    def _valkey(cls, value: str | None) -> str | None:
        return _url(value, schemes=("redis", "rediss", "valkey", "valkeys", "unix"))

    @field_validator("public_url", "psp_sim_url")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        url = urlsplit(value or "http://none")
        if url.scheme not in {"http", "https"} or not url.hostname or url.query or url.fragment:
            raise ValueError("should start with https:// or http://, and name a host")
        return value.rstrip("/") if value else None

    @field_validator("stripe_webhook_secrets")
    @classmethod
    def _secrets(cls, value: str | None) -> str | None:
        if value is not None and not all(secret.strip() for secret in value.split(",")):
            raise ValueError("should be secrets, separated by commas")
        return value

    @model_validator(mode="after")
    def _webhooks_too(self) -> Self:
        if self.stripe_api_key and not self.stripe_webhook_secrets:
            raise ValueError(f"{_variable('stripe_api_key')} needs {_variable('stripe_webhook_secrets')}")
        return self

    @field_validator("mail_from")
    @classmethod
    def _sender(cls, value: str | None) -> str | None:
        if value is not None and not SENDER.fullmatch(value):
            raise ValueError("should be an address, or a name and an address in angle brackets")
        return value

    @field_validator("smtp_url")
    @classmethod
    def _mail_server(cls, value: str | None, info: ValidationInfo) -> str | None:
        _url(value, schemes=("smtp", "smtps"))
        if value is not None and not (urlsplit(value).hostname and urlsplit(value).port != 0):
            raise ValueError("should name a host")
        if value is not None and not info.data.get("mail_from"):
            raise ValueError(f"needs {_variable('mail_from')}: whom the mails are from")
        return value

    @field_validator("identity_jwks_url")
    @classmethod
    def _published_keys(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None:
            return None
        _ensure_secure(value, why="keys must not be swapped")
        for name in ("identity_issuer", "identity_audience"):
            if not info.data.get(name):
                raise ValueError(f"needs {_variable(name)}: the service signs for others too")
        return value

    @classmethod
    def read(cls) -> Self:
        """The environment's settings, or a Halt that names every wrong one."""
        try:
            return cls()
        except ValidationError as error:
            wrong = "; ".join(_said(detail) for detail in error.errors())
            raise Halt(f"wrong settings: {wrong}") from None


KEYS: Final = frozenset({"signing_keys", "captcha_secret", "stripe_api_key", "stripe_webhook_secrets"})
SECRETS: Final = frozenset(name for name, field in Settings.model_fields.items() if field.json_schema_extra)


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of `frontrow doctor`."""

    variable: str
    value: str
    origin: Literal["environment", "default"]
    meaning: str


def explained(settings: Settings, environment: Mapping[str, str] = os.environ) -> Iterator[Setting]:
    """Every setting with where it came from, secrets masked."""
    given = {variable.upper() for variable, value in environment.items() if value}
    for name, field in Settings.model_fields.items():
        value: object = getattr(settings, name)
        yield Setting(
            variable=_variable(name),
            value=_shown(name, value),
            origin="environment" if _variable(name) in given else "default",
            meaning=field.description or "",
        )


def unknown(environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """A line for every FRONTROW_ variable that is not a setting: nearly always a typing mistake."""
    known = [_variable(name) for name in Settings.model_fields]
    for variable in sorted(environment):
        name = variable.upper()
        if name.startswith(PREFIX) and not name.startswith(TEST_PREFIX) and name not in known:
            near = get_close_matches(name, known, n=1)
            yield f"{variable} is not a setting" + (f"; did you mean {near[0]}?" if near else "")


def handed_down(urls: Mapping[str, str], environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment for a process that we start: ours, with the addresses of the engines by the settings' names."""
    ours = {_variable(name): url for name, url in urls.items()}
    return {name: value for name, value in environment.items() if name.upper() not in ours} | ours


def is_loopback(host: str) -> bool:
    """Whether what listens at this host, or asks from it, is on this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def masked(url: object) -> str:
    """A URL without its passwords; what is not set shows as such."""
    if url is None:
        return "(not set)"
    return PASSWORD_NAMED.sub(r"\1***", PASSWORD.sub(r"://\1:***@", str(url)))


def _shown(field: str, value: object) -> str:
    """A value as others may see it. Of a URL only the password is secret, of a key all of it."""
    if field in KEYS and value is not None:
        return "***"
    return masked(value) if field in SECRETS else str(value)


def _variable(field: str) -> str:
    return PREFIX + field.upper()


def _url(value: str | None, *, schemes: tuple[str, ...]) -> str | None:
    if value is None or value == "":
        return None
    if urlsplit(value).scheme not in schemes:
        raise ValueError(f"should start with {schemes[0]}://")
    return value


def _ensure_secure(value: str, *, why: str) -> None:
    url = urlsplit(value)
    if not url.hostname or (url.scheme != "https" and not (url.scheme == "http" and is_loopback(url.hostname))):
        raise ValueError(f"should start with https://, or with http:// on this machine: {why}")


def _said(detail: ErrorDetails) -> str:
    if not detail["loc"]:  # several settings do not fit together
        return detail["msg"].removeprefix("Value error, ")
    name = str(detail["loc"][0])
    given = _shown(name, detail["input"]) if name in SECRETS else repr(detail["input"])
    return f"{_variable(name)} {detail['msg'].removeprefix('Value error, ')}, got {given}"
