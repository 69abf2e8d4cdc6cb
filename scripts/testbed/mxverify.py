"""The person's side of a verification by emoji, which matrix-nio has no requests for: written here from the
specification over vodozemac. Used by mxbed.py alone.

A person first makes an identity (three keys that sign each other and the person's device); verify() then asks somebody
else's device, in a room or from device to device, plays the whole exchange, and checks what the other side proves.
"""

import asyncio
import base64
import hashlib
import time
import uuid

import vodozemac
from aiohttp import ClientSession
from Crypto.PublicKey import ECC
from Crypto.Signature import eddsa
from nio import Api
from nio.crypto.sas import Sas as Emoji

PATIENCE = 60


def b64(data):
    return base64.b64encode(data).decode().rstrip("=")


class Key:
    """An Ed25519 key that signs JSON."""

    def __init__(self):
        self.secret = ECC.generate(curve="Ed25519")
        self.public = b64(self.secret.public_key().export_key(format="raw"))

    def sign(self, thing, user):
        bare = {key: value for key, value in thing.items() if key not in ("signatures", "unsigned")}
        signature = b64(eddsa.new(self.secret, "rfc8032").sign(Api.to_canonical_json(bare).encode()))
        thing.setdefault("signatures", {}).setdefault(user, {})[f"ed25519:{self.public}"] = signature


class Caller:
    """Calls the homeserver as a person, where matrix-nio has no call for it."""

    def __init__(self, homeserver, client):
        self.homeserver, self.client = homeserver, client

    async def __call__(self, method, path, body):
        headers = {"Authorization": f"Bearer {self.client.access_token}"}
        async with ClientSession(headers=headers) as http:
            async with http.request(method, f"{self.homeserver}/_matrix/client/v3/{path}", json=body) as answer:
                said = await answer.json()
                if answer.status != 200:
                    raise RuntimeError(f"{path}: {said}")
                return said


async def make_identity(call, client):
    """Uploads an identity for a person who has none, and signs the person's device with it. Returns its master key."""
    user = client.user_id
    master, own, others = Key(), Key(), Key()

    def public(key, usage):
        return {"user_id": user, "usage": [usage], "keys": {f"ed25519:{key.public}": key.public}}

    keys = {
        "master_key": public(master, "master"),
        "self_signing_key": public(own, "self_signing"),
        "user_signing_key": public(others, "user_signing"),
    }
    master.sign(keys["self_signing_key"], user)
    master.sign(keys["user_signing_key"], user)
    await call("POST", "keys/device_signing/upload", keys)
    known = await call("POST", "keys/query", {"device_keys": {user: [client.device_id]}})
    device = known["device_keys"][user][client.device_id]
    device.pop("unsigned", None)
    own.sign(device, user)
    await call("POST", "keys/signatures/upload", {user: {client.device_id: device}})
    return master.public


class Wire:
    """Sends and awaits the messages of one verification, in a room or from device to device."""

    def __init__(self, call, someone, other, room):
        self.call, self.someone, self.other, self.room = call, someone, other, room
        self.client = someone.client
        self.flow = uuid.uuid4().hex
        self.seen = set()

    async def ask(self):
        content = {"from_device": self.client.device_id, "methods": ["m.sas.v1"]}
        if self.room:
            content |= {"msgtype": "m.key.verification.request", "to": self.other, "body": "verify me"}
            self.flow = await self._into_room("m.room.message", content)
        else:
            await self.send("request", content | {"timestamp": int(time.time() * 1000)}, "*")

    async def _into_room(self, kind, content):
        sent = await self.client.room_send(self.room, kind, content, ignore_unverified_devices=True)
        return sent.event_id

    async def send(self, step, content, device):
        content = self.addressed(content)
        if self.room:
            await self._into_room(f"m.key.verification.{step}", content)
        else:
            path = f"sendToDevice/m.key.verification.{step}/{uuid.uuid4().hex}"
            await self.call("PUT", path, {"messages": {self.other: {device: content}}})

    def addressed(self, content):
        if self.room:
            return content | {"m.relates_to": {"rel_type": "m.reference", "event_id": self.flow}}
        return content | {"transaction_id": self.flow}

    def _arrived(self):
        if self.room:
            for event in list(self.someone.events.get(self.room, {}).values()):
                if event["content"].get("m.relates_to", {}).get("event_id") == self.flow:
                    yield event
        else:
            for event in list(self.someone.to_device):
                if event["content"].get("transaction_id") == self.flow:
                    yield event

    async def hear(self, step):
        deadline = time.time() + PATIENCE
        while time.time() < deadline:
            for event in self._arrived():
                if event["sender"] != self.other:
                    continue
                if event["type"] == "m.key.verification.cancel":
                    raise Cancelled(event["content"].get("code"))
                if event["type"] == f"m.key.verification.{step}":
                    return event["content"]
            await asyncio.sleep(0.05)
        raise RuntimeError(f"never heard {step}; {list(self._arrived())}")


