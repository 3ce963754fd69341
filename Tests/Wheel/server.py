"""An https server on loopback that answers every request with 404: `server.py CERTIFICATE KEY LOG`. Prints its port."""

import http.server
import ssl
import sys


class Handler(http.server.BaseHTTPRequestHandler):
  def do_GET(self):
    with open(sys.argv[3], "a", encoding="utf-8") as log:
      log.write(self.path + "\n")
    self.send_response(404)
    self.send_header("Content-Length", "2")
    self.send_header("Content-Type", "application/json")
    self.end_headers()
    self.wfile.write(b"{}")

  def log_message(self, *_):
    pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
