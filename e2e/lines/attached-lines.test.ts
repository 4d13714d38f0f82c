// Plain lines on a session that another server works on.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { type OpenTerminal, openTerminal } from "@harness/testkit/terminal";
import { afterEach, expect, it } from "vitest";
import { harnessEntry } from "../../packages/cli/test/harness-process.ts";
import { ListeningHome } from "../support/listening-server.ts";

let place: ListeningHome;
let lines: OpenTerminal | undefined;

afterEach(async () => {
  await lines?.close();
  await place.close();
});

it("attach, answer its question, and go on here when the other server has gone", async () => {
  place = await ListeningHome.with({
    turns: [
      turns.call("bash", { command: "touch one" }),
      turns.say("The first is done."),
      turns.say("Here again.", { repeat: "always" }),
    ],
  });
  const { stdout } = await place.run("run", "--background", "--json", "make one");
  const { sessionId, pid } = JSON.parse(stdout);
  const { PATH: _path, HOME = "", ...env } = place.env as Record<string, string>;
  const shown = openTerminal({
    command: process.execPath,
    args: [harnessEntry, "--line", "-r", sessionId],
    cwd: place.cwd,
    env: { ...env, HOME },
  });
  lines = shown;
  await shown.waitFor("open elsewhere, too: both see and answer everything");
  await shown.waitFor("Permission needed: bash touch one");
  await shown.waitFor("answer>");
  shown.type("y");
  shown.press("enter");
  await shown.waitFor("The first is done.");
  expect(existsSync(join(place.cwd, "one"))).toBe(true);

  process.kill(pid, "SIGKILL");
  await shown.waitFor("It goes on here.");
  shown.type("and now?");
  shown.press("enter");
  await shown.waitFor("Here again.");
});
