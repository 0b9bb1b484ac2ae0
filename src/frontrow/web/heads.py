"""HEAD is GET without the body: every address that answers GET answers HEAD, and none has to say so."""

from collections.abc import Awaitable

from starlette.types import ASGIApp, Message, Receive, Scope, Send


def with_head(app: ASGIApp) -> ASGIApp:
    """Ask the application with GET, and keep the body of its answer."""

    def bodiless(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["method"] != "HEAD":
            return app(scope, receive, send)
        scope["method"] = "GET"

        def send_head(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            return send(message)

        return app(scope, receive, send_head)

    return bodiless
