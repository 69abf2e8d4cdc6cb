"""A tiny index behind a real SearXNG: /search.json?q= over a few pages, the pages themselves, and /riddle.json, which
answers like an engine that wants a riddle solved."""

import http.server
import json
import sys
import urllib.parse

PAGES = {
    "/pool": ("Swimming pool", "The swimming pool is open every day from 9 to 19."),
    "/ribollita": ("Ribollita", "Ribollita is a Tuscan soup of bread, beans and black cabbage."),
}


class Index(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        words = urllib.parse.parse_qs(url.query).get("q", [""])[0].lower().split()
        host = self.headers["host"]
        if url.path == "/search.json":
            found = [
                {"url": f"http://{host}{path}", "title": title, "content": text}
                for path, (title, text) in PAGES.items()
                if any(word in (title + text).lower() for word in words)
            ]
            self.answer(200, "application/json", json.dumps({"results": found}))
        elif url.path == "/riddle.json":
            self.answer(429, "text/html", "<h1>Are you a robot?</h1>")
        elif url.path in PAGES:
            title, text = PAGES[url.path]
            self.answer(200, "text/html", f"<title>{title}</title><h1>{title}</h1><p>{text}</p>")
        else:
            self.answer(404, "text/plain", "nothing here")

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Index).serve_forever()
