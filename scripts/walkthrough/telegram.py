"""The conversation over the Bot API: what the person sends and taps goes in through the server's control door, what
metnos sends and edits comes out of it."""

import json
import re
import time
import urllib.request

from conversation import Say
from metnos import trace, wait_for

TOKEN = "123456:WALKTHROUGH"
CHAT = 4242
PATIENCE = 120
# When nothing was called for this long after an answer, the turn is over.
SILENCE = 0.7
QUIET = ("GetMe", "GetWebhookInfo", "SetMyCommands", "SendChatAction", "DeleteWebhook")


class Telegram:
    """One private chat with the bot."""

    def __init__(self, server, metnos):
        self.server, self.metnos = server, metnos
        self.lines, self.seen, self.turns = [], 0, 0
        self.keyboard = None

    def door(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data=data, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def hold(self, said):
        """Pairs, holds the conversation, returns its transcript."""
        self.door("/_bed/reset", {})
        code = re.search(r"/pair (\S+)", self.metnos.pairing_code()).group(1)
        service = self.metnos.serve(TOKEN)
        try:
            self.send("hello")
            self.send(f"/pair {code}")
            for turn in said:
                if isinstance(turn, Say):
                    self.send(turn.text)
                else:
                    self.tap(turn.label)
        finally:
            service.terminate()
            service.wait(timeout=30)
        unknown = [call for call in self.door("/_bed/calls") if call["unknown"]]
        if unknown:
            raise SystemExit(f"fields that the Bot API does not know: {unknown}")
        return "\n".join(self.lines).replace(str(self.metnos.folder), "FOLDER")

    def send(self, text):
        self.lines.append(f"person  {text}")
        self.door("/_bed/update", {"chat": CHAT, "text": text})
        self.listen(lambda call: call["method"].startswith("Send") and call["method"] not in QUIET)

    def tap(self, label):
        message, button = self.button(label)
        self.lines.append(f"person  taps [{button['text']}]")
        self.door("/_bed/update", {"chat": CHAT, "message_id": message, "data": button["callback_data"]})
        follows = label in ("↺", "Approve", "Yes")
        wanted = "Send" if follows else "AnswerCallbackQuery"
        self.listen(lambda call: call["method"].startswith(wanted) and call["method"] not in QUIET)

    def button(self, label):
        """The button of the newest message that has one with these words."""
        for message in reversed(self.door(f"/_bed/chat/{CHAT}")):
            for row in message.get("reply_markup", {}).get("inline_keyboard", []):
                for button in row:
                    if label in button["text"]:
                        return message["message_id"], button
        raise SystemExit(f"no button {label}; so far:\n" + "\n".join(self.lines))

    def listen(self, is_wanted):
        """Notes what metnos calls, until what is wanted came and silence after it."""
        heard, end = False, time.monotonic() + PATIENCE
        while time.monotonic() < end:
            calls = self.door(f"/_bed/calls?since={self.seen}&wait={SILENCE}")
            if not calls and heard:
                break
            for call in calls:
                self.seen = call["n"] + 1
                heard |= is_wanted(call)
                self.note(call)
        else:
            raise TimeoutError("no answer; so far:\n" + "\n".join(self.lines))
        for turn in self.metnos.turns()[self.turns :]:
            self.turns += 1
            self.lines.append(f"        ({trace(turn)})")
        self.lines.append("")

    def note(self, call):
        method, body = call["method"], call["body"]
        if method in QUIET:
            return
        if method == "AnswerCallbackQuery":
            self.lines.append(f"toast   {body.get('text', '(none)')}")
            return
        if method == "DeleteMessage":
            self.lines.append("metnos  takes that message out of the chat")
            return
        if method == "SendPhoto":
            self.lines.append("metnos  sends a picture")
            return
        kind = {"SendMessage": "metnos ", "EditMessageText": "edited ", "EditMessageReplyMarkup": "edited "}
        text = body.get("text", "")
        first, *rest = text.split("\n") if text else [f"{method}: the buttons"]
        self.lines.append(f"{kind.get(method, method)} {first}")
        self.lines += [f"        {line}" for line in rest]
        keyboard = (body.get("reply_markup") or {}).get("inline_keyboard") or []
        for row in keyboard:
            self.lines.append("        " + " ".join(f"[{button['text']}]" for button in row))


def hold(server, metnos, said):
    """The transcript of a conversation over the Bot API server."""
    wait_for("the Bot API server", 30, lambda: urllib.request.urlopen(f"{server}/_bed/health").status == 200)
    return Telegram(server, metnos).hold(said)
