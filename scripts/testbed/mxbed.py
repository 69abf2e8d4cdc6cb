"""People on a Matrix homeserver, played through a door: each is a matrix-nio client with a device and keys of their own.

mxbed.py PORT HOMESERVER FOLDER listens on 127.0.0.1:PORT. Every call is a POST with a JSON object and answers one:

    /person    {name}                                a new person; -> {user}
    /account   {name, password}                      an account nobody uses yet; -> {user}
    /room      {person, invite, encrypted}           a new private room; -> {room}
    /send      {person, room, type, content}         an event, encrypted where the room is; -> {event}
    /raw       {person, room, type, content}         an event as it is, past the encryption; -> {event}
    /state     {person, room, type, key, content}    a state event; -> {event}
    /redact    {person, room, event}                 -> {event}
    /timeline  {person, room}                        -> {events: [{id, sender, type, content, readable}], members}
    /receipts  {person, room}                        -> {read: {user: event}, typing: [user]}
    /file      {person, room, kind, name, text, caption}  a file, encrypted where the room is; -> {event}
    /content   {person, content}                     the text of a file in an event's content; -> {text}
    /identity  {person}                              signing keys for a person who has none; -> {master}
    /verify    {person, user, room}                  a verification by emoji, in a room or (null) between devices;
                                                     -> {emoji} or {cancelled}
"""

import asyncio
import os
import sys
import uuid

from aiohttp import ClientSession, web
from nio import (
    AsyncClient,
    AsyncClientConfig,
    Event,
    MegolmEvent,
    RoomPreset,
    ToDeviceEvent,
    TypingNoticeEvent,
)
from nio.crypto.attachments import decrypt_attachment, encrypt_attachment
from nio.responses import SyncResponse

from mxverify import Caller, make_identity, verify as play

PORT, HOMESERVER, FOLDER = int(sys.argv[1]), sys.argv[2], sys.argv[3]
ENCRYPTION = {"type": "m.room.encryption", "state_key": "", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}


class Person:
    """A client that syncs in the background and remembers what its rooms showed."""

    def __init__(self, client):
        self.client, self.events, self.typing, self.read = client, {}, {}, {}
        self.to_device, self.master, self.call = [], None, Caller(HOMESERVER, client)
        client.add_to_device_callback(self.heard, (ToDeviceEvent,))
        client.add_event_callback(self.saw, (Event,))
        client.add_ephemeral_callback(self.saw_typing, (TypingNoticeEvent,))
        client.add_response_callback(self.synced, SyncResponse)

    def saw(self, room, event):
        source = event.source
        shown = {
            "id": event.event_id,
            "sender": event.sender,
            "type": source.get("type"),
            "content": source.get("content", {}),
            "redacts": source.get("redacts") or source.get("content", {}).get("redacts"),
            "readable": not isinstance(event, MegolmEvent),
        }
        self.events.setdefault(room.room_id, {}).setdefault(event.event_id, shown)

    def heard(self, event):
        self.to_device.append(event.source)

    def saw_typing(self, room, event):
        seen = self.typing.setdefault(room.room_id, set())
        seen.update(event.users)

    async def synced(self, response):
        for room_id, room in response.rooms.join.items():
            for event in room.ephemeral:
                for receipt in getattr(event, "receipts", []):
                    self.read.setdefault(room_id, {})[receipt.user_id] = receipt.event_id

    async def live(self):
        while True:
            try:
                await self.client.sync_forever(timeout=5000, full_state=False)
            except Exception as error:  # a person's phone does not give up either
                print("sync", repr(error), flush=True)
                await asyncio.sleep(0.2)


people = {}


async def register(name, password):
    body = {"username": name, "password": password, "inhibit_login": True, "auth": {"type": "m.login.dummy"}}
    async with ClientSession() as http:
        async with http.post(f"{HOMESERVER}/_matrix/client/v3/register", json=body) as answer:
            said = await answer.json()
            if answer.status != 200:
                raise web.HTTPBadRequest(text=str(said))
            return said["user_id"]


async def person(ask):
    name = f"{ask['name']}-{uuid.uuid4().hex[:8]}"
    user = await register(name, "pw")
    store = os.path.join(FOLDER, name)
    os.makedirs(store)
    config = AsyncClientConfig(encryption_enabled=True, store_sync_tokens=True)
    client = AsyncClient(HOMESERVER, user, device_id=f"DEV{name}", store_path=store, config=config)
    await client.login("pw")
    await client.keys_upload()
    await client.sync(timeout=0, full_state=True)
    people[user] = Person(client)
    people[user].task = asyncio.create_task(people[user].live())
    return {"user": user}


