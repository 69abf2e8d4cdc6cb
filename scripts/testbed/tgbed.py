#!/usr/bin/env python3
"""A Bot API server on 127.0.0.1 for any client that lets its API address be set.

The judges are not ours: aiogram's models, generated from the official documentation, check every method's fields,
and teremok's rules check lengths, HTML and buttons. Ours are the transport, the long poll, the message store, scripted
failures, and the control door:

    POST /_bed/update   {"chat": 42, "text": "hi"}                     a message (or location, sticker, ...)
                        {"chat": 42, "photo": "CONTENT"}               a picture; the app gives it no name
                        {"chat": 42, "document": "CONTENT", "file_name": "a.txt", "caption": "..."}
                                                                       also "video", "audio", "voice", "animation"
                        {"chat": 42, "album": [{"photo": "CONTENT", "caption": "..."}, ...]}    files sent together
                        contents are text, or {"base64": "..."}
                        {"chat": 42, "message_id": 7, "data": "..."}   a tap on a button
                        {"message": {...}}                             any update without its number
                        optional: "from", "lang", "edited"
    GET  /_bed/calls    ?since=N&wait=SECONDS&method=NAME              what was called; "unknown": fields not in the API
    GET  /_bed/chat/42                                                 the messages of a chat as they look now
    GET  /_bed/file/ID                                                 the content of a file, by its file_id
    POST /_bed/fail     {"method": "sendMessage", "times": 1, "status": 429, "retry_after": 3}
                        also "description", "delay", "drop": "before" or "after", "raw"
    POST /_bed/reset
    GET  /_bed/health                                                  who answers: {"bed": "metnos-tgbed", "code": ...}

It is a model of Telegram: no webhooks, no rate limits of its own, no group rights, no TLS, one counter for message ids.
"""

import argparse
import asyncio
import base64
import hashlib
import html
import inspect
import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import aiogram.methods
from aiogram import Bot
from aiohttp import web
from pydantic import ValidationError
from teremok.validation import ApiRuleViolation, validate_method

JUDGE = Bot("123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
ME = {
    "id": 123456,
    "is_bot": True,
    "first_name": "Bed",
    "username": "bed_bot",
    "can_join_groups": True,
    "can_read_all_group_messages": False,
    "supports_inline_queries": False,
    "can_connect_to_business": False,
    "has_main_web_app": False,
}
METHODS = {
    name.lower(): method
    for name, method in inspect.getmembers(aiogram.methods, inspect.isclass)
    if issubclass(method, aiogram.methods.TelegramMethod) and method is not aiogram.methods.TelegramMethod
}
OTHER_POLLER = (
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
)
NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a "
    "current content and reply markup of the message"
)
TEXT_UNITS_MAX = 4096
CAPTION_UNITS_MAX = 1024
CODE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
# What a message may carry beside text, with the ending of a file whose sender gave it no name.
MEDIA = {"photo": "jpg", "document": "bin", "video": "mp4", "audio": "mp3", "voice": "ogg", "animation": "mp4"}
OLD_QUERY = "Bad Request: query is too old and response timeout expired or query ID is invalid"


@dataclass
class Bed:
    """Everything the server remembers."""

    updates: list = field(default_factory=list)
    update_count: int = 0
    message_count: int = 0
    calls: list = field(default_factory=list)
    failures: list = field(default_factory=list)
    messages: dict = field(default_factory=dict)
    open_queries: set = field(default_factory=set)
    files: dict = field(default_factory=dict)
    album_count: int = 0
    poll: asyncio.Future | None = None
    updated: asyncio.Event = field(default_factory=asyncio.Event)
    called: asyncio.Event = field(default_factory=asyncio.Event)


bed: Bed


class Refusal(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code, description, **parameters):
        super().__init__(description)
        self.code, self.description, self.parameters = code, description, parameters


def accepted(result):
    return web.json_response({"ok": True, "result": result})


def refused(refusal):
    body = {"ok": False, "error_code": refusal.code, "description": refusal.description}
    if refusal.parameters:
        body["parameters"] = refusal.parameters
    return web.json_response(body, status=refusal.code)


def chat_of(chat_id):
    if int(chat_id) > 0:
        return {"id": int(chat_id), "type": "private", "first_name": "User"}
    return {"id": int(chat_id), "type": "supergroup", "title": "Group"}


