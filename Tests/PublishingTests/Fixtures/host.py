"""What the stand-ins for hosts share: python3 NAME.py PORT FOLDER serves on loopback; FOLDER/faults names what goes wrong, one word a line."""

import http.server
import sys

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]


def faults():
    try:
        return open(FOLDER + "/faults").read().split()
    except FileNotFoundError:
        return []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def cut(self):
        """Ends the connection without an answer."""
        self.connection.shutdown(2)
        self.close_connection = True

    def log_message(self, *_):
        pass


def serve(handler):
    http.server.ThreadingHTTPServer(("127.0.0.1", PORT), handler).serve_forever()
