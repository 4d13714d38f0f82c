// Two windows on one session, in real terminals: both ask, one answers, one is killed, and the session goes on.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterEach, beforeEach, expect, it } from "vitest";
import { harnessEntry } from "../../packages/cli/test/harness-process.ts";
import { ListeningHome } from "../support/listening-server.ts";

let place: ListeningHome;
const terminals: OpenTerminal[] = [];

beforeEach(async () => {
  const touch = (name: string) => turns.call("bash", { command: `touch ${name}` });
  place = await ListeningHome.with({
    turns: [
      touch("one"),
      turns.say("The first is done."),
      touch("two"),
      turns.say("All is done.", { repeat: "always" }),
    ],
  });
});
afterEach(async () => {
  await Promise.all(terminals.splice(0).map((each) => each.close()));
  await place.close();
});

/** A window in a terminal; its process id is in a file of the project. */
function open(name: string, ...args: string[]): OpenTerminal {
  const { PATH: _path, HOME = "", ...env } = place.env as Record<string, string>;
  const words = args.map((each) => `'${each}'`).join(" ");
  const script = `(echo $BASHPID > ${name}.pid; exec "$NODE" "$ENTRY" ${words}); echo "[ended]"; read -r line`;
  const terminal = openTerminal({
    command: "/bin/bash",
    args: ["--norc", "-c", script],
    cwd: place.cwd,
    env: { ...env, HOME, NODE: process.execPath, ENTRY: harnessEntry },
  });
  terminals.push(terminal);
  return terminal;
}

const made = (name: string) => existsSync(join(place.cwd, name));
const asks = (name: string) => new RegExp(`\\$ touch ${name}`);
/** Answers yes, once the terminal shows that Enter does. */
async function allow(window: OpenTerminal): Promise<void> {
  await window.waitFor(/› y .*· Enter/);
  window.press("enter");
}

async function command(window: OpenTerminal, text: string): Promise<void> {
  window.type(text);
  await window.waitFor(`> ${text}`);
  window.press("enter");
}

const noQuestion = (rows: readonly string[]) => !rows.some((row) => row.includes("Yes, once"));

it("a second window attaches, an answer closes the question in both, and the session survives the window that began it", async () => {
  const first = open("first", "make them");
  await first.waitFor(asks("one"));
  const second = open("second", "-c");
  await second.waitFor(asks("one"));
  await allow(second);
  await Promise.all([first, second].map((each) => each.waitFor("The first is done.")));
  await first.waitFor(noQuestion);
  expect(made("one")).toBe(true);

  await command(first, "and the next");
  await Promise.all([first, second].map((each) => each.waitFor(asks("two"))));
  place.kill("first.pid");
  // The killed window may have left the terminal in the middle of a frame.
  await first.waitFor(() => first.rawOutput.includes("[ended]"));
  await allow(second);
  await second.waitFor("All is done.");
  expect(made("two")).toBe(true);
  await command(second, "/quit");
  await second.waitFor("[ended]");
});

it("/detach leaves a session that waits; harness attach opens it again with the question", async () => {
  const first = open("first", "make them");
  await first.waitFor(asks("one"));
  await command(first, "/detach");
  await first.waitFor("[ended]");
  await first.waitFor(/goes on\. Look at it: harness attach/);
  const { stdout } = await place.run("sessions", "--live", "--json");
  const [live] = JSON.parse(stdout).sessions;
  expect(live).toMatchObject({ state: "requires_action", clients: 0 });
  const second = open("second", "attach");
  await second.waitFor(asks("one"));
  await allow(second);
  await second.waitFor("The first is done.");
  expect(made("one")).toBe(true);
});

it("a window goes on by itself when the server that held its session is killed", async () => {
  const first = open("first", "make them");
  await first.waitFor(asks("one"));
  const second = open("second", "-c");
  await second.waitFor(asks("one"));
  const [live] = JSON.parse((await place.run("sessions", "--live", "--json")).stdout).sessions;
  process.kill(live.pid, "SIGKILL");
  await Promise.all([first, second].map((each) => each.waitFor(/interrupted/)));
  await command(second, "go on");
  await Promise.all([first, second].map((each) => each.waitFor("The first is done.")));
  expect(made("one")).toBe(false);
});

it("harness stop is told in both windows, and the next message goes on", async () => {
  const first = open("first", "make them");
  await first.waitFor(asks("one"));
  const second = open("second", "-c");
  await second.waitFor(asks("one"));
  const [live] = JSON.parse((await place.run("sessions", "--live", "--json")).stdout).sessions;
  const { stderr } = await place.run("stop", live.sessionId);
  expect(stderr).toContain("still open in 2 places");
  await Promise.all([first, second].map((each) => each.waitFor(/This session was stopped \(harness stop\)/)));
  await first.waitFor(noQuestion);
  await command(second, "go on");
  await Promise.all([first, second].map((each) => each.waitFor("The first is done.")));
  expect(made("one")).toBe(false);
});