class Cancelled(Exception):
    """The other side does not want to."""


async def verify(call, someone, other, room, master):
    """Plays a verification to its end; returns the emoji, or why the other side refused."""
    client, wire = someone.client, Wire(call, someone, other, room)
    try:
        await wire.ask()
        ready = await wire.hear("ready")
        device = ready["from_device"]
        sas = vodozemac.Sas()
        ours = sas.public_key.to_base64()
        start = wire.addressed(
            {
                "from_device": client.device_id,
                "method": "m.sas.v1",
                "key_agreement_protocols": ["curve25519-hkdf-sha256"],
                "hashes": ["sha256"],
                "message_authentication_codes": ["hkdf-hmac-sha256.v2"],
                "short_authentication_string": ["emoji", "decimal"],
            }
        )
        await wire.send("start", start, device)
        accepted = await wire.hear("accept")
        await wire.send("key", {"key": ours}, device)
        theirs = (await wire.hear("key"))["key"]
        promised = b64(hashlib.sha256((theirs + Api.to_canonical_json(start)).encode()).digest())
        assert accepted["commitment"] == promised, "another key than promised"
        shared = sas.diffie_hellman(vodozemac.Curve25519PublicKey.from_base64(theirs))
        info = (
            f"MATRIX_KEY_VERIFICATION_SAS|{client.user_id}|{client.device_id}|{ours}"
            f"|{other}|{device}|{theirs}|{wire.flow}"
        )
        emoji = [Emoji.emoji[index][0] for index in shared.bytes(info).emoji_indices]

        own_key = client.olm.account.identity_keys["ed25519"]
        base = f"MATRIX_KEY_VERIFICATION_MAC{client.user_id}{client.device_id}{other}{device}{wire.flow}"
        proven = {f"ed25519:{client.device_id}": own_key, f"ed25519:{master}": master}
        proof = {
            "mac": {name: shared.calculate_mac(key, base + name) for name, key in proven.items()},
            "keys": shared.calculate_mac(",".join(sorted(proven)), base + "KEY_IDS"),
        }
        await wire.send("mac", proof, device)

        known = await call("POST", "keys/query", {"device_keys": {other: []}})
        their_keys = dict(known["device_keys"][other][device]["keys"])
        their_keys |= known["master_keys"][other]["keys"]
        base = f"MATRIX_KEY_VERIFICATION_MAC{other}{device}{client.user_id}{client.device_id}{wire.flow}"
        shown = await wire.hear("mac")
        for name, mac in shown["mac"].items():
            assert mac == shared.calculate_mac(their_keys[name], base + name), f"{name} is not what it says"
        masters = known["master_keys"][other]["keys"].keys()
        assert masters <= shown["mac"].keys(), "the identity is not proven"
        await wire.send("done", {}, device)
        await wire.hear("done")
        return {"emoji": emoji}
    except Cancelled as why:
        return {"cancelled": str(why)}
