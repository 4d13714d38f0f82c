// A window here and a server "there": another folder with settings of its own, reached by a command, which is cut.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterEach, beforeEach, expect, it } from "vitest";
import { harnessEntry } from "../../packages/cli/test/harness-process.ts";
import { ListeningHome } from "../support/listening-server.ts";

let place: ListeningHome;
let window: OpenTerminal | undefined;
const there = () => join(place.root, "there");

beforeEach(async () => {
  place = await ListeningHome.with({
    turns: [turns.call("bash", { command: "touch made" }), turns.say("It is done.", { repeat: "always" })],
  });
  mkdirSync(there());
});
afterEach(async () => {
  await window?.close();
  await place.close();
});

/** The command that leads to the server; its process id is in a file of this machine's project. */
const leads = (how: string) =>
  how === "nowhere"
    ? "exit 7"
    : `echo $$ > "$HERE/bridge.pid"; cd "$THERE"; HARNESS_HOME="$THERE/home" exec "$NODE" "$ENTRY" serve --stdio ${how}`;

function open(how: string, ...args: string[]): OpenTerminal {
  const { PATH: _path, HOME = "", ...env } = place.env as Record<string, string>;
  window = openTerminal({
    command: "/bin/bash",
    args: ["--norc", "-c", '"$NODE" "$ENTRY" --connect "$LEADS" "$@"; echo "[ended]"; read -r line', "sh", ...args],
    cwd: place.cwd,
    env: {
      ...env,
      HOME,
      NODE: process.execPath,
      ENTRY: harnessEntry,
      HERE: place.cwd,
      THERE: there(),
      LEADS: leads(how),
    },
  });
  return window;
}

async function until(condition: () => boolean, screen: OpenTerminal): Promise<void> {
  await screen.waitFor(() => condition());
}

it("works in the folder there, outlives a cut with its question, and leaves nothing here", async () => {
  const opened = open("--listen", "make it");
  await opened.waitFor(/\$ touch made/);
  place.kill("bridge.pid");
  await opened.waitFor("The connection is lost");
  await opened.waitFor(/› y .*· Enter/);
  opened.press("enter");
  await opened.waitFor("It is done.");
  await until(() => existsSync(join(there(), "made")), opened);
  opened.type("/quit");
  await opened.waitFor("> /quit");
  opened.press("enter");
  await opened.waitFor("[ended]");
  expect(readdirSync(place.cwd)).toEqual(["bridge.pid"]);
  expect(existsSync(join(place.home, "conversations"))).toBe(false);
});

it("says in words why no server was reached, before any window", async () => {
  const opened = open("nowhere");
  await opened.waitFor("[ended]");
  expect(opened.screen().join(" ")).toContain("No server was reached by exit 7: it ended with code 7");
});
