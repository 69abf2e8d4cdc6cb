#!/usr/bin/env python3
"""Whisper behind the common interface of speech servers: POST /v1/audio/transcriptions, GET /health.

    speechbed.py PORT MODEL_FOLDER

Only what a client of that interface uses is there: `file`, `language` and `response_format` of a multipart form, and
the answers `json` and `verbose_json`. The model is faster-whisper's; nothing is downloaded.
"""

import io
import json
import sys
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from faster_whisper import WhisperModel

BODY_BYTES_MAX = 25 * 1024 * 1024


class Handler(BaseHTTPRequestHandler):
    model = None
    one_at_a_time = Lock()

    def do_GET(self):
        self.answer(200 if self.path == "/health" else 404, {"status": "ok"})

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if self.path != "/v1/audio/transcriptions" or not 0 < length <= BODY_BYTES_MAX:
            return self.answer(404, {"error": {"message": "not found"}})
        form = self.form(self.rfile.read(length))
        if "file" not in form:
            return self.answer(400, {"error": {"message": "no file"}})
        try:
            with self.one_at_a_time:
                heard = self.hear(form)
        except Exception as error:  # noqa: BLE001: whatever the decoder says, the client gets an answer
            return self.answer(400, {"error": {"message": str(error)}})
        short = {"text": heard["text"]}
        self.answer(200, heard if form.get("response_format", b"json") == b"verbose_json" else short)

    def form(self, body):
        head = f"content-type: {self.headers['content-type']}\r\n\r\n".encode()
        message = BytesParser(policy=HTTP).parsebytes(head + body)
        parts = message.iter_parts() if message.is_multipart() else []
        return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in parts}

    def hear(self, form):
        language = form.get("language", b"").decode() or None
        found, about = self.model.transcribe(io.BytesIO(form["file"]), language=language, vad_filter=True)
        segments = [
            {
                "id": segment.id,
                "start": segment.start,
                "end": segment.end,
                "text": segment.text,
                "avg_logprob": segment.avg_logprob,
                "no_speech_prob": segment.no_speech_prob,
            }
            for segment in found
        ]
        text = "".join(segment["text"] for segment in segments).strip()
        return {"language": about.language, "duration": about.duration, "text": text, "segments": segments}

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    port, folder = int(sys.argv[1]), sys.argv[2]
    Handler.model = WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=2, local_files_only=True)
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
