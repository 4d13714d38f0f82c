#!/usr/bin/env python3
"""The same client in Python, with nothing but its standard library: client.py "say hello" [folder]

It has no `permission` capability: what would be asked is denied, and the model is told so.
"""
import json
import os
import subprocess
import sys

prompt, folder = sys.argv[1], os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else ".")
here = os.path.dirname(os.path.realpath(__file__))
command = os.environ.get("HARNESS_COMMAND", os.path.join(here, "../bin/harness"))
server = subprocess.Popen([command, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
calls = 0


def send(method, params):
    global calls
    calls += 1
    line = json.dumps({"jsonrpc": "2.0", "id": calls, "method": method, "params": params})
    server.stdin.write(line.encode() + b"\n")
    server.stdin.flush()
    return calls


def messages_until(done):
    for line in server.stdout:
        message = json.loads(line)
        yield message
        if done(message):
            return


def call(method, params):
    number = send(method, params)
    answer = {"error": {"message": "The server ended without an answer."}}
    for message in messages_until(lambda m: m.get("id") == number and "method" not in m):
        answer = message
    if "error" in answer:
        sys.exit(answer["error"]["message"])
    return answer["result"]


call("initialize", {"protocolVersions": ["1"], "clientInfo": {"name": "example-py", "version": "1"}})
session = call("session/new", {"cwd": folder})["session"]["sessionId"]
send("session/prompt", {"sessionId": session, "promptId": "p1", "prompt": [{"type": "text", "text": prompt}]})


def is_over(message):
    params = message.get("params") or {}
    update = params.get("update", {})
    return update.get("sessionUpdate") == "state_update" and update["state"] == "idle" and params["agentId"] == "main"


for message in messages_until(is_over):
    update = (message.get("params") or {}).get("update", {})
    if update.get("sessionUpdate") == "agent_message_chunk":
        sys.stdout.write(update["text"])
        sys.stdout.flush()
print()
server.stdin.close()
sys.exit(1 if "error" in update else server.wait())