async def body_of(request):
    if request.content_type == "application/json":
        return await request.json()
    if not request.can_read_body:
        return dict(request.query)
    form = await request.post()
    uploads = {name: kept(part.filename, part.file.read()) for name, part in form.items() if hasattr(part, "file")}
    body = {name: as_json(part) for name, part in form.items() if name not in uploads}
    named = {name: number for name, number in uploads.items() if f"attach://{name}" not in json.dumps(body)}
    return attached(body, uploads) | named


def attached(value, uploads):
    """Fields that name an upload as `attach://NAME` are the file itself."""
    if isinstance(value, dict):
        return {name: attached(part, uploads) for name, part in value.items()}
    if isinstance(value, list):
        return [attached(part, uploads) for part in value]
    if isinstance(value, str) and value.startswith("attach://"):
        return uploads.get(value.removeprefix("attach://"), value)
    return value


def kept(name, content):
    """Keeps a file; the number it is known by."""
    number = f"file{len(bed.files)}"
    bed.files[number] = (name, content)
    return number


def as_json(value):
    try:
        return json.loads(value) if value[:1] in "[{" or value in ("true", "false") else value
    except ValueError:
        return value


# The Bot API.


async def serve(request):
    method = METHODS.get(request.match_info["method"].lower())
    if method is None:
        return refused(Refusal(404, "Not Found"))
    name, body = method.__name__.lower(), await body_of(request)
    if name != "getupdates":
        unknown = sorted(set(body) - set(method.model_fields))
        call = {"n": len(bed.calls), "t": time.time(), "method": method.__name__, "body": body, "unknown": unknown}
        bed.calls.append(call)
        bed.called.set()
    failure = next_failure(name)
    await asyncio.sleep(failure.get("delay", 0))
    try:
        if failure.get("drop") in ("before", True):
            return hang_up(request)
        if "raw" in failure:
            return web.Response(status=failure.get("status", 200), text=failure["raw"])
        if "status" in failure:
            raise scripted(failure)
        result = await obey(name, method, body)
    except Refusal as refusal:
        return refused(refusal)
    return hang_up(request) if failure.get("drop") == "after" else accepted(result)


def next_failure(name):
    for failure in bed.failures:
        if failure["method"].lower() in (name, "*") and failure.get("times", 1) > 0:
            failure["times"] = failure.get("times", 1) - 1
            return failure
    return {}


def scripted(failure):
    wait = failure.get("retry_after")
    description = failure.get("description", f"Too Many Requests: retry after {wait}")
    return Refusal(failure["status"], description, **({} if wait is None else {"retry_after": wait}))


def hang_up(request):
    request.transport.abort()
    return web.Response()


async def obey(name, method, body):
    if name == "getupdates":
        return await next_updates(body)
    if name == "getme":
        return ME
    if name == "getwebhookinfo":
        return {"url": "", "has_custom_certificate": False, "pending_update_count": len(bed.updates)}
    judge(method, body)
    if name == "answercallbackquery":
        return answer_query(body["callback_query_id"])
    if name == "getfile":
        return stored(body["file_id"])
    if name == "sendmediagroup":
        return send_album(body)
    if name.startswith("editmessage"):
        return edit(body)
    if name == "deletemessage":
        if bed.messages.pop(key_of(body), None) is None:
            raise Refusal(400, "Bad Request: message to delete not found")
        return True
    if name.startswith("send") and name != "sendchataction":
        return send(body)
    return True


def judge(method, body):
    try:
        validate_method(JUDGE, method.model_validate(body))
    except ValidationError as error:
        reasons = (".".join(map(str, cause["loc"])) + " " + cause["msg"] for cause in error.errors()[:3])
        raise Refusal(400, "Bad Request: " + "; ".join(reasons)) from error
    except ApiRuleViolation as violation:
        # The rules count the markup, too; Telegram counts what is left after parsing.
        limit = TEXT_UNITS_MAX if "text" in body else CAPTION_UNITS_MAX
        if "too long" in violation.description and visible_units(body) <= limit:
            return
        raise Refusal(400, violation.description) from violation


def visible_units(body):
    text = body.get("text") or body.get("caption") or ""
    if body.get("parse_mode", "").upper() == "HTML":
        text = html.unescape(re.sub(r"<[^>]*>", "", text))
    return len(text.encode("utf-16-le")) // 2


