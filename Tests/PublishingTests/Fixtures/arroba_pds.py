"""A repository of the AT Protocol served by arroba (https://github.com/snarfed/arroba), which stores signed commits of a Merkle search tree. lexrpc
checks each record against the lexicons.

arroba_pds.py PORT FOLDER: FOLDER/now/COLLECTION/KEY.json are the records of the repository when it was last listed or a record was deleted.
"""

import json
import os
import shutil
import sys

os.environ.update(REPO_TOKEN="token", REPO_PASSWORD="right-word", PLC_HOST="127.0.0.1", PDS_HOST="127.0.0.1", RELAY_HOST="127.0.0.1")

from arroba import server, xrpc_repo, xrpc_server  # noqa: F401: they register their methods.
from arroba.repo import Repo
from arroba.storage import MemoryStorage
from arroba.util import new_key
from flask import Flask, jsonify, request
from lexrpc.base import Base
from lexrpc.flask_server import init_flask

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
ACCOUNT = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"

lexicons = Base(validate=True)
# The response of arroba to deleteRecord has no body, which the method's lexicon does not allow.
server.server._validate = False
app = Flask(__name__)
server.storage = MemoryStorage()
server.storage.create_repo(Repo.create(server.storage, ACCOUNT, handle="ada.example", signing_key=new_key(seed=1)))


@app.before_request
def check_record():
    if not request.path.endswith(".putRecord"):
        return None
    body = request.get_json()
    try:
        lexicons.validate(body["collection"], "record", body["record"])
    except Exception as error:
        return jsonify(error="InvalidRequest", message=str(error)), 400
    return None


@app.after_request
def write(response):
    if request.path.endswith((".listRecords", ".deleteRecord")):
        shutil.rmtree(f"{FOLDER}/now", ignore_errors=True)
        for collection, records in server.storage.load_repo(ACCOUNT).get_contents().items():
            os.makedirs(f"{FOLDER}/now/{collection}", exist_ok=True)
            for key, record in records.items():
                json.dump(record, open(f"{FOLDER}/now/{collection}/{key}.json", "w"))
    return response


init_flask(server.server, app)
app.run("127.0.0.1", PORT, threaded=False)
