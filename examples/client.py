#!/usr/bin/env python3
"""A whole client of harness, with nothing but the standard library: client.py "say hello" [folder]

It has no `permission` capability: calls that need a question are denied, and the model learns why. With "!ls" for a
prompt it runs that command itself, as the person who typed it.
"""
import json
import os
import subprocess
import sys

prompt = sys.argv[1] if len(sys.argv) > 1 else "Say hello."
folder = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else ".")
here = os.path.dirname(os.path.abspath(__file__))
command = os.environ.get("HARNESS_COMMAND", os.path.join(here, "../bin/harness"))
server = subprocess.Popen([command, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(number, method, params):
    line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    server.stdin.write(line.encode() + b"\n")
    server.stdin.flush()


def messages():
    parts = []
    for line in server.stdout:
        message = json.loads(line)
        if message.get("method") != "$/part":
            yield message
            continue
        # A long message comes in parts of its JSON text.
        part = message["params"]
        parts = [*parts, part["text"]] if part["index"] else [part["text"]]
        if len(parts) == part["count"]:
            yield json.loads("".join(parts))


incoming = messages()


def call(number, method, params):
    send(number, method, params)
    for message in incoming:
        if message.get("id") == number and "error" in message:
            sys.exit(message["error"]["message"])
        if message.get("id") == number:
            return message["result"]
    sys.exit("The server went away.")


call(1, "initialize", {"protocolVersions": ["1"], "clientInfo": {"name": "example-py", "version": "1"}})
session = call(2, "session/new", {"cwd": folder})["session"]["sessionId"]
own = prompt[1:] if prompt.startswith("!") else None
if own:
    send(3, "session/shell", {"sessionId": session, "command": own})
else:
    send(3, "session/prompt", {"sessionId": session, "promptId": "p1", "prompt": [{"type": "text", "text": prompt}]})

failure = "The server went away."
for message in incoming:
    if message.get("id") == 3 and "error" in message:
        failure = message["error"]["message"]
        break
    if message.get("method") != "session/update":
        continue
    update = message["params"]["update"]
    if update["sessionUpdate"] == "agent_message_chunk" or (own and update["sessionUpdate"] == "tool_output_chunk"):
        print(update["text"], end="", flush=True)
    if own and update["sessionUpdate"] == "tool_call_update" and "outcome" in update:
        failure = None if update["outcome"]["status"] == "ok" else "The command failed."
        break
    if update["sessionUpdate"] == "state_update" and update["state"] == "idle" and message["params"]["agentId"] == "main":
        failure = update.get("error", {}).get("message")
        break

print()
server.communicate()  # Closes its input, which ends it.
sys.exit(failure)
