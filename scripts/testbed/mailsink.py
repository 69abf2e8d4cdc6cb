"""The SMTP side of the mail test bed, started by mail.sh: takes mail with a log-in over TLS and hands it to Dovecot over
LMTP. Further ports show certificates that are wrong on purpose, or break off after the message."""

import asyncio
import smtplib
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

first, tls = int(sys.argv[1]), sys.argv[2]


class Deliver:
    def __init__(self, breaks=False):
        self.breaks = breaks

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such user"
        if address.startswith("busy@"):
            return "451 4.3.0 try later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        def hand_over():
            with smtplib.LMTP("127.0.0.1", first + 2) as lmtp:
                # LMTP answers once for each of them, and smtplib reads one answer.
                for recipient in envelope.rcpt_tos:
                    lmtp.sendmail(envelope.mail_from, [recipient], envelope.original_content)

        await asyncio.to_thread(hand_over)
        if self.breaks:
            server.transport.abort()
            await asyncio.sleep(1)
        return "250 2.0.0 delivered"


def auth(server, session, envelope, mechanism, data):
    return AuthResult(success=data.password == b"bedpass")


def context(name):
    made = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    made.load_cert_chain(f"{tls}/{name}.pem", f"{tls}/{name}.key")
    return made


common = dict(hostname="127.0.0.1", authenticator=auth, server_hostname="bed.local", data_size_limit=40_000_000)
good = context("good")
Controller(Deliver(), port=first + 3, ssl_context=good, auth_require_tls=False, **common).start()
Controller(Deliver(), port=first + 4, tls_context=good, require_starttls=True, **common).start()
Controller(Deliver(breaks=True), port=first + 8, ssl_context=good, auth_require_tls=False, **common).start()


async def greet(reader, writer):
    writer.write(b"* OK hello\r\n")
    await writer.drain()
    await asyncio.sleep(5)
    writer.close()


async def wrong():
    for offset, name in ((5, "other"), (6, "expired"), (7, "self")):
        await asyncio.start_server(greet, "127.0.0.1", first + offset, ssl=context(name))
    await asyncio.Event().wait()


asyncio.run(wrong())
