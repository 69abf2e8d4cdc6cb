"""What stands beside Radicale: calendars at an address, and servers whose certificates are wrong. Started by dav.sh
with the first port and the folder; it serves `feed/` and nothing else."""

import functools
import http.server
import ssl
import sys
import threading

port, bed = int(sys.argv[1]), sys.argv[2]
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=f"{bed}/feed")
for above, name in enumerate(["good", "other", "expired", "self"], start=1):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port + above), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{bed}/tls/{name}.pem", f"{bed}/tls/{name}.key")
    # The handshake belongs to the thread of the request: who hangs in one must not stop the others.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever).start()