async def account(ask):
    return {"user": await register(ask["name"], ask["password"])}


async def room(ask):
    client = people[ask["person"]].client
    state = [ENCRYPTION] if ask.get("encrypted", True) else []
    made = await client.room_create(
        invite=ask["invite"], initial_state=state, preset=RoomPreset.trusted_private_chat, is_direct=True
    )
    return {"room": made.room_id}


async def send(ask):
    client = people[ask["person"]].client
    sent = await client.room_send(ask["room"], ask["type"], ask["content"], ignore_unverified_devices=True)
    return {"event": sent.event_id}


async def put(ask, path):
    client = people[ask["person"]].client
    headers = {"Authorization": f"Bearer {client.access_token}"}
    async with ClientSession(headers=headers) as http:
        url = f"{HOMESERVER}/_matrix/client/v3/rooms/{ask['room']}/{path}"
        async with http.put(url, json=ask["content"]) as answer:
            said = await answer.json()
            if answer.status != 200:
                raise web.HTTPBadRequest(text=str(said))
            return {"event": said["event_id"]}


async def raw(ask):
    return await put(ask, f"send/{ask['type']}/{uuid.uuid4().hex}")


async def state(ask):
    return await put(ask, f"state/{ask['type']}/{ask['key']}")


async def redact(ask):
    gone = await people[ask["person"]].client.room_redact(ask["room"], ask["event"])
    return {"event": gone.event_id}


async def timeline(ask):
    someone = people[ask["person"]]
    members = await someone.client.joined_members(ask["room"])
    names = [member.user_id for member in getattr(members, "members", [])]
    return {"events": list(someone.events.get(ask["room"], {}).values()), "members": names}


async def receipts(ask):
    someone = people[ask["person"]]
    return {"read": someone.read.get(ask["room"], {}), "typing": sorted(someone.typing.get(ask["room"], set()))}


async def file(ask):
    someone, content = people[ask["person"]], ask["text"].encode()
    is_locked = someone.client.rooms[ask["room"]].encrypted
    keys = {}
    if is_locked:
        content, keys = encrypt_attachment(content)
    headers = {"Authorization": f"Bearer {someone.client.access_token}", "Content-Type": "application/octet-stream"}
    async with ClientSession(headers=headers) as http:
        async with http.post(f"{HOMESERVER}/_matrix/media/v3/upload", data=content) as answer:
            url = (await answer.json())["content_uri"]
    body = {"msgtype": ask["kind"], "filename": ask["name"], "body": ask.get("caption") or ask["name"]}
    body["info"] = {"size": len(content)}
    body |= {"file": keys | {"url": url}} if is_locked else {"url": url}
    return await send({"person": ask["person"], "room": ask["room"], "type": "m.room.message", "content": body})


async def content(ask):
    someone, event = people[ask["person"]], ask["content"]
    source = event.get("file") or event
    headers = {"Authorization": f"Bearer {someone.client.access_token}"}
    async with ClientSession(headers=headers) as http:
        path = source["url"].removeprefix("mxc://")
        async with http.get(f"{HOMESERVER}/_matrix/client/v1/media/download/{path}") as answer:
            text = await answer.read()
    if "file" in event:
        text = decrypt_attachment(text, source["key"]["k"], source["hashes"]["sha256"], source["iv"])
    return {"text": text.decode()}


async def identity(ask):
    someone = people[ask["person"]]
    someone.master = await make_identity(someone.call, someone.client)
    return {"master": someone.master}


async def verify(ask):
    someone = people[ask["person"]]
    return await play(someone.call, someone, ask["user"], ask.get("room"), someone.master)


def answering(work):
    async def handle(request):
        return web.json_response(await work(await request.json()))

    return handle


async def health(_request):
    return web.Response(text="ok")


def main():
    door = web.Application()
    door.router.add_get("/health", health)
    works = (person, account, room, send, raw, state, redact, timeline, receipts, file, content, identity, verify)
    for work in works:
        door.router.add_post(f"/{work.__name__}", answering(work))
    web.run_app(door, host="127.0.0.1", port=PORT, print=None)


main()