async def next_updates(body):
    """A long poll: confirms what is before the offset, and ends the poll that was waiting."""
    if bed.poll and not bed.poll.done():
        bed.poll.set_result(None)
    mine = bed.poll = asyncio.get_running_loop().create_future()
    offset, end = int(body.get("offset") or 0), time.time() + float(body.get("timeout") or 0)
    if offset:
        bed.updates = [update for update in bed.updates if update["update_id"] >= offset]
    allowed, limit = body.get("allowed_updates") or [], int(body.get("limit") or 100)
    while True:
        wanted = [update for update in bed.updates if not allowed or any(kind in update for kind in allowed)]
        if wanted or time.time() >= end:
            return wanted[:limit]
        bed.updated.clear()
        updated = asyncio.ensure_future(bed.updated.wait())
        timeout = max(0, end - time.time())
        await asyncio.wait([updated, mine], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        updated.cancel()
        if mine.done():
            raise Refusal(409, OTHER_POLLER)


def answer_query(query):
    if query not in bed.open_queries:
        raise Refusal(400, OLD_QUERY)
    bed.open_queries.remove(query)
    return True


def stored(number):
    if number not in bed.files:
        raise Refusal(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
    size = len(bed.files[number][1])
    return {"file_id": number, "file_unique_id": number, "file_size": size, "file_path": f"files/{number}"}


async def download(request):
    # Clients may write the slash of the path as %2F; Telegram takes both.
    return content_of(unquote(request.match_info["path"]).rsplit("/", 1)[-1])


async def show_file(request):
    return content_of(request.match_info["number"])


def content_of(number):
    return web.Response(body=bed.files[number][1]) if number in bed.files else web.Response(status=404)


def key_of(body):
    return int(body["chat_id"]), int(body.get("message_id") or 0)


def send_album(body):
    """Several files as one message to their reader: a message each, with what they share."""
    items = body["media"]
    if not 2 <= len(items) <= 10:
        raise Refusal(400, "Bad Request: wrong number of messages in the album")
    bed.album_count += 1
    shared = {name: body[name] for name in ("chat_id", "reply_parameters") if name in body}
    messages = []
    for item in items:
        one = shared | {item["type"]: item["media"], "album": f"album{bed.album_count}"}
        messages.append(send(one | {name: item[name] for name in ("caption",) if name in item}))
    return messages


def send(body):
    answered = body.get("reply_parameters") or {}
    if answered and not answered.get("allow_sending_without_reply"):
        if (int(body["chat_id"]), int(answered["message_id"])) not in bed.messages:
            raise Refusal(400, "Bad Request: message to be replied not found")
    bed.message_count += 1
    sender = {name: ME[name] for name in ("id", "is_bot", "first_name", "username")}
    message = {"message_id": bed.message_count, "date": int(time.time()), "chat": chat_of(body["chat_id"]), "from": sender}
    message |= {name: body[name] for name in ("text", "caption") if name in body}
    for kind in MEDIA:
        if isinstance(body.get(kind), str):
            message[kind] = shown(kind, body[kind])
    if "album" in body:
        message["media_group_id"] = body["album"]
    keep_keyboard(message, body)
    bed.messages[int(body["chat_id"]), bed.message_count] = message
    return message


def shown(kind, number):
    """A file as a message shows it."""
    if number not in bed.files:
        raise Refusal(400, "Bad Request: wrong file identifier/HTTP URL specified")
    name, content = bed.files[number]
    file = {"file_id": number, "file_unique_id": number, "file_size": len(content)}
    if kind == "photo":
        return [file | {"width": 640, "height": 480}]
    if kind in ("video", "animation"):
        file |= {"width": 640, "height": 480}
    if kind in ("video", "animation", "audio", "voice"):
        file |= {"duration": 3}
    # Pictures and spoken messages lose their names on the way.
    return file if kind == "voice" or name is None else file | {"file_name": name}


def edit(body):
    old = bed.messages.get(key_of(body))
    if old is None:
        raise Refusal(400, "Bad Request: message to edit not found")
    new = old | {name: body[name] for name in ("text", "caption") if name in body}
    new.pop("reply_markup", None)
    keep_keyboard(new, body)
    if new == old:
        raise Refusal(400, NOT_MODIFIED)
    bed.messages[key_of(body)] = new
    return new | {"edit_date": int(time.time())}


def keep_keyboard(message, body):
    markup = body.get("reply_markup") or {}
    if markup.get("inline_keyboard"):
        message["reply_markup"] = markup


# The control door.


async def push_update(request):
    update = await request.json()
    bed.update_count += 1
    if "album" in update:
        return push_album(update)
    if "chat" in update:
        update = tapped(update) if "data" in update else said(update)
    bed.updates.append({"update_id": bed.update_count, **update})
    bed.updated.set()
    return web.json_response(bed.updates[-1])


def push_album(update):
    """An app sends files together: one update each, all at once."""
    bed.album_count += 1
    common = {name: value for name, value in update.items() if name != "album"}
    for item in update["album"]:
        message = said(common | item | {"media_group_id": f"album{bed.album_count}"})
        bed.updates.append({"update_id": bed.update_count, **message})
        bed.update_count += 1
    bed.update_count -= 1
    bed.updated.set()
    return web.json_response(bed.updates[-len(update["album"]):])


def person(update):
    number = update.get("from", abs(update["chat"]))
    return {"id": number, "is_bot": False, "first_name": "User", "language_code": update.get("lang", "en")}


def tapped(update):
    query = f"query{bed.update_count}"
    bed.open_queries.add(query)
    unknown = {"message_id": update["message_id"], "date": 0, "chat": chat_of(update["chat"])}
    message = bed.messages.get((update["chat"], update["message_id"]), unknown)
    tap = {"id": query, "from": person(update), "chat_instance": "bed", "data": update["data"], "message": message}
    return {"callback_query": tap}


def said(update):
    bed.message_count += 1
    content = {name: value for name, value in update.items() if name not in ("chat", "from", "lang", "edited")}
    message = {"message_id": bed.message_count, "date": int(time.time()), "chat": chat_of(update["chat"])}
    name = content.pop("file_name", None)
    for kind in MEDIA:
        if isinstance(content.get(kind), str) or "base64" in (content.get(kind) or ()):
            content[kind] = shown(kind, kept(name, given(content[kind])))
    message |= {"from": person(update), **content}
    words = str(update.get("text", "")).split()
    if words and words[0].startswith("/"):
        message["entities"] = [{"type": "bot_command", "offset": 0, "length": len(words[0])}]
    bed.messages[update["chat"], bed.message_count] = message
    return {"edited_message" if update.get("edited") else "message": message}


def given(content):
    return content.encode() if isinstance(content, str) else base64.b64decode(content["base64"])


async def list_calls(request):
    query = request.query
    since, method = int(query.get("since", 0)), query.get("method", "").lower()
    end = time.time() + float(query.get("wait", 0))
    while True:
        calls = [call for call in bed.calls[since:] if method in ("", call["method"].lower())]
        if calls or time.time() >= end:
            return web.json_response(calls)
        bed.called.clear()
        try:
            await asyncio.wait_for(bed.called.wait(), max(0.01, end - time.time()))
        except asyncio.TimeoutError:
            pass


async def show_chat(request):
    wanted = int(request.match_info["chat"])
    return web.json_response([message for (chat, _), message in bed.messages.items() if chat == wanted])


async def script_failure(request):
    bed.failures.append(await request.json())
    return web.json_response(bed.failures)


async def reset(_):
    global bed
    if bed.poll and not bed.poll.done():
        bed.poll.set_result(None)
    bed = Bed()
    return web.json_response({})


async def health(_):
    return web.json_response({"bed": "metnos-tgbed", "code": CODE})


async def prepare(_):
    global bed
    bed = Bed()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("port", nargs="?", type=int, default=19001)
    port = parser.parse_args().port
    # As large as Telegram lets a bot upload.
    app = web.Application(client_max_size=50 * 1024 * 1024)
    app.on_startup.append(prepare)
    app.add_routes(
        [
            web.post("/_bed/update", push_update),
            web.get("/_bed/calls", list_calls),
            web.get("/_bed/chat/{chat}", show_chat),
            web.get("/_bed/file/{number}", show_file),
            web.post("/_bed/fail", script_failure),
            web.post("/_bed/reset", reset),
            web.get("/_bed/health", health),
            web.get("/file/bot{token}/{path:.+}", download),
            web.route("*", "/bot{token}/{method}", serve),
        ]
    )
    web.run_app(app, host="127.0.0.1", port=port, print=None, handle_signals=True)


if __name__ == "__main__":
    main()
